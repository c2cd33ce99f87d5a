"""One message, whoever wrote it down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.responses import JsonNode


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered to the call of this id or, in older APIs, of this name; `error` when it failed."""

    call_id: str | None
    name: str | None
    output: Any
    error: str | None
    place: JsonNode


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a model or to it: its text, the calls in it, and the results of calls.

    `role` is user, assistant, system or tool, whatever a framework calls them. `is_part` marks what is an item of its
    own in the Responses API but one part of what the model said.
    """

    role: str
    text: str
    calls: tuple[ToolUse, ...] = ()
    results: tuple[ToolResult, ...] = ()
    refusal: str | None = None
    finish_reason: str | None = None
    place: JsonNode = JsonNode(None)  # noqa: RUF009 - a frozen value
    is_part: bool = False
