"""Predictions from what a platform exports of a conversation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from evalcontract.errors import IncompleteTrace, UsageError
from evalcontract.predictions.records import (
    ANSWER,
    WITHOUT_ANSWER,
    BuiltPrediction,
    allowed_parts,
    build,
    unanswered,
)
from evalcontract.predictions.tool_uses import recorded_calls
from evalcontract.predictions.transcripts.copilot_studio import is_copilot_studio, read_copilot_studio
from evalcontract.predictions.transcripts.open_webui import is_open_webui, read_open_webui
from evalcontract.predictions.transcripts.turn import Turn
from evalcontract.responses import JsonNode, misshapen, plain
from evalcontract.values import Notice

PLATFORMS: dict[str, tuple[Callable[[Any], bool], Callable[[JsonNode, str | None, list[Notice]], Turn]]] = {
    "open_webui": (is_open_webui, read_open_webui),
    "copilot_studio": (is_copilot_studio, read_copilot_studio),
}
"""How each platform's export is recognised and read."""


def from_transcript(
    item_id: str,
    document: Any,
    *,
    platform: str | None = None,
    conversation_id: str | None = None,
    allow_missing: Iterable[str] = (),
    keep_source: bool = True,
) -> BuiltPrediction:
    """A record from the last turn of a conversation that Open WebUI or Copilot Studio exported.

    `platform` is a name in PLATFORMS; it is recognised when left out. An export of several conversations
    needs `conversation_id`.

    An answer that is missing is an error, unless `allow_missing` names "answer": the record then says why in `error`.

    Raises UsageError for an unknown platform, UnexpectedShape when the export is not as documented,
    IncompleteTrace when the turn has no answer or a step of it no end, ContractViolation when the contract
    is not kept.
    """
    value = plain(document)
    if platform is None:
        platform = next((name for name, (is_it, _) in PLATFORMS.items() if is_it(value)), None)
        if platform is None:
            raise misshapen((), "this is no transcript of a known platform", f"known: {', '.join(PLATFORMS)}")
    if platform not in PLATFORMS:
        raise UsageError(f"there is no platform {platform[:60]!r}", hint=f"known: {', '.join(PLATFORMS)}")
    notices: list[Notice] = []
    allowed = allowed_parts(allow_missing)
    try:
        turn = PLATFORMS[platform][1](JsonNode(value), conversation_id, notices)
    except IncompleteTrace as error:
        if ANSWER not in allowed:
            error.hint = "; ".join([*([error.hint] if error.hint else []), WITHOUT_ANSWER])
            raise
        return unanswered(item_id, error, value if keep_source else None)
    return build(
        item_id,
        response=turn.response,
        citations=turn.citations,
        retrieved_documents=turn.documents,
        tool_calls=recorded_calls(turn.uses, notices, tools=None) if turn.uses is not None else None,
        handed_off=turn.handed_off,
        measurements={"latency_ms": turn.latency_ms} if turn.latency_ms is not None else None,
        source=value if keep_source else None,
        notices=notices,
    )
