"""What `evalcontract` exports is there, and little is loaded until it is asked for."""

from __future__ import annotations

import subprocess
import sys

import evalcontract


def test_every_public_name_is_there_and_documented() -> None:
    for name in evalcontract.__all__:
        found = getattr(evalcontract, name)
        assert name in dir(evalcontract)
        assert name in ("REGISTRY", "__version__") or found.__doc__, name


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
    heavy = "{'jsonschema', 'pydantic', 'typer', 'rich', 'jsonschema_rs', 'yaml', 'referencing'}"
    code = f"import sys, evalcontract; print(sorted(set(sys.modules) & {heavy}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
