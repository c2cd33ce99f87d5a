"""`evalcontract schema`: what the contracts are, for people and for other tools."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema_rs
import pytest

from evalcontract.catalog import default_catalogue, load_schema
from evalcontract.validation import is_valid
from tests.support.cli import run
from tests.support.projects import PROJECT

NAMES = default_catalogue().names()


def test_list_names_every_contract_with_its_versions() -> None:
    printed = run("schema", "list").out.splitlines()
    assert [line.split()[0] for line in printed] == list(NAMES)
    assert all("1.0 (released)" in line for line in printed)


def test_show_prints_the_file_as_it_was_written() -> None:
    assert run("schema", "show", "rag_input@1.0").out == (
        PROJECT / "schemas" / "rag_input" / "1.0.json"
    ).read_text(encoding="utf-8")


def test_path_leads_to_the_file() -> None:
    path = run("schema", "path", "rag_input").out.strip()
    assert json.loads(Path(path).read_text(encoding="utf-8")) == load_schema("rag_input")


@pytest.mark.parametrize("name", NAMES)
def test_the_example_is_valid_also_as_one_line(name: str) -> None:
    whole, line = run("schema", "example", name).out, run("schema", "example", name, "--line").out
    assert json.loads(whole) == json.loads(line)
    assert line.count("\n") == 1
    assert is_valid(json.loads(line), name)


@pytest.mark.parametrize("flag", [[], ["--flat"]])
def test_a_bundle_stands_alone_under_the_publishers_base(flag: list[str], tmp_path: Path) -> None:
    target = tmp_path / "bundle.json"
    base = "https://schemas.acme.example/eval/"
    done = run("schema", "bundle", "rag_agent_input", *flag, "--base-uri", base, "-o", str(target))
    assert (done.code, done.out) == (0, "")
    bundle = json.loads(target.read_text(encoding="utf-8"))
    assert bundle["$id"].startswith(base)
    assert "evalcontract.example" not in target.read_text(encoding="utf-8")
    validator = jsonschema_rs.Draft202012Validator(bundle, offline=True)
    assert validator.is_valid(json.loads(run("schema", "example", "rag_agent_input").out))
    assert not validator.is_valid({})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "rag_inptu"], "did you mean rag_input?"),
        (["show", "rag_input@3.0"], "rag_input has no version 3.0"),
        (["show", "rag_input@x"], "is not a schema version"),
        (["bundle", "message", "--base-uri", "https://a.example"], "a base URI ends with /"),
        (["bundle", "message", "-o", "no/folder/a.json"], "can't be written"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(arguments: list[str], said: str) -> None:
    done = run("schema", *arguments)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_version_and_module_agree() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "evalcontract", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == run("--version").out


def test_version_needs_no_heavy_import() -> None:
    code = "import sys; sys.argv = ['evalcontract', '--version']; from evalcontract.cli import main; main()\n"
    code += "print(sorted(set(sys.modules) & {'click', 'jsonschema', 'pydantic', 'rich', 'jsonschema_rs', 'yaml'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == "[]"


def test_shells_can_complete_the_commands() -> None:
    environment = os.environ | {
        "_EVALCONTRACT_COMPLETE": "bash_complete",
        "COMP_WORDS": "evalcontract sch",
        "COMP_CWORD": "1",
    }
    program = Path(sys.executable).parent / "evalcontract"
    done = subprocess.run([str(program)], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["plain,schema"]


def test_a_checkout_elsewhere_is_not_released_by_accident(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = PROJECT / "schemas" / "catalog.json"
    before = catalogue.read_bytes()
    monkeypatch.chdir(tmp_path)
    done = run("schema", "release", "citation")
    assert done.code == 2
    assert "is not of this checkout" in done.err
    assert catalogue.read_bytes() == before
