from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.authoring import vectors_of
from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.errors import SchemaError
from tests.support.cli import Finished
from tests.support.cli import run as run_texts
from tests.support.layers import contract, every_kind_layer, tenant_layer, text, write_layer
from tests.support.vectors import contracts


def run(*arguments: object) -> Finished:
    return run_texts(*map(str, arguments))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("ref", contracts(), ids=str)
def test_our_own_vectors_are_right_and_lack_none(ref: object) -> None:
    found = vectors_of(default_catalogue(), ref)  # type: ignore[arg-type]
    assert (found.wrong, found.new, found.unnoticed) == ((), (), ())
    assert found.mutants > 10


def test_vectors_for_every_kind_of_property_notice_every_change_that_is_one(tmp_path: Path) -> None:
    catalogue = Catalogue.load(every_kind_layer(tmp_path))
    found = vectors_of(catalogue, catalogue.resolve("every_kind"))
    # A dot takes U+0085 already, so this change is none.
    assert set(found.unnoticed) <= {"text before U+0085", "maybe_text before U+0085"}
    cases = {case.name: case for case in found.new}
    assert cases["full"].document.keys() == catalogue.document(found.ref)["properties"].keys()
    assert list(cases["minimal"].document) == catalogue.document(found.ref)["required"]
    constraints = {
        (fault.pointer.split("/")[1], fault.keyword)
        for case in found.new
        for fault in case.faults
        if fault.pointer
    }
    for name, declared in catalogue.document(found.ref)["properties"].items():
        assert {
            (name, key) for key in declared if key in ("minimum", "pattern", "enum", "minItems")
        } <= constraints


def test_a_second_run_writes_nothing(tmp_path: Path) -> None:
    layer = tenant_layer(tmp_path / "own")
    done = run("schema", "vectors", "my_rag_input", "--schemas", layer)
    assert done.code == 0, done.err
    assert "noticed: 15 of 15 changes" in done.out
    before = contents(layer)
    expected = json.loads(before["conformance/my_rag_input/1.0/expected.json"])
    assert expected["tenant-is-just-below-minlength"] == [{"pointer": "/tenant", "keyword": "minLength"}]
    done = run("schema", "vectors", "my_rag_input", "--schemas", layer, "--check")
    assert (done.code, "0 missing" in done.out) == (0, True)
    assert contents(layer) == before
    example = run("schema", "example", "my_rag_input", "--schemas", layer)
    assert json.loads(example.out)["tenant"] == "some tenant"


def test_check_writes_nothing_and_fails_where_vectors_are_missing(tmp_path: Path) -> None:
    layer = tenant_layer(tmp_path / "own")
    before = contents(layer)
    assert run("schema", "vectors", "my_rag_input", "--schemas", layer, "--check").code == 1
    assert contents(layer) == before


def test_vectors_that_are_there_stay_and_are_judged(tmp_path: Path) -> None:
    layer = tenant_layer(tmp_path / "own")
    run("schema", "vectors", "my_rag_input", "--schemas", layer)
    case = layer / "conformance" / "my_rag_input" / "1.0" / "valid" / "by-hand.json"
    case.write_text('{"tenant": ""}')
    done = run("schema", "vectors", "my_rag_input", "--schemas", layer)
    assert done.code == 1
    assert "by-hand.json: required at /messages, minLength at /tenant, not no fault" in done.out
    assert case.read_text() == '{"tenant": ""}'


def test_a_weak_set_of_vectors_is_completed(tmp_path: Path) -> None:
    layer = tenant_layer(tmp_path / "own")
    run("schema", "vectors", "my_rag_input", "--schemas", layer)
    folder = layer / "conformance" / "my_rag_input" / "1.0"
    whole = contents(folder)
    for path in (folder / "invalid").glob("tenant-*.json"):
        path.unlink()
    (folder / "expected.json").write_text(
        json.dumps(
            {
                name: faults
                for name, faults in json.loads(whole["expected.json"]).items()
                if "tenant" not in name
            }
        )
    )
    run("schema", "vectors", "my_rag_input", "--schemas", layer)
    assert contents(folder) == whole


