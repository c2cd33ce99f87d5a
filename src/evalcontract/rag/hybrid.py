"""Several retrievers as one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from evalcontract.errors import RagValueError
from evalcontract.rag.fusion import reciprocal_rank_fusion
from evalcontract.rag.protocols import RetrievedDocument, Retriever


class HybridRetriever:
    """Asks all retrievers at once and fuses their rankings by reciprocal rank.

    Each is asked for `depth` times the limit, so that a document in the middle of two rankings can win. The
    score of a document is its fusion score; its text and source are those of the first retriever that has
    them.
    """

    def __init__(
        self, *retrievers: Retriever, k: float = 60, weights: Sequence[float] | None = None, depth: int = 3
    ) -> None:
        if not retrievers:
            raise RagValueError("a hybrid needs at least one retriever")
        if depth < 1:
            raise RagValueError(f"depth must be at least 1, not {depth!r}")
        reciprocal_rank_fusion(*([] for _ in retrievers), k=k, weights=weights)  # refuses bad settings now
        self._retrievers = retrievers
        self._k = k
        self._weights = weights
        self._depth = depth

    async def search(self, question: str, limit: int) -> Sequence[RetrievedDocument]:
        """At most `limit` documents by fusion score, equal scores by id. Fails when one retriever fails."""
        searches = (retriever.search(question, limit * self._depth) for retriever in self._retrievers)
        rankings = await asyncio.gather(*searches)
        known: dict[str, RetrievedDocument] = {}
        for document in (document for ranking in rankings for document in ranking):
            if document.document_id not in known or known[document.document_id].content is None:
                known[document.document_id] = document
        ids = [[document.document_id for document in ranking] for ranking in rankings]
        fused = reciprocal_rank_fusion(*ids, k=self._k, weights=self._weights)
        return [
            RetrievedDocument(id_, known[id_].content, score, known[id_].source_id)
            for id_, score in fused[:limit]
        ]
