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
STEPS = [
    pytest.param(step, id=f"{page.name}: {step.command}")
    for page in PAGES
    for step in steps(page.read_text(encoding="utf-8"))
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sandbox(tmp_path_factory.mktemp("pages"))


@pytest.mark.xdist_group("readme")
@pytest.mark.parametrize("step", STEPS)
def test_every_command_prints_what_its_page_says(step: Step, folder: Path) -> None:
    assert run(step.command, folder).rstrip() == step.printed.rstrip()


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
