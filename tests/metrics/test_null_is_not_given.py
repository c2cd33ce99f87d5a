"""Null means that nothing is given: every property of every contract that is scored, absent, null and empty."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from urllib.parse import urljoin

import pytest

from evalcontract.catalog import default_catalogue
from evalcontract.metrics import score_item

Path = tuple[str | int, ...]

CITATION: dict[str, Any] = {
    "document_id": "d1",
    "response_marker": "[1]",
    "page_number": 2,
    "quotes": ["opened in 1889"],
    "title": "T",
    "url": "u",
    "page_label": "iv",
    "metadata": {"k": 1},
    "response_span": {"start": 0, "end": 9, "text": "The tower"},
}
CALL = {"name": "find", "args": {"q": "tower", "n": 2}}
ITEM: dict[str, Any] = {
    "item_id": "1",
    "input": {
        "messages": [{"role": "user", "content": "When was the tower opened?"}],
        "context": ["The tower opened in 1889.", "Other."],
        "document_ids": ["d1", "d2"],
        "available_tools": ["find", "book"],
    },
    "expected_output": {
        "response": "The tower opened in 1889 [1].",
        "alternative_responses": ["In 1889."],
        "answerable": True,
        "citations": [CITATION],
        "retrieval_ground_truth": [{"document_id": "d1", "relevance": 2, "alternative_group": "g"}],
        "tool_calls": [CALL],
        "handoff_expected": True,
        "handoff_to": "desk",
    },
    "metadata": {"raw_metadata": {"imported": {"k": 1}, "migrated_from": "rag_agent@1.0"}},
    "tags": ["t"],
}
PREDICTION: dict[str, Any] = {
    "response": "The tower opened in 1889 [1].",
    "citations": [CITATION],
    "retrieved_documents": [
        {
            "document_id": "d1",
            "content": "The tower opened in 1889.",
            "score": 0.5,
            "source_id": "s",
            "title": "T",
            "url": "u",
            "metadata": {"k": 1},
        }
    ],
    "tool_calls": [{**CALL, "output": {"a": 1}, "id": "c", "error": "e", "raw_args": "{}"}],
    "handoff_to": "desk",
    "handed_off": True,
    "abstained": False,
    "finish_reason": "stop",
}
PARTS = {
    "rag_agent_input": (ITEM, ("input",)),
    "rag_agent_expected_output": (ITEM, ("expected_output",)),
    "prediction": (PREDICTION, ()),
}
EMPTY: dict[type, Any] = {str: "", list: [], dict: {}, bool: False, int: 0, float: 0.0}


def schema_of(uri: str) -> dict[str, Any]:
    documents = dict(default_catalogue().documents())
    return documents[uri]


def properties(schema: dict[str, Any], base: str) -> Iterator[tuple[str, dict[str, Any], bool, str]]:
    """Own and inherited properties: name, schema, whether it may be null, and the base of its references."""
    for parent in schema.get("allOf", ()):
        uri = urljoin(base, parent["$ref"])
        yield from properties(schema_of(uri), uri)
    for name, below in schema.get("properties", {}).items():
        yield name, below, name not in schema.get("required", ()), base


def paths(uri: str, at: Path, value: Any) -> Iterator[tuple[Path, bool]]:
    """The path of every property of a contract in a value that has them all, and whether it may be null."""
    for name, below, optional, base in properties(schema_of(uri), uri):
        assert name in value, f"{uri} has a property {name} that the example lacks"
        yield (*at, name), optional
        for option in below.get("anyOf", [below]):
            item = option.get("items", {})
            if "$ref" in item:
                yield from paths(urljoin(base, item["$ref"]), (*at, name, 0), value[name][0])
            if "$ref" in option:
                yield from paths(urljoin(base, option["$ref"]), (*at, name), value[name])


def uri_of(contract: str) -> str:
    catalogue = default_catalogue()
    return str(catalogue.document(catalogue.resolve(contract))["$id"])


def cases() -> Iterator[Any]:
    for contract, (whole, begun) in PARTS.items():
        value: Any = whole
        for step in begun:
            value = value[step]
        for path, optional in paths(uri_of(contract), begun, value):
            if optional:
                yield pytest.param(whole is ITEM, path, id=f"{contract}: {'/'.join(map(str, path))}")


def changed(whole: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A copy with another value at a path; without one when it is Ellipsis."""
    copy = deepcopy(whole)
    holder: Any = copy
    for step in path[:-1]:
        holder = holder[step]
    if value is ...:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return copy


def scored(of_item: bool, path: Path, value: Any) -> dict[str, Any]:
    item = changed(ITEM, path, value) if of_item else ITEM
    prediction = PREDICTION if of_item else changed(PREDICTION, path, value)
    return score_item(item, prediction)


def test_the_contracts_have_nested_properties() -> None:
    assert len(list(cases())) > 35


@pytest.mark.parametrize(("of_item", "path"), list(cases()))
def test_absent_and_null_score_alike(of_item: bool, path: Path) -> None:
    assert scored(of_item, path, None) == scored(of_item, path, ...)


@pytest.mark.parametrize(("of_item", "path"), list(cases()))
def test_empty_gives_a_score_or_a_reason(of_item: bool, path: Path) -> None:
    given: Any = ITEM if of_item else PREDICTION
    for step in path:
        given = given[step]
    for score in scored(of_item, path, EMPTY[type(given)]).values():
        assert (score.value is None and score.reason) or 0 <= score.value <= 1
