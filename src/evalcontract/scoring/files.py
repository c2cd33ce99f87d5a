"""The files of a scoring run: read once, checked as `validate` checks them, never half used."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
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
    plan,
    sidecar_metadata,
)
from evalcontract.errors import UsageError
from evalcontract.reading import STDIN, Document, Event, Opened, read
from evalcontract.scoring.join import Spool
from evalcontract.scoring.work import OtherKind
from evalcontract.validation import (
    Declaration,
    choose,
    declaration_of,
    item_declaration,
    told_type,
)

Take = Callable[[dict[str, Any], str | None], None]

_CONTRACTS: dict[OtherKind, str] = {"predictions": "prediction_record", "scores": "score_record"}


class Files:
    """Reads files and keeps what is wrong with them. After the first error nothing is handed on any more."""

    def __init__(self, progress: Progress | None = None, catalogue: Catalogue | None = None) -> None:
        self._catalogue = catalogue or default_catalogue()
        self._findings = Findings(MAX_VIOLATIONS)
        self._seen = 0
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

    def records(
        self,
        file: str,
        kind: OtherKind,
        spool: Spool,
        look: Callable[[dict[str, Any], str], None] | None = None,
    ) -> None:
        """Keep each prediction or score record of a file, when `look` has seen it."""

        def keep(document: Document) -> None:
            value = document.value
            if isinstance(value, dict) and isinstance(item_id := value.get("item_id"), str) and self.sound:
                if look is not None:
                    look(value, file)
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
        types = BaseTypes(catalogue, None, schema_type, own_types)

        def watched(events: Iterator[Event]) -> Iterator[Event]:
            nonlocal types
            for event in events:
                if isinstance(event, Opened):
                    metadata = _metadata(file, event)
                    types = BaseTypes(catalogue, metadata, schema_type, own_types)
                    begin(metadata)
                yield event

        def hand_on(document: Document) -> None:
            item = document.value
            if not isinstance(item, dict) or not self.sound:
                return
            if "input" not in item:  # `validate` knows records and metadata too
                raise UsageError(
                    f"{file} doesn't hold items of a dataset",
                    hint="evalcontract score PREDICTIONS --dataset DATASET",
                )
            take(item, types.of(item))

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
        self._results.append(
            check_events(file, events, made, self._findings, observe=observe, progress=self._progress)
        )


class BaseTypes:
    """The built-in schema type that each item of a dataset is a kind of, None for one that is of none."""

    def __init__(
        self, catalogue: Catalogue, metadata: object, schema_type: str | None, own_types: tuple[str, ...]
    ) -> None:
        self._catalogue = catalogue
        self._told = catalogue.base_type(told_type(catalogue, schema_type)) if schema_type else None
        self._declared = declaration_of(metadata)
        self._own_types = frozenset(own_types)
        self._known: dict[Declaration, str | None] = {}

    def of(self, item: Mapping[str, Any]) -> str | None:
        """The type of an item, which keeps its contract."""
        own = item_declaration(item)
        if own not in self._known:
            chosen = choose(self._catalogue, own, self._declared, self._own_types).type
            self._known[own] = self._told or (self._catalogue.base_type(chosen) if chosen else None)
        return self._known[own]


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
