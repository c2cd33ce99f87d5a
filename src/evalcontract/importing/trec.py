"""Test collections of retrieval, read: qrels and runs of TREC, BEIR's qrels, the queries and corpus beside."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from evalcontract.checking import from_fault, from_notice
from evalcontract.errors import UnreadableInput, UsageError
from evalcontract.importing.row import Row, RowEvent, always
from evalcontract.reading import Document, Fault, FileNotice, Position, current_limits, opened, read
from evalcontract.validation import Violation
from evalcontract.values import LINES_SUFFIXES, number_as_written, short

BEIR_HEADER = ["query-id", "corpus-id", "score"]
_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class _Line:
    cells: list[str]
    number: int


def read_collection(source: Path, layout: str, beside: Mapping[str, Path]) -> Iterator[RowEvent]:
    """The rows of a collection: one a query, with its judgements or its ranked documents."""
    if layout == "trec-run":
        if beside:
            raise UsageError("a run is one file", hint=f"leave out --{min(beside)}")
        yield from _run_rows(source)
        return
    if "queries" not in beside:
        raise UsageError(
            "judgements have no texts of the queries", hint="give the file of queries with --queries"
        )
    texts: dict[str, dict[str, object]] = {}
    yield from _read_queries(beside["queries"], texts)
    rows: dict[str, dict[str, Any]] = {}
    lines: dict[str, int] = {}
    for event in _qrels(source, beir=layout == "beir"):
        if isinstance(event, Violation):
            yield event
        else:
            yield from _judgement(event, rows, lines, str(source))
    if "corpus" in beside:
        yield from _missing_documents(beside["corpus"], rows, lines, str(source))
    for number, (query_id, row) in enumerate(rows.items(), 1):
        at = Position(lines[query_id], 1)
        text = texts.pop(query_id, None)
        if text is None:
            message = f"the query {short(query_id, 60)} has no text in {beside['queries']}"
            yield _finding(source, at.line, "no-query", message, "add it to the queries")
            continue
        if all(iteration == "0" for iteration in row["iterations"].values()):
            del row["iterations"]
        yield Row({"query_id": query_id, **text, **row}, number, str(source), always(at))
    if texts:
        yield _finding(
            beside["queries"],
            1,
            "unjudged-queries",
            f"{len(texts)} queries have no judgement and are left out, the first is {short(next(iter(texts)), 40)}",
            "other splits of the collection may judge them",
            advice=True,
        )


def _judgement(
    line: _Line, rows: dict[str, dict[str, Any]], first: dict[str, int], file: str
) -> Iterator[Violation]:
    query_id, iteration, document_id, grade = line.cells
    row = rows.setdefault(query_id, {"judgements": {}, "iterations": {}})
    first.setdefault(query_id, line.number)
    if document_id in row["judgements"]:
        message = f"{short(document_id, 40)} is judged twice for the query {short(query_id, 40)}"
        yield _finding(file, line.number, "judged-twice", message, "keep one of the two judgements")
        return
    try:
        row["judgements"][document_id] = int(grade)
    except ValueError:
        message = f"the grade is {short(grade, 40)}, expected an integer"
        yield _finding(file, line.number, "wrong-type", message, "grades of judgements are whole numbers")
    row["iterations"][document_id] = iteration


def _qrels(source: Path, *, beir: bool) -> Iterator[_Line | Violation]:
    for line in _lines(source):
        if not beir:
            cells = line.cells[0].split()
            expected = "query id, iteration, document id, grade"
        else:
            cells = line.cells[0].split("\t")
            if line.number == 1 and cells == BEIR_HEADER:
                continue
            expected = "query id, document id, grade, parted by tabs"
            cells = [*cells[:1], "0", *cells[1:]]
        if len(cells) != 4:
            yield _malformed(source, line, expected)
        else:
            yield _Line(cells, line.number)


def _run_rows(source: Path) -> Iterator[RowEvent]:
    rows: dict[str, list[tuple[float, dict[str, object]]]] = {}
    tags: dict[str, set[str]] = {}
    lines: dict[str, int] = {}
    for line in _lines(source):
        cells = line.cells[0].split()
        if len(cells) != 6:
            yield _malformed(source, line, "query id, Q0, document id, rank, score, tag")
            continue
        query_id, _, document_id, rank, score, tag = cells
        numbers = _number(rank), _number(score)
        if None in numbers:
            yield _malformed(source, line, "a rank and a score that are numbers")
            continue
        lines.setdefault(query_id, line.number)
        rows.setdefault(query_id, []).append(
            (float(numbers[0] or 0), {"document_id": document_id, "score": numbers[1]})
        )
        tags.setdefault(query_id, set()).add(tag)
    for number, (query_id, ranked) in enumerate(rows.items(), 1):
        documents = [document for _, document in sorted(ranked, key=lambda pair: pair[0])]
        at = Position(lines[query_id], 1)
        yield from _run_advices(source, at.line, query_id, ranked, documents, tags[query_id])
        tag = sorted(tags[query_id])[0]
        value: dict[str, object] = {"query_id": query_id, "documents": documents, "tag": tag}
        yield Row(value, number, str(source), always(at))


def _run_advices(
    source: Path,
    line: int,
    query_id: str,
    ranked: list[tuple[float, dict[str, object]]],
    documents: list[dict[str, Any]],
    tags: set[str],
) -> Iterator[Violation]:
    name = short(query_id, 40)
    if len(tags) > 1:
        yield _finding(
            source, line, "two-tags", f"the query {name} has lines of {len(tags)} runs", "one run a file"
        )
    if len({rank for rank, _ in ranked}) < len(ranked):
        yield _finding(
            source, line, "equal-ranks", f"documents of the query {name} share a rank", "rank them apart"
        )
    scores = [document["score"] for document in documents]
    if any(later > earlier for earlier, later in pairwise(scores)):
        message = f"scores and ranks of the query {name} disagree; the ranks are taken"
        hint = "trec_eval ignores the ranks and sorts by score"
        yield _finding(source, line, "ranks-disagree", message, hint, advice=True)


def _number(text: str) -> int | float | None:
    try:
        found = json.loads(text.lstrip("+"), parse_constant=lambda _: None, parse_float=number_as_written)
    except ValueError:
        return None
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def _read_queries(path: Path, texts: dict[str, dict[str, object]]) -> Iterator[Violation]:
    if path.suffix.lower() in LINES_SUFFIXES:
        yield from _read_beir_queries(path, texts)
        return
    for line in _lines(path):
        query_id, tab, text = line.cells[0].partition("\t")
        if not tab:
            yield _malformed(path, line, "query id, tab, text")
        elif query_id in texts:
            yield _finding(
                path, line.number, "duplicate-query", f"{short(query_id, 40)} stands twice", "keep one"
            )
        else:
            texts[query_id] = {"text": text}


def _read_beir_queries(path: Path, texts: dict[str, dict[str, object]]) -> Iterator[Violation]:
    for event in read(path, items=True):
        if isinstance(event, Fault):
            yield from_fault(event)
        elif isinstance(event, FileNotice):
            yield from_notice(event)
        elif isinstance(event, Document):
            value = event.value if isinstance(event.value, dict) else {}
            query_id = value.get("_id")
            line = event.start.line
            if not isinstance(query_id, str):
                yield _finding(
                    path,
                    line,
                    "wrong-type",
                    "a query needs an _id, a string",
                    "see the queries.jsonl of BEIR",
                )
            elif query_id in texts:
                yield _finding(
                    path, line, "duplicate-query", f"{short(query_id, 40)} stands twice", "keep one"
                )
            else:
                rest = {
                    key: member
                    for key, member in value.items()
                    if key != "_id" and not (key == "metadata" and member == {})
                }
                texts[query_id] = rest


def _missing_documents(
    corpus: Path, rows: Mapping[str, dict[str, Any]], lines: Mapping[str, int], file: str
) -> Iterator[Violation]:
    known = set()
    for event in read(corpus, items=True):
        if isinstance(event, Fault):
            yield from_fault(event)
        elif isinstance(event, Document) and isinstance(event.value, dict):
            known.add(event.value.get("_id"))
    for query_id, row in rows.items():
        for document_id in row["judgements"]:
            if document_id not in known:
                message = f"{short(document_id, 40)}, judged for the query {short(query_id, 40)}, is not in {corpus}"
                yield _finding(
                    file, lines[query_id], "no-document", message, "judgements must be of this corpus"
                )


def _lines(path: Path) -> Iterator[_Line]:
    with opened(path) as (stream, _):
        limits = current_limits()
        most = max(_BYTES, limits.document_bytes)
        raw = stream.read(most + 1)
    if len(raw) > most:
        raise UnreadableInput(
            f"{path} holds more than {most:,} bytes", hint="raise the limit with --limit document-bytes=4G"
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UnreadableInput(
            f"{path}:{line}: not UTF-8", hint="convert it, for example with iconv"
        ) from None
    for number, line_text in enumerate(text.split("\n"), 1):
        if line_text.strip():
            yield _Line([line_text.rstrip("\r")], number)


def _malformed(path: Path, line: _Line, expected: str) -> Violation:
    return _finding(
        path, line.number, "malformed-line", f"got {short(line.cells[0], 60)}", f"a line is {expected}"
    )


def _finding(
    path: object, line: int, code: str, message: str, hint: str, *, advice: bool = False
) -> Violation:
    return Violation(
        code,
        message,
        hint=hint,
        severity="advice" if advice else "error",
        file=str(path),
        line=line,
        column=1,
    )
