"""Predictions from a provider's answer, read by one of the adapters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evalcontract.predictions.records import BuiltPrediction, build
from evalcontract.responses.adapters import adapt
from evalcontract.responses.shapes import plain


def from_response(
    item_id: str,
    response: Any,
    provider: str,
    *,
    documents: Sequence[str] = (),
    trace_id: str | None = None,
    measurements: Mapping[str, float] | None = None,
    keep_source: bool = True,
) -> BuiltPrediction:
    """A record from the answer of a provider (a name in `responses.adapters.PROVIDERS`).

    The passages become retrieved documents, in the order in which the provider gives them. Raises what
    `responses.adapters.adapt` raises.
    """
    adapted = adapt(response, provider, documents=documents)
    return build(
        item_id,
        response=adapted.text,
        citations=list(adapted.citations),
        retrieved_documents=[
            {"content": source["retrieved_context"], **_without_text(source)} for source in adapted.sources
        ],
        finish_reason=adapted.finish_reason,
        trace_id=trace_id,
        measurements=measurements,
        source=plain(response) if keep_source else None,
        notices=adapted.notices,
    )


def _without_text(source: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in source.items() if key != "retrieved_context"}
