"""What VS Code's own JSON service says of files, by the schema that `evalcontract schema write --editor` writes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evalcontract.authoring import editor_schema
from evalcontract.catalog import default_catalogue
from tests.authoring.test_editor import EXAMPLES, documents, told_by_a_schema
from tests.languages.toolchains import HERE, need, run

ITEM: dict[str, Any] = {
    "item_id": "a",
    "input": {"messages": [{"role": "user", "content": "When?"}]},
    "expected_output": {"response": "1879"},
    "metadata": {"raw_metadata": {"input_schema_type": "rag"}},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need("node", "npm")
    folder = tmp_path_factory.mktemp("editor")
    shutil.copytree(HERE / "editor", folder, dirs_exist_ok=True)
    run("npm", "install", "--no-package-lock", "--no-audit", "--no-fund", cwd=folder)
    return folder


def ask(service: Path, texts: Sequence[str], complete: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    asked = {"schema": editor_schema(default_catalogue()), "texts": texts, "complete": complete}
    answer: dict[str, Any] = json.loads(run("node", "diagnose.js", cwd=service, stdin=json.dumps(asked)))
    return answer


def test_good_examples_have_no_diagnostic_and_faulty_ones_the_right_one(
    service: Path, tmp_path: Path
) -> None:
    cases: list[tuple[str, Any]] = []
    for path in EXAMPLES:
        for document in documents(path):
            if isinstance(document, dict) and ("item_id" in document or "items" in document):
                text = json.dumps(document, indent=1, ensure_ascii=False)
                cases.append((text, told_by_a_schema(document, tmp_path)))
    answer = ask(service, [text for text, _ in cases])
    faulty = 0
    for (text, told), found in zip(cases, answer["diagnostics"], strict=True):
        assert bool(told) == bool(found), (text, told, found)
        faulty += bool(told)
        for violation in told:
            if violation.keyword == "required":
                name = violation.pointer.rpartition("/")[2]
                assert any(name in message for _, message in found), (violation, found)
    assert 0 < faulty < len(cases)


def test_a_misspelt_key_is_underlined_and_named(service: Path) -> None:
    text = json.dumps(ITEM | {"input": {**ITEM["input"], "contxt": ["1879"]}})
    (found,) = ask(service, [text])["diagnostics"]
    assert found == [['"contxt"', "unknown key: did you mean context?"]]


def test_keys_of_the_declared_type_are_completed(service: Path) -> None:
    text = json.dumps(ITEM | {"input": {"messages": ITEM["input"]["messages"], "": 1}})
    (labels,) = ask(service, [], [{"text": text, "at": text.index('"": 1') + 1}])["completions"]
    assert {"context", "document_ids"} <= set(labels)
