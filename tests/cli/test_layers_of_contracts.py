"""Contracts of one's own in the verbs: told by --schemas, by settings or by a variable."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalcontract.catalog import registry_of
from evalcontract.settings import VARIABLE
from tests.support.cli import Finished
from tests.support.cli import run as run_texts
from tests.support.layers import contract, extending, tenant_layer, text, write_layer

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
    lost = run("validate", good)
    assert lost.code == 1
    assert "a type of your own comes with its folder of contracts (--schemas)" in lost.out
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


@pytest.mark.parametrize("told", ["settings", "variable"])
def test_a_layer_that_no_option_names_is_not_overwritten_either(
    layer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    good = items(tmp_path, ITEM)
    monkeypatch.chdir(tmp_path)
    if told == "settings":
        (tmp_path / "evalcontract.toml").write_text('schemas = ["contracts"]')
    else:
        monkeypatch.setenv(VARIABLE, "contracts")
    file = layer / "catalog.json"
    before = file.read_bytes()
    done = run("validate", good, "-o", "contracts/catalog.json")
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


def _bad_layer(folder: Path, what: str) -> Path:
    """A folder of contracts that can't be used."""
    tenant = {"tenant": text("Who asks, by the name of an account.")}
    types = {"my_rag": {"1.0": {"input": "my_rag_input@1.0", "expected_output": "rag_expected_output@1.0"}}}
    above: dict[str, Any] = {"allOf": extending("rag_input")}
    others: dict[str, Any] = {}
    if what == "no catalogue":
        folder.mkdir()
        return folder
    if what == "no contract":
        types["my_rag"]["1.0"]["expected_output"] = "nope@1.0"
    elif what == "ring":
        above = {"allOf": [{"$ref": "../other/1.0.json"}]}
        others["other@1.0"] = contract("Other", {}, allOf=[{"$ref": "../my_rag_input/1.0.json"}])
    elif what == "no parent":
        above = {"allOf": [{"$ref": "../nope/1.0.json"}]}
    elif what == "no reference":
        tenant["far"] = {"$ref": "https://elsewhere.example/far.json", "description": "Somewhere else."}
    elif what == "no schema":
        tenant["tenant"]["type"] = "strng"
    elif what == "old dialect":
        above["$schema"] = "http://json-schema.org/draft-07/schema#"
    layer = write_layer(
        folder, {"my_rag_input@1.0": contract("MyRagInput", tenant, **above), **others}, types
    )
    if what in HOSTILE_CATALOGUES:
        file = layer / "catalog.json"
        catalog = json.loads(file.read_bytes())
        HOSTILE_CATALOGUES[what](catalog)
        file.write_text(json.dumps(catalog))
    elif what == "no file":
        (layer / "my_rag_input" / "1.0.json").unlink()
    elif what == "no JSON":
        (layer / "catalog.json").write_text('{"base_uri": ')
    elif what == "a way out":
        (layer / "my_rag_input" / "1.0.json").unlink()
        (layer / "my_rag_input" / "1.0.json").symlink_to("/etc/hosts")
    return layer


def _renamed(kind: str, name: str) -> Callable[[dict[str, Any]], Any]:
    """A change of a catalogue: what it has first, of a kind, once more under another name."""
    return lambda catalog: catalog[kind].update({name: next(iter(catalog[kind].values()))})


def _first_version(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda catalog: catalog["contracts"]["my_rag_input"].update({name: {"status": "draft"}})


HOSTILE_CATALOGUES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a contract that climbs out": _renamed("contracts", "../../etc/passwd"),
    "a version that climbs out": _first_version("../../x"),
    "a type that climbs out": _renamed("schema_types", "../../x"),
    "a type that leads out": lambda catalog: catalog["schema_types"]["my_rag"]["1.0"].update(
        input="../x@1.0"
    ),
    "a contract in red": _renamed("contracts", "\x1b[31mred"),
    "a type in red": _renamed("schema_types", "\x1b[31mred"),
    "a contract of 10 MB": _renamed("contracts", "a" * 10_000_000),
    "a type of 10 MB": _renamed("schema_types", "a" * 10_000_000),
    "a type without versions": lambda catalog: catalog["schema_types"].update(bare={}),
    "a list for contracts": lambda catalog: catalog.update(contracts=[]),
    "a base without an end": lambda catalog: catalog.update(base_uri="https://acme.example"),
    "a hash of nothing": lambda catalog: catalog["contracts"]["my_rag_input"].update(
        {"1.0": {"status": "released", "sha256": "0" * 64, "released_on": "2026-12-01"}}
    ),
}
BAD_LAYERS = {
    "no catalogue": "{folder} has no catalog.json",
    "no file": "{folder}/my_rag_input/1.0.json can't be read",
    "no JSON": "{folder}/catalog.json is not JSON",
    "a way out": "{folder}/my_rag_input/1.0.json is not JSON",
    **dict.fromkeys(HOSTILE_CATALOGUES, "{folder}/catalog.json is damaged: "),
    "a hash of nothing": "my_rag_input/1.0.json: my_rag_input@1.0 is released, but its file is not what was",
    "no contract": "{folder}/catalog.json: the schema type my_rag@1.0 names nope@1.0, which no layer has",
    "ring": "extends itself: ",
    "no parent": "{folder}/my_rag_input/1.0.json: my_rag_input@1.0 extends what there is not",
    "no reference": "https://elsewhere.example/far.json",
    "no schema": "{folder}/my_rag_input/1.0.json is not a JSON Schema: at /properties/tenant/type",
    "old dialect": "{folder}/my_rag_input/1.0.json is written in the dialect",
}


