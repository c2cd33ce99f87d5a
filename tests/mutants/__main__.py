"""Plant bugs in the prover, one at a time, and see that its tests notice.

    python -m tests.mutants [--part N/M] [--only TEXT] [--list]

What can be planted follows from the code (planting.py). Each bug is put into a copy of the package, and the curated
pairs are run against it, then the schemas that can't be compared, then the random ones. Prints a line for each bug;
exits with 1 when one went unnoticed that harmless.json doesn't name with a reason. All of the bugs take hours; a part
of them is always the same ones, whatever else changes in the code.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from tests.mutants.planting import Bug, bugs

PROJECT = Path(__file__).resolve().parents[2]
ROOM = Path("src/evalcontract/evolution/comparing")
MODULES = (
    "prover", "unions", "conditions", "members", "proofs", "automata", "expressions", "languages", "keywords", "parts",
    "values", "implied", "sameness", "reference", "sides", "work", "compare",
)  # fmt: skip
SUITES = tuple(
    f"tests/evolution/test_{name}.py"
    for name in ("pairs", "languages", "bad_schemas", "work", "hard_fuzz", "fuzz")
)
HARMLESS = Path(__file__).with_name("harmless.json")
TIMEOUT = 300


def planted(modules: Sequence[str] = MODULES) -> list[Bug]:
    """Every bug of these modules."""
    sources = {name: (PROJECT / ROOM / f"{name}.py").read_text("utf-8") for name in modules}
    return [bug for name, source in sources.items() for bug in bugs(name, source)]


def part(text: str) -> tuple[int, int]:
    """`2/20` as numbers. Raises ValueError for anything else."""
    number, count = map(int, text.split("/"))
    if not 1 <= number <= count:
        raise ValueError(text)
    return number, count


def is_in(part: tuple[int, int], bug: Bug) -> bool:
    """Whether a bug belongs to a part: that depends on the bug alone."""
    number, count = part
    return int(sha256(str(bug).encode()).hexdigest(), 16) % count == number - 1


def noticed_by(bug: Bug, workshop: Path) -> str | None:
    """The suite that fails with the bug in place, None when none does."""
    path = workshop / ROOM / f"{bug.module}.py"
    sound = path.read_text("utf-8")
    path.write_text(bug.source, "utf-8")
    try:
        return next((suite for suite in SUITES if not passes(suite, workshop)), None)
    finally:
        path.write_text(sound, "utf-8")


def passes(suite: str, workshop: Path) -> bool:
    """Whether a suite passes against the copy; one that doesn't end has failed."""
    paths = (workshop / "src", PROJECT / "generated" / "python", PROJECT)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-m", "not long"]
    command += ["-p", "no:cacheprovider", suite]
    try:
        done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="bugs whose description contains this text")
    parser.add_argument("--part", type=part, default=(1, 1), help="N/M: the Nth of M equal parts of them")
    parser.add_argument("--list", action="store_true", help="say which there are, and plant none")
    wanted = parser.parse_args()
    harmless = {text: why for why, texts in json.loads(HARMLESS.read_text("utf-8")).items() for text in texts}
    chosen = [bug for bug in planted() if wanted.only in str(bug) and is_in(wanted.part, bug)]
    if wanted.list:
        print("\n".join(map(str, chosen)))
        return 0
    unnoticed = 0
    with tempfile.TemporaryDirectory() as folder:
        workshop = Path(folder)
        shutil.copytree(PROJECT / "src", workshop / "src", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("schemas", "generated"):
            (workshop / name).symlink_to(PROJECT / name)
        if broken := [suite for suite in SUITES if not passes(suite, workshop)]:
            raise SystemExit(f"the tests fail before any bug is planted: {', '.join(broken)}")
        for bug in chosen:
            if str(bug) in harmless:
                outcome = f"harmless: {harmless[str(bug)]}"
            elif suite := noticed_by(bug, workshop):
                outcome = f"noticed by {Path(suite).stem}"
            else:
                outcome, unnoticed = "UNNOTICED", unnoticed + 1
            print(f"{outcome:<30}{bug}", flush=True)
    print(f"{len(chosen)} bugs, {unnoticed} unnoticed")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
