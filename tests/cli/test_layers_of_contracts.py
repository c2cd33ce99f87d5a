"""Contracts of one's own in the verbs: told by --schemas, by settings or by a variable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.settings import VARIABLE
from tests.support.cli import Finished
from tests.support.cli import run as run_texts
from tests.support.layers import contract, tenant_layer, write_layer

ITEM = {
    "item_id": "a",
    "input": {"messages": [{"role": "user", "content": "When?"}], "tenant": "acme"},
    "expected_output": {"response": "At nine.", "citations": [], "retrieval_ground_truth": []},
    "metadata": {"raw_metadata": {"input_schema_type": "my_rag", "input_schema_version": "1.0"}},
}


def run(*arguments: object) -> Finished:
    return run_texts(*map(str, arguments))


@pytest.fixture
def layer(tmp_path: Path) -> Path:
    return tenant_layer(tmp_path / "contracts")


def items(folder: Path, *values: Any) -> Path:
    file = folder / "items.jsonl"
    file.write_text("".join(json.dumps(value) + "\n" for value in values))
    return file


def test_validate_judges_by_the_types_of_a_layer(layer: Path, tmp_path: Path) -> None:
    good = items(tmp_path, ITEM)
    assert run("validate", good).code == 1
    done = run("validate", good, "--schemas", layer)
    assert done.code == 0, done.out
    assert "my_rag@1.0 (1 item)" in done.out
    assert f"layers: built in, {layer}" in done.out
    bad = items(tmp_path, ITEM | {"input": {"messages": ITEM["input"]["messages"]}})  # type: ignore[index]
    done = run("validate", bad, "--schemas", layer)
    assert done.code == 1
    assert "/input/tenant: tenant is required" in done.out


def test_the_nearest_settings_and_the_variable_name_layers_too(
    layer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = items(tmp_path, ITEM)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv(VARIABLE, str(layer))
    assert run("validate", good).code == 0
    monkeypatch.delenv(VARIABLE)
    (work / "pyproject.toml").write_text('[tool.evalcontract]\nschemas = ["../contracts"]\n')
    assert run("validate", good).code == 0


def test_two_layers_with_one_name_are_a_line_that_names_both(layer: Path, tmp_path: Path) -> None:
    other = write_layer(
        tmp_path / "other", {"my_rag_input@1.0": contract("X", {})}, base_uri="https://other.example/s/"
    )
    done = run("validate", items(tmp_path, ITEM), "--schemas", layer, "--schemas", other)
    assert done.code == 2
    assert str(layer) in done.err
    assert str(other) in done.err


@pytest.mark.parametrize(
    "command",
    [
        ("schema", "list"),
        ("schema", "show", "my_rag_input"),
        ("schema", "bundle", "my_rag_input"),
        ("schema", "bundle", "--flat", "my_rag_input@1.0"),
        ("schema", "path", "my_rag_input"),
        ("schema", "versions", "my_rag_input"),
        ("schema", "breaking", "my_rag_input"),
        ("schema", "breaking"),
        ("schema", "next-version", "my_rag_input"),
    ],
    ids=" ".join,
)
def test_the_verbs_about_schemas_know_a_layer(layer: Path, command: tuple[str, ...]) -> None:
    done = run(*command, "--schemas", layer)
    assert done.code == 0, done.out + done.err
    assert done.err == ""


def test_a_contract_of_a_layer_checks_whole_documents(layer: Path, tmp_path: Path) -> None:
    file = items(tmp_path, ITEM["input"])
    assert run("validate", file, "--contract", "my_rag_input", "--schemas", layer).code == 0
    assert run("validate", file, "--contract", "my_rag_input").code == 2


def test_a_layer_is_never_overwritten(layer: Path, tmp_path: Path) -> None:
    file = layer / "my_rag_input" / "1.0.json"
    before = file.read_bytes()
    done = run("validate", items(tmp_path, ITEM), "--schemas", layer, "-o", file)
    assert done.code == 2
    assert file.read_bytes() == before


def test_own_types_are_normalised_released_and_scored(layer: Path, tmp_path: Path) -> None:
    wrapped = ITEM | {"input": {"request": ITEM["input"]}}
    flat = tmp_path / "flat.jsonl"
    assert run("normalize", items(tmp_path, wrapped), "-o", flat, "--schemas", layer).code == 0
    assert json.loads(flat.read_text())["input"] == ITEM["input"]
    metadata = {
        "product_id": "museum",
        "scope": "golden",
        "version": "1.0",
        "input_schema_type": "my_rag",
        "input_schema_version": "1.0",
    }
    dataset = tmp_path / "museum_my_rag_golden_v1.0.json"
    dataset.write_text(json.dumps({"metadata": metadata, "items": [ITEM]}))
    done = run("dataset", "check", dataset, "--schemas", layer)
    assert done.code == 0, done.out
    named = run("dataset", "name", "museum_my_rag_golden_v1.0", "--product", "museum", "--schemas", layer)
    assert "my_rag" in named.out
    predictions = tmp_path / "run.jsonl"
    predictions.write_text(json.dumps({"item_id": "a", "prediction": {"response": "At nine."}}))
    done = run("score", predictions, "--dataset", dataset, "--schemas", layer)
    assert done.code == 0, done.out
    assert "answer_f1" in done.out
    assert "tool_calls_exact" not in done.out
