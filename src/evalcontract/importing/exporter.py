"""The export: items checked, written as rows and read back; then all is written, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from evalcontract.checking import from_fault, from_notice, located
from evalcontract.errors import UsageError
from evalcontract.files import refuse_overwriting, write_all
from evalcontract.importing.foreign_rows import ForeignRow, ItemAndRecord, foreign_row
from evalcontract.importing.judging import ItemJudge, judge_of, record_contract
from evalcontract.importing.mapping import Mapping
from evalcontract.importing.result import Ledger, Transfer
from evalcontract.importing.targets import widest_type
from evalcontract.importing.values import Form
from evalcontract.importing.writing import items_content, refuse_empty_delimiter, suffix_of
from evalcontract.reading import Document, Event, Fault, FileNotice, Held, Opened, read
from evalcontract.validation import Violation
from evalcontract.values import LINES_SUFFIXES, numbers_as_written

_ROW_SUFFIXES = (".json", *LINES_SUFFIXES, ".csv", ".tsv")
_KEPT = "/metadata/raw_metadata/imported"


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What to export and how. `predictions` holds the records of the items; `queries` is a second output."""

    source: Path
    mapping: Mapping
    output: Path
    predictions: Path | None = None
    list_delimiter: str | None = None
    allow_drop: bool = False
    queries: Path | None = None


@numbers_as_written()
def export_file(request: ExportRequest) -> Transfer:
    """Export a file of items (of prediction records, for a mapping of these). All or nothing.

    Raises UsageError, MappingError or UnreadableInput when the work can't begin.
    """
    mapping, ledger = request.mapping, Ledger()
    if not mapping.writable:
        raise UsageError(
            f"{mapping.name} makes an item of several rows, or of what stands around one: it writes none back",
            hint="name a mapping whose rows hold all of an item",
        )
    cells = False
    if mapping.layout == "rows":
        cells = suffix_of(request.output, _ROW_SUFFIXES) in (".csv", ".tsv")
        if request.queries is not None:
            raise UsageError(f"the mapping {mapping.name} writes one file only", hint="leave out --queries")
    refuse_empty_delimiter(request.list_delimiter)
    refuse_overwriting((request.output, request.queries), (request.source, request.predictions))
    if request.list_delimiter is not None and not cells:
        raise UsageError("--list-delimiter is for CSV files", hint="leave it out: lists are JSON arrays")
    delimiter = request.list_delimiter if request.list_delimiter is not None else mapping.list_delimiter
    form = Form(cells, delimiter)
    came, rows = 0, []
    held = Held(str(request.source))
    as_text: set[str] = set()
    for document, pair in _pairs(request, ledger):
        came += 1
        held.add(document.value)
        found = foreign_row(pair, mapping, form)
        ledger.add(*(located(replace(finding, item_id=pair.item_id), document) for finding in found.findings))
        _count(found, pair, document, ledger, request)
        rows.append(found.row)
        as_text |= found.as_text
    if as_text:
        ledger.notes.append(f"written as JSON text, and read again as text: {', '.join(sorted(as_text))}")
    if not came and not ledger.errors:
        ledger.add(
            Violation(
                "nothing-read",
                "0 items read",
                hint="an empty export is never a success",
                file=str(request.source),
            )
        )
    ledger.note_layers(mapping.catalogue)
    outputs = {} if ledger.errors else _outputs(request, rows, ledger)
    transfer = ledger.transfer(
        "export", str(request.source), mapping.name, came, len(rows), tuple(map(str, outputs))
    )
    if not transfer.failed:
        write_all(outputs)
    return transfer


def _outputs(request: ExportRequest, rows: list[dict[str, object]], ledger: Ledger) -> dict[Path, bytes]:
    if request.mapping.layout != "rows":
        from evalcontract.importing.trec_files import collection_files

        return collection_files(
            rows, request.mapping.layout, request.output, request.queries, request.allow_drop, ledger
        )
    if request.output.suffix.lower() in (".csv", ".tsv"):
        from evalcontract.importing.tables import write_csv

        return {request.output: write_csv(rows, "\t" if request.output.suffix.lower() == ".tsv" else ",")}
    return {request.output: items_content(rows, request.output)}


