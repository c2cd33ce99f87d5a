"""Where a command's text goes: to standard output or to a file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from evalcontract.files import write_whole


def emit(text: str, output: Path | None) -> None:
    """Print `text`, or write it to `output`."""
    if output is None:
        sys.stdout.write(_encodable(text))
    else:
        write_whole(output, text.encode())


def is_terminal() -> bool:
    """Whether standard output shows colours to a person."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _encodable(text: str) -> str:
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
