"""The command line. Heavy imports wait until a command needs them."""

from __future__ import annotations

import gc
import sys
from importlib import import_module

from evalcontract._version import __version__
from evalcontract.errors import INTERRUPTED


def main() -> None:
    """Run `evalcontract`; exits with 0 (clean), 1 (violations) or 2 (wrong usage, unreadable input)."""
    if sys.argv[1:] == ["--version"]:
        try:
            print(f"evalcontract {__version__}", flush=True)
        except OSError:  # the app says so
            _start("evalcontract.cli.app")
        return
    _start("evalcontract.cli.app")


def eval_dataset_main() -> None:
    """Run `eval-dataset`, the name under which some teams know `evalcontract validate`."""
    _start("evalcontract.cli.alias")


def all_is_loaded() -> None:
    """Called when a command begins its work: from here on what it makes may become garbage."""
    gc.freeze()
    gc.enable()


def _start(module: str) -> None:
    gc.disable()  # nothing that is loaded becomes garbage: to look for it takes a tenth of a short run
    try:  # loading takes a moment, in which Ctrl-C may come already
        from evalcontract.cli.running import run_app

        run_app(import_module(module).app)
    except KeyboardInterrupt:
        print("interrupted; nothing was written", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except (MemoryError, ImportError) as error:  # a library that finds no room to be loaded is an ImportError
        if isinstance(error, ImportError) and "failed to map" not in str(error):
            raise
        print("error: there is not enough memory", file=sys.stderr)
        sys.exit(2)
    finally:
        gc.unfreeze()
        gc.enable()
