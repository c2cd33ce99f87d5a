"""What a pattern returns, in the contract's shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from evalcontract.errors import RagValueError
from evalcontract.rag.context import ContextSource
from evalcontract.rag.protocols import RetrievedDocument

Outcome = Literal["answered", "abstained", "refused"]


@dataclass(frozen=True, slots=True)
class RagAnswer:
    """An answer with what it rests on.

    `sources` are the documents that the answer cites (for `rag_query`, those it was given). `reason` says why
    there is no answer when the outcome is `abstained` or `refused`; `text` then says it to the reader.
    """

    text: str
    outcome: Outcome
    retrieved: tuple[RetrievedDocument, ...]
    sources: tuple[ContextSource, ...] = ()
    reason: str | None = None
    unresolved_markers: tuple[str, ...] = ()
    """Markers in the text that stand for no document of the context."""
    left_out: tuple[str, ...] = ()
    """Ids of retrieved documents that were not put into the context: no text, or no room."""
    measurements: Mapping[str, float] = field(default_factory=dict)

    def as_response(self) -> dict[str, Any]:
        """The answer as a `rag_response`.

        A citation's score is left out when it isn't between 0 and 1, as a BM25 score may be.
        """
        message = {
            "role": "assistant",
            "content": self.text,
            "context": {"citations": [_rag_citation(source) for source in self.sources]},
        }
        return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}

    def as_prediction_record(self, item_id: str) -> dict[str, Any]:
        """The answer as the `prediction_record` for an item of a dataset."""
        if not item_id:
            raise RagValueError("a prediction record needs the id of its item")
        return {
            "item_id": item_id,
            "prediction": {
                "response": self.text,
                "citations": [
                    {"document_id": source.document.document_id, "response_marker": source.marker}
                    for source in self.sources
                ],
                "retrieved_documents": [document.as_dict() for document in self.retrieved],
                "abstained": self.outcome != "answered",
            },
            "notices": [f"{self.outcome}: {self.reason}"] if self.reason else None,
            "measurements": dict(self.measurements) or None,
        }


def _rag_citation(source: ContextSource) -> dict[str, Any]:
    document = source.document
    in_range = document.score is not None and 0 <= document.score <= 1
    return {
        "retrieved_context": document.content,
        "document_id": document.document_id,
        "score": document.score if in_range else None,
        "source_id": document.source_id,
        "response_marker": source.marker,
    }
