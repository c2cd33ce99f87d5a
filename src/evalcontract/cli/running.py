"""Runs an app so that a user's mistake is a line and an exit code, never a traceback."""

from __future__ import annotations

import os
import sys

import typer

from evalcontract.cli import INTERRUPTED
from evalcontract.errors import ContractError, ContractViolation
from evalcontract.values import visible


def run_app(app: typer.Typer) -> None:
    """Run it on sys.argv and exit with its code."""
    try:
        _run_and_flush(app)
    except ContractError as error:
        complain(error)
        sys.exit(error.exit_code)
    except OSError as error:
        _abandon_output()
        if isinstance(error, BrokenPipeError):  # the reader has seen enough
            sys.exit(1)
        _complain_of_system(error)
        sys.exit(ContractError.exit_code)
    except SystemExit as stop:
        if stop.code == INTERRUPTED:  # what typer makes of Ctrl-C
            print("interrupted; nothing was written", file=sys.stderr)
        raise


def _run_and_flush(app: typer.Typer) -> None:
    try:
        app()
    finally:  # what can't be written is to be noticed here, not when Python ends
        if sys.stdout is not None:
            sys.stdout.flush()


def _abandon_output() -> None:
    """Let what is still held for standard output go nowhere, or Python complains when it ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (AttributeError, OSError):  # there is none, or it is no file
        return


def _complain_of_system(error: OSError) -> None:

    reason = (error.strerror or str(error)).lower()
    complain(ContractError(f"{visible(str(error.filename), 80)}: {reason}" if error.filename else reason))


def complain(error: ContractError) -> None:
    """Print an error and its way out to standard error."""

    details = error.details if isinstance(error, ContractViolation) else ()
    sentence = error.message.removesuffix("".join(f"\n  {each}" for each in details))
    print("error: " + "\n  ".join(map(visible, (sentence, *details))), file=sys.stderr)
    if error.hint:
        print(f"  hint: {visible(error.hint)}", file=sys.stderr)
