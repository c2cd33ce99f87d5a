"""BM25 over the bm25s package: sparse matrices in memory, fast for many questions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from evalcontract.errors import RagValueError, UsageError
from evalcontract.rag.protocols import RetrievedDocument
from evalcontract.texts import words


class Bm25Retriever:
    """Documents in a bm25s index, fixed when it is made; scores are above 0 without an upper bound.

    Needs the extra `evalcontract[rag]`. Words are cut as the text metrics cut them.
    """

    def __init__(self, documents: Iterable[RetrievedDocument]) -> None:
        self._documents = list(documents)
        ids = [document.document_id for document in self._documents]
        if len(set(ids)) != len(ids):
            twice = next(id_ for id_ in ids if ids.count(id_) > 1)
            raise RagValueError(f"document {twice!r} is given twice")
        texts = [document.content or "" for document in self._documents]
        self._vocabulary: set[str] = set()
        self._index: Any = None
        tokens = [words(text) for text in texts]
        self._vocabulary.update(*tokens)
        if self._vocabulary:
            self._index = _bm25s().BM25()
            self._index.index(tokens, show_progress=False)

    async def search(self, question: str, limit: int) -> Sequence[RetrievedDocument]:
        """The documents that share a word with the question, best first; equal scores by id."""
        return await asyncio.to_thread(self._search, question, limit)

    def _search(self, question: str, limit: int) -> list[RetrievedDocument]:
        wanted = [word for word in words(question) if word in self._vocabulary]
        if not wanted:
            return []
        scores = self._index.get_scores(wanted).tolist()
        found = [
            (score, document) for score, document in zip(scores, self._documents, strict=True) if score > 0
        ]
        found.sort(key=lambda pair: (-pair[0], pair[1].document_id))
        return [
            RetrievedDocument(document.document_id, document.content, score, document.source_id)
            for score, document in found[:limit]
        ]


def _bm25s() -> Any:
    try:
        import bm25s
    except ImportError:
        raise UsageError("bm25s is not installed", hint="pip install bm25s") from None
    return bm25s
