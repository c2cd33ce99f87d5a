"""Write what is derived from schemas/, or check that it is what would be written."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evalcontract.errors import ContractError
from tools.generate.lint import lint
from tools.generate.outputs import all_outputs
from tools.generate.tree import differences, write

PROJECT = Path(__file__).resolve().parents[2]


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 when all is as it should be, 1 when files or schemas are not, 2 when it can't be told."""
    parser = argparse.ArgumentParser(prog="python -m tools.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file would change")
    parser.add_argument("--root", type=Path, default=PROJECT, help="the project (default: this checkout)")
    options = parser.parse_args(arguments)
    try:
        return _run(options.root.resolve(), check=options.check)
    except ContractError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _run(root: Path, *, check: bool) -> int:
    if findings := lint(root):
        print(*findings, sep="\n", file=sys.stderr)
        return 1
    outputs = all_outputs(root)
    found = differences(root, outputs)
    for difference in found:
        print(difference)
    if check:
        if found:
            print("generated files are out of date: run python -m tools.generate", file=sys.stderr)
        return 1 if found else 0
    write(root, outputs, found)
    print(f"{len(outputs)} generated files, {len(found)} written or removed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
