"""The judge of a file's documents: what each of them is checked against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evalcontract.checking.plan import Plan
from evalcontract.checking.shapes import Judge, items_and_records, whole_documents
from evalcontract.checking.sidecar import METADATA, is_sidecar, overruled, sidecar_metadata
from evalcontract.reading import Document, Opened
from evalcontract.validation import Declaration, ItemChecker, ItemVerdict, Violation, declaration_of


@dataclass(frozen=True, slots=True)
class Subject:
    """What a file holds, the dataset metadata its items belong to, and what is wrong with that."""

    kind: str
    metadata: object = None
    faults: tuple[Violation, ...] = ()


def subject_of(plan: Plan, source: str, opened: Opened) -> Subject:
    """What a file that was just opened holds, as far as the caller didn't say."""
    if not plan.by_item:
        return Subject(str(plan.contract))
    if is_sidecar(Path(source)):
        return Subject(METADATA)
    if opened.container == "dataset":
        metadata = _metadata_of(opened.envelope)
        return Subject("dataset", metadata, overruled(source, metadata))
    return Subject("items", *sidecar_metadata(source))


def judge_of(plan: Plan, subject: Subject) -> Judge:
    """The verdicts on the documents of one file."""
    if not plan.by_item or subject.kind == METADATA:
        return whole_documents(plan, subject.kind)
    envelope = str(plan.item_contract)
    items = ItemChecker(plan.catalogue, plan.told, subject.metadata, envelope, plan.engine)
    return items_and_records(plan, items)


class FileJudges:
    """The judges of one run, each made once for all files that hold the same and declare the same."""

    _MOST = 100

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._ready: dict[tuple[str, Declaration], Judge] = {}

    def of(self, subject: Subject) -> Judge:
        """The judge of a file that holds this."""
        key = (subject.kind, declaration_of(subject.metadata))
        judge = self._ready.get(key)
        if judge is None:
            if len(self._ready) >= self._MOST:
                self._ready.clear()
            judge = self._ready[key] = judge_of(self._plan, subject)
        return judge


def _undecided(_: object, __: bool) -> ItemVerdict:
    raise AssertionError("a reader yields Opened before the first document")


UNDECIDED = Judge(_undecided)
"""The judge before a file is opened."""


def _metadata_of(envelope: Document | None) -> object:
    value = envelope.value if envelope else None
    return value.get("metadata") if isinstance(value, Mapping) else None
