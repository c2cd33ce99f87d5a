"""A real migration: drafts of a second major version of rag_expected_output, in a copy of the project's schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.catalog import Catalogue, ContractRef
from evalcontract.catalog.files import file_digest
from evalcontract.errors import CatalogError, MigrationRefused, SchemaError, UsageError
from evalcontract.evolution.comparing.compare import Compatibility, compare
from evalcontract.evolution.migrating.chain import Migrations, Move
from evalcontract.evolution.migrating.file_migration import move_file
from evalcontract.evolution.migrating.migration import migrate, read_migration
from evalcontract.evolution.migrating.operations import Operation
from evalcontract.evolution.versions.catalogued import side_of
from tests.evolution.support import add_version, properties_of, schemas_with_next_major, write_json
from tests.support.cli import run
from tests.support.projects import PROJECT

OLD, NEW = ContractRef("rag_expected_output", "1.0"), ContractRef("rag_expected_output", "2.0")
VECTORS = PROJECT / "schemas" / "conformance" / OLD.name / OLD.version / "valid"
ITEM = {
    "item_id": "q1",
    "input": {"messages": [{"role": "user", "content": "When?"}]},
    "expected_output": {
        "response": "In 1879 [1].",
        "citations": [
            {"document_id": "d", "response_marker": "[1]", "page_number": 3, "quotes": ["in 1879"]}
        ],
        "retrieval_ground_truth": [{"document_id": "d", "relevance": 2}],
    },
    "metadata": {"raw_metadata": {"input_schema_type": "rag", "input_schema_version": "1.0", "owner": "ann"}},
}
MOVED_OUTPUT = {
    "response": "In 1879 [1].",
    "citations": [
        {
            "document_id": "d",
            "marker": "[1]",
            "pages": [3],
            "evidence": {"passages": ["in 1879"]},
            "language": "en",
        }
    ],
    "retrieval_ground_truth": [{"document_id": "d", "relevance": "high"}],
}


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return schemas_with_next_major(tmp_path_factory.mktemp("next"))


@pytest.fixture(scope="module")
def catalogue(schemas: Path) -> Catalogue:
    return Catalogue(schemas)


@pytest.fixture(scope="module")
def move(catalogue: Catalogue) -> Move:
    return Migrations(catalogue).of_contract(OLD, NEW)


def test_a_document_is_moved_and_every_step_recorded(move: Move) -> None:
    moved = move(ITEM["expected_output"])
    assert moved.document == MOVED_OUTPUT
    assert [each.op for each in moved.records] == [
        "rename",
        "rename",
        "wrap_array",
        "move",
        "set_default",
        "map_values",
    ]


def outcome(move: Move, document: Any) -> tuple[Any, str]:
    """The moved document, or None and the reason of the refusal."""
    try:
        return move(document).document, ""
    except MigrationRefused as refused:
        return None, refused.message


def test_every_valid_vector_is_moved_to_a_valid_document_or_refused(move: Move, catalogue: Catalogue) -> None:
    new = side_of(catalogue, NEW)
    vectors = [json.loads(each.read_bytes()) for each in sorted(VECTORS.glob("*.json"))]
    outcomes = [outcome(move, each) for each in vectors]
    assert all(
        new.root.accepts(moved) or "the result would not be valid" in reason for moved, reason in outcomes
    )
    assert sum(not reason for _, reason in outcomes) >= 10


def test_every_witness_of_a_break_is_moved_or_refused_with_a_reason(move: Move, catalogue: Catalogue) -> None:
    comparison = compare(side_of(catalogue, OLD), side_of(catalogue, NEW))
    assert comparison.backward.verdict is Compatibility.INCOMPATIBLE
    witnesses = [each for finding in comparison.backward.findings for each in finding.witness]
    assert len(witnesses) >= 4
    new = side_of(catalogue, NEW)
    assert not any(new.root.accepts(each) for each in witnesses)
    outcomes = [outcome(move, each) for each in witnesses]
    assert all(new.root.accepts(moved) or reason for moved, reason in outcomes)
    assert any(not reason for _, reason in outcomes)


@pytest.mark.parametrize(
    ("citation", "reason"),
    [
        ({"document_id": "d", "response_marker": "(Smith)"}, "the result would not be valid"),
        (
            {"document_id": "d", "response_marker": "[1]", "marker": "[2]"},
            "/citations/0/marker is there already",
        ),
        ({"document_id": "d", "quotes": [], "evidence": "none"}, "/citations/0/evidence is no object"),
        ({"document_id": ""}, "it is not valid before the migration"),
    ],
)
def test_what_can_t_be_moved_without_guessing_is_refused(move: Move, citation: Any, reason: str) -> None:
    with pytest.raises(MigrationRefused) as refused:
        move({"response": "r", "citations": [citation]})
    assert reason in refused.value.message


def test_an_item_keeps_the_version_that_it_was_migrated_from(catalogue: Catalogue) -> None:
    types = catalogue.schema_types()["rag"]
    moved = Migrations(catalogue).of_type(types["1.0"], types["2.0"])(ITEM)
    assert moved.document["expected_output"] == MOVED_OUTPUT
    assert moved.document["metadata"]["raw_metadata"] == {
        "input_schema_type": "rag",
        "input_schema_version": "2.0",
        "owner": "ann",
        "migrated_from": "rag@1.0",
    }
    assert all(each.path.startswith("/expected_output/") for each in moved.records)


def test_within_a_major_only_the_tag_changes(tmp_path: Path) -> None:
    schemas = schemas_with_next_major(tmp_path)
    wider = properties_of(schemas, OLD) | {
        "remark": {"type": ["string", "null"], "description": "x" * 20, "default": None}
    }
    add_version(schemas, OLD, "1.1", properties=wider)
    catalog = json.loads((schemas / "catalog.json").read_bytes())
    catalog["schema_types"]["rag"]["1.1"] = {
        "input": "rag_input@1.0",
        "expected_output": "rag_expected_output@1.1",
    }
    write_json(schemas / "catalog.json", catalog)
    (tmp_path / "items.jsonl").write_text(json.dumps(ITEM) + "\n", "utf-8")
    done = move_file(Catalogue(schemas), tmp_path / "items.jsonl", "rag@1.1")
    (moved,) = done.moved
    assert moved["metadata"]["raw_metadata"]["input_schema_version"] == "1.1"
    assert {**moved, "metadata": None} == {**ITEM, "metadata": None}


def test_a_parent_s_operations_come_first(tmp_path: Path) -> None:
    schemas = schemas_with_next_major(tmp_path)
    words = {"words": {"type": "string", "description": "The response, in words as they are."}}
    base = ContractRef("base_expected_output", "1.0")
    add_version(schemas, base, "2.0", properties=words, required=["words"])
    rename = {"op": "rename", "path": "/response", "to": "words"}
    step = {"contract": base.name, "from_major": 1, "to_major": 2, "operations": [rename]}
    write_json(schemas / base.name / "to-2.json", step)
    child = schemas / NEW.name / "2.0.json"
    write_json(
        child, json.loads(child.read_bytes()) | {"allOf": [{"$ref": "../base_expected_output/2.0.json"}]}
    )
    moved = Migrations(Catalogue(schemas)).of_contract(OLD, NEW)({"response": "r"})
    assert moved.document == {"words": "r"}


def test_documents_move_where_there_is_a_migration_and_back_where_it_can_be_undone(
    catalogue: Catalogue,
) -> None:
    migrations = Migrations(catalogue)
    with pytest.raises(UsageError, match="null_to_absent /retrieval_ground_truth can't be undone: whether"):
        migrations.of_contract(NEW, OLD)
    with pytest.raises(UsageError, match="there is no migration to citation@2.0"):
        migrations.of_contract(ContractRef("citation", "1.0"), ContractRef("citation", "2.0"))


@pytest.mark.parametrize(
    "change",
    [
        {"operations": [{"op": "delete", "path": "/a"}]},
        {"operations": [{"op": "rename", "path": "/a"}]},
        {"operations": [{"op": "drop", "path": "a"}]},
        {"operations": [{"op": "drop", "path": ""}]},
        {"operations": [{"op": "map_values", "path": "/a", "values": []}]},
        {"operations": [{"op": "move", "path": "/a", "to": "/*/a"}]},
        {"operations": [{"op": "set_default", "path": "/a", "vlaue": 1}]},
        {"operations": None},
        {"surprise": 1},
    ],
)
def test_a_damaged_migration_is_refused_with_its_place(change: dict[str, Any]) -> None:
    raw = {"contract": "note", "from_major": 1, "to_major": 2, "operations": []} | change
    schema = json.loads((PROJECT / "schemas" / "migration.json").read_bytes())
    with pytest.raises(SchemaError, match="note/to-2"):
        read_migration(raw, "note/to-2.json", schema)


def test_a_migration_file_is_read_strictly(tmp_path: Path) -> None:
    schemas = schemas_with_next_major(tmp_path)
    file = schemas / "rag_expected_output" / "to-2.json"
    twice = file.read_text("utf-8").rstrip().removesuffix("}") + ', "operations": []}'
    for damaged in (twice, "", "[" * 100_000, "NaN"):
        file.write_text(damaged, "utf-8")
        with pytest.raises(CatalogError, match="to-2.json"):
            Migrations(Catalogue(schemas)).read("rag_expected_output", "2")


def test_migrate_takes_any_checks_and_changes_nothing_itself() -> None:
    document = {"a": 1}
    rename = Operation("rename", "/a", to="b")
    moved = migrate(document, [rename], before=lambda _: (), after=lambda _: ())
    assert (document, moved.document) == ({"a": 1}, {"b": 1})
    with pytest.raises(MigrationRefused, match=r"no good; bad; worse and 1 more"):
        migrate(document, [rename], before=lambda _: (), after=lambda _: ("no good", "bad", "worse", "worst"))


# the command


def write_items(path: Path, *items: Any) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in items), "utf-8")
    return path


def test_the_command_without_output_is_a_dry_run(schemas: Path, tmp_path: Path) -> None:
    file = write_items(tmp_path / "items.jsonl", ITEM, ITEM | {"item_id": "q2"})
    done = run("migrate", str(file), "--to", "rag@2.0", "--schemas", str(schemas))
    assert done.code == 0
    assert (
        "rename /expected_output/citations/*/response_marker to /expected_output/citations/*/marker: 2 times"
        in done.out
    )
    assert "2 documents moved, 0 had that version, nothing was written" in done.out
    assert [each.name for each in tmp_path.iterdir()] == ["items.jsonl"]


def test_the_command_writes_lines_that_move_no_further(schemas: Path, tmp_path: Path) -> None:
    file = write_items(tmp_path / "items.jsonl", ITEM)
    target = tmp_path / "moved.jsonl"
    assert (
        run("migrate", str(file), "--to", "rag@2.0", "--schemas", str(schemas), "-o", str(target)).code == 0
    )
    (line,) = target.read_text("utf-8").splitlines()
    assert json.loads(line)["expected_output"] == MOVED_OUTPUT
    again = run("migrate", str(target), "--to", "rag@2.0", "--schemas", str(schemas), "--format", "json")
    assert json.loads(again.out)["unchanged"] == 1
    assert json.loads(again.out)["records"] == []


def test_the_command_moves_a_dataset_with_its_metadata(schemas: Path, tmp_path: Path) -> None:
    metadata = {
        "product_id": "p",
        "scope": "s",
        "version": "1.0",
        "input_schema_type": "rag",
        "input_schema_version": "1.0",
    }
    item = {key: value for key, value in ITEM.items() if key != "metadata"}
    write_json(tmp_path / "set.json", {"metadata": metadata, "items": [item], "note": "kept"})
    target = tmp_path / "moved.json"
    done = run(
        "migrate", str(tmp_path / "set.json"), "--to", "rag@2.0", "--schemas", str(schemas), "-o", str(target)
    )
    assert done.code == 0, done
    moved = json.loads(target.read_bytes())
    assert moved["metadata"] == metadata | {"input_schema_version": "2.0", "migrated_from": "rag@1.0"}
    assert moved["note"] == "kept"
    assert moved["items"][0] == item | {"expected_output": MOVED_OUTPUT}


def test_one_refused_item_stops_the_whole_file(schemas: Path, tmp_path: Path) -> None:
    bad = json.loads(json.dumps(ITEM | {"item_id": "q2"}))
    bad["expected_output"]["citations"][0]["response_marker"] = "(Smith)"
    file = write_items(tmp_path / "items.jsonl", ITEM, bad)
    target = tmp_path / "moved.jsonl"
    done = run("migrate", str(file), "--to", "rag@2.0", "--schemas", str(schemas), "-o", str(target))
    assert done.code == 1
    assert "refused q2: the result would not be valid" in done.out
    assert "nothing was written" in done.out
    assert not target.exists()


def test_a_changed_key_union_is_a_new_major_of_the_dataset(schemas: Path, tmp_path: Path) -> None:
    unjudged = json.loads(json.dumps(ITEM))
    unjudged["expected_output"]["retrieval_ground_truth"] = None
    file = write_items(tmp_path / "items.jsonl", unjudged)
    done = run("migrate", str(file), "--to", "rag@2.0", "--schemas", str(schemas))
    assert (
        "the keys of expected_output changed (-retrieval_ground_truth): release this as a new major"
        in done.out
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--to", "rag"), "names no version"),
        (("--to", "rag@9.0"), "there is no schema type"),
        (("--to", "nonsense@2.0"), "there is no contract nonsense"),
        (("--to", "rag@2.0", "--format", "xml"), "there is no format"),
        (("--to", "qa@1.0"), "says which version"),
    ],
)
def test_wrong_usage_is_a_line_and_writes_nothing(
    schemas: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    item = {"item_id": "q", "input": {}} if "qa@1.0" in arguments else ITEM
    file = write_items(tmp_path / "items.jsonl", item)
    target = tmp_path / "out.jsonl"
    done = run("migrate", str(file), *arguments, "--schemas", str(schemas), "-o", str(target))
    assert done.code == 2
    assert words in done.err.replace("doesn't say which", "says which")
    assert not target.exists()


def test_data_that_can_t_be_read_is_not_moved(schemas: Path, tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text(json.dumps(ITEM) + "\n{broken\n", "utf-8")
    done = run(
        "migrate", str(file), "--to", "rag@2.0", "--schemas", str(schemas), "-o", str(tmp_path / "out.jsonl")
    )
    assert done.code == 1
    assert not (tmp_path / "out.jsonl").exists()


def test_a_single_document_of_a_contract_is_moved(schemas: Path, tmp_path: Path) -> None:
    write_json(tmp_path / "one.json", ITEM["expected_output"])
    target = tmp_path / "moved.json"
    arguments = (
        "--to",
        "rag_expected_output@2.0",
        "--from-version",
        "1.0",
        "--schemas",
        str(schemas),
        "-o",
        str(target),
    )
    assert run("migrate", str(tmp_path / "one.json"), *arguments).code == 0
    assert json.loads(target.read_bytes()) == MOVED_OUTPUT


METADATA = {
    "product_id": "p",
    "scope": "s",
    "version": "1.0",
    "input_schema_type": "rag",
    "input_schema_version": "1.0",
}
MOVED_METADATA = METADATA | {"input_schema_version": "2.0", "migrated_from": "rag@1.0"}
BARE = {key: value for key, value in ITEM.items() if key != "metadata"}
MOVED_BARE = BARE | {"expected_output": MOVED_OUTPUT}


def migrated(schemas: Path, file: Path | str, *more: str) -> Any:
    return run("migrate", str(file), "--to", "rag@2.0", "--schemas", str(schemas), *more)


def test_the_metadata_beside_json_lines_moves_with_them(schemas: Path, tmp_path: Path) -> None:
    file = write_items(tmp_path / "set.jsonl", BARE)
    write_json(tmp_path / "set.metadata.json", METADATA)
    dry = migrated(schemas, file)
    assert "set_default /metadata/input_schema_version: 1 time" in dry.out
    target = tmp_path / "moved.jsonl"
    done = migrated(schemas, file, "-o", str(target))
    assert done.code == 0, done
    assert f"written to {target}, {tmp_path / 'moved.metadata.json'}\n" in done.out
    assert json.loads(target.read_bytes()) == MOVED_BARE
    assert json.loads((tmp_path / "moved.metadata.json").read_bytes()) == MOVED_METADATA
    assert json.loads((tmp_path / "set.metadata.json").read_bytes()) == METADATA


def test_json_lines_with_metadata_beside_them_become_one_json_file(schemas: Path, tmp_path: Path) -> None:
    file = write_items(tmp_path / "set.jsonl", BARE)
    write_json(tmp_path / "set.metadata.json", METADATA)
    target = tmp_path / "moved.json"
    assert migrated(schemas, file, "-o", str(target)).code == 0
    assert json.loads(target.read_bytes()) == {"metadata": MOVED_METADATA, "items": [MOVED_BARE]}


def test_metadata_that_would_break_its_contract_stops_the_file(schemas: Path, tmp_path: Path) -> None:
    file = write_items(tmp_path / "set.jsonl", BARE)
    write_json(tmp_path / "set.metadata.json", METADATA | {"scope": 7})
    done = migrated(schemas, file, "-o", str(tmp_path / "moved.jsonl"))
    assert done.code == 1
    assert "refused metadata: /metadata/scope: expected string, got integer 7" in done.out
    (tmp_path / "set.metadata.json").write_text("{", "utf-8")
    done = migrated(schemas, file, "-o", str(tmp_path / "moved.jsonl"))
    assert done.code == 1
    assert done.err.startswith(f"error: {tmp_path / 'set.metadata.json'}: ")
    assert not list(tmp_path.glob("moved*"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"# a comment\nmetadata: {json.dumps(METADATA)}\nitems: {json.dumps([BARE])}\n",
            {"metadata": MOVED_METADATA, "items": [MOVED_BARE]},
        ),
        (f"- {json.dumps(ITEM | {'input': {'messages': ITEM['input']['messages']}})}\n", None),
    ],
    ids=["dataset", "items"],
)
def test_yaml_is_read_and_written_as_json(schemas: Path, tmp_path: Path, text: str, expected: Any) -> None:
    file = tmp_path / "set.yaml"
    file.write_text(text, "utf-8")
    target = tmp_path / "moved.json"
    done = migrated(schemas, file, "-o", str(target))
    assert (done.code, done.err) == (0, "")
    assert "the YAML was written as JSON, without its comments\n" in done.out
    moved = json.loads(target.read_bytes())
    assert moved == expected if expected else moved[0]["expected_output"] == MOVED_OUTPUT
    assert migrated(schemas, file).code == 0


def test_an_item_in_a_yaml_file_of_its_own_stays_one(schemas: Path, tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    file.write_text(json.dumps(ITEM), "utf-8")
    for name in ("moved.json", "moved.jsonl"):
        assert migrated(schemas, file, "-o", str(tmp_path / name)).code == 0
        assert json.loads((tmp_path / name).read_bytes())["expected_output"] == MOVED_OUTPUT


def test_standard_input_is_read(schemas: Path, tmp_path: Path) -> None:
    target = tmp_path / "moved.jsonl"
    arguments = ("--to", "rag@2.0", "--schemas", str(schemas), "-o", str(target))
    assert run("migrate", "-", *arguments, stdin=json.dumps(ITEM).encode()).code == 0
    assert json.loads(target.read_bytes())["expected_output"] == MOVED_OUTPUT


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("moved.yaml", "names no format that is written"),
        ("moved.jsonl.gz", "names no format that is written"),
        ("moved.parquet", "JSON and JSON Lines are written"),
        ("set.metadata.json", "is read and would be written"),
        ("set.jsonl", "is read and would be written"),
    ],
)
def test_an_output_that_is_not_for_it_is_refused_before_anything_is_written(
    schemas: Path, tmp_path: Path, name: str, words: str
) -> None:
    file = write_items(tmp_path / "set.jsonl", BARE)
    write_json(tmp_path / "set.metadata.json", METADATA)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    done = migrated(schemas, file, "-o", str(tmp_path / name))
    assert done.code == 2
    assert words in done.err
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_keys_that_json_lines_have_no_place_for_are_not_lost(schemas: Path, tmp_path: Path) -> None:
    write_json(tmp_path / "set.json", {"metadata": METADATA, "items": [BARE], "note": "kept"})
    done = migrated(schemas, tmp_path / "set.json", "-o", str(tmp_path / "moved.jsonl"))
    assert done.code == 1
    assert "JSON Lines have no place for the dataset's own keys: note" in done.err
    assert [each.name for each in tmp_path.iterdir()] == ["set.json"]


def ticket_catalogue(folder: Path, *operations: dict[str, Any]) -> Path:
    """A catalogue of one contract in two majors: titles became names."""
    schemas = folder / "contracts"
    base = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}
    for version, key in (("1.0", "title"), ("2.0", "name")):
        document = {"$id": f"https://x.example/ticket/{version}.json", "required": [key]}
        properties = {key: {"type": "string"}, "swapped": {"enum": ["on", "off"]}}
        write_json(schemas / "ticket" / f"{version}.json", base | document | {"properties": properties})
    step = {"contract": "ticket", "from_major": 1, "to_major": 2, "operations": list(operations)}
    write_json(schemas / "ticket" / "to-2.json", step)
    write_json(
        schemas / "catalog.json",
        {
            "base_uri": "https://x.example/",
            "schema_types": {},
            "contracts": {"ticket": {"1.0": {"status": "draft"}, "2.0": {"status": "draft"}}},
        },
    )
    return schemas


RENAME = {"op": "rename", "path": "/title", "to": "name"}
SWAP = {
    "op": "map_values",
    "path": "/swapped",
    "values": [{"from": "on", "to": "off"}, {"from": "off", "to": "on"}],
}


def migrate_tickets(folder: Path, schemas: Path, documents: list[Any], *arguments: str) -> Any:
    file = write_items(folder / "tickets.jsonl", *documents)
    target = folder / "moved.jsonl"
    done = run("migrate", str(file), "--schemas", str(schemas), "-o", str(target), *arguments)
    moved = list(map(json.loads, target.read_text("utf-8").splitlines())) if target.exists() else None
    return done, moved


def test_what_has_the_target_version_is_checked_before_it_is_written(tmp_path: Path) -> None:
    schemas = ticket_catalogue(tmp_path, RENAME)
    arguments = ("--to", "ticket@2.0", "--from", "2.0")
    done, moved = migrate_tickets(tmp_path, schemas, [{"name": "a"}, {"name": 7}], *arguments)
    assert (done.code, moved) == (1, None)
    assert "refused document 2: it is not valid under ticket@2.0: /name" in done.out
    done, moved = migrate_tickets(tmp_path, schemas, [{"name": "a"}], *arguments)
    assert (done.code, moved) == (0, [{"name": "a"}])


def test_items_of_another_type_are_refused(schemas: Path, tmp_path: Path) -> None:
    raw_metadata = {"input_schema_type": "agent", "input_schema_version": "1.0"}
    item = ITEM | {"metadata": {"raw_metadata": raw_metadata}}
    file = write_items(tmp_path / "items.jsonl", item)
    for version in ("1.0", "2.0"):
        done = run("migrate", str(file), "--to", f"rag@{version}", "--schemas", str(schemas))
        assert done.code == 1
        assert "refused q1: it declares the type 'agent', not rag" in done.out


def test_metadata_that_has_the_target_version_is_checked_too(schemas: Path, tmp_path: Path) -> None:
    metadata = {"input_schema_type": "rag", "input_schema_version": "2.0", "version": 7}
    write_json(tmp_path / "set.json", {"metadata": metadata, "items": []})
    done = run("migrate", str(tmp_path / "set.json"), "--to", "rag@2.0", "--schemas", str(schemas))
    assert done.code == 1
    assert "refused metadata: " in done.out


def test_operations_that_never_applied_are_listed_and_fail_a_strict_run(tmp_path: Path) -> None:
    schemas = ticket_catalogue(tmp_path, RENAME, {"op": "drop", "path": "/colour"})
    arguments = ("--to", "ticket@2.0", "--from", "1.0")
    done, moved = migrate_tickets(tmp_path, schemas, [{"title": "a"}], *arguments)
    assert (done.code, moved) == (0, [{"name": "a"}])
    assert "never applied: drop /colour\n" in done.out
    assert "never applied: rename" not in done.out
    (tmp_path / "moved.jsonl").unlink()
    done, moved = migrate_tickets(tmp_path, schemas, [{"title": "a"}], *arguments, "--strict")
    assert (done.code, moved) == (1, None)


TICKETS = st.fixed_dictionaries(
    {"title": st.text()},
    optional={"swapped": st.sampled_from(["on", "off"]), "other": st.integers() | st.none()},
)


@pytest.fixture(scope="module")
def tickets(tmp_path_factory: pytest.TempPathFactory) -> Migrations:
    return Migrations(Catalogue(ticket_catalogue(tmp_path_factory.mktemp("tickets"), RENAME, SWAP)))


@given(ticket=TICKETS)
def test_what_goes_up_comes_down_as_it_was(ticket: Any, tickets: Migrations) -> None:
    one, two = ContractRef("ticket", "1.0"), ContractRef("ticket", "2.0")
    moved = tickets.of_contract(one, two)(ticket).document
    assert moved["name"] == ticket["title"]
    assert tickets.of_contract(two, one)(moved).document == ticket


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "drop", "path": "/a"},
        {"op": "set_default", "path": "/a", "value": 1},
        {"op": "wrap_array", "path": "/a"},
        {"op": "null_to_absent", "path": "/a"},
        {"op": "move", "path": "/a", "to": "/b/c"},
        {"op": "move", "path": "/list/*/a", "to": "/list/a"},
        {"op": "rename", "path": "/list/*", "to": "a"},
        {"op": "map_values", "path": "/a", "values": [{"from": 1, "to": 2}]},
        {"op": "map_values", "path": "/a", "values": [{"from": 1, "to": 2}, {"from": 2, "to": 2}]},
    ],
)
def test_what_has_no_exact_inverse_is_refused_by_name(tmp_path: Path, operation: dict[str, Any]) -> None:
    schemas = ticket_catalogue(tmp_path, RENAME, operation)
    done, _ = migrate_tickets(tmp_path, schemas, [{"name": "a"}], "--to", "ticket@1.0", "--from", "2.0")
    assert done.code == 2
    assert f"ticket/to-2.json: {operation['op']} {operation['path']}" in done.err
    assert "can't be undone" in done.err


def test_a_move_out_of_an_object_is_undone(tmp_path: Path) -> None:
    schemas = ticket_catalogue(tmp_path, RENAME, {"op": "move", "path": "/list/*/in/a", "to": "/list/*/a"})
    migrations = Migrations(Catalogue(schemas))
    one, two = ContractRef("ticket", "1.0"), ContractRef("ticket", "2.0")
    ticket = {"title": "t", "list": [{"in": {"a": 1, "b": 2}}, {"in": {}}, {}]}
    moved = migrations.of_contract(one, two)(ticket).document
    assert moved["list"] == [{"in": {"b": 2}, "a": 1}, {"in": {}}, {}]
    assert migrations.of_contract(two, one)(moved).document == ticket


def test_of_a_refused_file_no_operation_is_said_to_be_idle(tmp_path: Path) -> None:
    schemas = ticket_catalogue(tmp_path, RENAME)
    done, _ = migrate_tickets(tmp_path, schemas, [{"title": 3}], "--to", "ticket@2.0", "--from", "1.0")
    assert done.code == 1
    assert "never applied" not in done.out


def test_a_misspelt_operation_is_told_which_there_are(tmp_path: Path) -> None:
    schemas = ticket_catalogue(tmp_path, {"op": "renam", "path": "/title", "to": "name"})
    done, _ = migrate_tickets(tmp_path, schemas, [{"title": "a"}], "--to", "ticket@2.0", "--from", "1.0")
    assert done.code == 2
    assert "ticket/to-2.json: /operations/0/op: there is no operation 'renam'" in done.err
    assert "did you mean rename? known: rename, move, drop" in done.err


def test_what_is_wrong_with_the_versions_is_said(tmp_path: Path) -> None:
    schemas = ticket_catalogue(tmp_path, RENAME)
    catalog = json.loads((schemas / "catalog.json").read_bytes())
    release = {"sha256": file_digest(schemas / "ticket" / "1.0.json"), "released_on": "2026-01-31"}
    catalog["contracts"]["ticket"]["1.0"] = release | {
        "status": "withdrawn",
        "superseded_by": "2.0",
        "errata": ["titles were meant to be names"],
    }
    write_json(schemas / "catalog.json", catalog)
    done, _ = migrate_tickets(tmp_path, schemas, [{"title": "a"}], "--to", "ticket@2.0", "--from", "1.0")
    assert "note: ticket@1.0 was withdrawn; use 2.0\n" in done.err
    assert "note: ticket@1.0 has an erratum: titles were meant to be names\n" in done.err


def test_releasing_a_major_without_a_migration_is_advised_against(tmp_path: Path) -> None:
    schemas = ticket_catalogue(tmp_path, RENAME)
    arguments = ("--schemas", str(schemas))
    assert "advice" not in run("schema", "release", "ticket@1.0", *arguments).out
    (schemas / "ticket" / "to-2.json").unlink()
    done = run("schema", "release", "ticket@2.0", *arguments)
    assert done.code == 0
    assert "advice: data of ticket@1 can't be moved to ticket@2.0: write " in done.out
