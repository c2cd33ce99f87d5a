"""Where a command's text goes: to standard output or to a file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from evalcontract.errors import UsageError
from evalcontract.files import write_whole


def emit(text: str, output: Path | None) -> None:
    """Print `text`, or write it to `output`."""
    if output is not None:
        write_whole(output, text.encode())
    elif sys.stdout is None:
        raise UsageError("there is no standard output", hint="write to a file with --output")
    else:
        sys.stdout.write(_encodable(text))


def is_terminal() -> bool:
    """Whether standard output shows colours to a person."""
    wanted = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout is not None and sys.stdout.isatty()


def _encodable(text: str) -> str:
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