def test_a_contract_whose_documents_never_end_is_said_to_be_so(tmp_path: Path) -> None:
    field = {"$ref": "../ring/1.0.json", "description": "The same again, for ever and ever."}
    layer = write_layer(tmp_path, {"ring@1.0": contract("Ring", {"ring": field}, required=["ring"])})
    catalogue = Catalogue.load(layer)
    with pytest.raises(SchemaError, match="never ends"):
        vectors_of(catalogue, catalogue.resolve("ring"))


def test_where_no_document_can_be_made_up_one_is_asked_for(tmp_path: Path) -> None:
    odd = {"a": text("A text that can't be.", pattern="^x$", minLength=5)}
    layer = write_layer(tmp_path, {"odd@1.0": contract("Odd", odd, required=["a"])})
    done = run("schema", "vectors", "odd", "--schemas", layer)
    assert done.code == 2
    assert "no valid document of odd@1.0 could be made up" in done.err
    assert "write" in done.err
    assert not (layer / "conformance").exists()
    assert run("schema", "vectors", "rag_input", "--schemas", layer).code == 2


def test_a_contract_outside_the_profile_gets_vectors_once_a_document_is_there(tmp_path: Path) -> None:
    kinds: dict[str, Any] = {
        "kind": {"const": "a"},
        "pair": {"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False, "minItems": 2},
        "many": {"type": "array", "uniqueItems": True, "contains": {"type": "integer"}},
        "either": {"oneOf": [{"type": "string"}, {"type": "integer", "multipleOf": 5}]},
        "other": {"not": {"const": "x"}},
        "named": {"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "maxProperties": 4},
        "short": {"type": "object", "propertyNames": {"maxLength": 3}, "minProperties": 1},
        "above": {"type": "number", "exclusiveMinimum": 0},
    }
    loose = contract("Loose", kinds, required=list(kinds), additionalProperties=False)
    layer = write_layer(tmp_path, {"loose@1.0": loose})
    done = run("schema", "vectors", "loose", "--schemas", layer)
    assert (done.code, "full.json by hand" in done.err) == (2, True)
    document = {"kind": "a", "pair": ["x", 1], "many": [1, "b"], "either": 5, "other": "y", "above": 0.5}
    document |= {"named": {"abc": 1}, "short": {"abc": 1}}
    valid = layer / "conformance" / "loose" / "1.0" / "valid"
    valid.mkdir(parents=True)
    for name, value in (("full", document), ("minimal", document | {"above": 1})):
        (valid / f"{name}.json").write_text(json.dumps(value))
    done = run("schema", "vectors", "loose", "--schemas", layer)
    assert done.code == 0, done.err
    expected = json.loads((valid.parent / "expected.json").read_bytes())
    alone = {(fault["pointer"], fault["keyword"]) for faults in expected.values() for fault in faults[:1]}
    assert {
        *(("/kind", "const"), ("/other", "not"), ("/above", "exclusiveMinimum"), ("/named", "maxProperties")),
        *(("/short", "minProperties"), ("/many", "contains"), ("/pair", "minItems")),
        ("/named/abc", "type"),
    } <= alone
    unnoticed = [line.strip() for line in done.out.splitlines() if "unnoticed" in line]
    assert not [line for line in unnoticed if " without " in line], unnoticed


def test_lint_says_line_rule_and_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layer = tenant_layer(tmp_path / "own")
    monkeypatch.chdir(tmp_path)
    assert run("schema", "lint", "--schemas", "own").out == "layers: built in, own\nok: 0 findings\n"
    file = layer / "my_rag_input" / "1.0.json"
    file.write_text(file.read_text().replace('"tenant": {', '"class": {'))
    done = run("schema", "lint", "--schemas", "own")
    assert done.code == 1
    assert done.out.startswith("own/my_rag_input/1.0.json:8:5: profile: $.properties: 'class' can't be")
    assert "hint: write names in snake_case" in done.out
    done = run("schema", "lint", "--schemas", "own", "--profile", "loose")
    assert (done.code, "ok: 0 findings, 1 advice" in done.out) == (0, True)
    assert run("schema", "lint", "--schemas", "own", "--profile", "odd").code == 2
