"""What this repository derives from schemas/, pages included."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.projects import PROJECT, copy_archive
from tools.generate.__main__ import main, run


@pytest.mark.parametrize("seed", ["0", "4242"])
def test_the_committed_files_are_what_is_generated_anywhere_under_any_hash_seed(
    seed: str, tmp_path: Path
) -> None:
    path = os.pathsep.join(str(PROJECT / folder) for folder in (".", "src", "generated/python"))
    done = subprocess.run(
        [sys.executable, "-m", "tools.generate", "--check"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = copy_archive(tmp_path_factory.mktemp("archive"))
    run(project, check=False)
    return project


@pytest.fixture
def project(archive: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(archive, tmp_path / "project"))


def test_what_is_out_of_date_is_named_and_then_repaired(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".pre-commit-hooks.yaml").write_bytes(b"")
    (project / "generated/bundles/note-1.9.schema.json").unlink()
    page = project / "docs" / "contracts.md"
    page.write_bytes(page.read_bytes().replace(b"| required |", b"| optional |", 1))
    printed = [
        "generated/bundles/note-1.9.schema.json: missing",
        ".pre-commit-hooks.yaml: edited",
        "docs/contracts.md: edited",
    ]
    assert main(["--check", "--root", str(project)]) == 1
    found = capsys.readouterr()
    assert found.out.splitlines() == printed
    assert found.err == "generated files are out of date: run python -m tools.generate\n"
    assert main(["--root", str(project)]) == 0
    assert capsys.readouterr().out.splitlines() == printed
    assert main(["--check", "--root", str(project)]) == 0


def test_a_file_in_generated_that_nothing_makes_is_a_stray(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stray = project / "generated" / "cobol" / "NOTE.cbl"
    stray.parent.mkdir()
    stray.touch()
    for options in (["--check"], []):
        assert main([*options, "--root", str(project)]) == 1
        assert capsys.readouterr().out == "generated/cobol/NOTE.cbl: stray\n"
    assert stray.exists()


def test_schemas_that_break_a_rule_are_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "schemas" / "note" / "2.1.json").write_bytes(b"{}")
    assert main(["--check", "--root", str(project)]) == 2
    assert "schemas/note/2.1.json: catalogued: is not in catalog.json" in capsys.readouterr().err
