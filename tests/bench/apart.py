"""Runs one evalcontract command and prints the CPU time of its process and of those that it started.

Run: python -m tests.bench.apart ARGUMENTS...
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import redirect_stdout, suppress


def main() -> None:
    """Print CPU seconds of this process, then of all others."""
    from evalcontract.cli import main as run

    sys.argv[0] = "evalcontract"
    with suppress(SystemExit), redirect_stdout(io.StringIO()):
        run()
    spent = os.times()
    print(spent.user + spent.system, spent.children_user + spent.children_system)


if __name__ == "__main__":
    main()
