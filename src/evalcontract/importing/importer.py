"""The import: rows read, converted, given ids and a type, checked and written: all of them, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path

from evalcontract.checking import refuse_foreign_metadata, refuse_metadata_beside, written_sidecar_of
from evalcontract.errors import UsageError
from evalcontract.files import refuse_overwriting
from evalcontract.importing.assemble import (
    has_answer,
    item_id_of,
    item_of,
    record_of,
    told_by_row,
    used_fields,
)
from evalcontract.importing.convert import convert
from evalcontract.importing.converted import ConversionRequest, ConvertedRow
from evalcontract.importing.judging import judge_of, record_contract
from evalcontract.importing.notes import count_keys, note_predictions, note_type
from evalcontract.importing.request import ImportRequest
from evalcontract.importing.result import Ledger, Transfer
from evalcontract.importing.row import Outside, Row, RowEvent
from evalcontract.importing.rows import CSV_SUFFIXES, read_rows
from evalcontract.importing.targets import IMPORTED, TYPE_KEYS, fields_of, smallest_type, widest_type
from evalcontract.importing.values import source_name, source_path
from evalcontract.importing.writing import DocumentsWriter, refuse_empty_delimiter, suffix_of
from evalcontract.reading import Held, is_regular_file
from evalcontract.validation import Violation
from evalcontract.values import LINES_SUFFIXES, digest, json_text, numbers_as_written, same_value

_ROW_BYTES = 3000
_PROGRESS_STEP = 100
_ESCAPED_NULL = "\\u0000"
"""How JSON text writes a null byte; it may also stand for a backslash and the rest."""
_OF_DATASETS = ("description", "source", "license")
"""Metadata of a dataset that a file may say of its rows under the same names."""


@numbers_as_written()
def import_file(request: ImportRequest, progress: Callable[[str, int], None] | None = None) -> Transfer:
    """Import a file. Nothing is written when a single row can't be.

    Rows are read one by one, in flat memory, and again from the first one when a row fills a field that the schema
    type of those before lacks, unless the type is told. What can't be read twice is held, up to a limit.
    `progress` is told the file and the number of rows read so far. Raises UsageError, MappingError or
    UnreadableInput when the work can't begin.
    """
    mapping = request.mapping
    _refuse_what_cannot_be_asked(request)
    rows = _readable_again(request)
    wanted = ConversionRequest(
        request.predictions is not None,
        request.list_delimiter if request.list_delimiter is not None else mapping.list_delimiter,
        frozenset(map(source_path, request.keep)),
    )
    known = _Known()
    while True:
        attempt = _Attempt(request, known)
        try:
            with ExitStack() as files:
                attempt.write_to(files)
                for event in rows():
                    attempt.take(event, wanted, progress)
                return attempt.finish()
        except _KnownTooLate:
            continue
        except _Failed:
            return attempt.outcome(())


@dataclass(slots=True)
class _Known:
    """What one reading of the rows tells the next: the fields in use, and what stands beside the rows."""

    used: set[tuple[str, str]] = field(default_factory=set)
    beside: dict[str, object] = field(default_factory=dict)


class _KnownTooLate(Exception):
    """Something was read that what is written already should have been written by."""


class _Failed(Exception):
    """The import is over and something is wrong: what was written is to go."""


def _refuse_what_cannot_be_asked(request: ImportRequest) -> None:
    mapping = request.mapping
    as_items = mapping.target == "items"
    for path in (request.output, request.predictions):
        if path is not None:
            suffix_of(path, (".json", *LINES_SUFFIXES))
    if request.predictions is not None and not any(entry.target.part == "record" for entry in mapping.fields):
        raise UsageError(f"the mapping {mapping.name} has no predictions", hint="leave out --predictions")
    if request.list_delimiter is not None and request.source.suffix.lower() not in CSV_SUFFIXES:
        raise UsageError(
            "--list-delimiter is for CSV files", hint="lists are JSON arrays in the other formats"
        )
    refuse_empty_delimiter(request.list_delimiter)
    refuse_overwriting(
        (_together(request), request.predictions), (request.source, *(path for _, path in request.beside))
    )
    if request.release is not None:
        if not as_items or request.schema_type is None:
            raise UsageError(
                "a release needs a schema type, and a mapping of items", hint="say it with --type"
            )
        refuse_foreign_metadata(request.output)
    elif as_items:
        refuse_metadata_beside(request.output)


def _together(request: ImportRequest) -> tuple[Path, ...]:
    """The files that hold the items: with metadata, JSON Lines have a second one."""
    beside = written_sidecar_of(request.output) if request.release is not None else None
    return (request.output,) if beside is None else (request.output, beside)


def _readable_again(request: ImportRequest) -> Callable[[], Iterable[RowEvent]]:
    """Gives the rows as often as it is called."""

    def read() -> Iterator[RowEvent]:
        return read_rows(request.source, request.mapping, dict(request.beside))

    if all(is_regular_file(path) for path in (request.source, *(path for _, path in request.beside))):
        return read
    held, events = Held(str(request.source), _ROW_BYTES), []
    for event in read():
        if isinstance(event, Row):
            held.add(event.value)
        events.append(event)
    return lambda: events


class _Attempt:
    """The import by what is known so far; what the rows tell is added to it."""

    def __init__(self, request: ImportRequest, known: _Known) -> None:
        mapping = request.mapping
        told = request.schema_type or mapping.schema_type
        type_ = told or smallest_type(mapping.catalogue, known.used) or widest_type(mapping.catalogue)
        self._request, self._type, self._known = request, type_, known
        self._told = told is not None
        self._fields = fields_of(mapping.catalogue, type_)
        self._as_items = mapping.target == "items"
        self._ledger = Ledger()
        self._judge = judge_of(mapping.catalogue, type_)
        records_too = not self._as_items or request.predictions is not None
        self._contract = record_contract(mapping.catalogue) if records_too else None
        self._first: dict[str, tuple[int, bytes]] = {}
        self._came = self._converted = self._went = self._unanswered = 0
        self._files: dict[Path, DocumentsWriter] = {}

    def write_to(self, files: ExitStack) -> None:
        """Open what is written, to be renamed when `files` ends well."""
        request = self._request
        metadata = None
        if request.release is not None:
            declared = zip(TYPE_KEYS, (self._type.name, self._type.version), strict=True)
            metadata = {**asdict(request.release), **dict(declared), **_kept_beside(self._known.beside)}
        self._files[request.output] = DocumentsWriter(files, request.output, metadata)
        if self._as_items and request.predictions is not None:
            self._files[request.predictions] = DocumentsWriter(files, request.predictions)

    def take(
        self, event: RowEvent, wanted: ConversionRequest, progress: Callable[[str, int], None] | None
    ) -> None:
        """Convert one row and write what it gives; note what else the file holds."""
        request, ledger = self._request, self._ledger
        if isinstance(event, Outside):
            self._outside(event.members)
        elif isinstance(event, Row):
            before, self._came = self._came, self._came + event.count
            if progress and before // _PROGRESS_STEP < self._came // _PROGRESS_STEP:
                progress(str(request.source), self._came)
            self._row(convert(event, request.mapping, wanted))
        else:
            self._came += event.item_id is not None
            ledger.add(event)

    def finish(self) -> Transfer:
        """The outcome. Raises _Failed when something is wrong."""
        request, ledger = self._request, self._ledger
        if not self._came and not ledger.errors:
            hint = "an empty import is never a success"
            ledger.add(Violation("nothing-read", "0 rows read", hint=hint, file=str(request.source)))
        self._note_mismatch()
        if self._as_items and not ledger.errors:
            note_type(ledger, self._converted, self._unanswered, self._type)
            note_predictions(ledger, request.mapping)
        ledger.note_layers(request.mapping.catalogue)
        if ledger.errors:
            raise _Failed
        return self.outcome(tuple(str(path) for file in self._files.values() for path in file.end()))

    def outcome(self, outputs: tuple[str, ...]) -> Transfer:
        """What happened so far."""
        request = self._request
        return self._ledger.transfer(
            "import", str(request.source), request.mapping.name, self._came, self._went, outputs
        )

    def _row(self, row: ConvertedRow) -> None:
        request, ledger, mapping = self._request, self._ledger, self._request.mapping
        self._converted += 1
        ledger.add(*row.findings)
        count_keys(row, mapping, ledger)
        self._use(row)
        if row.dropped and not request.allow_drop:
            names = ", ".join(sorted(map(source_name, row.dropped)))
            message, hint = f"the mapping leaves out {names}", "allow it with --allow-drop"
            ledger.add(row.row.violation("would-drop", message, hint=hint))
        if row.failed:
            return
        item_id = item_id_of(row, request.ids or mapping.otherwise)
        if item_id is None:
            names = " or ".join(map(source_name, mapping.id_sources))
            message, hint = f"{names} is required, for /item_id", "or make ids with --ids"
            ledger.add(row.row.violation("no-id", message, hint=hint))
            return
        self._refuse_repeated(row, item_id)
        if self._as_items:
            answered = self._told or has_answer(row, self._type, mapping.catalogue)
            self._unanswered += not answered
            item = item_of(row, item_id, self._type, declare=answered)
            text = json_text(item)
            found = self._judge.violations(item, _ESCAPED_NULL in text)
            self._write(request.output, text, row, item_id, found)
            self._went += 1
        if self._contract is not None:
            output = request.predictions if self._as_items else request.output
            assert output is not None
            record = record_of(row, item_id, keep=not self._as_items)
            self._write(output, json_text(record), row, item_id, self._contract.violations(record))
            self._went += not self._as_items

    def _use(self, row: ConvertedRow) -> None:
        used = self._known.used
        new = used_fields(row) - used
        used |= new
        if new <= self._fields or self._told:
            return
        if (smallest_type(self._request.mapping.catalogue, used) or self._type) != self._type:
            raise _KnownTooLate

    def _outside(self, members: dict[str, object]) -> None:
        """Keep what stands beside the rows as metadata of a release; without one, ask whether to leave it out."""
        request, ledger = self._request, self._ledger
        if request.release is not None:
            beside = self._known.beside
            new = {key: value for key, value in members.items() if key not in beside}
            for key, value in members.items():
                ledger.count(key, "kept", _place_beside(key, value))
                if key not in new and not same_value(value, beside[key]):
                    message, hint = f"{key} stands beside the rows twice, with two values", "keep one of them"
                    ledger.add(Violation("outside-rows", message, hint=hint, file=str(request.source)))
            if new:
                beside |= new
                raise _KnownTooLate
            return
        for key in members:
            ledger.count(key, "dropped")
        if not request.allow_drop:
            message = f"{', '.join(members)} stand beside the rows and would be left out"
            hint = "allow it with --allow-drop, or make a release, whose metadata keep it, with --product"
            ledger.add(Violation("outside-rows", message, hint=hint, file=str(request.source)))

    def _write(
        self, output: Path, text: str, row: ConvertedRow, item_id: str, found: Iterable[Violation]
    ) -> None:
        self._ledger.add(*(told_by_row(violation, row, item_id) for violation in found))
        if not self._ledger.errors:
            self._files[output].add(text)

    def _refuse_repeated(self, row: ConvertedRow, item_id: str) -> None:
        expected = digest(row.item.get("expected_output")) if row.item_id is None else b""
        first, other = self._first.setdefault(item_id, (row.row.number, expected))
        if first == row.row.number:
            return
        same = row.item_id is None
        shared = f"input{'' if expected == other else ' and another expected output'}, so the same "
        way_out = "leave one of them out, or number the rows with --ids row-number"
        self._ledger.add(
            row.row.violation(
                "duplicate-item-id",
                f"row {first} has the same {shared if same else ''}item_id {item_id[:60]}",
                hint=way_out if same else "give each its own id",
            )
        )

    def _note_mismatch(self) -> None:
        """Note the fields that the schema type lacks: the one that is told, or the one that has most."""
        if foreign := sorted(self._known.used - self._fields):
            names = ", ".join(f"{name} in {part}" for part, name in foreign)
            told = self._told
            whose = (
                f"the schema type {self._type.name} has"
                if told
                else "no schema type with the other fields has"
            )
            way_out = "leave out --type, or name" if told else "declare"
            message, hint = f"{whose} no field {names}", f"{way_out} a type that has it"
            source = str(self._request.source)
            self._ledger.add(Violation("type-mismatch", message, hint=hint, file=source))


def _kept_beside(members: dict[str, object]) -> dict[str, object]:
    """What stands beside the rows, as metadata of a dataset."""
    own = {key: value for key, value in members.items() if _place_beside(key, value) == f"/metadata/{key}"}
    rest = {key: value for key, value in members.items() if key not in own}
    return {**own, **({IMPORTED[-1]: rest} if rest else {})}


def _place_beside(key: str, value: object) -> str:
    fits = key in _OF_DATASETS and isinstance(value, str) and value
    return f"/metadata/{key}" if fits else f"/metadata/{IMPORTED[-1]}/{key}"
