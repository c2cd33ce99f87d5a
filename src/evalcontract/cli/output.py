"""Where a command's text goes: to standard output or to a file, in the format that the file's name says."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from click.exceptions import Exit

from evalcontract.errors import UsageError
from evalcontract.files import write_whole
from evalcontract.reports import BLOCKS, TEXT, Formats, Look
from evalcontract.values import LINES_SUFFIXES, PARQUET_SUFFIX, YAML_SUFFIXES, no_command, visible

if TYPE_CHECKING:
    pass

STDOUT = "-"
_MEANT = {
    ".json": ("json", "sarif"),
    ".sarif": ("sarif",),
    ".xml": ("junit",),
    ".csv": ("csv",),
    ".md": ("markdown",),
    ".markdown": ("markdown",),
    ".html": ("html",),
    ".htm": ("html",),
    ".txt": ("text", "github"),
    ".log": ("text", "github"),
    **dict.fromkeys(LINES_SUFFIXES, ("lines",)),
    **dict.fromkeys(YAML_SUFFIXES, ("yaml",)),
    ".tsv": ("tsv",),
    PARQUET_SUFFIX: ("parquet",),
    ".gz": ("gzip",),
    ".zst": ("zstd",),
}
"""What a file by such a name holds, the usual one first. A name that isn't here may hold anything."""


def format_for(formats: Formats[Any], told: str | None, output: Path | None = None) -> str:
    """The format of a report: the one told, else what the name of its file says, else text.

    Raises UsageError for an unknown format, and for a file whose name says another one.
    """
    if told is not None:
        formats.known(told)
    meant = _meant(output)
    if meant is None:
        return told or TEXT
    fitting = [name for name in meant if name in formats.names and told in (None, name)]
    if fitting:
        return fitting[0]
    held = (
        f"the report would be {told}" if told else f"this report has the formats {', '.join(formats.names)}"
    )
    raise _misnamed(output, meant, (told,) if told else formats.names, held)


def refuse_misnamed(output: Path | None, *held: str) -> None:
    """Raise UsageError when the name of a file says that it holds anything but one of `held`."""
    meant = _meant(output)
    if meant is not None and not set(meant) & set(held):
        raise _misnamed(output, meant, held, f"{' or '.join(held)} would be written")


def emit(text: str, output: Path | None = None) -> None:
    """Print `text`, or write it to `output` when that is a file and not `-`."""
    if output is not None and str(output) != STDOUT:
        write_whole(output, text.encode())
    elif sys.stdout is None:
        raise UsageError("there is no standard output", hint="write to a file with --output")
    else:
        sys.stdout.write(_encodable(text))


def say(*lines: str) -> None:
    """Print lines for a person: every name in them can be seen, and no workflow takes one for a command."""
    emit("".join(f"{no_command(visible(line, len(line)))}\n" for line in lines))


def say_notes(notes: Iterable[str]) -> None:
    """Say on standard error what a person has to know of how data was judged."""
    for sentence in notes:
        print(no_command(f"note: {visible(sentence)}"), file=sys.stderr)


def finish(exit_code: int, output: Path | None) -> NoReturn:
    """End a command whose report is out; where that went to a file, a failure is said on standard error."""
    if exit_code and output is not None and str(output) != STDOUT:
        print(no_command(f"failed: the report is in {visible(str(output))}"), file=sys.stderr)
    raise Exit(exit_code)


def look_for(output: Path | None = None, *, every_path: bool = False) -> Look:
    """How text looks where it goes: in colours on a terminal only."""
    return Look(colour=output is None and is_terminal(), every_path=every_path)


def is_terminal() -> bool:
    """Whether standard output shows colours to a person."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout is not None and sys.stdout.isatty()


def _meant(output: Path | None) -> tuple[str, ...] | None:
    return _MEANT.get(output.suffix.lower()) if output is not None else None


def _misnamed(output: Path | None, meant: tuple[str, ...], wanted: tuple[str, ...], held: str) -> UsageError:
    names = [suffix for suffix, formats in _MEANT.items() if set(formats) & set(wanted)]
    return UsageError(
        f"{output} says {meant[0]} by its name, and {held}",
        hint=f"choose another name, such as one with {names[0]}" if names else "choose another name",
    )


def _encodable(text: str) -> str:
    encoding = sys.stdout.encoding or "utf-8"
    try:
        BLOCKS.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(dict(zip(map(ord, BLOCKS), " .:-=+*#@", strict=True)))
    return text.encode(encoding, "backslashreplace").decode(encoding)
