"""What the README and the pages beside it show is what happens."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.console import Step, blocks, environment, run, sandbox, steps
from tests.support.projects import PROJECT

README = (PROJECT / "README.md").read_text(encoding="utf-8")
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
LINKING = [*PAGES, PROJECT / "CONTRIBUTING.md", PROJECT / "CHANGELOG.md"]
TOLD = [page for page in PAGES if any(steps(page.read_text(encoding="utf-8")))]


@pytest.mark.parametrize("page", TOLD, ids=[page.name for page in TOLD])
def test_every_command_prints_what_its_page_says(page: Path, tmp_path: Path) -> None:
    """One test a page: a step builds on those before it."""
    folder = sandbox(tmp_path)
    said = list(steps(page.read_text(encoding="utf-8")))
    printed = [Step(step.command, run(step.command, folder).rstrip()) for step in said]
    expected = [Step(step.command, step.printed.rstrip()) for step in said]
    wrong = [(found, step) for found, step in zip(printed, expected, strict=True) if found != step]
    for found, step in wrong[1:]:
        print(f"$ {step.command}\n{found.printed}\n")
    if wrong:
        assert wrong[0][0] == wrong[0][1]


def test_the_python_session_is_true() -> None:
    session = "\n".join(blocks(README, "python"))
    examples = doctest.DocTestParser().get_doctest(session, {"__name__": "readme"}, "README", None, 0)
    assert examples.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert runner.run(examples).failed == 0


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_shell_blocks_name_targets_of_the_makefile(page: str) -> None:
    makefile = (PROJECT / "Makefile").read_text()
    text = (PROJECT / page).read_text(encoding="utf-8")
    lines = [line.split("#")[0].split() for block in blocks(text, "sh") for line in block.splitlines()]
    assert lines
    for program, *arguments in lines:
        assert program == "make"
        assert all(f"\n{target}:" in makefile for target in arguments)


def test_every_target_of_the_makefile_is_explained_to_contributors() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.*)$", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    guide = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [target for target in phony.split() if f"make {target}" not in guide] == ["clean", "tools"]


@pytest.mark.parametrize("page", LINKING, ids=[page.name for page in LINKING])
def test_links_lead_to_files(page: Path) -> None:
    code = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
    prose = code.sub("", page.read_text(encoding="utf-8"))
    for link in re.findall(r"\]\(([^)#:]+)\)", prose):
        assert (page.parent / link).exists(), link


def test_the_demo_runs_to_its_end(tmp_path: Path) -> None:
    shutil.copytree(PROJECT / "examples", tmp_path / "examples")
    done = subprocess.run(
        ["/bin/sh", "examples/demo.sh"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok: 56 items in 7 files" in done.stdout
    assert done.stdout.endswith("ok: 12 items scored on 29 measures\n")
