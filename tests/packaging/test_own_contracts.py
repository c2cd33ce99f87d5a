"""The folder of an organisation with contracts of its own, with the installed wheel and without this repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.languages.toolchains import need
from tests.languages.toolchains import run as run_tool
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
            str(Path(sys.executable).parent / "check-jsonschema"),
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


PAGE = PROJECT / "docs" / "own-contracts.md"
USE_PYTHON = """
from pydantic import ValidationError
from acme_models import MyRagInput
from evalcontract.models import RAGInput

asked = {"messages": [{"role": "user", "content": "When?"}]}
assert isinstance(MyRagInput.model_validate(asked | {"tenant": "acme"}), RAGInput)
try:
    MyRagInput.model_validate(asked)
except ValidationError:
    print("a tenant is demanded")
"""
USE_TYPESCRIPT = """
import { validateItem, type MyRagInput } from "acme";
const input: MyRagInput = { tenant: "acme", messages: [{ role: "user", content: "When?" }] };
// @ts-expect-error a tenant is demanded
const wrong: MyRagInput = { messages: input.messages };
const item = { item_id: "q1", expected_output: { response: "At nine." } };
const metadata = { raw_metadata: { input_schema_type: "my_rag", input_schema_version: "1.0" } };
console.log(validateItem({ ...item, input, metadata }).valid, validateItem({ ...item, input: wrong, metadata }).valid);
"""


def test_whoever_has_the_wheel_and_the_page_owns_a_type_and_hands_out_code(tmp_path: Path) -> None:
    programs = environment_with(built_wheel(tmp_path / "built"), tmp_path / "env", "[codegen]")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    lines = [line.removeprefix("$ ") for line in PAGE.read_text().splitlines() if line.startswith("$ ")]
    for line in lines:
        done = in_environment(programs, folder, "sh", "-c", line)
        wanted = 1 if "breaking" in line and (folder / "contracts/my_rag_input/1.1.json.old").exists() else 0
        assert done.returncode == wanted, line + done.stdout + done.stderr
    assert sum("evalcontract" in line for line in lines) <= 15
    installed = in_environment(programs, folder, "python", "-m", "pip", "install", "--quiet", "./acme_models")
    assert installed.returncode == 0, installed.stderr
    used = in_environment(programs, tmp_path, "python", "-c", USE_PYTHON)
    assert used.stdout == "a tenant is demanded\n", used.stderr
    checked = in_environment(programs, folder, *generating("--check"))
    assert (checked.returncode, checked.stdout) == (0, ""), "installing has left nothing in the folder"

    need("node", "npm")
    package = folder / "acme-ts"
    npm("install", "--no-package-lock", "--no-audit", "--no-fund", cwd=package)
    npm("run", "build", cwd=package)
    user = folder / "user"
    user.mkdir()
    (user / "package.json").write_text('{"type": "module"}')
    npm("install", "--no-package-lock", "--no-audit", "--no-fund", str(package), cwd=user)
    (user / "use.ts").write_text(USE_TYPESCRIPT)
    options = (
        "--strict",
        "--module",
        "NodeNext",
        "--target",
        "ES2022",
        "--lib",
        "ES2022,DOM,DOM.AsyncIterable",
    )
    run_tool(package / "node_modules" / ".bin" / "tsc", *options, "use.ts", cwd=user)
    assert run_tool("node", "use.js", cwd=user) == "true false\n"


def generating(*more: str) -> list[str]:
    folders = ["--python", "acme_models", "--typescript", "acme-ts"]
    return ["evalcontract", "schema", "generate", *folders, "--schemas", "contracts", *more]


def npm(*arguments: str, cwd: Path) -> None:
    run_tool("npm", *arguments, cwd=cwd)
