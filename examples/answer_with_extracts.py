"""Answers the questions of a dataset without a language model, to have something to score.

    python examples/answer_with_extracts.py DOCUMENTS DATASET PREDICTIONS

The passages are found by BM25 in an SQLite index. The "model" is a stand-in that copies the sentence sharing most
words with the question and cites its passage. A real system puts its own retriever and model in their places.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalcontract.rag import ExtractiveStandIn, RetrievedDocument, SqliteRetriever, rag_with_citations


def passages(documents: Path) -> Iterator[RetrievedDocument]:
    """The knowledge base, one passage a line."""
    for line in documents.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield RetrievedDocument(row["document_id"], row["content"], source_id=documents.stem)


async def prediction(item: dict[str, Any], retriever: SqliteRetriever) -> dict[str, Any]:
    """The answer to one item's last message, as a prediction record."""
    question = item["input"]["messages"][-1]["content"]
    answer = await rag_with_citations(question, retriever, ExtractiveStandIn(), limit=5)
    return answer.as_prediction_record(item["item_id"])


async def main(documents: Path, dataset: Path, predictions: Path) -> None:
    """Index the documents, answer every item of the dataset, and write the predictions."""
    items = json.loads(dataset.read_bytes())["items"]
    with SqliteRetriever() as retriever, predictions.open("w", encoding="utf-8") as out:
        retriever.add(passages(documents))
        for item in items:
            out.write(json.dumps(await prediction(item, retriever), ensure_ascii=False) + "\n")
    print(f"answered {len(items)} questions with the extractive stand-in")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: python answer_with_extracts.py DOCUMENTS DATASET PREDICTIONS")
    asyncio.run(main(*map(Path, sys.argv[1:])))
