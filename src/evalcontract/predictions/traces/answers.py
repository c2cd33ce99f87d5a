"""Texts in what was recorded: an answer, whatever shape it was recorded in."""

from __future__ import annotations

from typing import Any

from evalcontract.errors import UnexpectedShape
from evalcontract.predictions.chat import Said, turn_in
from evalcontract.predictions.json_text import json_or, json_or_text, text_inside
from evalcontract.responses import JsonNode, misshapen, plain
from evalcontract.values import Notice, actual

_MAX_DEPTH = 40
_TEXT_KEYS = ("content", "text", "response", "answer", "output", "completion")


def as_dict(value: Any) -> dict[str, Any]:
    """An object, whether it is one already, JSON text of one (parsed once), or has `model_dump`.

    A list of messages, as the input of a model is recorded, is the object with them under `messages`. What
    `Observation.input` and `.output` hold is taken too. Raises UnexpectedShape for anything else.
    """
    place = value.path if isinstance(value, JsonNode) else ()
    value = plain(value.value if isinstance(value, JsonNode) else value)
    if isinstance(value, str):
        value = json_or(value, value)
    if isinstance(value, list) and value and all(isinstance(one, dict) and "role" in one for one in value):
        return {"messages": value}
    if not isinstance(value, dict):
        raise misshapen(place, f"expected an object, got {actual(value)}")
    return value


def coerce_text(value: Any) -> str | None:
    """The text that a recorded output stands for; None for null.

    A string is itself, also when it looks like JSON. Of an object it is the text under content, text,
    response, answer, output or completion; of a list of parts their texts together; of messages, and of the whole
    answer of a provider, what the assistant said last. What `Observation.input` and `.output` hold is taken too. Raises
    UnexpectedShape when there is none: nothing is guessed.
    """
    return text_of(value if isinstance(value, JsonNode) else JsonNode(plain(value)))


def text_of(node: JsonNode) -> str | None:
    """The same for a value whose place is known."""
    value = node.value
    if value is None or isinstance(value, str):
        return value
    if len(node.path) > _MAX_DEPTH:
        raise node.unlike(f"a text at most {_MAX_DEPTH} levels deep")
    spoken = last_said(turn_in(node))
    if spoken is not None:
        return spoken.text or spoken.refusal or ""
    if isinstance(value, dict):
        for key in _TEXT_KEYS:
            if key in value:
                return text_of(JsonNode(value[key], (*node.path, key)))
    elif isinstance(value, list) and value and not _are_messages(value):
        texts = [text_of(element) for element in node.items()]
        return "".join(text for text in texts if text)
    raise node.unlike(f"a text, or an object with {', '.join(_TEXT_KEYS)}")


def _are_messages(value: list[Any]) -> bool:
    return all(isinstance(element, dict) and "role" in element for element in value)


def last_said(messages: tuple[Said, ...]) -> Said | None:
    """The last message of the assistant, if there is one."""
    return next((message for message in reversed(messages) if message.role == "assistant"), None)


def spoken_in(made: JsonNode, notices: list[Notice]) -> tuple[Said, ...]:
    """What a model said, from its recorded output, which may hold the messages before it too, or the text alone."""
    found = tuple(message for message in turn_in(made, notices) if message.role == "assistant")[-1:]
    if found or made.value is None:
        return found
    try:
        text = text_of(made)
    except UnexpectedShape:
        return ()
    return (Said("assistant", text, place=made),) if text else ()


def content_of(node: JsonNode) -> JsonNode:
    """What was recorded; objects, arrays and texts may have been recorded as JSON text."""
    value = json_or_text(node.value)
    return JsonNode(text_inside(value) if isinstance(value, str) else value, node.path)