@pytest.mark.parametrize("what", BAD_LAYERS)
def test_a_layer_that_can_not_be_used_is_a_line_in_every_verb_and_nothing_is_written(
    tmp_path: Path, what: str
) -> None:
    layer = _bad_layer(tmp_path / "own", what)
    metadata = {"product_id": "museum", "scope": "golden", "version": "1.0"}
    metadata |= {"input_schema_type": "my_rag", "input_schema_version": "1.0"}
    dataset = tmp_path / "museum_my_rag_golden_v1.0.json"
    dataset.write_text(json.dumps({"metadata": metadata, "items": [ITEM]}))
    predictions = tmp_path / "run.jsonl"
    predictions.write_text(json.dumps({"item_id": "a", "prediction": {"response": "At nine."}}))
    (tmp_path / "rows.jsonl").write_text('{"question": "When?", "answer": "At nine."}\n')
    golden = ("--map", "golden", "-o", tmp_path / "out.jsonl")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for line in (
        ("validate", dataset, "-o", tmp_path / "report.json"),
        ("normalize", dataset, "-o", tmp_path / "flat.json"),
        ("dataset", "check", dataset, "-o", tmp_path / "check.json"),
        ("score", predictions, "--dataset", dataset, "--records", tmp_path / "scores.jsonl"),
        ("import", tmp_path / "rows.jsonl", *golden),
        ("export", dataset, *golden, "--allow-drop"),
    ):
        done = run(*line, "--schemas", layer)
        assert (done.code, done.out) == (2, ""), (line, done.out)
        assert BAD_LAYERS[what].format(folder=layer) in done.err, line
        assert str(layer) in done.err
        assert "hint: " in done.err
        assert len(done.err) < 1000
        assert "\x1b" not in done.err
    for line in (
        ("schema", "generate", "--typescript", tmp_path / "ts"),
        ("schema", "release", "my_rag_input@1.0"),
    ):
        done = run(*line, "--schemas", layer)
        assert done.code == 2, (line, done.out)
        assert str(layer) in done.err or "is released already" in done.err
        assert "hint: " in done.err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_ring_is_no_bundle(tmp_path: Path) -> None:
    layer = _bad_layer(tmp_path / "own", "ring")
    done = run("schema", "bundle", "my_rag_input", "--schemas", layer)
    assert (done.code, done.out) == (2, "")
    assert "my_rag_input@1.0 extends itself" in done.err


def test_a_schema_outside_the_profile_judges_but_makes_no_code(tmp_path: Path) -> None:
    tenant = {"tenant": {"oneOf": [{"type": "string"}, {"const": 1}]}}
    layer = write_layer(tmp_path / "own", {"asked@1.0": contract("Asked", tenant, required=["tenant"])})
    assert (
        run("validate", items(tmp_path, {"tenant": "x"}), "--contract", "asked", "--schemas", layer).code == 0
    )
    done = run("schema", "generate", "--go", tmp_path / "go", "--schemas", layer)
    assert done.code == 2
    assert f"{layer}/asked/1.0.json:8:5: profile: " in done.err
    assert "evalcontract schema lint" in done.err
    assert not (tmp_path / "go").exists()


def test_a_version_that_refers_to_drafts_of_a_lower_layer_is_told_to_wait(
    layer: Path, tmp_path: Path
) -> None:
    top = write_layer(
        tmp_path / "top",
        {
            "our_rag_input@1.0": contract(
                "OurRagInput", {}, allOf=[{"$ref": "https://acme.example/schemas/my_rag_input/1.0.json"}]
            )
        },
        base_uri="https://top.example/schemas/",
    )
    layers = ("--schemas", layer, "--schemas", top)
    before = (top / "catalog.json").read_bytes()
    done = run("schema", "release", "our_rag_input@1.0", *layers)
    assert done.code == 2
    assert f"{top}/our_rag_input/1.0.json: our_rag_input@1.0 refers to drafts: my_rag_input@1.0" in done.err
    assert "wait for their release" in done.err
    assert (top / "catalog.json").read_bytes() == before
    assert run("schema", "release", "my_rag_input@1.0", "--schemas", layer).code == 0
    assert run("schema", "release", "our_rag_input@1.0", *layers).code == 0


