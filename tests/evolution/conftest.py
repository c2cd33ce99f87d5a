"""Scratch repositories of schemas, and histories of others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.evolution.support import HISTORIES, commit_all, copy_schemas, git, release_everything


@pytest.fixture(scope="session")
def released_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with every contract released as 1.0 and tagged v1.0.0, on main."""
    folder = tmp_path_factory.mktemp("template")
    release_everything(copy_schemas(folder))
    git(folder, "init", "-q", "-b", "main")
    commit_all(folder, "Release 1.0 of everything")
    git(folder, "tag", "v1.0.0")
    return folder


@pytest.fixture
def histories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of schema histories that were published, and the working directory."""
    shutil.copytree(HISTORIES, tmp_path / "histories")
    monkeypatch.chdir(tmp_path / "histories")
    return tmp_path / "histories"


@pytest.fixture
def repository(released_once: Path, tmp_path: Path) -> Path:
    """A copy of it, on a branch with a commit of its own."""
    folder = tmp_path / "repository"
    shutil.copytree(released_once, folder)
    git(folder, "checkout", "-q", "-b", "work")
    (folder / "README").write_text("work\n")
    commit_all(folder, "Begin")
    return folder
