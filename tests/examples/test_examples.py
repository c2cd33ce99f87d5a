"""The example data is what it says it is, judged by validators other than the library's own."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from evalcontract.catalog import default_catalogue
from tests.support.examples import (
    EXAMPLES,
    FAULTS,
    PATHFINDER,
    RELEASES,
    documents,
    json_lines,
    mixed_items,
    release,
)
from tests.support.judge import faults_of, faults_of_item, marked

ITEMS = [
    pytest.param(item, id=f"{name}/{item['item_id']}")
    for name in (*RELEASES, "mixed_items")
    for item in (mixed_items() if name == "mixed_items" else release(name)["items"])
]

each_release = pytest.mark.parametrize("name", RELEASES)
each_item = pytest.mark.parametrize("item", ITEMS)


def keys_of(name: str, part: str) -> set[str]:
    """The field key union of a release."""
    return {key for item in release(name)["items"] for key in item[part]}


# releases


@each_release
def test_a_release_is_a_dataset(name: str) -> None:
    assert not faults_of(release(name), "dataset")


@each_release
def test_the_name_agrees_with_the_metadata(name: str) -> None:
    metadata = release(name)["metadata"]
    kind = "" if metadata["input_schema_type"] == "qa" else f"_{metadata['input_schema_type']}"
    assert name == f"{metadata['product_id']}{kind}_{metadata['scope']}_v{metadata['version']}"


@each_release
def test_no_item_id_occurs_twice_in_a_release(name: str) -> None:
    ids = [item["item_id"] for item in release(name)["items"]]
    assert len(ids) == len(set(ids))


@each_release
def test_items_declare_the_type_of_their_release(name: str) -> None:
    metadata = release(name)["metadata"]
    for item in release(name)["items"]:
        declared = item["metadata"]["raw_metadata"]
        assert declared["input_schema_type"] == metadata["input_schema_type"]
        assert declared["input_schema_version"] == metadata["input_schema_version"]


def test_a_release_of_each_schema_type_is_there() -> None:
    types = {release(name)["metadata"]["input_schema_type"] for name in RELEASES}
    assert types == default_catalogue().schema_types().keys()


def test_the_mixed_items_are_of_each_schema_type() -> None:
    types = [item["metadata"]["raw_metadata"]["input_schema_type"] for item in mixed_items()]
    assert sorted(types) == sorted(default_catalogue().schema_types())


def test_the_items_are_many_and_various() -> None:
    items = {item["item_id"]: item for name in RELEASES for item in release(name)["items"]}
    assert len(items) >= 16
    assert len(release("pathfinder_rag_retrieval_v1.0")["items"]) >= 8
    languages = [item["metadata"]["raw_metadata"]["language"] for item in items.values()]
    assert all(languages.count(language) >= 4 for language in ("en", "de", "fr", "ja"))
    turns = [len(item["input"]["messages"]) for item in items.values()]
    assert sum(count >= 3 for count in turns) >= 6
    assert any(item["expected_output"].get("tool_calls") for item in items.values())
    assert any(item["expected_output"].get("handoff_to") for item in items.values())
    assert any(item["input"].get("context") == [] for item in items.values())


def test_version_1_1_breaks_the_minor_rule_by_one_new_input_key_and_nothing_else() -> None:
    old, new = "pathfinder_rag_retrieval_v1.0", "pathfinder_rag_retrieval_v1.1"
    assert keys_of(new, "input") - keys_of(old, "input") == {"locale"}
    assert keys_of(old, "input") < keys_of(new, "input")
    assert keys_of(new, "expected_output") == keys_of(old, "expected_output")
    assert release(new)["items"][: len(release(old)["items"])] == release(old)["items"]


@pytest.mark.parametrize("old", ["pathfinder_rag_retrieval_v1.0", "pathfinder_rag_retrieval_v1.1"])
def test_version_2_0_has_other_keys_than_each_earlier_version(old: str) -> None:
    new = "pathfinder_rag_retrieval_v2.0"
    both = [keys_of(name, "input") | keys_of(name, "expected_output") for name in (old, new)]
    assert both[0] < both[1]
    assert keys_of(new, "expected_output") != keys_of(old, "expected_output")


# items


@each_item
def test_an_item_keeps_the_contracts_of_its_declared_type(item: dict[str, Any]) -> None:
    assert not faults_of_item(item)


@each_item
def test_an_item_has_no_field_that_only_another_type_defines(item: dict[str, Any]) -> None:
    declared = item["metadata"]["raw_metadata"]["input_schema_type"]
    foreign = {
        "qa": {"context", "document_ids", "available_tools", "citations", "tool_calls", "handoff_to"},
        "rag": {"available_tools", "tool_calls", "handoff_to"},
        "agent": {"context", "document_ids", "citations", "retrieval_ground_truth"},
        "rag_agent": set(),
    }
    assert not foreign[declared] & (item["input"].keys() | item["expected_output"].keys())


@each_item
def test_passages_are_those_of_the_documents_beside_them(item: dict[str, Any]) -> None:
    ids = item["input"].get("document_ids", [])
    assert item["input"].get("context", []) == [documents()[each]["content"] for each in ids]


@each_item
def test_citations_hold(item: dict[str, Any]) -> None:
    response = item["expected_output"]["response"]
    citations = item["expected_output"].get("citations", [])
    assert marked(response) == {citation["response_marker"] for citation in citations}
    for citation in citations:
        document = documents()[citation["document_id"]]
        assert citation["document_id"] in item["input"]["document_ids"]
        assert citation["page_number"] == document["page_number"]
        assert citation["quotes"]
        assert all(quote in document["content"] for quote in citation["quotes"])


@each_item
def test_judgements_name_known_documents_once_and_find_the_cited_ones_relevant(item: dict[str, Any]) -> None:
    judgements = item["expected_output"].get("retrieval_ground_truth", [])
    grades = {each["document_id"]: each["relevance"] for each in judgements}
    assert len(grades) == len(judgements)
    assert grades.keys() <= documents().keys()
    cited = [each["document_id"] for each in item["expected_output"].get("citations", [])]
    assert all(grades[each] > 0 for each in cited)
    assert not cited or 2 in grades.values()


@each_item
def test_only_available_tools_are_called(item: dict[str, Any]) -> None:
    called = {call["name"] for call in item["expected_output"].get("tool_calls", [])}
    assert called <= set(item["input"].get("available_tools", []))


@each_item
def test_the_last_word_is_the_users(item: dict[str, Any]) -> None:
    assert item["input"]["messages"][-1]["role"] == "user"


@each_item
def test_the_answer_is_in_the_language_that_the_item_names(item: dict[str, Any]) -> None:
    language = item["metadata"]["raw_metadata"]["language"]
    asked, answered = item["input"]["messages"][-1]["content"], item["expected_output"]["response"]
    for text in (asked, answered):
        kana = any("HIRAGANA" in unicodedata.name(letter, "") for letter in text)
        assert kana == (language == "ja")


# the knowledge base and the predictions


def test_the_knowledge_base_has_enough_passages_each_with_an_id_of_its_own() -> None:
    rows = json_lines(PATHFINDER / "documents.jsonl")
    assert len(rows) == len(documents()) >= 30
    assert len({row["content"] for row in rows}) == len(rows)
    for row in rows:
        assert row.keys() >= {"document_id", "title", "content", "language"}
        assert all(row[key].strip() for key in ("document_id", "title", "content", "language"))
    assert {row["language"] for row in rows} == {"en", "de", "fr", "ja"}


def predictions() -> list[dict[str, Any]]:
    return json_lines(PATHFINDER / "predictions_rag.jsonl")


def test_predictions_are_prediction_records_one_for_each_item() -> None:
    assert not [fault for record in predictions() for fault in faults_of(record, "prediction_record")]
    wanted = [item["item_id"] for item in release("pathfinder_rag_retrieval_v1.0")["items"]]
    assert [record["item_id"] for record in predictions()] == wanted


def test_predictions_speak_of_known_documents() -> None:
    for record in predictions():
        for retrieved in record["prediction"]["retrieved_documents"]:
            assert retrieved["content"] == documents()[retrieved["document_id"]]["content"]
        for citation in record["prediction"]["citations"]:
            content = documents()[citation["document_id"]]["content"]
            assert all(quote in content for quote in citation["quotes"] or [])


def test_retrieved_documents_are_ranked_by_score() -> None:
    for record in predictions():
        scores = [each["score"] for each in record["prediction"]["retrieved_documents"]]
        assert scores == sorted(scores, reverse=True)


def test_predictions_are_good_but_not_perfect() -> None:
    items = {item["item_id"]: item for item in release("pathfinder_rag_retrieval_v1.0")["items"]}
    first_is_best, markers_agree, repeats = [], [], 0
    for record in predictions():
        prediction, wanted = record["prediction"], items[record["item_id"]]["expected_output"]
        ids = [each["document_id"] for each in prediction["retrieved_documents"]]
        repeats += len(ids) - len(set(ids))
        best = {each["document_id"] for each in wanted["retrieval_ground_truth"] if each["relevance"] == 2}
        if best:
            first_is_best.append(ids[0] in best)
        declared = {citation["response_marker"] for citation in prediction["citations"]}
        markers_agree.append(marked(prediction["response"]) == declared)
        assert prediction["response"] != wanted["response"]
    assert len(first_is_best) / 2 < sum(first_is_best) < len(first_is_best)
    assert len(markers_agree) / 2 < sum(markers_agree) < len(markers_agree)
    assert repeats == 1


# the files


def test_the_readme_explains_every_file_and_every_fault() -> None:
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    own = EXAMPLES / "own_contracts"  # has a page of its own
    files = {path.name for path in EXAMPLES.rglob("*") if path.is_file() and own not in path.parents}
    files -= {"README.md"}
    faults = {item["item_id"] for item in json_lines(FAULTS)}
    assert {name for name in files | faults if f"`{name}`" not in text} == set()


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.json*")), ids=lambda path: path.name)
def test_files_are_plain_utf_8_with_unix_line_ends(path: Any) -> None:
    data = path.read_bytes()
    data.decode("utf-8")
    assert data.endswith(b"\n")
    assert b"\r" not in data
    assert not data.startswith(b"\xef\xbb\xbf")
