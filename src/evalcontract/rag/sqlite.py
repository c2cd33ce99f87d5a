"""BM25 over SQLite's full-text index: no dependency, in memory or in one file."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from os import PathLike
from types import TracebackType
from typing import Self

from evalcontract.errors import RagValueError, UnreadableInput
from evalcontract.rag.protocols import RetrievedDocument
from evalcontract.texts import words

# The words are folded and cut before they are stored, and the ascii tokenizer takes every other character as
# part of a word, so the index doesn't depend on the Unicode tables of the SQLite build.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (
    document_id TEXT PRIMARY KEY, content TEXT NOT NULL, source_id TEXT
);
CREATE VIRTUAL TABLE IF NOT EXISTS terms USING fts5 (
    words, content = '', tokenize = "ascii"
);
"""
_SEARCH = """
SELECT document_id, content, source_id, -bm25(terms) AS score
FROM terms JOIN documents ON documents.rowid = terms.rowid
WHERE terms MATCH ? ORDER BY score DESC, document_id LIMIT ?
"""
_MOST_QUERY_WORDS = 200


def _opened(path: str | PathLike[str]) -> sqlite3.Connection:
    connection: sqlite3.Connection | None = None
    try:
        connection = sqlite3.connect(path, check_same_thread=False)
        connection.executescript(_SCHEMA)
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        raise UnreadableInput(f"{path} can't be opened as a document index: {error}") from None
    return connection


class SqliteRetriever:
    """Documents in an SQLite FTS5 index, ranked by BM25 (scores above 0, no upper bound).

    Words are cut as the text metrics cut them, so scripts without spaces are found too. A question is matched
    word by word: no character of it is query syntax. Safe to use from several tasks at once.
    """

    def __init__(self, path: str | PathLike[str] = ":memory:") -> None:
        self._lock = threading.Lock()
        self._connection = _opened(path)

    def add(self, documents: Iterable[RetrievedDocument]) -> int:
        """Index documents, all or none, and return how many. RagValueError for an id twice or no text."""
        added = 0
        with self._lock, self._connection as connection:
            for document in documents:
                if document.content is None:
                    raise RagValueError(f"document {document.document_id!r} has no text to index")
                row = (document.document_id, document.content, document.source_id)
                try:
                    cursor = connection.execute("INSERT INTO documents VALUES (?, ?, ?)", row)
                except sqlite3.IntegrityError:
                    raise RagValueError(
                        f"document {document.document_id!r} is already in the index"
                    ) from None
                terms = " ".join(words(document.content))
                connection.execute(
                    "INSERT INTO terms (rowid, words) VALUES (?, ?)", (cursor.lastrowid, terms)
                )
                added += 1
        return added

    async def search(self, question: str, limit: int) -> Sequence[RetrievedDocument]:
        """The documents that share a word with the question, best first."""
        return await asyncio.to_thread(self._search, question, limit)

    def _search(self, question: str, limit: int) -> list[RetrievedDocument]:
        wanted = list(dict.fromkeys(words(question)))[:_MOST_QUERY_WORDS]
        if not wanted:
            return []
        query = " OR ".join(f'"{word}"' for word in wanted)
        with self._lock:
            rows = self._connection.execute(_SEARCH, (query, limit)).fetchall()
        return [RetrievedDocument(id_, content, score, source) for id_, content, source, score in rows]

    def close(self) -> None:
        """Close the index; it can't be used afterwards."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
