"""Judging an answer by how it ended: an error in place of it, a notice, or nothing to say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evalcontract.errors import NoAnswer, UnexpectedShape
from evalcontract.responses.adapters.adapted import CollectedCitations
from evalcontract.responses.adapters.state_table import (
    CALLS_TOOLS,
    FAILED,
    RUNNING,
    STATES,
    UNSAID,
    Meaning,
    StateField,
)
from evalcontract.responses.adapters.streams import is_stream, stream_of
from evalcontract.responses.shapes import JsonNode
from evalcontract.validation import Violation
from evalcontract.values import follow, pointer_tokens, short

_ANSWERS = {"content", "choices", "output", "candidates", "citations", "context", "text"}
_SAID_BY_GATEWAYS = {
    "message": (str,),
    "Message": (str,),
    "errorMessage": (str,),
    "detail": (str, list),
    "errors": (list,),
    "fault": (dict,),
}
"""Where what stands before a provider (a proxy, a framework, a function) says in place of an answer what went wrong,
and the types of it."""
_PARTS = 3


def meaning_of(reason: str) -> Meaning | None:
    """What a reason means in whichever provider's words it is; None for whole answers and unknown words.

    That tools are called says nothing here: it is said of messages and traces, which show the calls.
    """
    for fields in STATES.values():
        for field in fields:
            for value, meaning in field.states.items():
                if (
                    value.lower() == reason.lower()
                    and meaning.outcome != "nothing"
                    and meaning is not CALLS_TOOLS
                ):
                    return meaning
    return None


def judge(answer: JsonNode, found: CollectedCitations) -> None:
    """Note how the answer ended. Raises NoAnswer when there is none, with the provider's own message."""
    refuse_error(answer)
    for field in STATES[found.provider]:
        place = next((node for node in _at(answer, field.places) if node.value is not None), None)
        if place is None:
            continue
        value = place.text()
        meaning = field.states.get(value)
        if meaning is None:
            found.notice(
                "unknown-state", f"{short(value, 60)} is no state that the provider documents", place
            )
        elif meaning.outcome == "error":
            raise no_answer(meaning, place, value, _words(answer, field))
        elif meaning.outcome == "notice":
            why = _words(answer, field)
            found.notice(
                meaning.code, f"{meaning.said} ({value})" + (f": {short(why, 200)}" if why else ""), place
            )
        if found.finish_reason is None and meaning is not UNSAID:
            found.finish_reason = value or None
        if meaning is not None and meaning.outcome == "notice":
            return


def no_answer(meaning: Meaning, place: JsonNode, value: str, words: str | None) -> NoAnswer:
    """The error for a state that means that there is no answer."""
    message = f"{meaning.said} ({value})" + (f": {words}" if words else "")
    hint = "ask again when it is done" if meaning is RUNNING else None
    violation = Violation(meaning.code, message, place.pointer, hint=hint)
    return NoAnswer(f"{place.pointer or '(document)'}: {message}", violations=(violation,), hint=hint)


def error_said(answer: JsonNode) -> str | None:
    """What went wrong, in the words of the object that came in place of an answer; None for any other."""
    found = _error_in(answer)
    return None if found is None else found[1]


def refuse_error(answer: JsonNode) -> None:
    """Raise NoAnswer for the object that a provider sends in place of an answer or within a stream."""
    found = _error_in(answer)
    if found is not None:
        place, words = found
        raise no_answer(FAILED, place, "error", words)


def refuse_any_error(response: JsonNode) -> None:
    """Raise NoAnswer when an answer of whichever provider is an error, or has one among its frames."""
    if not is_stream(response):
        refuse_error(response)
        return
    try:
        frames = stream_of(response).frames
    except UnexpectedShape:  # it is no stream, which is said elsewhere
        return
    for frame in frames:
        refuse_error(frame.data)


def _error_in(answer: JsonNode) -> tuple[JsonNode, str] | None:
    value = answer.value
    if not isinstance(value, dict):
        return None
    error = answer.get("error", "Error")
    if error is not None and value.get("object") != "response" and "finish_reason" not in value:
        return error, _message(error.value)
    if value.get("type") == "error":
        return answer, _message(value)
    for name in value:
        if name.endswith(("Exception", "_exception")):
            place = JsonNode(value[name], (*answer.path, name))
            return place, f"{name}: {_message(place.value)}"
    if _ANSWERS & value.keys():
        return None
    for name, types in _SAID_BY_GATEWAYS.items():
        said = value.get(name)
        if said and isinstance(said, types):
            return answer if isinstance(said, str) else JsonNode(said, (*answer.path, name)), _message(said)
    return None


def _message(value: Any) -> str:
    """What an error object says, with its code or type where it has one."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(_message(part) for part in value[:_PARTS])
    if not isinstance(value, dict):
        return short(value)
    inner = value.get("error")
    if isinstance(inner, dict):
        return _message(inner)
    words = next(
        (
            value[name]
            for name in ("message", "Message", "msg", "faultstring", "detail")
            if isinstance(value.get(name), str)
        ),
        "",
    )
    names = (value.get(name) for name in ("code", "type", "status"))
    code = next((str(name) for name in names if isinstance(name, str | int) and name != "error"), "")
    return f"{words} [{code}]" if words and code else words or code or short(value)


def _words(answer: JsonNode, field: StateField) -> str | None:
    for place in _at(answer, field.words):
        if isinstance(place.value, str) and place.value.strip():
            return place.value
    return None


def _at(answer: JsonNode, places: tuple[str, ...]) -> Iterator[JsonNode]:
    for place in places:
        try:
            path, value = follow(answer.value, pointer_tokens(place))
        except LookupError:
            continue
        yield JsonNode(value, path)
