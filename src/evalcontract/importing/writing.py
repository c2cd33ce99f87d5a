"""Output files: made in memory, written beside their place and renamed, so that all of them appear whole."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from evalcontract.errors import UsageError

LINES_SUFFIXES = (".jsonl", ".ndjson")


def suffix_of(path: Path, known: tuple[str, ...]) -> str:
    """The suffix of an output file; UsageError when it names no format that is written."""
    suffix = path.suffix.lower()
    if suffix not in known:
        raise UsageError(f"{path}: {suffix or 'no suffix'} names no format that is written", hint=f"use {' or '.join(known)}")
    return suffix


def items_content(documents: Iterable[object], path: Path) -> bytes:
    """Documents as JSON Lines or, for .json, as one array with a document a line."""
    lines = [json.dumps(each, ensure_ascii=False) for each in documents]
    if path.suffix.lower() in LINES_SUFFIXES:
        return "".join(line + "\n" for line in lines).encode("utf-8")
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode("utf-8")


def write_all(outputs: Mapping[Path, bytes]) -> None:
    """Write every file beside its place first, then rename them all. Raises UsageError; leaves no half file."""
    written: dict[Path, Path] = {}
    try:
        for path, content in outputs.items():
            try:
                handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
                written[path] = Path(name)
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                Path(name).chmod(_mode(path))
            except OSError as error:
                raise _refused(path, error) from error
        for path, beside in list(written.items()):
            try:
                os.replace(beside, path)
            except OSError as error:
                raise _refused(path, error) from error
            del written[path]
    finally:
        for beside in written.values():
            beside.unlink(missing_ok=True)


def _refused(path: Path, error: OSError) -> UsageError:
    return UsageError(f"{path} can't be written: {(error.strerror or 'refused').lower()}")


def _mode(path: Path) -> int:
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
