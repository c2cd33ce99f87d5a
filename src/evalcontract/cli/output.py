"""Where a command's text goes: to standard output or to a file."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

import typer

from evalcontract.errors import UsageError
from evalcontract.files import write_whole

STDOUT = "-"


def emit(text: str, output: Path | None) -> None:
    """Print `text`, or write it to `output` when that is a file and not `-`."""
    if output is not None and str(output) != STDOUT:
        write_whole(output, text.encode())
    elif sys.stdout is None:
        raise UsageError("there is no standard output", hint="write to a file with --output")
    else:
        sys.stdout.write(_encodable(text))


def finish(exit_code: int, output: Path | None) -> NoReturn:
    """End a command whose report is out; where that went to a file, a failure is said on standard error."""
    if exit_code and output is not None and str(output) != STDOUT:
        print(f"failed: the report is in {output}", file=sys.stderr)
    raise typer.Exit(exit_code)


def is_terminal() -> bool:
    """Whether standard output shows colours to a person."""
    wanted = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout is not None and sys.stdout.isatty()


def _encodable(text: str) -> str:
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
