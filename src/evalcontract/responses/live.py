"""The check that a service makes on an OpenAI-style chat completion before it hands it on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from evalcontract_models import RAGCitation, RAGContext

from evalcontract.responses.adapters.states import error_said
from evalcontract.responses.errors import InvalidCitations, MissingPart, NoChoices
from evalcontract.responses.shapes import JsonNode, plain
from evalcontract.validation import Violation, iter_violations
from evalcontract.values import actual, pointer, short

_IN_MESSAGE = 5
_WAY_OUT = {
    "choices": "an OpenAI-style response has choices; see `evalcontract response --provider` for other shapes",
    "message": "a chunk of a stream has a delta instead: collect the stream first",
    "context": "a message that only calls tools has no sources: validate the answer that follows it",
}


def validate_rag_response(response: Any) -> list[RAGCitation]:
    """The citations of the first choice, as models; other choices are not looked at.

    `response` is the parsed JSON of a chat completion or an object with `model_dump`. It is not changed.

    Raises MissingPart (a KeyError) when choices, message or context is missing, NoChoices (an IndexError)
    when choices is empty and InvalidCitations (a pydantic.ValidationError) for anything else that breaks
    the contract, such as a context without citations. All three are ContractViolation.
    """
    choices = _part(plain(response), "choices", ())
    if not isinstance(choices, list):
        raise _wrong_type(choices, "an array", ("choices",))
    if not choices:
        fault = Violation("too-few-items", "expected at least 1 item, got array of 0", "/choices")
        raise NoChoices("the response has no choices", violations=(fault,))
    message = _part(plain(choices[0]), "message", ("choices", 0))
    place = ("choices", 0, "message")
    context = _plain_context(_part(plain(message), "context", place))
    found = tuple(iter_violations(context, "rag_context"))
    if found:
        raise _invalid(found, context, pointer((*place, "context")))
    return RAGContext.model_validate(context).citations


def iter_rag_response_errors(response: Any) -> Iterator[Violation]:
    """Everything in every choice that breaks the contract `rag_response`; nothing when it is kept."""
    document = plain(response)
    if isinstance(document, dict) and isinstance(document.get("choices"), list):
        document = {**document, "choices": [_plain_choice(choice) for choice in document["choices"]]}
    yield from iter_violations(document, "rag_response")


def _plain_choice(choice: Any) -> Any:
    choice = plain(choice)
    if not isinstance(choice, dict) or "message" not in choice:
        return choice
    message = plain(choice["message"])
    if isinstance(message, dict) and "context" in message:
        message = {**message, "context": _plain_context(message["context"])}
    return {**choice, "message": message}


def _plain_context(context: Any) -> Any:
    context = plain(context)
    if isinstance(context, dict) and isinstance(context.get("citations"), list):
        return {**context, "citations": [plain(citation) for citation in context["citations"]]}
    return context


def _part(owner: Any, key: str, path: tuple[str | int, ...]) -> Any:
    if not isinstance(owner, dict):
        raise _wrong_type(owner, "an object", path)
    if key not in owner:
        name = str(path[-1]) if path and isinstance(path[-1], str) else "first choice" if path else "response"
        fault = Violation("missing-property", f"{key} is required but missing", pointer((*path, key)))
        said = None if path else error_said(JsonNode(owner))
        because = "" if said is None else f": it is an error, {short(said, 200)}"
        raise MissingPart(
            f"the {name} has no {key}{because}",
            key=key,
            violations=(fault,),
            hint=None if said else _WAY_OUT[key],
        )
    return owner[key]


def _wrong_type(value: Any, expected: str, path: tuple[str | int, ...]) -> InvalidCitations:
    fault = Violation("wrong-type", f"expected {expected}, got {actual(value)}", "", expected=expected)
    return _invalid((fault,), value, pointer(path))


def _invalid(found: tuple[Violation, ...], value: Any, place: str) -> InvalidCitations:
    lines = [str(replace(fault, pointer=place + fault.pointer)) for fault in found[:_IN_MESSAGE]]
    rest = len(found) - len(lines)
    lines += [f"and {rest} more"] if rest else []
    error = InvalidCitations.of(found, "the response breaks its contract:\n  " + "\n  ".join(lines), value)
    error.violations = tuple(replace(fault, pointer=place + fault.pointer) for fault in found)
    return error
