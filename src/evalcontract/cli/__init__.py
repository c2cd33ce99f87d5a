"""The command line. Heavy imports wait until a command needs them."""

from __future__ import annotations

import sys

from evalcontract._version import __version__


def main() -> None:
    """Run `evalcontract`; exits with 0 (clean), 1 (violations) or 2 (wrong usage, unreadable input)."""
    if sys.argv[1:] == ["--version"]:
        print(f"evalcontract {__version__}")
        return
    from evalcontract.cli.app import app
    from evalcontract.cli.running import run_app

    run_app(app)


def eval_dataset_main() -> None:
    """Run `eval-dataset`, the name under which some teams know `evalcontract validate`."""
    from evalcontract.cli.alias import app
    from evalcontract.cli.running import run_app

    run_app(app)
