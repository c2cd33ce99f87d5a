"""Rules about one item that a schema can't state: what scoring, import and release rely on as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evalcontract.validation.violation import Steps, Violation, advice
from evalcontract.values import pointer, shown

_ASSISTANT = "assistant"


def keeps_rules(input_: Mapping[str, Any], output: Mapping[str, Any] | None) -> bool:
    """Whether nothing here speaks about an item, told quickly; False: look closely, there may still be nothing.

    Both are parts of an item that is `unremarkable`; messages may be anything.
    """
    messages = input_.get("messages")
    if messages:
        if not isinstance(messages, list):
            return False
        for message in messages:
            content = message.get("content") if isinstance(message, dict) else None
            if not isinstance(content, str) or not content or content.isspace():
                return False
        if messages[-1].get("role") == _ASSISTANT:
            return False
    ids = input_.get("document_ids")
    if ids and len(set(ids)) != len(ids):
        return False
    if not output:
        return True
    judged = output.get("retrieval_ground_truth")
    if judged and len({row["document_id"] for row in judged}) != len(judged):
        return False
    others = output.get("alternative_responses")
    if others and not all(text and not text.isspace() for text in others):
        return False
    response = output["response"]
    return not response or not response.isspace()


def rules_of_item(item: Mapping[str, Any]) -> Iterator[Violation]:
    """Every rule that an item breaks; errors and advices."""
    input_, output = item.get("input"), item.get("expected_output")
    if isinstance(input_, Mapping):
        yield from _conversation(input_.get("messages"))
        yield from _ids_given_twice(input_.get("document_ids"))
    if isinstance(output, Mapping):
        yield from _judged_twice(output.get("retrieval_ground_truth"))
        yield from rules_of_answer(output, ("expected_output",))
        for index, text in enumerate(_list(output.get("alternative_responses"))):
            yield from _blank(text, ("expected_output", "alternative_responses", index), even_empty=True)


def rules_of_answer(output: Mapping[str, Any], path: Steps) -> Iterator[Violation]:
    """Rules about an expected or predicted answer and its citations. An empty response means that there is none."""
    yield from _blank(output.get("response"), (*path, "response"))
    first: dict[str, int] = {}
    for index, citation in enumerate(_list(output.get("citations"))):
        if not isinstance(citation, Mapping):
            continue
        marker = citation.get("response_marker")
        place = (*path, "citations", index)
        if isinstance(marker, str) and marker and first.setdefault(marker, index) != index:
            yield advice(
                "shared-marker",
                f"{shown(marker, 40)} is the marker of citation {first[marker]} too",
                (*place, "response_marker"),
                "give each citation a marker of its own, or cite several documents with one marker each",
            )
        for number, quote in enumerate(_list(citation.get("quotes"))):
            yield from _blank(quote, (*place, "quotes", number))


def _conversation(messages: object) -> Iterator[Violation]:
    turns = _list(messages)
    for index, message in enumerate(turns):
        if isinstance(message, Mapping):
            yield from _blank(
                message.get("content"), ("input", "messages", index, "content"), even_empty=True
            )
    last = turns[-1] if turns else None
    if isinstance(last, Mapping) and last.get("role") == _ASSISTANT:
        yield advice(
            "ends-with-assistant",
            "the conversation ends with the assistant's turn, so nothing is asked",
            ("input", "messages", len(turns) - 1, "role"),
            "is this turn the expected output?",
        )


def _ids_given_twice(ids: object) -> Iterator[Violation]:
    first: dict[str, int] = {}
    for index, id_ in enumerate(_list(ids)):
        if isinstance(id_, str) and id_ and first.setdefault(id_, index) != index:
            yield advice(
                "repeated-document-id",
                f"{shown(id_, 60)} is the id of passage {first[id_]} too",
                ("input", "document_ids", index),
                "name the unit that is retrieved and judged: the chunk where chunks are judged",
            )


def _judged_twice(judged: object) -> Iterator[Violation]:
    seen: set[str] = set()
    for index, row in enumerate(_list(judged)):
        id_ = row.get("document_id") if isinstance(row, Mapping) else None
        if isinstance(id_, str):
            if id_ in seen:
                place = ("expected_output", "retrieval_ground_truth", index, "document_id")
                yield Violation(
                    "duplicate-judgement",
                    f"the ground truth judges document {shown(id_)} twice",
                    pointer(place),
                    expected="one judgement a document",
                    actual=shown(id_),
                    hint="keep one judgement a document",
                )
            seen.add(id_)


def _blank(text: object, path: Steps, *, even_empty: bool = False) -> Iterator[Violation]:
    if isinstance(text, str) and ((even_empty and not text) or text.isspace()):
        yield advice("blank-text", "blank text", path, "write the text, or leave it out")


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
