"""One pass over a dataset: what the checks of a release have to know, in memory for ids and keys only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from evalcontract.checking import NO_DOCUMENT, FileResult, Findings, Plan, check_events, located
from evalcontract.datasets import DatasetSource
from evalcontract.errors import UsageError
from evalcontract.reading import Closed, Document, Event, Fault, Opened
from evalcontract.release.answers import ExpectedAnswers
from evalcontract.release.keys import KeyUnions, PathTable
from evalcontract.release.name import DatasetName, written_as
from evalcontract.release.version import ReleaseVersion
from evalcontract.validation import Violation, dataset_violations, is_version
from evalcontract.values import plain, shown

FIELDS = ("product_id", "scope", "version", "input_schema_type", "input_schema_version")
KEPT = 100

DUPLICATES = "duplicates"
LOOK_ALIKES = "look-alikes"
DECLARATIONS = "declarations"
CONTRACT = "contract"
ANSWERS = "answers"
ADVICES = "advices"

_OF_THE_DATASET = frozenset({"/input_schema_type", "/input_schema_version"})
_TOPICS = {
    "duplicate-item-id": DUPLICATES,
    "look-alike-id": LOOK_ALIKES,
    "contradicting-answers": ANSWERS,
    "declarations-disagree": DECLARATIONS,
    "unknown-schema-type": DECLARATIONS,
    "unknown-schema-version": DECLARATIONS,
}


class Topics(Findings):
    """Findings sorted by the check that answers for them: the first KEPT of each in full, all of them counted.

    Places are left out of what has none.
    """

    def __init__(self, placed: bool = True) -> None:
        super().__init__(0)
        self.placed = placed
        self.by_topic: dict[str, list[Violation]] = {}
        self.counts: dict[str, int] = {}
        self._said: set[str] = set()

    @property
    def full(self) -> bool:
        """Never: each topic has room of its own, so every finding comes with its place."""
        return False

    def add(self, violations: Iterable[Violation], index: int = NO_DOCUMENT) -> None:
        """Keep or count each finding."""
        for violation in map(self._of_the_dataset, violations):
            if violation is None:
                continue
            topic = _TOPICS.get(violation.code) or (ADVICES if violation.severity == "advice" else CONTRACT)
            self.counts[topic] = self.counts.get(topic, 0) + 1
            kept = self.by_topic.setdefault(topic, [])
            if len(kept) < KEPT:
                kept.append(replace(violation, line=None, column=None) if not self.placed else violation)

    def _of_the_dataset(self, violation: Violation) -> Violation | None:
        """The violation; None for one of what the dataset declares, once another item brought it up."""
        if violation.pointer not in _OF_THE_DATASET or not violation.code.startswith("unknown-"):
            return violation
        if violation.code in self._said:
            return None
        self._said.add(violation.code)
        return replace(
            violation, pointer=f"/metadata{violation.pointer}", item_id=None, line=None, column=None
        )


@dataclass(slots=True)
class Survey:
    """What one pass found out about a dataset.

    `metadata` is that of the dataset, from its envelope or its sidecar, else what its items agree on in
    their raw_metadata. `faults` counts what couldn't be read. `result` and `topics` stay empty for a
    dataset that was only looked at, not checked.
    """

    source: DatasetSource
    metadata: Mapping[str, object] = field(default_factory=dict)
    items: int = 0
    faults: int = 0
    keys: KeyUnions = field(default_factory=KeyUnions)
    paths: PathTable = field(default_factory=PathTable)
    topics: Topics = field(default_factory=Topics)
    result: FileResult | None = None

    @property
    def version(self) -> ReleaseVersion | None:
        """The version that the metadata declares, None when it declares none."""
        try:
            return ReleaseVersion.parse(str(self.metadata["version"]))
        except (KeyError, UsageError):
            return None

    @property
    def name(self) -> DatasetName | None:
        """The name that the metadata calls for, None when it is incomplete."""
        try:
            return written_as(DatasetName.of(self.metadata), self.source.stem)
        except UsageError:
            return None

    def text(self, field_name: str) -> str | None:
        """A field of the metadata, None when it isn't text."""
        value = self.metadata.get(field_name)
        return value if isinstance(value, str) else None


def checked(source: DatasetSource, plan: Plan, progress: Callable[[str, int], None] | None = None) -> Survey:
    """Read a dataset and check every item against its contract."""
    looker = _Looker(source)
    survey = looker.survey
    events = looker.watched(source.events())
    survey.result = check_events(
        source.label, events, plan, survey.topics, observe=looker.item, progress=progress
    )
    looker.close()
    survey.topics.add(looker.digit_look_alikes())
    survey.topics.add(looker.metadata_violations(plan))
    return survey


