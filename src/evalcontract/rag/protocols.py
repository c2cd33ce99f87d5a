"""The two parts that a retrieval-augmented answer is made of, and the values that pass between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, Protocol, TypedDict

from evalcontract.errors import RagTypeError, RagValueError


@dataclass(frozen=True, slots=True)
class RetrievedDocument:
    """One ranked document (or passage): the contract's `retrieved_document`."""

    document_id: str
    content: str | None = None
    score: float | None = None
    source_id: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.document_id, str):
            raise RagTypeError(f"document ids are strings, not {type(self.document_id).__name__}")
        if not self.document_id:
            raise RagValueError("a document has an empty id")
        if self.score is not None and not isfinite(self.score):
            raise RagValueError(
                f"the score of {self.document_id!r} is {self.score}", hint="scores must be finite"
            )

    def as_dict(self) -> dict[str, Any]:
        """The document in the contract's shape."""
        return {
            "document_id": self.document_id,
            "content": self.content,
            "score": self.score,
            "source_id": self.source_id,
        }


class ChatMessage(TypedDict):
    """One message to a chat model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a chat model said; `refusal` is its own text when it declined to answer."""

    text: str
    refusal: str | None = None


class Retriever(Protocol):
    """Finds documents for a question."""

    async def search(self, question: str, limit: int) -> Sequence[RetrievedDocument]:
        """At most `limit` documents, best first."""
        ...


class ChatModel(Protocol):
    """Answers a list of messages."""

    async def complete(self, messages: Sequence[ChatMessage]) -> ChatReply:
        """One complete reply. Raises ModelUnavailable or ModelRejected when there is none."""
        ...
