"""One pass over a dataset: what the checks of a release have to know, in memory for ids and keys only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from evalcontract.checking import NO_DOCUMENT, FileResult, Findings
from evalcontract.datasets import DatasetSource
from evalcontract.errors import UsageError
from evalcontract.release.keys import KeyUnions, PathTable
from evalcontract.release.name import DatasetName, written_as
from evalcontract.release.version import ReleaseVersion
from evalcontract.validation import Violation

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


def topic_of(code: str, severity: str) -> str:
    """What the check that answers for a finding is about."""
    return _TOPICS.get(code) or (ADVICES if severity == "advice" else CONTRACT)


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
            topic = topic_of(violation.code, violation.severity)
            self.counts[topic] = self.counts.get(topic, 0) + 1
            kept = self.by_topic.setdefault(topic, [])
            if violation.code == "too-many-invalid":
                kept.insert(0, violation)  # said first: what the checks say is about a part of the dataset
            elif len(kept) < KEPT:
                kept.append(replace(violation, line=None, column=None) if not self.placed else violation)

    def add_counted(self, code: str, place: str, severity: str, count: int) -> None:
        """Count findings of which there is no more than their number."""
        if place in _OF_THE_DATASET and code.startswith("unknown-"):
            return  # said once, by the first of them
        topic = topic_of(code, severity)
        self.counts[topic] = self.counts.get(topic, 0) + count

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
