"""The site of a catalogue: every version with what it needs, what changed between two, and the same files each time."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from evalcontract.catalog import Catalogue, ContractRef, default_catalogue
from evalcontract.codegen.java import java_package
from evalcontract.codegen.model import model_of
from evalcontract.codegen.snippets import snippets
from evalcontract.codegen.typescript import typescript_package
from evalcontract.errors import UnfitSchemas
from evalcontract.metrics import metrics_for
from evalcontract.reports.site import site_files
from evalcontract.reports.site.properties import rows
from tests.support.cli import run
from tests.support.layers import contract, every_kind_layer, tenant_layer, text, write_layer
from tests.support.projects import ARCHIVE, PROJECT


def words(page: bytes) -> str:
    """What a page says, without its tags."""
    inside = page.decode().partition("<main>")[2].partition("<script")[0]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", inside)))


@pytest.fixture(scope="module")
def built_in() -> dict[str, bytes]:
    return dict(site_files(default_catalogue()))


def test_every_version_has_its_pages_and_downloads(built_in: dict[str, bytes]) -> None:
    for entry in default_catalogue().entries():
        stem = f"{entry.ref.name}-{entry.ref.version}"
        for folder in ("bundles", "flat"):
            committed = PROJECT / "generated" / folder / f"{stem}.schema.json"
            assert built_in[f"{folder}/{stem}.schema.json"] == committed.read_bytes()
        page = words(built_in[f"{stem}.html"])
        for row in rows(default_catalogue(), entry.ref):
            assert row.name in page
            assert re.sub(r"\s+", " ", row.description) in page
        assert f"evalcontract validate --contract {entry.ref} FILE" in page
        vectors = PROJECT / "schemas" / "conformance" / entry.ref.name / entry.ref.version
        found = words(built_in[f"{stem}-cases.html"])
        assert [name for name in names_of(vectors) if name.replace("-", " ") not in found] == []


def names_of(vectors: Path) -> list[str]:
    return [file.stem for kind in ("valid", "invalid") for file in (vectors / kind).glob("*.json")]


def test_files_are_the_same_from_run_to_run(built_in: dict[str, bytes]) -> None:
    assert dict(site_files(Catalogue(PROJECT / "schemas"))) == built_in


def test_inherited_properties_name_where_they_are_from() -> None:
    ref = ContractRef("rag_agent_expected_output", "1.0")
    origins = {row.name: row.origin for row in rows(default_catalogue(), ref)}
    assert str(origins["response"]) == "base_expected_output@1.0"
    assert str(origins["citations"]) == "rag_expected_output@1.0"
    assert origins["tool_calls"] is None


def test_rows_say_type_required_null_and_default() -> None:
    catalogue = default_catalogue()
    found = {row.name: row for row in rows(catalogue, ContractRef("rag_input", "1.0"))}
    said = ["".join(part.text for part in found[name].parts) for name in ("messages", "context")]
    assert said == ["array of Message, at least 1 item", "array of string"]
    assert (found["messages"].required, found["messages"].nullable, found["messages"].default) == (
        True,
        False,
        None,
    )
    assert (found["context"].required, found["context"].nullable, found["context"].default) == (
        False,
        True,
        "null",
    )


def test_a_page_says_who_uses_a_contract_and_which_metrics_a_type_has(built_in: dict[str, bytes]) -> None:
    assert "Used by prediction_record@1.0" in words(built_in["prediction-1.0.html"])
    assert "Extended by rag_agent_input@1.0" in words(built_in["rag_input-1.0.html"])
    page = words(built_in["type-rag-1.0.html"])
    assert [metric.name for metric in metrics_for("rag") if f" {metric.name} " not in page] == []
    assert "tool_call_f1" not in page


def test_released_withdrawn_and_superseded_versions_errata_and_changes_are_shown() -> None:
    catalogue = Catalogue.load(ARCHIVE)
    files = site_files(catalogue)
    entries = list(catalogue.entries())
    assert {entry.status for entry in entries} == {"draft", "released", "withdrawn"}
    for entry in entries:
        page = words(files[f"{entry.ref.name}-{entry.ref.version}.html"])
        assert f" {entry.status}" in page
        for said in (entry.sha256, entry.released_on, entry.superseded_by, *entry.errata):
            assert said is None or str(said) in page
    changed = words(files["note-1.10-to-2.0.html"])
    assert "note@2.0 against note@1.10" in changed
    assert "A document that shows it:" in changed


def test_a_migration_is_shown_as_its_operations(tmp_path: Path) -> None:
    layer = write_layer(
        tmp_path,
        {
            "note@1.0": contract("Note", {"body": text("What it says.")}, required=["body"]),
            "note@2.0": contract("Note", {"text": text("What it says.")}, required=["text"]),
        },
    )
    file = layer / "note" / "to-2.json"
    operations = [{"op": "rename", "path": "/body", "to": "text"}]
    step = {"contract": "note", "from_major": 1, "to_major": 2, "operations": operations}
    file.write_text(json.dumps(step))
    page = words(site_files(Catalogue.load(layer))["note-1.0-to-2.0.html"])
    assert "rename /body text" in page


def test_a_layer_is_shown_with_what_it_lies_on(tmp_path: Path) -> None:
    files = site_files(Catalogue.load(tenant_layer(tmp_path)))
    page = words(files["my_rag_input-1.0.html"])
    assert "rag_input@1.0" in page
    assert "base_input@1.0" in page
    assert "Kind of rag" in words(files["type-my_rag-1.0.html"])
    assert b'"my_rag_input@1.0"' in files["check.html"]


def test_contracts_of_which_no_code_is_made_have_pages_without_code_and_check(tmp_path: Path) -> None:
    closed = contract("Note", {"body": text("What it says.")}, required=["body"], unevaluatedProperties=False)
    files = site_files(Catalogue.load(write_layer(tmp_path, {"note@1.0": closed})))
    assert "check.html" not in files
    assert "TypeScript" not in words(files["note-1.0.html"])
    assert b"check.html" not in files["index.html"]


def test_schemas_that_break_a_rule_are_refused(tmp_path: Path) -> None:
    broken = contract("Note", {"body": {"type": "strin", "description": "What it says."}}, required=["body"])
    with pytest.raises(UnfitSchemas, match="no site is made"):
        site_files(Catalogue.load(write_layer(tmp_path, {"note@1.0": broken})))


def test_code_is_what_stands_in_the_packages(tmp_path: Path) -> None:
    for catalogue in (default_catalogue(), Catalogue.load(every_kind_layer(tmp_path))):
        model = model_of(catalogue)
        types = typescript_package(model)["src/types.ts"].decode()
        java = b"\n".join(java_package(model).values()).decode()
        for ref, found in snippets(model).items():
            declared = {snippet.language: snippet.declaration for snippet in found}
            assert list(declared) == ["Python", "TypeScript", "Go", "Java", "Rust"]
            assert str(declared["TypeScript"]) in types
            assert str(declared["Java"]) in java
            assert f"type {model.by_ref[ref].class_name} struct" in str(declared["Go"])
            assert f"pub struct {model.by_ref[ref].class_name} " in str(declared["Rust"])


def test_the_python_code_of_a_page_runs() -> None:
    (python, *_) = snippets(model_of(default_catalogue()))[ContractRef("message", "1.0")]
    printed: list[object] = []
    exec(python.use, {"document": {"role": "user"}, "print": printed.append})  # noqa: S102
    assert [str(found) for found in printed] == ["/content: content is required but missing, expected string"]


def test_the_command_writes_a_folder_of_its_own_and_removes_what_is_no_longer_made(tmp_path: Path) -> None:
    out = tmp_path / "site"
    layer = tenant_layer(tmp_path / "layer")
    assert run("schema", "site", "--schemas", str(layer), "-o", str(out)).code == 0
    assert (out / "my_rag_input-1.0.html").is_file()
    done = run("schema", "site", "-o", str(out))
    assert done.out.endswith(f"begin with {out / 'index.html'}\n")
    assert not (out / "my_rag_input-1.0.html").exists()
    assert " 0 changed" in run("schema", "site", "-o", str(out)).out
    (out / "mine.txt").write_text("mine")
    refused = run("schema", "site", "-o", str(out))
    assert (refused.code, "is not a generated file" in refused.err) == (2, True)
