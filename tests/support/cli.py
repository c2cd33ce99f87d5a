"""Runs the command line in this process: its exit code and what it prints."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from evalcontract import cli


@dataclass(frozen=True)
class Finished:
    """A finished command."""

    code: int
    out: str
    err: str


def run(*arguments: str, stdin: bytes = b"", main: Callable[[], None] = cli.main) -> Finished:
    """Run `evalcontract ARGUMENTS`; an exception that a user would see as a traceback is raised here."""
    out, err = io.StringIO(), io.StringIO()
    source = io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)))  # type: ignore[arg-type]
    code: object = 0
    with (
        patch.object(sys, "argv", ["evalcontract", *arguments]),
        patch.object(sys, "stdin", source),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    return Finished(code if isinstance(code, int) else int(code is not None), out.getvalue(), err.getvalue())
