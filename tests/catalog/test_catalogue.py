from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalcontract.catalog import (
    Catalogue,
    ContractRef,
    SchemaVersion,
    default_catalogue,
    load_schema,
    schema_path,
    versions,
)
from evalcontract.errors import CatalogError, UnknownContract, UnknownVersion, UsageError
from evalcontract.values import shown
from tests.support.layers import contract, write_layer
from tests.support.projects import ARCHIVE, copy_archive


@pytest.fixture(scope="module")
def archive() -> Catalogue:
    return Catalogue(ARCHIVE)


def test_versions_are_in_numeric_order(archive: Catalogue) -> None:
    assert archive.versions("note") == ("1.0", "1.9", "1.10", "2.0")
    assert list(archive.schema_types()["binder"]) == ["1.0", "2.0", "10.0"]


@pytest.mark.parametrize(("name", "version"), [("note", "1.10"), ("reminder", "1.0"), ("binder", "2.0")])
def test_the_newest_version_is_the_highest_released_one(archive: Catalogue, name: str, version: str) -> None:
    assert archive.newest(name) == version
    assert archive.resolve(name) == ContractRef(name, version)


def test_the_newest_version_within_a_major(archive: Catalogue) -> None:
    assert archive.newest("binder", max_major=1) == "1.0"
    with pytest.raises(UnknownVersion):
        archive.newest("binder", max_major=0)


def test_a_draft_is_the_newest_where_nothing_is_released(tmp_path: Path) -> None:
    drafts = {
        "note@1.0": contract("Note", {}),
        "note@1.10": contract("Note", {}),
        "note@1.9": contract("Note", {}),
    }
    assert Catalogue.load(write_layer(tmp_path, drafts)).newest("note") == "1.10"


def test_every_built_in_contract_is_released() -> None:
    ours = default_catalogue()
    refs = [ContractRef(name, version) for name in ours.names() for version in ours.versions(name)]
    assert {ours.entry(ref).status for ref in refs if ref.version == "1.0"} == {"released"}


def test_a_contract_of_which_all_versions_were_withdrawn_needs_a_number(archive: Catalogue) -> None:
    with pytest.raises(UnknownVersion, match="withdrawn") as caught:
        archive.resolve("telegram")
    assert caught.value.hint == "ask for a version by number"
    assert (
        archive.resolve("telegram", "1.0")
        == archive.resolve("telegram@1.0")
        == ContractRef("telegram", "1.0")
    )


def test_a_withdrawn_version_can_still_be_read(archive: Catalogue) -> None:
    entry = archive.entry(ContractRef("note", "1.0"))
    assert (entry.status, entry.frozen, entry.superseded_by) == ("withdrawn", True, "1.9")
    assert entry.errata == ("txt was a misspelling of text",)
    assert archive.document(entry.ref)["required"] == ["txt"]


def test_a_name_and_an_option_may_agree_on_the_version(archive: Catalogue) -> None:
    assert archive.resolve("note@1.9", "1.9") == ContractRef("note", "1.9")
    with pytest.raises(UsageError, match="disagree"):
        archive.resolve("note@1.9", "1.10")


@pytest.mark.parametrize(
    "spec", ["", "Note", "note@", "note@1", "note@01.0", "../note", "note@1.0.0", "n" * 101]
)
def test_what_is_no_name_of_a_contract_is_refused(archive: Catalogue, spec: str) -> None:
    with pytest.raises(UsageError) as caught:
        archive.resolve(spec)
    assert caught.value.hint
    assert len(caught.value.message) < 160


def test_a_version_that_is_no_text_is_refused() -> None:
    with pytest.raises(UsageError, match=r"1\.0 is not a schema version"):
        load_schema("rag_input", 1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [None, 1.5, ["message"], {}, b"message"])
def test_a_name_that_is_no_text_is_refused(name: Any) -> None:
    for ask in (load_schema, schema_path, versions):
        with pytest.raises(UsageError):
            ask(name)


