"""Predictions from chat messages: what the assistant did after the last message of the user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evalcontract.errors import IncompleteTrace
from evalcontract.predictions.chat import Said, messages_in, uses_in
from evalcontract.predictions.records import (
    ANSWER,
    WITHOUT_ANSWER,
    BuiltPrediction,
    allowed_parts,
    build,
    unanswered,
)
from evalcontract.predictions.tool_uses import recorded_calls, split_handoff
from evalcontract.responses import JsonNode, misshapen, plain
from evalcontract.values import Notice, actual

_ROLES = ("user", "assistant", "system", "tool")


def from_messages(
    item_id: str,
    messages: Iterable[Any],
    *,
    tools: Iterable[Any] | None = None,
    handoff_prefix: str | None = None,
    trace_id: str | None = None,
    measurements: Mapping[str, float] | None = None,
    allow_missing: Iterable[str] = (),
    keep_source: bool = True,
) -> BuiltPrediction:
    """A record from chat messages with tool calls and tool results.

    Read are messages of chat completions, Anthropic's blocks, items of the Responses API, and the messages of
    LangChain, Gemini, Bedrock's Converse, pydantic-ai and the AI SDK. A part that is neither text, call nor result is
    left out with a notice; one that looks like a call and is of no known kind is refused.

    Only what follows the last message of the user counts; the results of tools, which some APIs send as the user's,
    are none. The response is the text of the last message of the assistant; it may be null when that message calls
    tools. Arguments that are JSON text are parsed once; those that are no object are kept as `raw_args`. `tools`,
    the tools' definitions, allow arguments to be turned towards their declared types; without them nothing is changed.
    A call whose name begins with `handoff_prefix` (such as transfer_to_) is a hand-over to who is named after it,
    and no tool call.

    An answer that is missing is an error, unless `allow_missing` names "answer": the record then says why in `error`.

    Raises UnexpectedShape when a message is not as documented, IncompleteTrace when the messages end before
    the assistant's turn does, and ContractViolation when the contract is not kept.
    """
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Iterable):
        raise misshapen((), f"expected an array of messages, got {actual(messages)}")
    known = [plain(message) for message in messages]
    notices: list[Notice] = []
    left_out: list[list[Notice]] = [[] for _ in known]
    read = [_message(JsonNode(message, ("messages", at)), left_out[at]) for at, message in enumerate(known)]
    allowed = allowed_parts(allow_missing)
    try:
        start = _start_of_turn(read)
        response, finish_reason = _response(read[start:], notices)
    except IncompleteTrace as error:
        if ANSWER not in allowed:
            error.hint = "; ".join([*([error.hint] if error.hint else []), WITHOUT_ANSWER])
            raise
        return unanswered(item_id, error, known if keep_source else None, trace_id)
    turn = read[start:]
    for said_of_message in left_out[start:]:
        notices += said_of_message
    for message in turn:
        if message.role not in _ROLES:
            notices.append(
                Notice(
                    "unknown-role",
                    f"a message of the role {message.role[:40]} is left out",
                    message.place.pointer,
                )
            )
    found, astray = uses_in(turn)
    if astray:
        hint = f"no open call {(astray[0].call_id or astray[0].name or 'without an id')[:60]!r}"
        raise astray[0].place.unlike("the result of a call that was made before", hint)
    uses, handoff_to = split_handoff(found, handoff_prefix, notices)
    if response is not None:
        notices += [
            Notice("no-tool-result", f"the call of {use.name[:60]} has no result", use.arguments.pointer)
            for use in uses
            if not use.answered
        ]
    return build(
        item_id,
        response=response,
        tool_calls=recorded_calls(uses, notices, tools=tools),
        handoff_to=handoff_to,
        handed_off=any(use.name.startswith(handoff_prefix) for use in found) if handoff_prefix else None,
        finish_reason=finish_reason,
        trace_id=trace_id,
        measurements=measurements,
        source=known if keep_source else None,
        notices=notices,
    )


def _message(place: JsonNode, notices: list[Notice]) -> Said:
    found = messages_in(place, notices) if isinstance(place.value, dict | list) else ()
    if len(found) != 1:
        raise place.unlike("a message, with a role and content")
    return found[0]


def _start_of_turn(messages: list[Said]) -> int:
    """Where what follows the last message of the user begins. Raises IncompleteTrace when it is no whole turn."""
    asked = max((at for at, message in enumerate(messages) if _asks(message)), default=-1)
    spoken = [message.role for message in messages[asked + 1 :] if message.role != "system"]
    if "assistant" not in spoken:
        raise IncompleteTrace(
            "the messages hold no answer to the last message of the user", missing=("the answer",)
        )
    if spoken[-1] != "assistant":
        raise IncompleteTrace(
            "the messages end with the result of a tool, before the assistant answers",
            missing=("the answer",),
            hint="append the last message of the assistant",
        )
    return asked + 1


def _asks(message: Said) -> bool:
    return message.role == "user" and not message.results


def _response(turn: list[Said], notices: list[Notice]) -> tuple[str | None, str | None]:
    """The text of the last message, and how it ended."""
    last = next(message for message in reversed(turn) if message.role == "assistant")
    parts = [last]
    if last.is_part or last.place.get("role") is None:
        start = next((at for at in range(len(turn) - 1, -1, -1) if turn[at].role != "assistant"), -1)
        parts = [message for message in turn[start + 1 :] if message.role == "assistant"]
    text = "".join(message.text for message in parts)
    if text:
        return text, last.finish_reason
    refusal = next((message.refusal for message in parts if message.refusal), None)
    if refusal is not None:
        notices.append(Notice("refused", "the response is a refusal", last.place.pointer))
        return refusal, last.finish_reason or "refusal"
    if not any(message.calls for message in parts):
        raise IncompleteTrace("the last message of the assistant is empty", missing=("the answer",))
    return None, last.finish_reason