def _count(
    found: ForeignRow, pair: ItemAndRecord, document: Document, ledger: Ledger, request: ExportRequest
) -> None:
    for target, source in found.written.items():
        ledger.count(target, "mapped", source)
    for key in found.kept:
        ledger.count(_KEPT, "mapped", key)
    for at in found.unplaced:
        ledger.count(at, "dropped")
        if not request.allow_drop:
            ledger.add(
                located(
                    Violation(
                        "would-drop",
                        f"{request.mapping.name} has no place for {at}",
                        at,
                        hint="leave it out with --allow-drop, or give it a field in a mapping of your own",
                        item_id=pair.item_id,
                    ),
                    document,
                )
            )


def _pairs(request: ExportRequest, ledger: Ledger) -> Iterator[tuple[Document, ItemAndRecord]]:
    if request.mapping.target == "predictions":
        if request.predictions is not None:
            raise UsageError(
                "the file to export holds the predictions already", hint="leave out --predictions"
            )
        for document, record in _records(request.source, request.mapping, ledger):
            yield document, ItemAndRecord(None, record)
        return
    records: dict[str, dict[str, object]] = {}
    places: dict[str, Document] = {}
    if request.predictions is not None:
        for document, record in _records(request.predictions, request.mapping, ledger):
            item_id = str(record["item_id"])
            if item_id in records:
                ledger.add(located(_repeated(item_id), document))
            records[item_id], places[item_id] = record, document
    used = set()
    for document, item in _items(request, ledger):
        item_id = str(item["item_id"])
        if item_id in used:
            ledger.add(located(_repeated(item_id), document))
        used.add(item_id)
        yield document, ItemAndRecord(item, records.get(item_id))
    for item_id, document in places.items():
        if item_id not in used:
            message = f"a prediction of the item {item_id[:60]}, which is not in {request.source}"
            ledger.add(located(Violation("no-such-item", message, "/item_id", item_id=item_id), document))


def _items(request: ExportRequest, ledger: Ledger) -> Iterator[tuple[Document, dict[str, object]]]:
    catalogue = request.mapping.catalogue
    largest = widest_type(catalogue)
    judge = judge_of(catalogue, largest)
    for event in read(request.source, items=True):
        if isinstance(event, Opened) and event.envelope is not None:
            value = event.envelope.value
            judge = ItemJudge(catalogue, largest, value.get("metadata") if isinstance(value, dict) else None)
            ledger.count("/metadata", "dropped")
            if not request.allow_drop:
                message = "the metadata of the dataset have no place in the other format"
                ledger.add(
                    located(
                        Violation("would-drop", message, hint="allow it with --allow-drop"), event.envelope
                    )
                )
        elif isinstance(event, Document):
            faults = [
                violation
                for violation in judge.violations(_object(event.value))
                if violation.severity == "error"
            ]
            ledger.add(*(located(fault, event) for fault in faults))
            if not faults:
                yield event, _object(event.value)
        else:
            _other(event, ledger)


def _records(source: Path, mapping: Mapping, ledger: Ledger) -> Iterator[tuple[Document, dict[str, object]]]:
    contract = record_contract(mapping.catalogue)
    for event in read(source, items=True):
        if isinstance(event, Document):
            faults = list(contract.violations(event.value))
            ledger.add(*(located(fault, event) for fault in faults))
            if not faults:
                yield event, _object(event.value)
        else:
            _other(event, ledger)


def _other(event: Event, ledger: Ledger) -> None:
    if isinstance(event, Fault):
        ledger.add(from_fault(event))
    elif isinstance(event, FileNotice):
        ledger.add(from_notice(event))


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _repeated(item_id: str) -> Violation:
    message = f"the item_id {item_id[:60]} is used twice"
    return Violation("duplicate-item-id", message, "/item_id", hint="give each its own id", item_id=item_id)
