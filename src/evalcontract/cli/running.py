"""Runs an app so that a user's mistake is a line and an exit code, never a traceback."""

from __future__ import annotations

import sys

import typer

from evalcontract.errors import ContractError
from evalcontract.reports.wording import visible

INTERRUPTED = 130


def run_app(app: typer.Typer) -> None:
    """Run it on sys.argv and exit with its code."""
    try:
        app()
    except ContractError as error:
        complain(error)
        sys.exit(error.exit_code)
    except SystemExit as stop:
        if stop.code == INTERRUPTED:  # what typer makes of Ctrl-C
            print("interrupted; nothing was written", file=sys.stderr)
        raise


def complain(error: ContractError) -> None:
    """Print an error and its way out to standard error."""
    print("error: " + "\n".join(map(visible, error.message.split("\n"))), file=sys.stderr)
    if error.hint:
        print(f"  hint: {visible(error.hint)}", file=sys.stderr)
