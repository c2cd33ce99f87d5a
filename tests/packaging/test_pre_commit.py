"""The hooks in a stranger's repository, with the real pre-commit and this project as the hook repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.git import git
from tests.support.projects import PROJECT

NEEDED = ("src", "schemas", "generated", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
ITEM = {
    "item_id": "q1",
    "input": {"messages": [{"role": "user", "content": "When?"}]},
    "expected_output": {"response": "1879"},
    "metadata": {"raw_metadata": {"input_schema_type": "qa"}},
}
DATASET = {
    "metadata": {
        "product_id": "acme",
        "scope": "smoke",
        "version": "1.0",
        "input_schema_type": "qa",
        "input_schema_version": "1.0",
    },
    "items": [ITEM],
}
CONFIG = """
repos:
  - repo: {hooks}
    rev: {revision}
    hooks:
      - id: evalcontract-datasets
        files: ^datasets/
      - id: evalcontract-items
        files: ^items/
      - id: evalcontract-contract
        args: [rag_response]
        files: ^responses/
"""


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    hooks = tmp_path_factory.mktemp("hooks")
    for name in NEEDED:
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, hooks / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(source, hooks / name)
    git(hooks, "init", "--quiet")
    git(hooks, "add", "--all")
    git(hooks, "commit", "--quiet", "--message", "Offer the hooks")
    return hooks


@pytest.fixture(scope="module")
def stranger(hooks: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    repository = tmp_path_factory.mktemp("stranger")
    git(repository, "init", "--quiet")
    config = CONFIG.format(hooks=hooks, revision=git(hooks, "rev-parse", "HEAD"))
    (repository / ".pre-commit-config.yaml").write_text(config)
    return repository


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps the environments of the hooks."""
    return tmp_path_factory.mktemp("home")


def pre_commit(repository: Path, home: Path) -> subprocess.CompletedProcess[str]:
    git(repository, "add", "--all")
    environment = os.environ | {
        "PRE_COMMIT_HOME": str(home),
        "PIP_CONSTRAINT": str(PROJECT / "constraints.txt"),
        "PIP_NO_COMPILE": "1",
        "VIRTUALENV_NO_PERIODIC_UPDATE": "1",
    }
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never"]
    return subprocess.run(
        command, cwd=repository, env=environment, capture_output=True, text=True, timeout=500, check=False
    )


def write(path: Path, content: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)


def test_hooks_pass_good_files_and_stop_bad_ones(stranger: Path, home: Path) -> None:
    write(stranger / "datasets" / "acme_smoke_v1.0.json", json.dumps(DATASET))
    write(stranger / "items" / "good.jsonl", json.dumps(ITEM) + "\n")
    write(
        stranger / "responses" / "r.json",
        json.dumps({"choices": [{"message": {"context": {"citations": []}}}]}),
    )
    done = pre_commit(stranger, home)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Passed") == 3

    write(stranger / "datasets" / "README.md", "# Datasets")
    write(stranger / "items" / "golden.csv", "question,answer")
    done = pre_commit(stranger, home)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Passed") == 3

    write(stranger / "items" / "bad.jsonl", json.dumps(ITEM | {"expected_output": {}}) + "\n")
    write(stranger / "responses" / "r.json", json.dumps({"choices": [{"message": {"context": {}}}]}))
    done = pre_commit(stranger, home)
    assert done.returncode == 1
    assert (done.stdout.count("Passed"), done.stdout.count("Failed")) == (1, 2)
    assert "items/bad.jsonl:1:" in done.stdout
    assert "/expected_output/response: response is required but missing" in done.stdout
    assert "/choices/0/message/context/citations: citations is required but missing" in done.stdout


def test_hooks_know_contracts_of_ones_own(hooks: Path, home: Path, tmp_path: Path) -> None:
    museum = tmp_path / "museum"
    shutil.copytree(PROJECT / "examples" / "own_contracts", museum)
    (museum / "evalcontract.toml").unlink()  # the options of the hooks are what tells them
    config = museum / ".pre-commit-config.yaml"
    text = config.read_text(encoding="utf-8").replace("https://git.example/evalcontract", str(hooks))
    config.write_text(text.replace("v1.0.0", git(hooks, "rev-parse", "HEAD")))
    git(museum, "init", "--quiet")
    done = pre_commit(museum, home)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Passed") == 5

    for name, old, new in (
        ("datasets/museum_concierge_smoke_v1.0.json", '"web"', '"fax"'),
        ("items/mixed.jsonl", '"tenant"', '"tenent"'),
        ("predictions/shop_answers.jsonl", '"prediction": {', '"predicted": {'),
        ("contracts/shop_input/1.0.json", "customer", "guest"),
    ):
        file = museum / name
        assert old in file.read_text(encoding="utf-8")
        file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    done = pre_commit(museum, home)
    assert done.returncode == 1
    assert done.stdout.count("Failed") == 5
    assert (
        "shop_input/1.0.json: shop_input@1.0 is released, but its file is not what was released"
        in done.stdout
    )
    assert "Traceback" not in done.stdout
    shutil.copytree(
        PROJECT / "examples" / "own_contracts" / "contracts", museum / "contracts", dirs_exist_ok=True
    )
    done = pre_commit(museum, home)
    assert (done.stdout.count("Passed"), done.stdout.count("Failed")) == (1, 4)
    assert "error [tour-booking] /input/channel: " in done.stdout
    assert "/input/tenant: tenant is required but missing" in done.stdout
