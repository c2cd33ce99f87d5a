from __future__ import annotations

import re
import subprocess
import sys

import pytest
import yaml

from tests.support.projects import PROJECT
from tools.generate.hooks import HOOKS, hooks_file


def test_pre_commit_accepts_the_hooks() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", ".pre-commit-hooks.yaml"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_file_holds_the_hooks_of_the_table() -> None:
    found = yaml.safe_load(hooks_file())
    assert [(hook["id"], hook["entry"], hook["files"]) for hook in found] == [
        (hook.id, hook.entry, hook.files) for hook in HOOKS
    ]


@pytest.mark.parametrize(
    ("hook", "chosen"),
    [
        ("evalcontract-datasets", ["a.json", "data/b.json"]),
        ("evalcontract-items", ["a.json", "data/b.json", "c.jsonl"]),
        ("evalcontract-contract", ["a.json", "data/b.json", "c.jsonl"]),
        ("evalcontract-schemas", ["a.json", "data/b.json"]),
    ],
)
def test_the_files_that_a_hook_looks_at(hook: str, chosen: list[str]) -> None:
    (pattern,) = (each.files for each in HOOKS if each.id == hook)
    names = ["a.json", "data/b.json", "c.jsonl", "d.json5", "e.jsonld", "json", "f.yaml"]
    assert [name for name in names if re.search(pattern, name)] == chosen
