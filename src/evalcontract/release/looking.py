"""One look at each item of a dataset: keys, paths, what it declares, and what stands beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from evalcontract.checking import Plan, check_events, located
from evalcontract.datasets import DatasetSource
from evalcontract.reading import Closed, Document, Event, Fault, Opened
from evalcontract.release.alike import AlikeItems
from evalcontract.release.answers import ExpectedAnswers
from evalcontract.release.survey import FIELDS, Survey, Topics
from evalcontract.validation import Violation, dataset_violations, is_version
from evalcontract.values import plain, shown

MOST_VALUES = 10
"""Different values of one declaration that are remembered."""


def checked(
    source: DatasetSource,
    plan: Plan,
    progress: Callable[[str, int], None] | None = None,
    alike: AlikeItems | None = None,
) -> Survey:
    """Read a dataset and check every item against its contract; with `alike` also against each other."""
    looker = Looker(source, alike)
    survey = looker.survey
    events = looker.watched(source.events())
    survey.result = check_events(
        source.label, events, plan, survey.topics, observe=looker.item, progress=progress
    )
    looker.close()
    survey.topics.add(looker.digit_look_alikes())
    survey.topics.add(looker.metadata_violations(plan))
    survey.topics.add(alike.found() if alike else ())
    return survey


def looked_at(source: DatasetSource) -> Survey:
    """Read a dataset for its keys and metadata, without a verdict on its items."""
    looker = Looker(source)
    for event in looker.watched(source.events()):
        if isinstance(event, Document):
            looker.item(event)
    looker.close()
    return looker.survey


def declared_in(item: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """What an item says of its dataset in its raw_metadata; a version that is none is left to its contract."""
    metadata = item.get("metadata")
    raw = metadata.get("raw_metadata") if isinstance(metadata, Mapping) else None
    if isinstance(raw, Mapping):
        for name in FIELDS:
            value = raw.get(name)
            if isinstance(value, str) and (name != "input_schema_version" or is_version(value)):
                yield name, value


def id_of(item: Mapping[str, object]) -> tuple[str | None, str | None]:
    """The id of an item, where it is text, and where it is a whole number instead, as text."""
    item_id = item.get("item_id")
    if isinstance(item_id, str):
        return item_id, None
    return None, str(item_id) if isinstance(item_id, int) and not isinstance(item_id, bool) else None


class Looker:
    """Looks at the events of one dataset as they pass."""

    def __init__(self, source: DatasetSource, alike: AlikeItems | None = None) -> None:
        self._alike = alike
        self.survey = Survey(source, topics=Topics(source.placed))
        self._in_envelope = False
        self.declared: dict[str, dict[str, str]] = {name: {} for name in FIELDS}
        self.numbers: dict[str, int | None] = {}
        self.digits: set[str] = set()
        self._answers = ExpectedAnswers()

    def watched(self, events: Iterable[Event]) -> Iterable[Event]:
        survey = self.survey
        for event in events:
            if isinstance(event, Opened):
                self._in_envelope = event.container == "dataset"
                survey.faults += 0 if self._in_envelope else len(survey.source.beside_faults)
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
        if self._alike is not None:
            self._alike.add(document)
        name, number = id_of(item)
        survey.keys.add(item, name)
        survey.paths.add(item)
        contradiction = self._answers.add(item)
        if contradiction is not None:
            survey.topics.add([located(contradiction, document)], document.index)
        if name is not None and name.lstrip("-").isdigit():
            self.digits.add(name)
        if number is not None:
            self.numbers.setdefault(number, document.index)
        if not self._in_envelope and self.survey.source.beside_file is None:
            self._collect(item)

    def _collect(self, item: Mapping[str, object]) -> None:
        for name, value in declared_in(item):
            values = self.declared[name]
            if len(values) < MOST_VALUES and value not in values:
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
                name: next(iter(values)) for name, values in self.declared.items() if len(values) == 1
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
        split = {f"/metadata/{name}" for name, values in self.declared.items() if len(values) > 1}
        for violation in dataset_violations(
            plan.catalogue, {"metadata": metadata}, str(plan.dataset_contract)
        ):
            if violation.pointer in split:  # reported as such
                continue
            hint = violation.hint or "write the metadata beside the items, or into each item's raw_metadata"
            yield replace(violation, file=source.beside_file or source.label, hint=hint)

    def _split_declarations(self) -> Iterable[Violation]:
        for name, values in self.declared.items():
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
        for text in sorted(self.numbers.keys() & self.digits):
            yield Violation(
                "look-alike-id",
                f"item_id {text} of {_item(self.numbers[text])} and the item_id '{text}' differ only by type",
                "/item_id",
                hint="ids are strings; give each item one of its own",
                severity="advice",
                item_id=text,
                file=self.survey.source.label,
            )


def _item(index: int | None) -> str:
    return "an item" if index is None else f"item {index + 1}"
