"""What output files hold, by their suffix."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile

from evalcontract.checking import written_sidecar_of
from evalcontract.errors import UsageError
from evalcontract.files import whole_file
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


class DocumentsWriter:
    """Writes documents as JSON Lines or, for .json, as one array with a document a line, one after the other.

    With `metadata` they are the items of a dataset, whose metadata stand around them (.json) or in a file beside.
    All is renamed when `files` ends well; see `whole_file`. What a device is given, it is given at the end.
    """

    def __init__(self, files: ExitStack, path: Path, metadata: dict[str, object] | None = None) -> None:
        self._lines = path.suffix.lower() in LINES_SUFFIXES
        self._paths = [path]
        self._out = self._file = files.enter_context(whole_file(path))
        if path.exists() and not path.is_file():
            self._file = files.enter_context(TemporaryFile())  # noqa: SIM115
        self._empty = True
        self._after = b"" if self._lines else b"\n]\n"
        if metadata is not None and (beside := written_sidecar_of(path)) is not None:
            self._paths.append(beside)
            files.enter_context(whole_file(beside)).write(json_text(metadata, indent=2).encode() + b"\n")
        elif metadata is not None:
            self._file.write(f'{{"metadata": {json_text(metadata)},\n"items": '.encode())
            self._after = b"\n]}\n"
        self._file.write(b"" if self._lines else b"[\n")

    def add(self, document: str) -> None:
        """Write one more document, which is JSON text."""
        before = "" if self._empty or self._lines else ",\n"
        self._empty = False
        self._file.write((before + document + ("\n" if self._lines else "")).encode("utf-8"))

    def end(self) -> tuple[Path, ...]:
        """Write what comes after the last document; the files that hold them all."""
        self._file.write(self._after)
        if self._file is not self._out:
            self._file.seek(0)
            copyfileobj(self._file, self._out)
        return tuple(self._paths)


def items_content(documents: Iterable[object], path: Path) -> bytes:
    """Documents as JSON Lines or, for .json, as one array with a document a line."""
    lines = [json_text(document) for document in documents]
    if path.suffix.lower() in LINES_SUFFIXES:
        return "".join(line + "\n" for line in lines).encode("utf-8")
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode("utf-8")
