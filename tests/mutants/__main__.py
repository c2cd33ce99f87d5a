"""Plant bugs in the prover, one at a time, and see that its tests notice.

    python -m tests.mutants [--part N/M] [--jobs N] [--only TEXT] [--list]

What can be planted follows from the code (planting.py). For each bug a process is forked that loads the module with the
bug in it, and runs the curated pairs against it, then the schemas that can't be compared, then the random ones. Prints
a line for each bug; exits with 1 when one went unnoticed that harmless.json doesn't name with a reason. All of the bugs
take hours; a part of them is always the same ones, whatever else changes in the code.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.mutants.planting import Bug, bugs

PROJECT = Path(__file__).resolve().parents[2]
ROOM = Path("src/evalcontract/evolution/comparing")
MODULES = (
    "prover", "unions", "conditions", "members", "proofs", "automata", "expressions", "languages", "keywords", "parts",
    "values", "implied", "sameness", "reference", "sides", "work", "compare",
)  # fmt: skip
SUITES = tuple(
    f"tests/evolution/test_{name}.py"
    for name in ("pairs", "proofs", "languages", "bad_schemas", "work", "hard_fuzz", "fuzz")
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


class Planted(MetaPathFinder, Loader):
    """Loads the module of a bug with the bug in it."""

    def __init__(self, bug: Bug) -> None:
        self._bug = bug
        self._name = ".".join((*ROOM.parts[1:], bug.module))

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        return spec_from_loader(fullname, self) if fullname == self._name else None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._bug.source, str(ROOM / f"{self._bug.module}.py"), "exec"), module.__dict__)  # noqa: S102


class FirstFailure:
    """A plugin that plants a bug and keeps where the first test failed, or couldn't be collected."""

    def __init__(self, bug: Bug | None) -> None:
        self._bug = bug
        self.suite: str | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self) -> None:
        """By now pytest has put its own loader first, which rewrites packages of plugins, and loaded no test."""
        if self._bug is not None:
            sys.meta_path.insert(0, Planted(self._bug))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.suite = self.suite or report.nodeid.partition("::")[0]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.suite = self.suite or report.nodeid.partition("::")[0]


def noticed_by(bug: Bug | None) -> str | None:
    """The suite that fails with the bug in place, None when none does. For a process that is used only once."""
    signal.signal(signal.SIGALRM, _out_of_time)
    signal.alarm(TIMEOUT)
    first = FirstFailure(bug)
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        try:
            options = ["-x", "-q", "-n", "0", "-m", "not long", "-p", "no:cacheprovider", "--capture=no"]
            options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
            code = pytest.main([*options, *SUITES], plugins=[first])
        except BaseException as error:
            return f"{type(error).__name__}"
    if bug is not None and not _is_planted(bug):
        raise SystemExit(f"{bug} was not planted")
    return first.suite or (None if code == pytest.ExitCode.OK else f"exit code {code}")


def _is_planted(bug: Bug) -> bool:
    module = sys.modules.get(".".join((*ROOM.parts[1:], bug.module)))
    return module is None or isinstance(module.__loader__, Planted)


def _out_of_time(*_: object) -> None:
    raise TimeoutError


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="bugs whose description contains this text")
    parser.add_argument("--part", type=part, default=(1, 1), help="N/M: the Nth of M equal parts of them")
    parser.add_argument("--jobs", type=int, default=2, help="so many at a time")
    parser.add_argument("--list", action="store_true", help="say which there are, and plant none")
    wanted = parser.parse_args()
    harmless = {text: why for why, texts in json.loads(HARMLESS.read_text("utf-8")).items() for text in texts}
    chosen = [bug for bug in planted() if wanted.only in str(bug) and is_in(wanted.part, bug)]
    if wanted.list:
        print("\n".join(map(str, chosen)))
        return 0
    unnoticed = 0
    _load_what_stays_sound()
    with get_context("fork").Pool(wanted.jobs, maxtasksperchild=1) as processes:
        if broken := processes.apply(noticed_by, (None,)):
            raise SystemExit(f"the tests fail before any bug is planted: {broken}")
        dangerous = [bug for bug in chosen if str(bug) not in harmless]
        for bug, suite in zip(dangerous, processes.imap(noticed_by, dangerous), strict=True):
            outcome = f"noticed by {Path(suite).stem}" if suite else "UNNOTICED"
            unnoticed += not suite
            print(f"{outcome:<30}{bug}", flush=True)
    for bug in chosen:
        if str(bug) in harmless:
            print(f"harmless: {harmless[str(bug)]:<20}{bug}")
    print(f"{len(chosen)} bugs, {unnoticed} unnoticed")
    return 1 if unnoticed else 0


def _load_what_stays_sound() -> None:
    """So that no process has to load it again; nothing of it may load what bugs are planted in."""
    for module in (
        "hypothesis",
        "jsonschema_rs",
        "regress",
        "rstr",
        "evalcontract.validation.engine.reference",
    ):
        import_module(module)
    assert not any(name.startswith(".".join(ROOM.parts[1:])) for name in sys.modules)


if __name__ == "__main__":
    sys.exit(main())