def looked_at(source: DatasetSource) -> Survey:
    """Read a dataset for its keys and metadata, without a verdict on its items."""
    looker = _Looker(source)
    for event in looker.watched(source.events()):
        if isinstance(event, Document):
            looker.item(event)
    looker.close()
    return looker.survey


class _Looker:
    """Looks at the events of one dataset as they pass."""

    def __init__(self, source: DatasetSource) -> None:
        self.survey = Survey(source, topics=Topics(source.placed))
        self._in_envelope = False
        self._declared: dict[str, dict[str, str]] = {name: {} for name in FIELDS}
        self._numbers: dict[str, int] = {}
        self._digits: set[str] = set()
        self._answers = ExpectedAnswers()

    def watched(self, events: Iterable[Event]) -> Iterable[Event]:
        survey = self.survey
        survey.faults = len(survey.source.beside_faults)
        for event in events:
            if isinstance(event, Opened):
                self._in_envelope = event.container == "dataset"
            elif isinstance(event, Fault):
                survey.faults += 1
            elif isinstance(event, Closed) and event.envelope is not None:
                value = event.envelope.value
                metadata = value.get("metadata") if isinstance(value, Mapping) else None
                survey.metadata = metadata if isinstance(metadata, Mapping) else {}
            yield event

    def item(self, document: Document) -> None:
        survey, item = self.survey, document.value
        survey.items += 1
        if not isinstance(item, Mapping):
            return
        item_id = item.get("item_id")
        survey.keys.add(item, item_id if isinstance(item_id, str) else None)
        survey.paths.add(item)
        contradiction = self._answers.add(item)
        if contradiction is not None:
            survey.topics.add([located(contradiction, document)], document.index)
        if isinstance(item_id, str):
            if item_id.lstrip("-").isdigit():
                self._digits.add(item_id)
        elif isinstance(item_id, int) and not isinstance(item_id, bool):
            self._numbers.setdefault(str(item_id), document.index)
        if not self._in_envelope and self.survey.source.beside_file is None:
            self._collect(item)

    def _collect(self, item: Mapping[str, object]) -> None:
        metadata = item.get("metadata")
        raw = metadata.get("raw_metadata") if isinstance(metadata, Mapping) else None
        if isinstance(raw, Mapping):
            for name, values in self._declared.items():
                value = raw.get(name)
                if isinstance(value, str) and len(values) < 10 and value not in values:
                    if name == "input_schema_version" and not is_version(value):
                        continue  # the item's contract reports it
                    values[value] = str(item.get("item_id"))

    def close(self) -> None:
        """Settle the metadata when it is in no envelope."""
        if self._in_envelope:
            return
        beside = plain(self.survey.source.beside)
        if self.survey.source.beside_file is not None:
            self.survey.metadata = beside if isinstance(beside, Mapping) else {}
        else:
            self.survey.metadata = {
                name: next(iter(values)) for name, values in self._declared.items() if len(values) == 1
            }

    def metadata_violations(self, plan: Plan) -> Iterable[Violation]:
        """What is wrong with metadata that is in no envelope; an envelope's was checked with it."""
        if self._in_envelope:
            return
        source = self.survey.source
        if source.beside_file is None:
            yield from self._split_declarations()
        elif source.beside_faults:
            return
        metadata = self.survey.metadata if source.beside_file is None else plain(source.beside)
        split = {f"/metadata/{name}" for name, values in self._declared.items() if len(values) > 1}
        for violation in dataset_violations(
            plan.catalogue, {"metadata": metadata}, str(plan.dataset_contract)
        ):
            if violation.pointer in split:  # reported as such
                continue
            hint = violation.hint or "write the metadata beside the items, or into each item's raw_metadata"
            yield replace(violation, file=source.beside_file or source.label, hint=hint)

    def _split_declarations(self) -> Iterable[Violation]:
        for name, values in self._declared.items():
            if len(values) > 1:
                said = ", ".join(f"{shown(value, 30)} (item {shown(of, 30)})" for value, of in values.items())
                yield Violation(
                    "declarations-disagree",
                    f"the items of one release declare several values of {name}: {said}",
                    f"/metadata/raw_metadata/{name}",
                    hint="a release has one; correct the items, or make a dataset for each",
                    file=self.survey.source.label,
                )

    def digit_look_alikes(self) -> Iterable[Violation]:
        """Ids that are a number in one item and the same digits as text in another."""
        for text in sorted(self._numbers.keys() & self._digits):
            yield Violation(
                "look-alike-id",
                f"item_id {text} of item {self._numbers[text] + 1} and the item_id '{text}' differ only by type",
                "/item_id",
                hint="ids are strings; give each item one of its own",
                severity="advice",
                item_id=text,
                file=self.survey.source.label,
            )
