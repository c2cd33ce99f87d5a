"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.console import Step, blocks, run, steps
from tests.support.projects import PROJECT

README = (PROJECT / "README.md").read_text(encoding="utf-8")
STEPS = list(steps(README))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("readme")
    for name in ("examples", "generated", "schemas"):
        shutil.copytree(PROJECT / name, made / name)
    return made


@pytest.mark.xdist_group("readme")
@pytest.mark.parametrize("step", STEPS, ids=[step.command for step in STEPS])
def test_every_command_prints_what_the_readme_says(step: Step, folder: Path) -> None:
    assert run(step.command, folder).rstrip() == step.printed.rstrip()


def test_the_python_session_is_true() -> None:
    session = "\n".join(blocks(README, "python"))
    examples = doctest.DocTestParser().get_doctest(session, {"__name__": "readme"}, "README", None, 0)
    assert examples.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert runner.run(examples).failed == 0


def test_shell_blocks_name_targets_of_the_makefile() -> None:
    makefile = (PROJECT / "Makefile").read_text()
    lines = [line.split("#")[0].split() for block in blocks(README, "sh") for line in block.splitlines()]
    assert lines
    for program, *arguments in lines:
        assert program == "make"
        assert all(f"\n{target}:" in makefile for target in arguments)


def test_links_lead_to_files() -> None:
    import re

    for link in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (PROJECT / link).exists(), link


def test_the_demo_runs_to_its_end(tmp_path: Path) -> None:
    shutil.copytree(PROJECT / "examples", tmp_path / "examples")
    done = subprocess.run(
        ["/bin/sh", "examples/demo.sh"],
        cwd=tmp_path,
        env={
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "HOME": str(tmp_path),
            "LANG": "C.UTF-8",
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok: 56 items in 7 files" in done.stdout
