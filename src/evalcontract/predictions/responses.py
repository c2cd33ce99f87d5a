"""Predictions from a provider's answer, read by one of the adapters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evalcontract.errors import NoAnswer
from evalcontract.predictions.records import (
    ANSWER,
    WITHOUT_ANSWER,
    BuiltPrediction,
    allowed_parts,
    build,
    unanswered,
)
from evalcontract.responses import plain
from evalcontract.responses.adapters import adapt, described


def from_response(
    item_id: str,
    response: Any,
    provider: str,
    *,
    documents: Sequence[str] = (),
    trace_id: str | None = None,
    measurements: Mapping[str, float] | None = None,
    allow_missing: Iterable[str] = (),
    keep_source: bool = True,
) -> BuiltPrediction:
    """A record from the answer of a provider (a name in `responses.adapters.PROVIDERS`).

    The passages become retrieved documents, in the order in which the provider gives them. The tokens that it counts
    are measurements; what `measurements` says goes first. The model and the id of the answer are metadata, as `model`
    and `response_id`. An answer that failed is an error, unless `allow_missing` names "answer": the record then says
    why in `error`. Raises what `responses.adapters.adapt` raises.
    """
    allowed = allowed_parts(allow_missing)
    try:
        adapted = adapt(response, provider, documents=documents)
    except NoAnswer as error:
        if ANSWER not in allowed:
            error.hint = "; ".join([*([error.hint] if error.hint else []), WITHOUT_ANSWER])
            raise
        return unanswered(item_id, error, plain(response) if keep_source else None, trace_id)
    return build(
        item_id,
        response=adapted.text,
        citations=list(adapted.citations),
        retrieved_documents=[_retrieved(source) for source in adapted.sources],
        finish_reason=adapted.finish_reason,
        trace_id=trace_id,
        measurements={**adapted.measurements, **(measurements or {})},
        metadata=adapted.metadata,
        source=plain(response) if keep_source else None,
        notices=adapted.notices,
    )


def _retrieved(source: dict[str, Any]) -> dict[str, Any]:
    """A passage as a retrieved document; what the adapter keeps beside the contract is metadata."""
    own = {name: source.get(name) for name in ("document_id", "score", "source_id")}
    kept = {name: value for name, value in source.items() if name not in own and name != "retrieved_context"}
    return {**own, "content": source["retrieved_context"], **described(kept)}
