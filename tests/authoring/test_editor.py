"""What editors read: the verdicts of validate, misspelt keys, and settings that lose nothing."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.authoring import editor_schema
from evalcontract.authoring.editor import misspellings
from evalcontract.catalog import default_catalogue
from evalcontract.checking import check_files
from evalcontract.validation import Violation, close_key
from tests.support.cli import run
from tests.support.projects import PROJECT

SCHEMA = editor_schema(default_catalogue())
ACCEPTS = jsonschema_rs.validator_for(SCHEMA, pattern_options=jsonschema_rs.FancyRegexOptions()).is_valid
BEYOND_A_SCHEMA = frozenset({"duplicate-item-id", "duplicate-judgement", "nothing-checked"})
EXAMPLES = sorted((PROJECT / "examples").rglob("*.json*"))
KEYS = (
    "response",
    "input",
    "role",
    "metadata",
    "item_id",
    "context",
    "document_ids",
    "retrieval_ground_truth",
)


def documents(path: Path) -> list[Any]:
    text = path.read_text("utf-8")
    lines = [text] if path.suffix == ".json" else [line for line in text.splitlines() if line.strip()]
    return [json.loads(line) for line in lines]


def told_by_a_schema(document: Any, folder: Path) -> list[Violation]:
    """What `validate` finds of what a schema can tell: faults, and misspelt keys."""
    file = folder / "one.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    found = check_files([file]).violations
    told = (
        violation for violation in found if violation.severity == "error" or violation.code == "unknown-key"
    )
    return [violation for violation in told if violation.code not in BEYOND_A_SCHEMA]


def clean(document: Any, folder: Path) -> bool:
    return not told_by_a_schema(document, folder)


@pytest.mark.parametrize("folder", ["typed_item", "typed_dataset"])
def test_the_verdict_on_a_vector_is_its_own(folder: str, tmp_path: Path) -> None:
    vectors = sorted((PROJECT / "schemas" / "conformance" / folder).rglob("*valid/*.json"))
    assert vectors
    for vector in vectors:
        document = json.loads(vector.read_bytes())
        if isinstance(document, dict) and (folder == "typed_item") != ("items" in document):
            assert ACCEPTS(document) == clean(document, tmp_path), vector


def test_examples_are_judged_as_by_validate(tmp_path: Path) -> None:
    judged = [document for path in EXAMPLES for document in documents(path) if _is_data(document)]
    verdicts = [ACCEPTS(document) for document in judged]
    assert verdicts == [clean(document, tmp_path) for document in judged]
    assert set(verdicts) == {True, False}


def _is_data(document: Any) -> bool:
    return isinstance(document, dict) and ("item_id" in document or "items" in document)


@given(st.sampled_from(KEYS), st.data())
def test_a_key_that_is_refused_is_one_that_validate_calls_a_misspelling(
    key: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(key)))
    letter = data.draw(st.sampled_from("aeiost_"))
    edits = (key[:at] + key[at + 1 :], key[:at] + letter + key[at:], key[:at] + letter + key[at + 1 :])
    changed = data.draw(st.sampled_from((*edits, key[:at] + key[at : at + 2][::-1] + key[at + 2 :], letter)))
    refused = re.search(misspellings(key, KEYS), changed) is not None
    if refused:
        assert changed not in KEYS
        assert close_key(changed, [key]) == key
    elif changed not in KEYS:
        assert changed == letter or len(key) < 5 or close_key(changed, [key]) is None


def test_a_misspelt_key_is_refused_where_validate_advises() -> None:
    item = {
        "item_id": "a",
        "input": {"messages": [{"role": "user", "content": "When?"}], "contxt": ["1879"]},
        "expected_output": {"response": "1879"},
        "metadata": {"raw_metadata": {"input_schema_type": "rag"}},
    }
    assert not ACCEPTS(item)
    item["input"] = {"messages": [{"role": "user", "content": "When?"}], "own": ["1879"]}
    assert ACCEPTS(item)
    assert ACCEPTS([item, item])
    assert not ACCEPTS([item, {**item, "metdata": {}}])


def test_settings_name_the_schema_and_the_files(tmp_path: Path) -> None:
    done = run(
        "schema", "write", "--editor", str(tmp_path), "--data", "**/evals/*.json", "--data", "evals/*.yaml"
    )
    assert (done.code, len(done.out.splitlines())) == (0, 3)
    settings = json.loads((tmp_path / ".vscode" / "settings.json").read_text())
    (entry,) = settings["json.schemas"]
    assert entry["fileMatch"] == ["**/evals/*.json", "evals/*.yaml"]
    assert settings["yaml.schemas"] == {entry["url"]: ["evals/*.yaml"]}
    assert json.loads((tmp_path / entry["url"]).read_text()) == SCHEMA
    paths = ElementTree.parse(  # noqa: S314 - we wrote it
        tmp_path / ".idea" / "jsonSchemas.xml"
    ).findall(".//Item/option[@name='path']")
    assert [path.get("value") for path in paths] == entry["fileMatch"]


def test_settings_that_are_there_stay_and_what_they_need_is_said(tmp_path: Path) -> None:
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode" / "settings.json").write_text('{"editor.rulers": [80]} // mine')
    for _ in range(2):
        done = run("schema", "write", "--editor", str(tmp_path))
        assert done.code == 0
        assert "settings.json is there already; it needs:\n" in done.out
        assert '"fileMatch"' in done.out
        assert (tmp_path / ".vscode" / "settings.json").read_text() == '{"editor.rulers": [80]} // mine'
    assert (tmp_path / ".evalcontract" / "evalcontract.schema.json").is_file()


@pytest.mark.parametrize("line", [["--editor", ""], ["--data", ""], []])
def test_a_wrong_call_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    given = line if "--editor" in line or not line else ["--editor", ".", *line]
    assert run("schema", "write", *given).code == 2
    assert not list(tmp_path.rglob("*"))


def test_types_of_ones_own_are_known_to_the_editor(tmp_path: Path) -> None:
    folder = str(tmp_path / "c")
    drafted = run(
        *("schema", "new", "my_rag", "--extends", "rag", "--schemas", folder),
        *(
            "--field",
            "tenant: string - The tenant whose data it is.",
            "--base-uri",
            "https://acme.example/schemas/",
        ),
    )
    assert drafted.code == 0, drafted
    done = run("schema", "write", "--editor", str(tmp_path), "--schemas", str(tmp_path / "c"))
    assert done.code == 0, done
    text = (tmp_path / ".evalcontract" / "evalcontract.schema.json").read_text()
    assert '"my_rag"' in text
