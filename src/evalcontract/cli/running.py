"""Runs an app so that a user's mistake is a line and an exit code, never a traceback."""

from __future__ import annotations

import os
import sys

import click

from evalcontract.errors import INTERRUPTED, ContractError, ContractViolation, UsageError
from evalcontract.values import no_command, visible

_OUT_OF_MEMORY = -1


def run_app(app: click.Command) -> None:
    """Run it on sys.argv and exit with its code."""
    try:
        code = _run_and_flush(app)
    except ContractError as error:
        complain(error)
        code = error.exit_code
    except click.UsageError as error:
        code = _explain(error)
    except click.Abort:
        code = INTERRUPTED
    except MemoryError:
        code = _OUT_OF_MEMORY  # said below, when all that was held is let go
    except OSError as error:
        _abandon_output()
        if isinstance(error, BrokenPipeError):  # the reader has seen enough
            sys.exit(1)
        _complain_of_system(error)
        code = ContractError.exit_code
    if code == _OUT_OF_MEMORY:
        complain(
            ContractError(
                "there is not enough memory",
                hint="give fewer --jobs, or smaller files; large items are written best as JSON Lines",
            )
        )
        code = ContractError.exit_code
    if code == INTERRUPTED:
        print("interrupted; nothing was written", file=sys.stderr)
    sys.exit(code)


def _run_and_flush(app: click.Command) -> int:
    try:
        code = app.main(prog_name=app.name, standalone_mode=False)
        return code if isinstance(code, int) else 0
    finally:  # what can't be written is to be noticed here, not when Python ends
        if sys.stdout is not None:
            sys.stdout.flush()


def _explain(error: click.UsageError) -> int:
    """Say what is wrong with the words of a command, as everything that is wrong is said."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return ContractError.exit_code
    possible = [name for name in getattr(error, "possibilities", None) or () if name]
    words = error.message if possible else error.format_message()
    sentence, _, rest = words.partition(". ")
    sentence = ": ".join(map(_begun_small, sentence.rstrip(".").split(": ")))
    if possible:
        hint = f"did you mean {' or '.join(sorted(possible))}?"
    else:
        command = f"{error.ctx.command_path} --help" if error.ctx is not None else "--help behind the command"
        hint = _begun_small(rest) or f"{command} lists what there is"
    complain(UsageError(sentence, hint=hint))
    return UsageError.exit_code


def _begun_small(words: str) -> str:
    return words[:1].lower() + words[1:]


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
    sentence = error.message.removesuffix("".join(f"\n  {detail}" for detail in details))
    lines = ["error: " + visible(sentence), *(f"  {visible(detail)}" for detail in details)]
    if error.hint:
        lines.append(f"  hint: {visible(error.hint)}")
    print("\n".join(map(no_command, lines)), file=sys.stderr)
