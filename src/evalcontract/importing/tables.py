"""CSV, read strictly and written."""

from __future__ import annotations

import csv
import io
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from evalcontract.errors import UnreadableInput
from evalcontract.importing.row import Row, RowEvent, always, unreadable
from evalcontract.reading import Position
from evalcontract.validation import Violation
from evalcontract.values import json_text, short

_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 20
_MAX_CELL = 64 << 20


def read_csv(source: Path) -> Iterator[RowEvent]:
    """The rows of a CSV file (of a .tsv file, by tabs) in UTF-8, as text cells.

    A column without a name is named by its number; two of one name are refused, and so is a row of another
    length than the header.
    """
    file = str(source)
    try:
        # What can't be read twice, such as a pipe, is held.
        with source.open("rb") if source.is_file() else io.BytesIO(source.read_bytes()) as raw:
            _refuse_what_is_not_utf8(raw, file)
            raw.seek(0)
            if raw.read(len(_BOM)) == _BOM:
                message, hint = "the file starts with a byte order mark", "save it as UTF-8 without a mark"
                yield _finding(file, 1, "bom", message, hint, advice=True)
            else:
                raw.seek(0)
            csv.field_size_limit(_MAX_CELL)
            delimiter = "\t" if source.suffix.lower() == ".tsv" else ","
            text = io.TextIOWrapper(raw, encoding="utf-8", newline="")
            yield from _table(csv.reader(text, delimiter=delimiter, strict=True), file)
    except OSError as error:
        raise unreadable(source, error) from None


def _refuse_what_is_not_utf8(raw: BinaryIO, file: str) -> None:
    decoder = getincrementaldecoder("utf-8")()
    line, at_end = 1, False
    while not at_end:
        chunk = raw.read(_CHUNK)
        at_end = not chunk
        try:
            decoder.decode(chunk, at_end)
        except UnicodeDecodeError as error:
            line += error.object[: error.start].count(b"\n")
            hint = "convert it, for example with iconv -t UTF-8"
            raise UnreadableInput(f"{file}:{line}: not UTF-8", hint=hint) from None
        line += chunk.count(b"\n")


def _table(cells: Any, file: str) -> Iterator[RowEvent]:
    try:
        header = next((row for row in cells if row), None)
        if header is None:
            yield _finding(file, 1, "empty-file", "the file holds no data", "write it again or leave it out")
            return
        names = list(header)
        findings = list(_header_findings(names, file, cells.line_num))
        yield from findings
        if any(finding.severity == "error" for finding in findings):
            return
        number, start = 0, cells.line_num + 1
        for row in cells:
            line, start = start, cells.line_num + 1
            if not row:
                continue
            number += 1
            if len(row) != len(names):
                yield _finding(
                    file,
                    line,
                    "cell-count",
                    f"{len(row)} cells in a row, {len(names)} in the header",
                    "quote cells that hold a delimiter or a line break",
                )
                continue
            position = Position(line, 1)
            yield Row(dict(zip(names, row, strict=True)), number, file, always(position), cells=True)
    except csv.Error as error:
        yield _finding(
            file, cells.line_num, "csv-syntax", f"not CSV: {error}", "quote cells that hold a quote twice"
        )


def _header_findings(names: list[str], file: str, line: int) -> Iterator[Violation]:
    for index, name in enumerate(names):
        if not name.strip():
            names[index] = f"column {index + 1}"
            message = f"column {index + 1} has no name; it is read as {names[index]!r}"
            hint = "a row index without a name comes from pandas: write the file with index=False"
            yield _finding(file, line, "unnamed-column", message, hint, advice=True)
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        other = first.setdefault(name, index)
        if other != index:
            message = f"columns {other + 1} and {index + 1} are both named {short(name, 60)}"
            yield _finding(file, line, "duplicate-column", message, "rename one of them, or leave it out")
    if len(names) == 1 and (";" in names[0] or "\t" in names[0]):
        message = f"the header is one cell, {short(names[0], 60)}"
        yield _finding(file, line, "one-column", message, "save the file with commas, or as .tsv with tabs")


def _finding(file: str, line: int, code: str, message: str, hint: str, *, advice: bool = False) -> Violation:
    severity = "advice" if advice else "error"
    return Violation(code, message, hint=hint, severity=severity, file=file, line=line, column=1)  # type: ignore[arg-type]


def _cell(value: object) -> object:
    return json_text(value) if isinstance(value, float) else value


def write_csv(rows: Iterable[dict[str, object]], delimiter: str = ",") -> bytes:
    """Rows of text cells as CSV; the columns in the order in which they come up, absent cells empty.

    Lines end in CR LF, as RFC 4180 has it: with another end, the writer leaves a bare CR in a cell unquoted.
    """
    rows = list(rows)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n", quoting=csv.QUOTE_MINIMAL)
    writer.writerow(columns)
    for row in rows:
        cells = ["" if row.get(key) is None else _cell(row[key]) for key in columns]
        writer.writerow(cells)
    return out.getvalue().encode("utf-8")
