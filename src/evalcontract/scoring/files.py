"""The files of a scoring run: read once, checked as `validate` checks them, never half used."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.checking import (
    MAX_VIOLATIONS,
    FileResult,
    Findings,
    Progress,
    RunResult,
    check_events,
    located,
    plan,
    sidecar_metadata,
)
from evalcontract.errors import UsageError
from evalcontract.reading import STDIN, Document, Event, Opened, read
from evalcontract.scoring.join import Spool
from evalcontract.scoring.work import OtherKind
from evalcontract.validation import (
    Declaration,
    Violation,
    choose,
    declaration_of,
    item_declaration,
    told_type,
)
from evalcontract.values import shown

Take = Callable[[dict[str, Any], str | None], None]

_CONTRACTS: dict[OtherKind, str] = {"predictions": "prediction_record", "scores": "score_record"}


class Files:
    """Reads files and keeps what is wrong with them. After the first error nothing is handed on any more."""

    def __init__(self, progress: Progress | None = None, catalogue: Catalogue | None = None) -> None:
        self._catalogue = catalogue or default_catalogue()
        self._findings = Findings(MAX_VIOLATIONS)
        self._seen = 0
        self._added = 0
        self._sound = True
        self._results: list[FileResult] = []
        self._progress = progress

    @property
    def sound(self) -> bool:
        """Whether no error has been found so far."""
        kept = self._findings.kept
        self._sound = (
            self._sound
            and all(violation.severity == "advice" for violation in kept[self._seen :])
            and all(severity == "advice" for *_, severity in self._findings.groups)
        )
        self._seen = len(kept)
        return self._sound

    @property
    def advices(self) -> int:
        """The number of advices so far."""
        return sum(result.advices for result in self._results)

    def result(self) -> RunResult:
        """What was found in all files."""
        return RunResult(tuple(self._results), tuple(self._findings.kept), self._findings.counted())

    def records(self, file: str, kind: OtherKind, spool: Spool) -> None:
        """Keep each prediction or score record of a file."""
        first: dict[str, int] = {}

        def keep(document: Document) -> None:
            value = document.value
            item_id = value.get("item_id") if isinstance(value, dict) else None
            if not isinstance(item_id, str):
                return
            if item_id in first:
                self._add(_repeated(item_id, first[item_id], kind), document)
                return
            first[item_id] = document.index
            if self.sound:
                spool.add(item_id, document.raw or json.dumps(value).encode())

        self._check(file, _no_dataset(file, read(file, items=True)), keep, contract=_CONTRACTS[kind])

    def dataset(
        self,
        file: str,
        begin: Callable[[object], None],
        take: Take,
        schema_type: str | None = None,
        own_types: tuple[str, ...] = (),
    ) -> None:
        """Hand on the metadata of a dataset, then each item with the built-in schema type that it is a kind of."""
        catalogue = self._catalogue
        told = catalogue.base_type(told_type(catalogue, schema_type)) if schema_type else None
        types: dict[Declaration, str | None] = {}
        declared = Declaration()

        def watched(events: Iterator[Event]) -> Iterator[Event]:
            nonlocal declared
            for event in events:
                if isinstance(event, Opened):
                    metadata = _metadata(file, event)
                    declared = declaration_of(metadata)
                    begin(metadata)
                yield event

        def hand_on(document: Document) -> None:
            item = document.value
            if not isinstance(item, dict):
                return
            repeated = _judged_twice(item)
            if repeated is not None:
                self._add(repeated, document)
            if not self.sound:
                return
            if "input" not in item:  # `validate` knows records and metadata too
                raise UsageError(
                    f"{file} doesn't hold items of a dataset",
                    hint="evalcontract score PREDICTIONS --dataset DATASET",
                )
            own = item_declaration(item)
            if own not in types:
                chosen = choose(catalogue, own, declared, frozenset(own_types)).type
                types[own] = told or (catalogue.base_type(chosen) if chosen else None)
            take(item, types[own])

        events = watched(read(file, items=True))
        self._check(file, events, hand_on, schema_type=schema_type, own_types=own_types)

    def _check(
        self,
        file: str,
        events: Iterator[Event],
        observe: Callable[[Document], None],
        *,
        contract: str | None = None,
        schema_type: str | None = None,
        own_types: tuple[str, ...] = (),
    ) -> None:
        made = plan(
            contract=contract, schema_type=schema_type, own_types=own_types, catalogue=self._catalogue
        )
        result = check_events(file, events, made, self._findings, observe=observe, progress=self._progress)
        added, self._added = self._added, 0
        self._results.append(replace(result, errors=result.errors + added, invalid=result.invalid + added))

    def _add(self, violation: Violation, document: Document) -> None:
        """An error in a document that keeps its contract."""
        self._added += 1
        self._findings.add([located(violation, document)])


def kind_of(file: str) -> OtherKind:
    """Whether a file holds score records or predictions, told by its first record."""
    for event in read(file, items=True):
        if isinstance(event, Document):
            value = event.value
            found = isinstance(value, dict) and "scores" in value and "prediction" not in value
            return "scores" if found else "predictions"
    return "predictions"


def _no_dataset(file: str, events: Iterator[Event]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, Opened) and event.container == "dataset":
            raise UsageError(
                f"{file} is a dataset, not a file of predictions",
                hint="evalcontract score PREDICTIONS --dataset DATASET",
            )
        yield event


def _metadata(file: str, opened: Opened) -> object:
    if opened.container != "dataset":
        return sidecar_metadata(file)[0] if file != STDIN and Path(file).exists() else None
    value = opened.envelope.value if opened.envelope else None
    return value.get("metadata") if isinstance(value, dict) else None


def _repeated(item_id: str, first: int, kind: OtherKind) -> Violation:
    thing = "prediction" if kind == "predictions" else "score record"
    return Violation(
        f"duplicate-{thing.replace(' ', '-')}",
        f"item {shown(item_id)} already has a {thing}, record {first + 1} of the file",
        "/item_id",
        expected=f"one {thing} for an item",
        actual=shown(item_id),
        hint="keep one of them; several runs over the same items are several files",
        item_id=item_id,
    )


def _judged_twice(item: dict[str, Any]) -> Violation | None:
    """A document with two judgements: which of them should count?"""
    expected = item.get("expected_output")
    judged = expected.get("retrieval_ground_truth") if isinstance(expected, dict) else None
    item_id = item.get("item_id")
    seen: set[str] = set()
    for number, row in enumerate(judged if isinstance(judged, list) else ()):
        id_ = row.get("document_id") if isinstance(row, dict) else None
        if isinstance(id_, str):
            if id_ in seen:
                return Violation(
                    "duplicate-judgement",
                    f"the ground truth judges document {shown(id_)} twice",
                    f"/expected_output/retrieval_ground_truth/{number}/document_id",
                    hint="keep one judgement a document",
                    item_id=item_id if isinstance(item_id, str) else None,
                )
            seen.add(id_)
    return None
