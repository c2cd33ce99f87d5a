"""What `evalcontract` exports is there, and little is loaded until it is asked for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import evalcontract_models
import pytest

import evalcontract
from tests.support.projects import PROJECT


def test_every_public_name_is_there_and_documented() -> None:
    for name in evalcontract.__all__:
        found = getattr(evalcontract, name)
        assert name in dir(evalcontract)
        assert name in ("REGISTRY", "__version__") or found.__doc__, name


def public_modules() -> list[ModuleType]:
    found = [getattr(evalcontract, name) for name in evalcontract.__all__]
    return [module for module in found if isinstance(module, ModuleType)]


@pytest.mark.parametrize("module", public_modules(), ids=lambda module: module.__name__)
def test_every_public_name_of_a_submodule_is_there_and_documented(module: ModuleType) -> None:
    assert module.__doc__
    assert module.__all__
    for name in module.__all__:
        found = getattr(module, name)
        assert not name.startswith("_")
        assert not callable(found) or found.__doc__, name


def test_the_page_of_the_python_interface_describes_what_is_public_and_nothing_else() -> None:
    page = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## evalcontract\.(\w+)$", page, re.M)
    assert headings == [module.__name__.removeprefix("evalcontract.") for module in public_modules()]
    described = set(re.findall(r"^### `(\w+)", page, re.M))
    modules = {module: set(module.__all__) for module in (evalcontract, *public_modules())}
    modules[evalcontract] -= set(headings)
    modules[evalcontract.models] -= set(evalcontract_models.__all__)  # contracts.md describes them
    assert described == set().union(*modules.values())


def test_files_are_checked_and_schemas_compared_from_python_as_by_the_command(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text('{"item_id": "a", "input": 3}\n')
    result = evalcontract.check_files([file])
    assert [(found.line, found.pointer) for found in result.violations] == [(1, "/input")]
    assert result.exit_code == 1
    (judgement,) = evalcontract.evolution.compare_schemas("rag_input@1.0", "base_input@1.0")
    assert judgement.exit_code in (0, 1, 3)


def test_errors_are_one_tree() -> None:
    errors = [getattr(evalcontract, name) for name in evalcontract.__all__ if name[0].isupper()]
    kinds = [each for each in errors if isinstance(each, type) and issubclass(each, Exception)]
    assert kinds
    assert all(issubclass(each, evalcontract.ContractError) for each in kinds)


def test_the_registry_knows_every_schema_and_nothing_else() -> None:
    registry = evalcontract.REGISTRY
    assert all(uri.startswith("https://evalcontract.example/schemas/") for uri in registry)
    assert registry[
        "https://evalcontract.example/schemas/rag_input/1.0.json"
    ].contents == evalcontract.load_schema("rag_input", "1.0")


def test_importing_the_package_loads_no_heavy_module() -> None:
    heavy = "{'jsonschema', 'pydantic', 'click', 'rich', 'jsonschema_rs', 'yaml', 'referencing'}"
    code = f"import sys, evalcontract; print(sorted(set(sys.modules) & {heavy}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
