"""What output files hold, by their suffix."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from evalcontract.checking import written_sidecar_of
from evalcontract.errors import UsageError
from evalcontract.values import LINES_SUFFIXES, json_text


def suffix_of(path: Path, known: tuple[str, ...]) -> str:
    """The suffix of an output file; UsageError when it names no format that is written."""
    suffix = path.suffix.lower()
    if suffix not in known:
        raise UsageError(
            f"{path}: {suffix or 'no suffix'} names no format that is written",
            hint=f"use {' or '.join(known)}",
        )
    return suffix


def refuse_empty_delimiter(delimiter: str | None) -> None:
    """Raise UsageError for a list delimiter that parts nothing."""
    if delimiter == "":
        raise UsageError("--list-delimiter is empty", hint="leave it out where lists are JSON text")


def dataset_contents(
    documents: Iterable[object], path: Path, metadata: dict[str, object] | None
) -> dict[Path, bytes]:
    """The files of a dataset: its items, with metadata around them (.json) or beside them; None is bare items."""
    content = items_content(documents, path)
    if metadata is None:
        return {path: content}
    beside = written_sidecar_of(path)
    if beside is None:
        around = json_text(metadata)
        return {path: f'{{"metadata": {around},\n"items": '.encode() + content.rstrip(b"\n") + b"}\n"}
    return {path: content, beside: json_text(metadata, indent=2).encode() + b"\n"}


def items_content(documents: Iterable[object], path: Path) -> bytes:
    """Documents as JSON Lines or, for .json, as one array with a document a line."""
    lines = [json_text(document) for document in documents]
    if path.suffix.lower() in LINES_SUFFIXES:
        return "".join(line + "\n" for line in lines).encode("utf-8")
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode("utf-8")
