from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalcontract.authoring import LOOSE, PROFILE, RULES, SCHEMA, lint
from evalcontract.errors import CatalogError
from tests.support.layers import contract, extending, tenant_layer, text, write_layer
from tests.support.projects import PROJECT, copy_archive, edit_json

Edit = Callable[[dict[str, Any]], Any]
TEXT = {"type": "string", "description": "Some text that a person has written."}


def _edit(path: str, change: Edit) -> Callable[[Path], None]:
    def damage(schemas: Path) -> None:
        document = json.loads((schemas / path).read_bytes())
        change(document)
        (schemas / path).write_text(json.dumps(document), encoding="utf-8")

    return damage


def _versions(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    return _edit("catalog.json", lambda catalog: change(catalog["contracts"]))


def _add_uncatalogued(schemas: Path) -> None:
    (schemas / "note" / "2.1.json").write_bytes((schemas / "note" / "2.0.json").read_bytes())


def _remove_catalogued(schemas: Path) -> None:
    (schemas / "note" / "2.0.json").unlink()


def _add_migration(name: str, **changes: Any) -> Callable[[Path], None]:
    def damage(schemas: Path) -> None:
        whole = {"contract": "note", "from_major": 1, "to_major": 2, "operations": []} | changes
        (schemas / name).write_text(json.dumps(whole), encoding="utf-8")

    return damage


def _named(name: str, schema_type: str | None = None) -> Callable[[Path], None]:
    """Damage: a contract of this name, and a schema type."""

    def damage(schemas: Path) -> None:
        (schemas / name).mkdir()
        note = json.loads((schemas / "note" / "2.0.json").read_bytes())
        uri = f"https://evalcontract.example/schemas/{name}/1.0.json"
        edited = note | {"$id": uri, "title": "Another"}
        (schemas / name / "1.0.json").write_text(json.dumps(edited), encoding="utf-8")
        catalog = json.loads((schemas / "catalog.json").read_bytes())
        catalog["contracts"][name] = {"1.0": {"status": "draft"}}
        if schema_type:
            catalog["schema_types"][schema_type] = catalog["schema_types"]["binder"]
        (schemas / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")

    return damage


BREACHES: list[tuple[str, Callable[[Path], None], str]] = [
    (
        "migration",
        _add_migration("note/to-2.json", operations=[{"op": "drop"}]),
        "schemas/note/to-2.json: migration: note/to-2.json is no migration",
    ),
    (
        "migration",
        _add_migration("note/to-3.json"),
        "schemas/note/to-3.json: migration: is the migration of note to 2",
    ),
    ("catalogued", _add_uncatalogued, "schemas/note/2.1.json: catalogued: is not in catalog.json"),
    (
        "catalogued",
        _remove_catalogued,
        "schemas/note/2.0.json: catalogued: is in catalog.json, but there is no",
    ),
    (
        "id-is-path",
        _edit("note/2.0.json", lambda note: note.update({"$id": note["$id"].replace("2.0", "2.1")})),
        "schemas/note/2.0.json: id-is-path: $id must be https://evalcontract.example/schemas/note/2.0.json",
    ),
    (
        "unique-title",
        _edit("reminder/1.1.json", lambda reminder: reminder.update(title="Note")),
        "schemas/reminder/1.1.json: unique-title: the title Note belongs to note@1.0",
    ),
    (
        "name-taken",
        _named("typed_dataset"),
        "schemas/catalog.json: name-taken: typed_dataset is the name of a schema of whole items or datasets",
    ),
    (
        "name-taken",
        _named("shelf_item", "shelf"),
        "schemas/catalog.json: name-taken: the schema of whole items or datasets of shelf would be called shelf_item",
    ),
    (
        "reference",
        _edit(
            "reminder/1.1.json", lambda reminder: reminder["allOf"][0].update({"$ref": "../note/1.8.json"})
        ),
        "schemas/reminder/1.1.json: reference: ../note/1.8.json leads nowhere: note has no version 1.8",
    ),
    (
        "no-ring",
        _edit(
            "reminder/1.1.json",
            lambda reminder: reminder["allOf"][0].update({"$ref": "../reminder/1.1.json"}),
        ),
        "schemas/reminder/1.1.json: no-ring: extends itself",
    ),
    (
        "required-declared",
        _edit("reminder/1.1.json", lambda reminder: reminder["required"].append("colour")),
        "schemas/reminder/1.1.json: required-declared: requires colour, which it doesn't have",
    ),
    (
        "required-or-null",
        _edit("note/2.0.json", lambda note: note["required"].append("author")),
        "schemas/note/2.0.json: required-or-null: author is required and has a default",
    ),
    (
        "required-or-null",
        _edit("reminder/1.1.json", lambda reminder: reminder["required"].append("author")),
        "schemas/reminder/1.1.json: required-or-null: author is required and has a default",
    ),
    (
        "required-or-null",
        _edit("note/2.0.json", lambda note: note["properties"].update(title=TEXT)),
        "schemas/note/2.0.json: required-or-null: title is neither required nor null by default",
    ),
    (
        "not-redeclared",
        _edit("reminder/1.1.json", lambda reminder: reminder["properties"].update(text=TEXT)),
        "schemas/reminder/1.1.json: not-redeclared: declares text again, which it inherits",
    ),
    (
        "released-on-released",
        _versions(lambda contracts: contracts["note"].update({"1.10": {"status": "draft"}})),
        "schemas/binder/1.0.json: released-on-released: is released and refers to note@1.10, which is draft",
    ),
    (
        "released-on-released",
        _versions(lambda contracts: contracts["note"]["1.9"].update(status="withdrawn")),
        "schemas/reminder/1.0.json: released-on-released: is released and refers to note@1.9, which is with",
    ),
    (
        "frozen",
        _edit("note/1.10.json", lambda note: note.update(description="A text of another kind.")),
        "schemas/note/1.10.json: frozen: is released and has changed: its sha256 is now ",
    ),
    (
        "frozen",
        _edit("telegram/1.0.json", lambda telegram: telegram.update(description="A text of another kind.")),
        "schemas/telegram/1.0.json: frozen: is withdrawn and has changed: its sha256 is now ",
    ),
    (
        "successor",
        _versions(lambda contracts: contracts["note"]["1.9"].update(superseded_by="1.0")),
        "schemas/catalog.json: successor: note@1.9 is superseded by 1.0, no later version",
    ),
    (
        "schema-type",
        _edit(
            "catalog.json", lambda catalog: catalog["schema_types"]["binder"]["1.0"].update(input="note@3.0")
        ),
        "schemas/catalog.json: schema-type: schema type binder 1.0: note has no version 3.0",
    ),
]


def test_the_schemas_of_this_project_keep_every_rule() -> None:
    assert lint(PROJECT / "schemas") == []


def test_released_superseded_and_withdrawn_versions_keep_every_rule(tmp_path: Path) -> None:
    assert lint(copy_archive(tmp_path) / "schemas") == []


@pytest.mark.parametrize(("rule", "damage", "line"), BREACHES)
def test_a_breach_is_found(tmp_path: Path, rule: str, damage: Callable[[Path], None], line: str) -> None:
    project = copy_archive(tmp_path)
    damage(project / "schemas")
    found = [finding for finding in lint(project / "schemas") if finding.rule == rule]
    said = [str(replace(finding, line=0)) for finding in found]
    assert [text[: len(line)] for text in said].count(line) == 1
    assert all(finding.hint for finding in found)


def test_every_rule_has_a_breach_here() -> None:
    assert {rule for rule, _, _ in BREACHES} == {rule.code for rule in RULES}


def test_only_what_is_broken_is_found(tmp_path: Path) -> None:
    project = copy_archive(tmp_path)
    _versions(lambda contracts: contracts["note"]["1.9"].update(superseded_by="1.0"))(project / "schemas")
    assert [finding.rule for finding in lint(project / "schemas")] == ["successor"]


def test_vectors_beside_the_schemas_need_no_entry(tmp_path: Path) -> None:
    project = copy_archive(tmp_path)
    case = project / "schemas" / "conformance" / "note" / "1.9" / "valid" / "case.json"
    case.parent.mkdir(parents=True)
    case.write_text("{}", encoding="utf-8")
    assert lint(project / "schemas") == []


def test_what_breaks_the_profile_is_reported_alone(tmp_path: Path) -> None:
    project = copy_archive(tmp_path)
    edit_json(project / "schemas" / "note" / "2.0.json", properties=["text"], title="Reminder")
    (finding,) = lint(project / "schemas")
    assert (finding.path, finding.rule) == ("schemas/note/2.0.json", PROFILE.code)
    assert finding.message.startswith("$.properties: ['text'] is not of type 'object'")


def test_a_missing_catalogue_is_one_clear_error(tmp_path: Path) -> None:
    project = copy_archive(tmp_path)
    (project / "schemas" / "catalog.json").unlink()
    with pytest.raises(CatalogError, match="has no catalog|can't be read"):
        lint(project / "schemas")


def test_a_damaged_profile_is_one_clear_error(tmp_path: Path) -> None:
    project = copy_archive(tmp_path)
    (project / "schemas" / "authoring.json").write_bytes(b"{")
    with pytest.raises(CatalogError, match="has no catalog|can't be read"):
        lint(project / "schemas")


def test_a_folder_without_a_profile_is_held_to_the_one_of_the_package(tmp_path: Path) -> None:
    project = copy_archive(tmp_path)
    (project / "schemas" / "authoring.json").unlink()
    assert lint(project / "schemas") == []
    edit_json(project / "schemas" / "note" / "2.0.json", description="short")
    assert [finding.rule for finding in lint(project / "schemas")] == [PROFILE.code]


def test_a_layer_is_held_to_the_rules_with_what_it_lies_on(tmp_path: Path) -> None:
    folder = tenant_layer(tmp_path / "own")
    assert lint(folder) == []
    edit_json(folder / "my_rag_input" / "1.0.json", title="RAGInput")
    (finding,) = lint(folder)
    assert str(finding) == (
        "own/my_rag_input/1.0.json:4:3: unique-title: the title RAGInput belongs to rag_input@1.0"
    )


def test_a_layer_may_not_declare_again_what_it_inherits_from_below(tmp_path: Path) -> None:
    tenant = {
        "tenant": text("Who asks, by the name of an account."),
        "context": text("What the system has read."),
    }
    extends = {"allOf": extending("rag_input"), "required": ["tenant", "context"]}
    folder = write_layer(tmp_path, {"mine@1.0": contract("Mine", tenant, **extends)})
    assert [finding.rule for finding in lint(folder)] == ["not-redeclared"]


def test_a_reference_inside_a_folder_is_relative(tmp_path: Path) -> None:
    field = {"$ref": "https://acme.example/schemas/mine/1.0.json", "description": "The one that came before."}
    folder = write_layer(
        tmp_path,
        {
            "mine@1.0": contract("Mine", {"a": text("Something that a person said.")}, required=["a"]),
            "other@1.0": contract("Other", {"b": field}, required=["b"]),
        },
    )
    (finding,) = lint(folder)
    assert finding.message.endswith("is in this folder: write ../mine/1.0.json")


def test_a_finding_says_the_line_of_what_is_wrong(tmp_path: Path) -> None:
    fields = {
        "tenant": text("Who asks, by the name of an account."),
        "ownClass": text("Too short"),
        "class": {},
    }
    folder = write_layer(tmp_path, {"mine@1.0": contract("Mine", fields, required=["tenant"])})
    lines = (folder / "mine" / "1.0.json").read_text().splitlines()
    found = lint(folder)
    assert len(found) >= 3
    for finding in found:
        name = "ownClass" if "ownClass" in finding.message or "Too short" in finding.message else "class"
        at = lines[finding.line - 1]
        assert name in at or "description" in at, (finding, at)
        assert finding.hint


def test_a_loose_folder_has_only_to_be_json_schema(tmp_path: Path) -> None:
    odd = {
        "kind": {"$ref": "#/$defs/kind", "description": "One of two, by a definition of its own."},
        "flag": True,
        "note": {"oneOf": [{"const": 1}, {"type": "string"}]},
    }
    folder = write_layer(
        tmp_path, {"mine@1.0": contract("Mine", odd, **{"$defs": {"kind": {"enum": ["a"]}}})}
    )
    assert not any(finding.advice for finding in lint(folder))
    found = lint(folder, profile=LOOSE)
    assert {finding.rule for finding in found} == {PROFILE.code}
    assert all(finding.advice for finding in found)
    edit_json(folder / "mine" / "1.0.json", properties={"note": {"type": "txt"}})
    assert {(finding.rule, finding.advice) for finding in lint(folder, profile=LOOSE)} == {
        (SCHEMA.code, False)
    }


def test_a_loose_folder_keeps_the_rules_that_need_no_profile(tmp_path: Path) -> None:
    fields = {"next": {"$ref": "../other/1.0.json"}, "far": {"$ref": "https://elsewhere.example/a.json"}}
    folder = write_layer(tmp_path, {"mine@1.0": contract("Mine", fields)})
    assert [finding.rule for finding in lint(folder, profile=LOOSE) if not finding.advice] == [
        "reference"
    ] * 2
