from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.authoring import lint
from evalcontract.authoring.catalog_text import with_entry
from evalcontract.catalog import Catalogue
from evalcontract.validation import is_valid
from tests.support.cli import Finished
from tests.support.cli import run as run_texts
from tests.support.layers import tenant_layer

BASE = "https://acme.example/schemas/"
TENANT = "tenant: string - Who asks, by the name of an account."


def run(*arguments: object) -> Finished:
    return run_texts(*map(str, arguments))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def schema_of(folder: Path, spec: str) -> Any:
    name, _, version = spec.partition("@")
    return json.loads((folder / name / f"{version}.json").read_bytes())


def test_a_schema_type_is_begun_in_a_new_folder_and_keeps_every_rule(tmp_path: Path) -> None:
    folder = tmp_path / "contracts"
    done = run(
        "schema",
        "new",
        "my_rag",
        "--extends",
        "rag",
        "--field",
        TENANT,
        "--schemas",
        folder,
        "--base-uri",
        BASE,
    )
    assert (done.code, done.err) == (0, "")
    assert f"drafted my_rag_input@1.0: {folder}/my_rag_input/1.0.json" in done.out
    assert lint(folder) == []
    catalogue = Catalogue.load(folder)
    assert catalogue.base_type(catalogue.schema_types()["my_rag"]["1.0"]) == "rag"
    asked = {"messages": [{"role": "user", "content": "When?"}]}
    assert not is_valid(asked, "my_rag_input", catalogue=catalogue)
    assert is_valid(asked | {"tenant": "acme"}, "my_rag_input", catalogue=catalogue)
    for name in ("my_rag_input", "my_rag_expected_output"):
        assert run("schema", "vectors", name, "--check", "--schemas", folder).code == 0
        assert run("schema", "example", name, "--schemas", folder).code == 0


def test_a_new_version_goes_on_from_the_newest(tmp_path: Path) -> None:
    folder = tenant_layer(tmp_path / "own")
    done = run("schema", "new", "my_rag@1.1", "--field", "region: string?", "--schemas", folder)
    assert done.code == 0, done.err
    assert "to settle: what region means: write its description" in done.out
    old, new = (schema_of(folder, f"my_rag_input@{version}") for version in ("1.0", "1.1"))
    assert new["properties"].keys() == {*old["properties"], "region"}
    assert new["properties"]["region"]["type"] == ["string", "null"]
    assert new["required"] == ["tenant"]
    assert lint(folder) == []
    types = Catalogue.load(folder).schema_types()["my_rag"]
    assert str(types["1.1"].input) == "my_rag_input@1.1"
    assert str(types["1.1"].expected_output) == "my_rag_expected_output@1.0"
    assert run("schema", "breaking", "my_rag_input", "--against", "1.0", "--schemas", folder).code == 0


