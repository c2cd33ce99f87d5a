"""The same made-up answer of every provider, whole and in frames, however it ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

CITATION = {"content": "t", "filepath": "f.pdf", "chunk_id": "0"}
State = dict[str, Any]
"""By JSON pointer: what the provider says of how the answer ended."""


def whole(provider: str, pieces: Sequence[str], state: State) -> dict[str, Any]:
    """The answer as it comes at once."""
    document: dict[str, Any] = _WHOLE[provider]("".join(pieces))
    for pointer, value in state.items():
        *path, last = [int(token) if token.isdigit() else token for token in pointer.split("/")[1:]]
        holder: Any = document
        for step in path:
            holder = holder[step] if isinstance(step, int) else holder.setdefault(step, {})
        holder[last] = value
    return document


def frames(provider: str, pieces: Sequence[str], state: State) -> list[dict[str, Any]]:
    """The answer as its stream brings it; the last frame is the one that says that it ended."""
    return _FRAMES[provider](pieces, state)


def as_events(stream: Sequence[Any], *, named: bool = False) -> str:
    """Server-sent events of frames, with the name of the event where the provider sends one."""
    lines = []
    for frame in stream:
        kind = frame.get("type") if named and isinstance(frame, dict) else None
        lines.append((f"event: {kind}\n" if kind else "") + f"data: {json.dumps(frame)}\n\n")
    return "".join(lines)


def _chat(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "context": {"citations": []}}
    return {"choices": [{"index": 0, "message": message}]}


def _chat_frames(pieces: Sequence[str], state: State) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "context": {"citations": []}}]
    deltas += [{"content": piece} for piece in pieces]
    chunks: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    last = {"index": 0, "delta": {}, "finish_reason": state.get("/choices/0/finish_reason", "stop")}
    refusal = state.get("/choices/0/message/refusal")
    if refusal is not None:
        last["delta"] = {"refusal": refusal}
    return [*chunks, {"choices": [last]}]


def _responses(text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"object": "response", "output": [{"type": "message", "content": [part]}]}


def _responses_frames(pieces: Sequence[str], state: State) -> list[dict[str, Any]]:
    done = whole("openai_responses", pieces, state)
    event = {"incomplete": "incomplete", "failed": "failed"}.get(str(state.get("/status")), "completed")
    begun = [{"type": "response.created", "response": {"status": "in_progress"}}]
    deltas = [{"type": "response.output_text.delta", "delta": piece} for piece in pieces]
    return [*begun, *deltas, {"type": f"response.{event}", "response": done}]


def _anthropic(text: str) -> dict[str, Any]:
    return {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": text, "citations": []}],
        "usage": {"output_tokens": 3},
    }


def _anthropic_frames(pieces: Sequence[str], state: State) -> list[dict[str, Any]]:
    message: dict[str, Any] = {"type": "message", "role": "assistant", "content": [], "stop_reason": None}
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
        for piece in pieces
    ]
    end: dict[str, Any] = {"stop_reason": state.get("/stop_reason")}
    if "/stop_details/explanation" in state:
        end["stop_details"] = {"explanation": state["/stop_details/explanation"]}
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        *deltas,
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    ]


def _cohere(text: str) -> dict[str, Any]:
    return {"id": "1", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}}


def _cohere_frames(pieces: Sequence[str], state: State) -> list[dict[str, Any]]:
    def content(value: dict[str, Any]) -> dict[str, Any]:
        return {"message": {"content": value}}

    deltas = [{"type": "content-delta", "index": 0, "delta": content({"text": piece})} for piece in pieces]
    end = {pointer.removeprefix("/"): value for pointer, value in state.items()}
    return [
        {"type": "message-start", "id": "1", "delta": {"message": {"role": "assistant", "content": []}}},
        {"type": "content-start", "index": 0, "delta": content({"type": "text", "text": ""})},
        *deltas,
        {"type": "content-end", "index": 0},
        {"type": "message-end", "delta": end},
    ]


def _gemini(text: str) -> dict[str, Any]:
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "groundingMetadata": {}}]
    }


def _gemini_frames(pieces: Sequence[str], state: State) -> list[dict[str, Any]]:
    if any(pointer.startswith(("/promptFeedback", "/prompt_feedback")) for pointer in state):
        blocked = whole("gemini", pieces, state)
        return [{name: value for name, value in blocked.items() if name != "candidates"}]
    chunks: list[dict[str, Any]] = [_gemini(piece) for piece in pieces] or [_gemini("")]
    last = _gemini("")
    last["candidates"][0].pop("content")
    last["candidates"][0] |= {pointer.split("/")[-1]: value for pointer, value in state.items()}
    if "finish_reason" not in last["candidates"][0]:
        last["candidates"][0].setdefault("finishReason", "STOP")
    return [*chunks, last]


def _converse(text: str) -> dict[str, Any]:
    return {"output": {"message": {"role": "assistant", "content": [{"text": text}]}}}


def _converse_frames(pieces: Sequence[str], state: State) -> list[dict[str, Any]]:
    deltas = [{"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": piece}}} for piece in pieces]
    return [
        {"messageStart": {"role": "assistant"}},
        *deltas,
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": state.get("/stopReason", "end_turn")}},
    ]


def _rag(text: str) -> dict[str, Any]:
    return {"output": {"text": text}, "citations": []}


def _rag_frames(pieces: Sequence[str], state: State) -> list[dict[str, Any]]:
    action = state.get("/guardrailAction", "NONE")
    return [{"guardrail": {"action": action}}, *({"output": {"text": piece}} for piece in pieces or [""])]


_WHOLE: dict[str, Callable[[str], dict[str, Any]]] = {
    "openai_chat": _chat,
    "azure_on_your_data": _chat,
    "openai_responses": _responses,
    "anthropic": _anthropic,
    "cohere": _cohere,
    "gemini": _gemini,
    "bedrock_converse": _converse,
    "bedrock_rag": _rag,
}
_FRAMES: dict[str, Callable[[Sequence[str], State], list[dict[str, Any]]]] = {
    "openai_chat": _chat_frames,
    "azure_on_your_data": _chat_frames,
    "openai_responses": _responses_frames,
    "anthropic": _anthropic_frames,
    "cohere": _cohere_frames,
    "gemini": _gemini_frames,
    "bedrock_converse": _converse_frames,
    "bedrock_rag": _rag_frames,
}
