"""Tool calls as a source tells them, on their way into a record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from evalcontract.predictions.arguments import arguments_of
from evalcontract.predictions.coercion import coerced_arguments, parameters_by_name
from evalcontract.responses.shapes import Node
from evalcontract.values import Notice


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call of a tool: `arguments` as they are written, `output` when `answered`."""

    name: str
    call_id: str | None
    arguments: Node
    answered: bool = False
    output: Any = None

    def with_output(self, output: Any) -> ToolUse:
        return replace(self, answered=True, output=output)


def recorded_calls(
    uses: Iterable[ToolUse], notices: list[Notice], *, tools: Iterable[Any] | None
) -> list[dict[str, Any]]:
    """PredictedToolCalls in order. With `tools`, their definitions, arguments are turned towards their types."""
    schemas = parameters_by_name(tools or ())
    calls = []
    for position, use in enumerate(uses):
        args = arguments_of(use.arguments, position, notices)
        if use.name in schemas:
            args = coerced_arguments(args, schemas[use.name], ("tool_calls", position, "args"), notices)
        calls.append({"name": use.name, "args": args, "output": use.output})
    return calls


def split_handoff(
    uses: list[ToolUse], prefix: str | None, notices: list[Notice]
) -> tuple[list[ToolUse], str | None]:
    """The calls that are no hand-over, and to whom the last one with the prefix hands over."""
    if not prefix:
        return uses, None
    targets = [use.name.removeprefix(prefix) for use in uses if use.name.startswith(prefix)]
    if len(targets) > 1:
        message = f"{len(targets)} hand-overs; the last one counts: {', '.join(targets)[:200]}"
        notices.append(Notice("several-handoffs", message))
    return [use for use in uses if not use.name.startswith(prefix)], targets[-1] if targets else None
