"""What a missing prediction counts for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evalcontract.metrics import value_at

Record = Mapping[str, Any]

NO_PREDICTION = "no prediction"
_ANY_DOCUMENT = "-"
_ANY_WORDS = "an answer"


def probe(item: Record) -> dict[str, Any]:
    """A prediction that does all that the item asks for: what has no value even for it doesn't apply.

    A run that leaves out the items it can't do must not look better for it, so wherever this prediction
    has a value a missing one scores 0; where it has none, as a recall where nothing is relevant, there is
    nothing to miss.
    """
    expected = item.get("expected_output")
    gold: Record = expected if isinstance(expected, Mapping) else {}
    answer = gold.get("response") or _ANY_WORDS
    judged: Sequence[Record] = gold.get("retrieval_ground_truth") or ()
    wanted = [row["document_id"] for row in judged if row["relevance"]] or [_ANY_DOCUMENT]
    supplied: Sequence[str] = value_at(item, "input.document_ids") or ()
    ids = dict.fromkeys([*wanted, *supplied])
    return {
        "response": answer,
        "citations": gold.get("citations"),
        "retrieved_documents": [{"document_id": id_, "content": answer} for id_ in ids],
        "tool_calls": gold.get("tool_calls"),
        "handoff_to": gold.get("handoff_to") if gold.get("handoff_expected") is not False else None,
        "handed_off": gold.get("handoff_expected"),
    }