def test_a_layer_that_is_told_twice_counts_once_and_the_order_is_from_the_bottom_up(
    layer: Path, tmp_path: Path
) -> None:
    parent = "https://acme.example/schemas/my_rag_input/1.0.json"
    top = write_layer(
        tmp_path / "top",
        {"team_input@1.0": contract("TeamInput", {}, allOf=[{"$ref": parent}])},
        {"team": {"1.0": {"input": "team_input@1.0", "expected_output": "my_rag_expected_output@1.0"}}},
        base_uri="https://team.example/schemas/",
    )
    team = {"raw_metadata": {"input_schema_type": "team", "input_schema_version": "1.0"}}
    file = items(tmp_path, ITEM, ITEM | {"item_id": "b", "metadata": team})
    link = tmp_path / "link"
    link.symlink_to(layer)
    for folders in ((layer, top), (layer, layer, top), (link, top), (layer, link, top)):
        done = run("validate", file, *(word for folder in folders for word in ("--schemas", folder)))
        assert done.code == 0, done.out + done.err
        assert "my_rag@1.0 (1 item), team@1.0 (1 item)" in done.out
    for folders in ((top, layer), (top,)):
        done = run("validate", file, *(word for folder in folders for word in ("--schemas", folder)))
        assert done.code == 2
        assert f"{top}/catalog.json: the schema type team@1.0 names my_rag_expected_output@1.0" in done.err


def test_the_variable_may_name_several_folders(
    layer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = write_layer(
        tmp_path / "other", {"note@1.0": contract("Note", {})}, base_uri="https://other.example/s/"
    )
    monkeypatch.setenv(VARIABLE, f"{layer}{os.pathsep}{os.pathsep}{other}")
    done = run("validate", items(tmp_path, ITEM))
    assert (done.code, f"layers: built in, {layer}, {other}" in done.out) == (0, True)
    monkeypatch.setenv(VARIABLE, f"{layer}{os.pathsep}{tmp_path / 'nowhere'}")
    done = run("validate", items(tmp_path, ITEM))
    assert done.code == 2
    assert f"{tmp_path / 'nowhere'} has no catalog.json" in done.err


def test_a_declared_version_that_a_layer_does_not_have_is_said_with_those_it_has(
    layer: Path, tmp_path: Path
) -> None:
    late = {"raw_metadata": {"input_schema_type": "my_rag", "input_schema_version": "7.0"}}
    done = run("validate", items(tmp_path, ITEM | {"metadata": late}), "--schemas", layer)
    assert done.code == 1
    assert "'my_rag@7.0' is not a known version of a schema type; known: " in done.out
    assert "my_rag@1.0 [unknown-schema-version]" in done.out


def test_a_folder_of_schemas_without_a_catalogue_declares_no_types_and_the_hint_says_so(
    layer: Path, tmp_path: Path
) -> None:
    (layer / "catalog.json").unlink()
    done = run("validate", items(tmp_path, ITEM), "--schemas", layer)
    assert done.code != 0
    assert f"{layer} has no catalog.json, so it declares no schema types" in done.out + done.err


def test_a_thousand_contracts_are_looked_at_once(tmp_path: Path) -> None:
    said = text("A sentence that is long enough.")
    names = [f"kind_{number}" for number in range(1000)]
    layer = write_layer(
        tmp_path / "huge",
        {
            f"{name}_input@1.0": contract(name.title(), {"x": said}, allOf=extending("base_input"))
            for name in names
        },
        {
            name: {"1.0": {"input": f"{name}_input@1.0", "expected_output": "base_expected_output@1.0"}}
            for name in names
        },
    )
    item = {**ITEM, "metadata": {"raw_metadata": {"input_schema_type": "kind_999"}}}
    registry_of.cache_clear()
    done = run("validate", items(tmp_path, item), "--schemas", layer)
    assert done.code == 0, done.out + done.err
    assert "kind_999@1.0 (1 item)" in done.out
    assert registry_of.cache_info().misses <= 2


def test_a_folder_of_contracts_beside_the_data_is_no_data(
    layer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built_in = {"raw_metadata": {"input_schema_type": "rag", "input_schema_version": "1.0"}}
    items(tmp_path, ITEM, ITEM | {"item_id": "b", "metadata": built_in})
    assert run("schema", "vectors", "my_rag_input", "--schemas", layer).code == 0
    monkeypatch.chdir(tmp_path)
    done = run("validate", ".", "--schemas", "contracts")
    assert done.code == 0, done.out
    assert "my_rag@1.0 (1 item), rag@1.0 (1 item)" in done.out
    assert "in a folder of contracts" in done.out
    case = layer / "conformance" / "my_rag_input" / "1.0" / "valid" / "full.json"
    judged = run("validate", case, "--contract", "my_rag_input", "--schemas", "contracts")
    assert judged.code == 0
    assert "1 item" in judged.out