def test_values_are_shown_briefly_whatever_they_are() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    wide: list[Any] = [1]
    for _ in range(60):
        wide = [wide, wide]
    assert shown(deep) == "[[[[...]]]]"
    assert len(shown(wide)) <= 80
    assert shown([10**5000]) == "[<integer of 16,610 bits>]"
    assert shown("x" * 10_000_000) == "'" + "x" * 78 + "…"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("remindr", "did you mean reminder?"),
        ("xyz", "known: binder, note, reminder, telegram"),
    ],
)
def test_unknown_names_are_answered_with_the_closest_or_all_known(
    archive: Catalogue, name: str, hint: str
) -> None:
    with pytest.raises(UnknownContract) as caught:
        archive.resolve(name)
    assert caught.value.hint == hint


def test_a_schema_type_taken_for_a_contract_is_answered_with_its_contracts() -> None:
    with pytest.raises(UnknownContract) as caught:
        default_catalogue().resolve("rag")
    assert (
        caught.value.hint
        == "rag is a schema type: its contracts are rag_input@1.0 and rag_expected_output@1.0"
    )


def test_unknown_versions_are_answered_with_the_known_ones(archive: Catalogue) -> None:
    with pytest.raises(UnknownVersion) as caught:
        archive.resolve("note", "1.8")
    assert caught.value.hint == "known versions: 1.0, 1.9, 1.10, 2.0"


def test_an_unknown_contract_is_a_lookup_error() -> None:
    with pytest.raises(LookupError):
        load_schema("nothing")


def test_a_document_is_a_copy(archive: Catalogue) -> None:
    ref = ContractRef("note", "1.10")
    archive.document(ref)["properties"].clear()
    assert archive.document(ref)["properties"].keys() == {"text", "author"}


def test_addresses_lead_back_to_their_contract(archive: Catalogue) -> None:
    for entry in archive.entries():
        assert archive.ref_of(archive.uri(entry.ref)) == entry.ref


@pytest.mark.parametrize(
    "uri",
    ["note/1.0.json", "https://elsewhere.example/note/1.0.json", "https://evalcontract.example/schemas/note"],
)
def test_addresses_of_others_are_refused(archive: Catalogue, uri: str) -> None:
    with pytest.raises(UnknownContract):
        archive.ref_of(uri)


def test_versions_compare_as_numbers() -> None:
    assert SchemaVersion.parse("1.10") > SchemaVersion.parse("1.9")
    assert SchemaVersion.parse("10.0") > SchemaVersion.parse("9.99")


@pytest.mark.parametrize(("version", "status"), [("1.10", "released"), ("1.0", "withdrawn")])
def test_a_frozen_file_that_was_edited_is_refused(tmp_path: Path, version: str, status: str) -> None:
    root = copy_archive(tmp_path) / "schemas"
    file = root / "note" / f"{version}.json"
    file.write_bytes(file.read_bytes().replace(b"plain text", b"rich text"))
    catalogue = Catalogue(root)
    with pytest.raises(CatalogError) as caught:
        catalogue.document(ContractRef("note", version))
    said = f"note/{version}.json: note@{version} is {status}, but its file is not what was released"
    assert caught.value.message.endswith(said)
    assert caught.value.hint == "restore the file; a change needs a new version"


def test_a_draft_may_be_edited(tmp_path: Path) -> None:
    root = copy_archive(tmp_path) / "schemas"
    file = root / "note" / "2.0.json"
    file.write_bytes(file.read_bytes().replace(b"plain text", b"rich text"))
    assert "rich text" in json.dumps(Catalogue(root).document(ContractRef("note", "2.0")))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "is not JSON"),
        (b"[]", "does not hold a JSON object"),
        (b'{"$id": "https://evalcontract.example/schemas/note/9.9.json"}', r"\$id of note@2\.0 is not"),
        (b'{"title": "A", "title": "B"}', "'title' occurs twice"),
    ],
)
def test_a_damaged_document_is_one_clear_error(tmp_path: Path, content: bytes, message: str) -> None:
    root = copy_archive(tmp_path) / "schemas"
    (root / "note" / "2.0.json").write_bytes(content)
    with pytest.raises(CatalogError, match=message) as caught:
        Catalogue(root).document(ContractRef("note", "2.0"))
    assert caught.value.hint


