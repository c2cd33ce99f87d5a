"""What the assistant did in one turn of a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalcontract.predictions.tool_uses import ToolUse


@dataclass(frozen=True, slots=True)
class Turn:
    """The answer with what led to it; None for what the platform does not record."""

    response: str
    uses: list[ToolUse] | None
    documents: list[dict[str, Any]] | None
    citations: list[dict[str, Any]] | None
    latency_ms: float | None = None
    handed_off: bool | None = None
