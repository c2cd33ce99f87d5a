"""Test collections of retrieval, written: the lines of qrels and runs, and the file of queries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalcontract.importing.result import Ledger
from evalcontract.importing.trec import BEIR_HEADER
from evalcontract.validation import Violation
from evalcontract.values import LINES_SUFFIXES, json_text, short


def collection_files(
    rows: list[dict[str, object]],
    layout: str,
    output: Path,
    queries: Path | None,
    allow_drop: bool,
    ledger: Ledger,
) -> dict[Path, bytes]:
    """The files of a collection. What lines of text can't hold is added to the ledger."""
    lines: list[str] = ["\t".join(BEIR_HEADER)] if layout == "beir" else []
    texts: list[str] = []
    as_json = queries is not None and queries.suffix.lower() in LINES_SUFFIXES
    for row in rows:
        rest = dict(row)
        query_id = str(rest.pop("query_id"))
        lines += _row_lines(query_id, rest, layout, ledger)
        if layout != "trec-run" and queries is not None:
            texts.append(_query_line(query_id, rest, as_json, ledger))
        for key in rest:
            ledger.count(key, "dropped")
            if not allow_drop:
                message = f"the query {query_id[:60]}: {layout} has no place for {key}"
                hint = "write the texts with --queries" if key == "text" else "allow it with --allow-drop"
                ledger.add(Violation("would-drop", message, f"/{key}", hint=hint, item_id=query_id))
    files = {output: lines} | ({queries: texts} if queries is not None else {})
    return {path: "".join(line + "\n" for line in content).encode("utf-8") for path, content in files.items()}


def _row_lines(query_id: str, rest: dict[str, Any], layout: str, ledger: Ledger) -> Iterator[str]:
    if layout == "trec-run":
        tag = rest.pop("tag", "run")
        for rank, document in enumerate(rest.pop("documents", []), 1):
            _checked_words(ledger, query_id, query_id, document["document_id"], tag)
            score = document.get("score")
            extra = [
                key
                for key, value in document.items()
                if key not in ("document_id", "score") and value is not None
            ]
            if extra or score is None:
                what = f"has {extra[0]} besides" if extra else "has no score"
                message = f"the document {document['document_id'][:40]} of the query {query_id[:40]} {what}"
                ledger.add(
                    Violation(
                        "cannot-hold",
                        message,
                        hint="a line of a run is a document and a score",
                        item_id=query_id,
                    )
                )
            yield f"{query_id} Q0 {document['document_id']} {rank} {json_text(score)} {tag}"
        return
    iterations = rest.pop("iterations", {}) if layout == "trec-qrels" else {}
    for document_id, grade in rest.pop("judgements", {}).items():
        if layout == "beir":
            _checked_words(ledger, query_id, query_id, document_id, parted_by="\t\r\n")
            yield f"{query_id}\t{document_id}\t{grade}"
        else:
            _checked_words(ledger, query_id, query_id, document_id)
            yield f"{query_id} {iterations.get(document_id, 0)} {document_id} {grade}"


def _query_line(query_id: str, rest: dict[str, Any], as_json: bool, ledger: Ledger) -> str:
    if as_json:
        held = {key: rest.pop(key) for key in list(rest)}
        return json_text({"_id": query_id, **held})
    text = rest.pop("text", "")
    _checked_words(ledger, query_id, query_id, text, parted_by="\t\r\n")
    return f"{query_id}\t{text}"


def _checked_words(ledger: Ledger, item_id: str, *words: object, parted_by: str | None = None) -> None:
    for word in words:
        text = str(word)
        if (parted_by is None and len(text.split()) != 1) or any(
            character in text for character in parted_by or ""
        ):
            message = f"{short(text, 60)} can't stand in a line of text"
            ledger.add(
                Violation("cannot-hold", message, hint="it holds what parts the line", item_id=item_id)
            )
