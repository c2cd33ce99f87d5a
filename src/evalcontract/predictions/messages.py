"""Predictions from chat messages: what the assistant did after the last message of the user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evalcontract.errors import IncompleteTrace
from evalcontract.predictions.records import BuiltPrediction, build
from evalcontract.predictions.tool_uses import ToolUse, recorded_calls, split_handoff
from evalcontract.responses.shapes import Node, misshapen, plain
from evalcontract.values import Notice, actual

_TEXT_PARTS = ("text", "output_text", "input_text")
_CALL_PARTS = ("tool_use", "tool_result", "function_call", "function_call_output")


def from_messages(
    item_id: str,
    messages: Iterable[Any],
    *,
    tools: Iterable[Any] | None = None,
    handoff_prefix: str | None = None,
    trace_id: str | None = None,
    measurements: Mapping[str, float] | None = None,
    keep_source: bool = True,
) -> BuiltPrediction:
    """A record from OpenAI-style chat messages, with tool calls and tool results.

    Only what follows the last message of the user counts. The response is the text of the last message of
    the assistant; it may be null when that message calls tools. Arguments that are JSON text are parsed
    once. `tools`, the tools' definitions, allow arguments to be turned towards their declared types; without
    them nothing is changed. A call whose name begins with `handoff_prefix` (such as transfer_to_) is a
    hand-over to who is named after it, and no tool call.

    Raises UnexpectedShape when a message is not as documented, IncompleteTrace when the messages end before
    the assistant's turn does, and ContractViolation when the contract is not kept.
    """
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Iterable):
        raise misshapen((), f"expected an array of messages, got {actual(messages)}")
    known = [plain(each) for each in messages]
    notices: list[Notice] = []
    turn = _last_turn([Node(each, ("messages", index)) for index, each in enumerate(known)])
    response = _response(turn, notices)
    uses, handoff_to = split_handoff(_uses(turn), handoff_prefix, notices)
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
        trace_id=trace_id,
        measurements=measurements,
        source=known if keep_source else None,
        notices=notices,
    )


def _last_turn(messages: list[Node]) -> list[Node]:
    roles = [message.need("role").text() for message in messages]
    asked = max((index for index, role in enumerate(roles) if role == "user"), default=-1)
    turn = messages[asked + 1 :]
    spoken = [role for role in roles[asked + 1 :] if role not in ("system", "developer")]
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
    return turn


def _response(turn: list[Node], notices: list[Notice]) -> str | None:
    last = next(each for each in reversed(turn) if each.need("role").text() == "assistant")
    text = message_text(last, notices)
    if text:
        return text
    refusal = last.text_at("refusal")
    if refusal is not None:
        notices.append(Notice("refusal", "the response is a refusal", last.pointer))
        return refusal
    if not last.items("tool_calls") and last.get("function_call") is None:
        raise IncompleteTrace("the last message of the assistant is empty", missing=("the answer",))
    return None


def message_text(message: Node, notices: list[Notice]) -> str:
    """The text of a message whose content is a string or a list of parts."""
    content = message.get("content")
    if content is None or isinstance(content.value, str):
        return content.text() if content else ""
    texts = []
    for part in content.items():
        kind = part.need("type").text()
        if kind in _CALL_PARTS:
            hint = "give OpenAI-style messages: tool_calls in the assistant's, and messages of role tool"
            raise part.unlike("a part with text", hint)
        if kind in _TEXT_PARTS:
            texts.append(part.need("text").text())
        else:
            notices.append(Notice("not-text", f"a part of type {kind[:40]} is left out", part.pointer))
    return "".join(texts)


def _uses(turn: list[Node]) -> list[ToolUse]:
    uses: list[ToolUse] = []
    for message in turn:
        role = message.need("role").text()
        if role == "assistant":
            uses += calls_of(message)
        elif role == "tool":
            _answer(uses, message, message.need("tool_call_id").text())
        elif role == "function":
            _answer(uses, message, message.need("name").text(), by_name=True)
    return uses


def calls_of(message: Node) -> list[ToolUse]:
    """The calls in a message of the assistant: `tool_calls`, or the `function_call` of older APIs."""
    uses = []
    for call in message.items("tool_calls"):
        inner = call.get("function", "custom") or call
        written = inner.get("arguments", "args", "input") or Node(None, (*inner.path, "arguments"))
        uses.append(ToolUse(inner.need("name").text(), call.text_at("id"), written))
    single = message.get("function_call")
    if single is not None:
        written = single.get("arguments") or Node(None, (*single.path, "arguments"))
        uses.append(ToolUse(single.need("name").text(), None, written))
    return uses


def _answer(uses: list[ToolUse], message: Node, key: str, *, by_name: bool = False) -> None:
    content = message.object().get("content")
    for index, use in enumerate(uses):
        if (use.name if by_name else use.call_id) == key and not use.answered:
            uses[index] = use.with_output(content)
            return
    raise message.unlike("the result of a call that was made before", f"no open call {key[:60]!r}")
