"""Tool calls as a source tells them, on their way into a record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from evalcontract.predictions.arguments import arguments_of
from evalcontract.predictions.coercion import coerced_arguments, parameters_by_name
from evalcontract.predictions.json_text import json_or_text
from evalcontract.responses import JsonNode
from evalcontract.values import Notice

_TARGETS = (
    "agent_name",
    "agent",
    "to_agent",
    "target",
    "target_agent",
    "destination",
    "handoff_to",
    "to",
    "recipient",
)
_NOBODY = ("", "agent", "_agent", "next")


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call of a tool: `arguments` as they are written, `output` when `answered`, `error` when it failed."""

    name: str
    call_id: str | None
    arguments: JsonNode
    answered: bool = False
    output: Any = None
    error: str | None = None

    def with_output(self, output: Any, error: str | None = None) -> ToolUse:
        return replace(self, answered=True, output=output, error=error)


def recorded_calls(
    uses: Iterable[ToolUse], notices: list[Notice], *, tools: Iterable[Any] | None
) -> list[dict[str, Any]]:
    """PredictedToolCalls in order. With `tools`, their definitions, arguments are turned towards their types."""
    schemas = parameters_by_name(tools or ())
    calls = []
    for position, use in enumerate(uses):
        args, raw_args = arguments_of(use.arguments, notices)
        if use.name in schemas and raw_args is None:
            args = coerced_arguments(args, schemas[use.name], ("tool_calls", position, "args"), notices)
        known = {"id": use.call_id, "error": use.error, "raw_args": raw_args}
        calls.append({"name": use.name, "args": args, "output": use.output, **known})
    return calls


def split_handoff(
    uses: list[ToolUse], prefix: str | None, notices: list[Notice]
) -> tuple[list[ToolUse], str | None]:
    """The calls that are no hand-over, and to whom the last one with the prefix hands over.

    The target is what the name says after the prefix; where that says nothing (transfer_to_agent), what the
    arguments name as an agent.
    """
    if not prefix:
        return uses, None
    handed = [use for use in uses if use.name.startswith(prefix)]
    targets = [target for use in handed if (target := _target(use, prefix)) is not None]
    if len(handed) > 1:
        message = f"{len(handed)} hand-overs; the last one counts: {', '.join(targets)[:200]}"
        notices.append(Notice("several-handoffs", message))
    if len(targets) < len(handed):
        message = "a hand-over does not say to whom, neither in its name nor in its arguments"
        notices.append(Notice("handoff-without-target", message, handed[-1].arguments.pointer))
    return [use for use in uses if not use.name.startswith(prefix)], targets[-1] if targets else None


def _target(use: ToolUse, prefix: str) -> str | None:
    named = use.name.removeprefix(prefix)
    given = json_or_text(use.arguments.value)
    if named in _NOBODY and isinstance(given, dict):
        found = next(
            (given[name] for name in _TARGETS if isinstance(given.get(name), str) and given[name]), None
        )
        return found or named or None
    return named or None
