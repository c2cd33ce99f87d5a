"""What the metrics saw of an item that has a text of the caller's choice in every field."""

from __future__ import annotations

from typing import Any

from evalcontract.metrics import MetricOptions
from evalcontract.scoring import ScoreSettings, evidence_of

_MEASURED = 3000


def evidence(text: str) -> dict[str, Any]:
    """What the metrics saw of an answer to an item, all of it from data; of a text of megabytes its beginning."""
    whole, text = text, text[:_MEASURED]
    item = {
        "item_id": text or "q1",
        "input": {"messages": [{"role": "user", "content": text}]},
        "expected_output": {
            "response": text,
            "alternative_responses": [text],
            "retrieval_ground_truth": [
                {"document_id": text or "d", "relevance": 2},
                {"document_id": f"{text}!", "relevance": 1},
            ],
            "citations": [{"document_id": f"{text}!"}],
            "tool_calls": [{"name": text or "call", "args": {text: text}}],
            "handoff_to": text or None,
        },
    }
    prediction = {
        "response": f"{text} is open on Mondays [1]. Ask {text} [7].",
        "citations": [{"document_id": text or "d", "response_marker": "[1]", "quotes": [text or "q"]}],
        "retrieved_documents": [
            {"document_id": text or "d", "content": text},
            {"content": f"{text} is open."},
        ],
        "tool_calls": [{"name": text or "call", "args": {text: 1}}],
        "handoff_to": text or None,
    }
    settings = ScoreSettings(options=MetricOptions(support_threshold=0.5))
    return evidence_of(item, [{"prediction": prediction, "error": text}], settings) | {"question": whole}