def test_one_contract_may_be_drafted_alone_with_every_kind_of_property(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    words = [
        "names: string[]",
        "pages: integer[]?",
        "share: number",
        "flag: boolean?",
        "open: object",
        "all: any",
    ]
    words += [
        "cited: citation",
        "other: citation@1.0?",
        "many: message[]",
        "count: integer - How many there are in all.",
    ]
    fields = [part for word in words for part in ("--field", word)]
    done = run("schema", "new", "note", *fields, "--schemas", folder, "--base-uri", BASE)
    assert done.code == 0, done.err
    assert lint(folder) == []
    made = schema_of(folder, "note@1.0")
    assert made["required"] == ["names", "share", "open", "cited", "many", "count"]
    assert made["properties"]["cited"]["$ref"] == "https://evalcontract.example/schemas/citation/1.0.json"
    done = run("schema", "new", "album", "--field", "notes: note[]", "--schemas", folder)
    assert done.code == 0, done.err
    assert schema_of(folder, "album@1.0")["properties"]["notes"]["items"] == {"$ref": "../note/1.0.json"}
    assert lint(folder) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("my_rag",), "error: my_rag is there already, up to 1.0\n  hint: write my_rag@1.1"),
        (("my_rag@1.0",), "write my_rag@1.1"),
        (("my_rag_input@0.9",), "write my_rag_input@1.1"),
        (("my_rag@1.1", "--extends", "rag"), "no --extends"),
        (("rag_input", "--extends", "qa"), "has a rag_input already"),
        (("rag", "--extends", "qa"), "has a rag already"),
        (("Mine", "--extends", "rag"), "'Mine' is not the name of a contract"),
        (("mine", "--extends", "rga_input"), "did you mean rag_input?"),
        (("mine", "--extends", "rag@3.0"), "schema type rag has no version 3.0"),
        (("mine",), "mine would have no properties"),
        (("mine", "--field", "tenant"), "'tenant' is no property"),
        (("mine", "--field", "a: strng"), "there is no contract strng"),
        (("mine", "--field", "a: object[]"), "a list of object says nothing"),
        (("mine", "--field", "class: string"), "can't be the name of a property"),
        (("mine", "--field", "a: string - Short."), "is too short"),
        (("mine", "--extends", "rag_input", "--base-uri", "https://b.example/"), "leave --base-uri out"),
        (("rag_in_put", "--field", "a: string"), ""),
    ],
)
def test_what_can_not_be_drafted_is_a_line_and_writes_nothing(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    folder = tenant_layer(tmp_path / "own")
    before = contents(folder)
    done = run("schema", "new", *arguments, "--schemas", folder)
    if not said:
        assert done.code == 0
        return
    assert done.code == 2, done.out
    assert said in done.err
    assert "hint: " in done.err
    assert contents(folder) == before


def test_a_new_folder_needs_a_base_uri_and_somewhere_to_be(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    done = run("schema", "new", "mine", "--extends", "rag", "--schemas", folder)
    assert (done.code, "begin it with --base-uri" in done.err) == (2, True)
    done = run("schema", "new", "mine", "--extends", "rag", "--schemas", folder, "--base-uri", "http://x")
    assert (done.code, "is no base URI" in done.err) == (2, True)
    done = run("schema", "new", "mine", "--extends", "rag")
    assert (done.code, "--schemas FOLDER" in done.err) == (2, True)
    assert not folder.exists()


def item(item_id: str, **input_: Any) -> dict[str, Any]:
    asked = {"messages": [{"role": "user", "content": "When?"}], "context": ["At nine."]}
    return {
        "item_id": item_id,
        "input": asked | input_,
        "expected_output": {"response": "Nine.", "citations": []},
    }


def test_data_proposes_what_the_parent_lacks(tmp_path: Path) -> None:
    pytest.importorskip("genson")
    rows = [
        item(
            "a", tenant="acme", floor=-1, tags=["x"], odd=1, people=[{"name": "x"}], gone=None, spot={"x": 1}
        ),
        item("b", tenant="umbrella", floor=2, tags=[], odd="1", people=[], gone=None, spot={}, late=0.5),
    ]
    rows[0]["expected_output"]["tone"] = "kind"
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    folder = tmp_path / "own"
    line = ("schema", "new", "my_rag", "--extends", "rag", "--schemas", folder, "--base-uri", BASE)
    done = run(*line, "--from", file)
    assert done.code == 0, done.err
    made = schema_of(folder, "my_rag_input@1.0")
    assert made["properties"].keys() == {"tenant", "floor", "tags", "odd", "people", "gone", "spot", "late"}
    assert sorted(made["required"]) == ["floor", "spot", "tags", "tenant"]
    assert made["properties"]["floor"]["minimum"] < 0
    assert made["properties"]["late"]["type"] == ["number", "null"]
    assert schema_of(folder, "my_rag_expected_output@1.0")["properties"].keys() == {"tone"}
    for sentence in (
        "the type of odd (integer and string)",
        "what people holds (object): write a contract for its elements",
        "the type of gone (nothing but null",
        "what is in spot: write a contract",
        "the bounds of floor",
        "whether tenant may be empty",
    ):
        assert f"to settle: {sentence}" in done.out
    assert lint(folder) == []
    catalogue = Catalogue.load(folder)
    for row in rows:
        assert is_valid(row["input"], "my_rag_input", catalogue=catalogue)
        assert is_valid(row["expected_output"], "my_rag_expected_output", catalogue=catalogue)


def test_data_that_can_not_be_read_or_has_odd_names_drafts_nothing(tmp_path: Path) -> None:
    pytest.importorskip("genson")
    folder, file = tmp_path / "own", tmp_path / "documents.jsonl"
    line = ("schema", "new", "mine", "--schemas", folder, "--base-uri", BASE, "--from", file)
    for content, said in (('{"a": NaN}\n', "documents.jsonl:1:"), ("[1]\n", "holds no objects")):
        file.write_text(content)
        done = run(*line)
        assert (done.code, said in done.err) == (2, True), done.err
        assert not folder.exists()
    file.write_text('{"a": 1, "own-name": "x", "class": 1}\n')
    done = run(*line)
    assert done.code == 0, done.err
    assert schema_of(folder, "mine@1.0")["properties"].keys() == {"a"}
    assert "to settle: 'own-name' is left out: it can't be the name of a property" in done.out


def test_entries_are_added_and_the_rest_stays_as_it_was_written() -> None:
    raw = b'{ "contracts": {\n  "a": {"1.0": {"status":  "draft"}}}\n}\n'
    made = with_entry(raw, ("contracts", "a", "1.1"), {"status": "draft"})
    made = with_entry(made, ("schema_types", "t", "1.0"), {"input": "a@1.0"})
    assert json.loads(made) == {
        "contracts": {"a": {"1.0": {"status": "draft"}, "1.1": {"status": "draft"}}},
        "schema_types": {"t": {"1.0": {"input": "a@1.0"}}},
    }
    assert b'{"1.0": {"status":  "draft"}' in made
    assert json.loads(with_entry(b"{}", ("a",), 1)) == {"a": 1}
