"""The one shape that all builders give, checked against its contract."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalcontract.errors import ContractError, UsageError
from evalcontract.responses.adapters import meaning_of
from evalcontract.validation import validate
from evalcontract.values import Notice


@dataclass(frozen=True, slots=True)
class BuiltPrediction:
    """A valid `prediction_record`, and what its builder has to say about it."""

    record: dict[str, Any]
    notices: tuple[Notice, ...] = ()


ANSWER = "answer"
"""The part that every source may lack, by the name with which a record is taken without it."""
WITHOUT_ANSWER = "to take the record without: allow_missing=['answer'] (--allow-missing answer)"


def allowed_parts(parts: Iterable[str], known: Sequence[str] = (ANSWER,)) -> frozenset[str]:
    """The parts that may be missing. Raises UsageError for one that the source doesn't have."""
    allowed = frozenset([parts] if isinstance(parts, str) else parts)
    unknown = sorted(allowed - set(known))
    if unknown:
        raise UsageError(
            f"there is no part {unknown[0][:40]!r} that may be missing", hint=f"known: {', '.join(known)}"
        )
    return allowed


def unanswered(
    item_id: str, error: ContractError, source: Any = None, trace_id: str | None = None
) -> BuiltPrediction:
    """The record of a run that gave no answer: why stands in `error`, and a notice says so."""
    notice = Notice("missing-answer", f"there is no answer: {error.message}")
    return build(item_id, error=error.message, trace_id=trace_id, source=source, notices=(notice,))


def build(
    item_id: str,
    *,
    response: str | None = None,
    citations: list[dict[str, Any]] | None = None,
    retrieved_documents: list[dict[str, Any]] | None = None,
    tool_calls: list[dict[str, Any]] | None = None,
    handoff_to: str | None = None,
    handed_off: bool | None = None,
    finish_reason: str | None = None,
    trace_id: str | None = None,
    measurements: Mapping[str, float] | None = None,
    metadata: Mapping[str, str] | None = None,
    error: str | None = None,
    source: Any = None,
    notices: Iterable[Notice] = (),
) -> BuiltPrediction:
    """A record whose prediction has every key of the contract; null stands for what is not known.

    `source` is copied into source_transcript; the record keeps the notices. Raises
    ContractViolation when the contract is not kept.
    """
    told = tuple(notices)
    ended = meaning_of(finish_reason) if finish_reason else None
    if ended is not None and all(notice.code != ended.code for notice in told):
        told += (Notice(ended.code, f"{ended.said} ({finish_reason})"),)
    record = {
        "item_id": item_id,
        "prediction": {
            "response": response,
            "citations": citations,
            "retrieved_documents": retrieved_documents,
            "tool_calls": tool_calls,
            "handoff_to": handoff_to,
            "handed_off": True if handoff_to is not None else handed_off,
            "abstained": None,
            "finish_reason": finish_reason,
        },
        "trace_id": trace_id,
        "measurements": (dict(measurements) if isinstance(measurements, Mapping) else measurements) or None,
        "source_transcript": source,
        "error": error,
        "notices": [f"{notice.code}: {notice.message}" for notice in told] or None,
    }
    if metadata:
        record["metadata"] = dict(metadata)
    validate(record, "prediction_record")
    return BuiltPrediction(copy.deepcopy(record), told)