def test_a_missing_document_is_one_clear_error(tmp_path: Path) -> None:
    root = copy_archive(tmp_path) / "schemas"
    for version in ("1.10", "2.0"):
        (root / "note" / f"{version}.json").unlink()
        with pytest.raises(CatalogError, match="can't be read"):
            Catalogue(root).document(ContractRef("note", version))


def _without(key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda catalog: catalog.pop(key)


def _in_note(**changes: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda catalog: catalog["contracts"]["note"]["1.10"].update(changes)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_without("base_uri"), "the key 'base_uri' is missing"),
        (_without("contracts"), "the key 'contracts' is missing"),
        (_without("schema_types"), "the key 'schema_types' is missing"),
        (
            lambda catalog: catalog.update(base_uri="https://evalcontract.example/schemas"),
            "base_uri must end with /",
        ),
        (lambda catalog: catalog.update(base_uri=3), "expected a string, got 3"),
        (lambda catalog: catalog.update(contracts=[]), r"expected an object, got \[\]"),
        (lambda catalog: catalog.update(schema_types="binder"), "expected an object, got 'binder'"),
        (lambda catalog: catalog["contracts"].update(note="1.0"), "expected an object, got '1.0'"),
        (lambda catalog: catalog["contracts"].update(note={}), "note has no versions"),
        (lambda catalog: catalog["contracts"].update(note={"1.0": []}), r"expected an object, got \[\]"),
        (
            lambda catalog: catalog["contracts"].update(note={"1": {"status": "draft"}}),
            "'1' is not a schema version",
        ),
        (lambda catalog: catalog["contracts"].update(Note={}), "'Note' is not the name of a contract"),
        (lambda catalog: catalog["contracts"]["note"]["1.10"].pop("status"), "the key 'status' is missing"),
        (
            lambda catalog: catalog["contracts"]["note"]["1.10"].pop("sha256"),
            r"note@1\.10 is released but has no sha256",
        ),
        (_in_note(sha256=None), r"note@1\.10 is released but has no sha256"),
        (_in_note(status="final"), r"note@1\.10 has the unknown status 'final'"),
        (_in_note(status=["draft"]), r"note@1\.10 has the unknown status \['draft'\]"),
        (_in_note(superseded_by=2.0), r"expected a string, got 2\.0"),
        (_in_note(errata="txt"), r"the errata of note@1\.10 must be a list"),
        (_in_note(errata=[1]), "expected a string, got 1"),
        (
            lambda catalog: catalog["schema_types"]["binder"].update({"1.0": {"input": "note@1.9"}}),
            "'expected_output'",
        ),
        (
            lambda catalog: catalog["schema_types"]["binder"]["1.0"].update(input="note"),
            "note names no version",
        ),
        (lambda catalog: catalog["schema_types"].update(binder={"one": {}}), "'one' is not a schema version"),
    ],
)
def test_a_damaged_catalogue_is_one_clear_error(
    tmp_path: Path, damage: Callable[[dict[str, Any]], Any], message: str
) -> None:
    file = copy_archive(tmp_path) / "schemas" / "catalog.json"
    catalog = json.loads(file.read_bytes())
    damage(catalog)
    file.write_text(json.dumps(catalog), encoding="utf-8")
    with pytest.raises(CatalogError, match=message) as caught:
        Catalogue(file.parent)
    assert "catalog.json is damaged: " in caught.value.message
    assert caught.value.hint
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[" * 100_000, b'{"contracts": {}, "contracts": {}}'])
def test_a_catalogue_that_is_not_json_is_one_clear_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "catalog.json").write_bytes(content)
    with pytest.raises(CatalogError, match="is not JSON"):
        Catalogue(tmp_path)


def test_a_folder_without_a_catalogue_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"has no catalog\.json"):
        Catalogue(tmp_path)


def test_every_contract_of_this_installation_can_be_loaded() -> None:
    for name in default_catalogue().names():
        for version in versions(name):
            schema = load_schema(name, version)
            assert schema == json.loads(schema_path(f"{name}@{version}").read_bytes())
