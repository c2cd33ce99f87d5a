"""The blocks that content is made of: which kinds are text, calls, results or neither, in every shape that is met.

A kind is told by `type`, by `part_kind` or by the one key of the block, and compared in snake_case: `tool-call` of the
AI SDK, `functionCall` of Gemini and `toolUse` of Bedrock are tool_call, function_call and tool_use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from evalcontract.predictions.chat.said import ToolResult
from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.responses import JsonNode
from evalcontract.values import Notice, short

TEXT = frozenset({"text", "output_text", "input_text", "text_delta"})
CALLS = frozenset(
    {
        "tool_use",
        "server_tool_use",
        "mcp_tool_use",
        "tool_call",
        "server_tool_call",
        "builtin_tool_call",
        "invalid_tool_call",
        "function_call",
        "custom_tool_call",
        "mcp_call",
        "function",
        "custom",
    }
)
RESULTS = frozenset(
    {
        "tool_result",
        "mcp_tool_result",
        "tool_call_response",
        "tool_call_result",
        "tool_return",
        "builtin_tool_return",
        "retry_prompt",
        "tool_response",
        "server_tool_result",
        "function_response",
        "function_call_output",
        "custom_tool_call_output",
    }
)
UNSAID = frozenset(
    {
        "thinking",
        "redacted_thinking",
        "reasoning",
        "reasoning_content",
        "reasoning_text",
        "thought",
        "signature",
        "cache_point",
        "compaction",
    }
)
"""Thoughts and marks, which are no part of an answer."""

_NAMES = ("name", "tool_name", "toolName")
_CALL_IDS = ("call_id", "tool_call_id", "toolCallId", "toolUseId", "tool_use_id", "id")
_ARGUMENTS = ("arguments", "args", "input")
_OUTPUTS = ("content", "output", "result", "response")
_OF_A_BUILT_IN = ("type", "id", "status", "call_id", "results", "outputs", "output", "result", "error")
_TEXT_KEYS = ("content", "response", "answer", "output")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_KEYED = (
    "functionCall",
    "function_call",
    "functionResponse",
    "function_response",
    "toolUse",
    "toolResult",
    "text",
    "reasoningContent",
    "executableCode",
    "codeExecutionResult",
    "inlineData",
    "fileData",
    "image",
    "document",
    "video",
)
"""Keys that name the kind of a block which has no type, as those of Gemini and of Bedrock's Converse."""


@dataclass(slots=True)
class Gathered:
    """What the blocks of one message hold, and notices of those that are left out."""

    texts: list[str] = field(default_factory=list)
    calls: list[ToolUse] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def add(self, block: JsonNode) -> None:
        """Read one block. Raises UnexpectedShape for one that calls a tool in a shape that is not known."""
        if isinstance(block.value, str):
            self.texts.append(block.value)
            return
        kind, inner = kind_of(block)
        if kind in TEXT:
            if inner.object().get("thought") is not True:
                self.texts.append(inner.written_at("text", "content"))
        elif kind == "refusal":
            self.refusals.append(inner.written_at("refusal", "text"))
        elif kind in CALLS or kind.endswith("_tool_use"):
            self._call(inner, kind)
        elif kind in RESULTS or kind.endswith(("_tool_result", "_call_output")):
            self.results.append(result_of(inner, kind))
        elif kind.endswith("_call"):
            self._built_in(inner, kind)
        elif kind not in UNSAID:
            self._left_out(inner, kind)

    def add_object(self, block: JsonNode) -> None:
        """Read content that is one object: a block, or one that holds its text under a usual key."""
        value = block.object()
        if "type" in value or "part_kind" in value or any(key in value for key in _KEYED):
            self.add(block)
            return
        text = next((value[name] for name in _TEXT_KEYS if isinstance(value.get(name), str)), None)
        if text is None:
            raise block.unlike("content with a text", f"under {', '.join(_TEXT_KEYS)}")
        self.texts.append(text)

    def _call(self, block: JsonNode, kind: str) -> None:
        use = call_of(block)
        if use.call_id is not None and any(use.call_id == known.call_id for known in self.calls):
            return  # frameworks repeat the calls of their content in a list beside it
        if kind == "mcp_call":
            output, error = block.object().get("output"), block.text_at("error")
            use = use.with_output(output, error) if output is not None or error else use
        self.calls.append(use)

    def _built_in(self, block: JsonNode, kind: str) -> None:
        """A tool of the provider itself: its arguments and results are keys of the block."""
        given = {
            key: value
            for key, value in block.object().items()
            if key not in _OF_A_BUILT_IN and value is not None
        }
        use = ToolUse(kind.removesuffix("_call"), call_id(block), JsonNode(given, block.path))
        found = block.get("results", "outputs", "output", "result")
        done = block.text_at("status") in (None, "completed")
        self.calls.append(use.with_output(found.value if found is not None else None) if done else use)

    def _left_out(self, block: JsonNode, kind: str) -> None:
        value = block.object()
        if any(name in value for name in _NAMES) and any(name in value for name in _ARGUMENTS):
            raise block.unlike("a block of a known kind", f"{short(kind, 60)} looks like the call of a tool")
        self.notices.append(Notice("not-text", f"a part of type {kind[:40]} is left out", block.pointer))


def kind_of(block: JsonNode) -> tuple[str, JsonNode]:
    """The kind of a block in snake_case, and the object that holds its fields."""
    value = block.object()
    named = block.text_at("type", "part_kind")
    if named is None:
        key = next((key for key in _KEYED if key in value), None)
        if key is None:
            raise block.unlike("a block with a type")
        inner = block.get(key)
        named = key
        if inner is not None and isinstance(inner.value, dict):
            block = inner
    return _CAMEL.sub("_", named).replace("-", "_").lower(), block


def call_of(block: JsonNode) -> ToolUse:
    """A call in any shape: `{name, arguments}` itself, or under `function` or `custom`."""
    inner = block.get("function", "custom") or block
    written = inner.get(*_ARGUMENTS) or JsonNode(None, (*inner.path, "arguments"))
    return ToolUse(inner.need(*_NAMES).text(), call_id(block), written, error=block.text_at("error"))


def result_of(block: JsonNode, kind: str) -> ToolResult:
    """The result of a call; its id leads to the call, or its name where there is no id."""
    found = block.get(*_OUTPUTS)
    output = found.value if found is not None else None
    failed = (
        block.object().get("is_error") is True
        or block.object().get("isError") is True
        or block.text_at("status") in ("error", "failed", "incomplete")
        or kind == "retry_prompt"
    )
    error = (output if isinstance(output, str) else short(output, 400)) if failed else block.text_at("error")
    return ToolResult(call_id(block), block.text_at(*_NAMES), output, error, block)


def call_id(block: JsonNode) -> str | None:
    """The id of a call; some exporters write it as an array of one."""
    value: Any = next((found for name in _CALL_IDS if (found := block.object().get(name)) is not None), None)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value.strip() else None
