"""Break the prover, one line at a time, and see that the tests notice.

    python -m tests.evolution.mutate_prover [--only TEXT]

Each bug (data/bugs.json) is an edit of one line in a copy of the package. The curated pairs are run against the copy
and, if these pass, the random ones, and then the schemas that can't be compared. Prints a line for each bug; exits
with 1 when one went unnoticed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[2]
ROOM = Path("src/evalcontract/evolution/comparing")
SUITES = tuple(f"tests/evolution/test_{name}.py" for name in ("pairs", "fuzz", "bad_schemas"))


class Bug(NamedTuple):
    file: str
    right: str
    wrong: str

    def __str__(self) -> str:
        return f"{self.file}: {' '.join(self.right.split())}  ->  {' '.join(self.wrong.split())}"


BUGS = [Bug(**each) for each in json.loads((PROJECT / "tests/evolution/data/bugs.json").read_text("utf-8"))]


def notices(bug: Bug, workshop: Path) -> str | None:
    """The suite that fails with the bug in place, None when none does."""
    path = workshop / ROOM / bug.file
    sound = path.read_text("utf-8")
    if bug.right not in sound:
        raise SystemExit(f"{bug.file} has no line {bug.right.strip()!r} any more")
    path.write_text(sound.replace(bug.right, bug.wrong, 1), "utf-8")
    try:
        return next((suite for suite in SUITES if not passes(suite, workshop)), None)
    finally:
        path.write_text(sound, "utf-8")


def passes(suite: str, workshop: Path) -> bool:
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(
            (str(workshop / "src"), str(PROJECT / "generated" / "python"), str(PROJECT))
        ),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not long", "-p", "no:cacheprovider", suite]
    return (
        subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, timeout=900).returncode
        == 0
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="bugs whose description contains this text")
    wanted = [bug for bug in BUGS if parser.parse_args().only in str(bug)]
    unnoticed = 0
    with tempfile.TemporaryDirectory() as folder:
        workshop = Path(folder)
        shutil.copytree(PROJECT / "src", workshop / "src", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("schemas", "generated"):
            (workshop / name).symlink_to(PROJECT / name)
        if broken := [suite for suite in SUITES if not passes(suite, workshop)]:
            raise SystemExit(f"the tests fail before any bug is planted: {', '.join(broken)}")
        for bug in wanted:
            suite = notices(bug, workshop)
            unnoticed += suite is None
            print(f"{'noticed by ' + Path(suite).stem if suite else 'UNNOTICED':<30}{bug}", flush=True)
    print(f"{len(wanted)} bugs, {len(wanted) - unnoticed} noticed, {unnoticed} unnoticed")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
