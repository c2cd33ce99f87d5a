"""Write what is derived from schemas/, or check that it is what would be written.

It is `evalcontract schema generate` on the folder schemas/, and the pages and hooks that only this
repository has.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evalcontract.catalog import Catalogue
from evalcontract.cli.running import complain
from evalcontract.codegen import FileChange, generate
from evalcontract.errors import ContractError
from tools.generate.pages import astray, bring_up_to_date

PROJECT = Path(__file__).resolve().parents[2]
FOLDERS = {
    "bundles": "generated/bundles",
    "flat": "generated/flat",
    "python": "generated/python/evalcontract_models",
    "typescript": "generated/typescript",
    "go": "generated/go",
    "java": "generated/java",
    "rust": "generated/rust",
}
"""Where each target of the generator lies in this repository."""


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 when all is as it should be, 1 when files or schemas are not, 2 when it can't be told."""
    parser = argparse.ArgumentParser(prog="python -m tools.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file would change")
    parser.add_argument("--root", type=Path, default=PROJECT, help="the project (default: this checkout)")
    options = parser.parse_args(arguments)
    root: Path = options.root.resolve()
    try:
        changes = run(root, check=options.check)
    except ContractError as error:
        complain(error)
        return error.exit_code
    for change in changes:
        print(f"{change.path.relative_to(root).as_posix()}: {change.kind}")
    if options.check and changes:
        print("generated files are out of date: run python -m tools.generate", file=sys.stderr)
        return 1
    return 1 if any(change.kind == "stray" and change.path.exists() for change in changes) else 0


def run(root: Path, *, check: bool) -> list[FileChange]:
    """Bring everything under `root` up to date; with `check` only say what isn't."""
    folders = {option: root / folder for option, folder in FOLDERS.items()}
    catalogue = Catalogue.load(root / "schemas")
    return [
        *generate(catalogue, folders, check=check),
        *bring_up_to_date(catalogue, root, check=check),
        *(FileChange(path, "stray") for path in astray(root / "generated", folders.values())),
    ]


if __name__ == "__main__":
    sys.exit(main())
