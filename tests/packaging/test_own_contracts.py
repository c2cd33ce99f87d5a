"""The folder of an organisation with contracts of its own, with the installed wheel and without this repository."""

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
from tests.support.wheels import built_wheel, environment_with

EXAMPLE = PROJECT / "examples" / "own_contracts"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment that has the wheel alone."""
    folder = tmp_path_factory.mktemp("installed")
    return environment_with(built_wheel(folder / "built"), folder / "env")


@pytest.fixture
def organisation(tmp_path: Path) -> Path:
    """The example as a repository of its own."""
    folder = tmp_path / "museum"
    shutil.copytree(EXAMPLE, folder)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Own two schema types")
    return folder


def ci(organisation: Path, programs: Path) -> subprocess.CompletedProcess[str]:
    return in_environment(programs, organisation, "sh", "ci.sh")


def in_environment(programs: Path, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["PATH"] = f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin"
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def test_its_ci_is_green(organisation: Path, programs: Path) -> None:
    done = ci(organisation, programs)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("all is well\n")
    assert "layers: built in, contracts" in done.stdout
    assert git(organisation, "status", "--short") == ""


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("contracts/shop_input/1.0.json", '"tenant"\n', '"locale"\n', "sha256"),
        ("datasets/museum_shop_golden_v1.0.jsonl", '"tenant"', '"tenent"', "/input/tenant: tenant is required"),
        ("items/mixed.jsonl", '"desk"', '"fax"', "/input/channel"),
        ("typed_dataset.schema.json", '"shop"', '"shed"', '"shed"'),
        ("contracts/shop_input/to-2.json", '"rename"', '"renamed"', "to-2.json"),
        ("predictions/shop_answers.jsonl", '"shop-hours"}, {', '"gift-cards"}, {', "recall_at_5"),
    ],
)  # fmt: skip
def test_its_ci_keeps_a_wrong_change_out(
    organisation: Path, programs: Path, file: str, old: str, new: str, said: str
) -> None:
    edit(organisation / file, old, new)
    done = ci(organisation, programs)
    assert done.returncode != 0, done.stdout
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_release_that_was_taken_back_is_found_in_the_history(organisation: Path, programs: Path) -> None:
    file = organisation / "contracts" / "catalog.json"
    catalog = json.loads(file.read_bytes())
    catalog["contracts"]["concierge_input"]["1.0"] = {"status": "draft"}
    catalog["contracts"]["concierge_expected_output"]["1.0"] = {"status": "draft"}
    file.write_text(json.dumps(catalog))
    done = ci(organisation, programs)
    assert done.returncode == 1
    assert "FROZEN_HISTORY" in done.stdout


def test_the_schemas_that_it_hands_out_give_stock_validators_its_verdicts(organisation: Path) -> None:
    schema = organisation / "typed_dataset.schema.json"
    good = organisation / "datasets" / "museum_concierge_smoke_v1.0.json"
    bad = organisation / "bad.json"
    bad.write_text(good.read_text(encoding="utf-8").replace('"channel": "web"', '"channel": "fax"'))
    for file, code in ((good, 0), (bad, 1)):
        command = [
            shutil.which("check-jsonschema") or "check-jsonschema",
            "--schemafile",
            str(schema),
            str(file),
        ]
        assert subprocess.run(command, capture_output=True, check=False).returncode == code


def test_the_example_was_made_with_this_version() -> None:
    """Nothing in the folder is older than what the commands write today."""
    done = subprocess.run(
        [sys.executable, "-m", "evalcontract", "schema", "bundle", "typed_dataset"],
        cwd=EXAMPLE,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == (EXAMPLE / "typed_dataset.schema.json").read_text(encoding="utf-8")
