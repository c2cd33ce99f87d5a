"""Conversations: what was asked, and the last turn of the assistant, which answers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalcontract.errors import ContractError, IncompleteTrace
from evalcontract.importing.values import Refused
from evalcontract.predictions import from_messages

ANSWER_OPTION = "answer"
"""Option of a field of messages: the part of the contract that the last turn fills."""

_CONTEXTS = ("context", "contexts", "retrieved_contexts", "retrieval_context")
_LISTS = ("citations", "documents", "contexts")
_NAMES = {
    "document_id": ("document_id", "doc_id", "id", "filepath"),
    "content": ("content", "text", "page_content"),
    "title": ("title",),
    "url": ("url",),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a turn answers: the fields below its part, those of the input, and what a reader should know.

    `whole` tells that the fields say everything that the turn says.
    """

    fields: dict[str, object]
    inputs: dict[str, object]
    notices: tuple[str, ...] = ()
    whole: bool = False


def start_of_answer(messages: Sequence[Mapping[str, object]]) -> int:
    """Where the last turn of the assistant begins; the number of messages when they end in no such turn."""
    asked = max((at for at, message in enumerate(messages) if _asks(message)), default=-1)
    ends_in_answer = asked >= 0 and messages[-1].get("role") == "assistant"
    return asked + 1 if ends_in_answer else len(messages)


def answer_of(turn: Sequence[Mapping[str, Any]], part: str) -> Answer:
    """The fields that a turn fills: of a prediction or, for `expected_output`, of a reference answer.

    Contexts beside the messages are a prediction's retrieved documents, or the context that a reference answer
    rests on. Raises Refused for messages of no shape that is known.
    """
    try:
        built = from_messages("turn", turn, keep_source=False)
    except ContractError as error:
        hint = None if isinstance(error, IncompleteTrace) else error.hint
        raise Refused("the turn of an assistant", list(turn), hint=hint, message=error.message) from None
    prediction = built.record["prediction"]
    fields = {name: prediction[name] for name in ("response", "finish_reason") if prediction.get(name)}
    fields |= {"response": prediction.get("response") or ""} if part == "expected_output" else {}
    calls = prediction.get("tool_calls") or []
    documents = [found for message in turn for key in _CONTEXTS for found in _documents(message.get(key))]
    inputs: dict[str, object] = {}
    if part == "expected_output":
        fields.pop("finish_reason", None)
        calls = [{"name": call["name"], "args": call["args"]} for call in calls]
        texts = [document["content"] for document in documents if "content" in document]
        inputs = {"context": texts} if texts else {}
    elif documents:
        fields["retrieved_documents"] = documents
    if calls:
        fields["tool_calls"] = calls
    plain = len(turn) == 1 and turn[0].keys() <= {"role", "type", "content"}
    whole = plain and isinstance(turn[0].get("content"), str) and fields.keys() == {"response"}
    return Answer(fields, inputs, tuple(notice.message for notice in built.notices), whole)


def _asks(message: Mapping[str, object]) -> bool:
    content = message.get("content")
    results = isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") == "tool_result" for block in content
    )
    return message.get("role") == "user" and not results


def _documents(context: object) -> list[dict[str, object]]:
    """Retrieved documents in one of the usual shapes: a text, a list of them or of objects, or these below a key."""
    if isinstance(context, dict):
        context = next((context[key] for key in _LISTS if isinstance(context.get(key), list)), [context])
    found: list[dict[str, object]] = []
    for raw in context if isinstance(context, list) else [context]:
        if isinstance(raw, str):
            found.append({"content": raw})
        elif isinstance(raw, dict):
            document: dict[str, object] = {
                ours: text for ours, theirs in _NAMES.items() if (text := _first(raw, theirs))
            }
            own = {key: value for key, value in raw.items() if value not in document.values()}
            if document:
                found.append(document | ({"metadata": own} if own else {}))
    return found


def _first(raw: Mapping[str, object], names: Sequence[str]) -> str | None:
    return next((value for name in names if isinstance(value := raw.get(name), str) and value), None)
