"""Evaluation items as they come from a RAG product: made up, seeded, about 5 KB each."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import orjson

from tests.bench.bench_metrics import triples

_LETTERS = "etaoinshrdlucmfwypvbgk"
_ACCENTED = ("café", "naïve", "“quoted”", "Größe", "—", "東京", "déjà")
_PASSAGES = 5
_WORDS_OF_A_PASSAGE = 135

Item = dict[str, Any]


class Items:
    """Makes items. `faulty` is the share of items with one fault, from 0 to 1; `advised`: each has one advice."""

    def __init__(self, faulty: float = 0.0, seed: int = 7, *, advised: bool = False) -> None:
        self._random = Random(seed)
        self._faulty = faulty
        self._advised = advised
        words = ["".join(self._random.choices(_LETTERS, k=self._random.randint(2, 9))) for _ in range(3000)]
        self._vocabulary = words + list(_ACCENTED) * 6

    def lines(self, count: int) -> Iterator[bytes]:
        """`count` items as JSON texts without a line end."""
        for number in range(count):
            yield orjson.dumps(self._item(number))

    def _item(self, number: int) -> Item:
        item = self._clean(number)
        if self._random.random() < self._faulty:
            self._random.choice(_FAULTS)(item)
        if self._advised:
            item["expected_output"]["response"] += " [3]"  # which no citation declares
        return item

    def _clean(self, number: int) -> Item:
        ids = [f"doc-{self._random.randrange(10**6)}" for _ in range(_PASSAGES)]
        return {
            "item_id": f"item-{number:08d}",
            "input": {
                "messages": [{"role": "user", "content": self._text(14)}],
                "context": [self._text(_WORDS_OF_A_PASSAGE) for _ in range(_PASSAGES)],
                "document_ids": ids,
            },
            "expected_output": {
                "response": self._text(40) + " [1]\n" + self._text(20) + " [2]",
                "citations": [
                    {"document_id": ids[0], "response_marker": "[1]", "page_number": 3},
                    {"document_id": ids[1], "response_marker": "[2]", "quotes": [self._text(8)]},
                ],
                "retrieval_ground_truth": [
                    {"document_id": each, "relevance": self._random.randrange(3)} for each in ids
                ],
            },
            "metadata": {"raw_metadata": {"input_schema_type": "rag", "input_schema_version": "1.0"}},
        }

    def _text(self, words: int) -> str:
        """Sentences as documents have them: line breaks, quotation marks, and a few accents."""
        sentences = []
        while words > 0:
            chosen = self._random.choices(self._vocabulary, k=min(words, self._random.randint(6, 16)))
            if self._random.random() < 0.2:
                chosen[0] = f'"{chosen[0]}"'
            sentences.append(" ".join(chosen) + self._random.choice((". ", ". ", ".\n")))
            words -= len(chosen)
        return "".join(sentences).strip()


def _put(*path: str | int, value: Any) -> Callable[[Item], None]:
    def change(item: Any) -> None:
        for step in path[:-1]:
            item = item[step]
        item[path[-1]] = value

    return change


_FAULTS: tuple[Callable[[Item], None], ...] = (
    _put("input", "context", value="one passage as text"),
    _put("input", "context", 3, value=None),
    _put("input", "messages", value=[]),
    _put("input", "messages", 0, "role", value="bot"),
    _put("expected_output", "citations", 0, "page_number", value=0),
    _put("expected_output", "citations", 1, "document_id", value=17),
    _put("expected_output", "retrieval_ground_truth", 2, "relevance", value=3),
    _put("expected_output", value=None),
    _put("item_id", value=""),
)


def write_lines(path: Path, items: Items, size: int) -> int:
    """Write JSON Lines of at least `size` bytes; returns the number of items."""
    with path.open("wb") as file:
        return _write(items, size, lambda number, line: file.write(line + b"\n"))


def write_array(path: Path, items: Items, size: int) -> int:
    """Write one JSON array of at least `size` bytes; returns the number of items."""
    with path.open("wb") as file:
        file.write(b"[")
        count = _write(items, size, lambda number, line: file.write((b",\n" if number else b"") + line))
        file.write(b"]\n")
    return count


def _write(items: Items, size: int, write: Callable[[int, bytes], object]) -> int:
    written = number = 0
    for number, line in enumerate(_endless(items)):
        write(number, line)
        written += len(line)
        if written >= size:
            break
    return number + 1


def _endless(items: Items) -> Iterator[bytes]:
    """Items without end: the texts come again, the ids and the questions don't."""
    made = list(items.lines(2_000))
    for number in itertools.count():
        again, which = divmod(number, len(made))
        line = made[which].replace(b'"item-', b'"item-%d-' % again, 1)
        yield line.replace(b'"content":"', b'"content":"%d ' % again, 1)


def write_run(dataset: Path, predictions: Path, count: int) -> None:
    """A rag dataset of `count` items, and predictions for it that retrieved five passages each."""
    metadata = {"product_id": "bench", "scope": "run", "version": "1.0"}
    declared = {"input_schema_type": "rag", "input_schema_version": "1.0"}
    known = triples(300)
    with predictions.open("wb") as out:
        items = []
        for number in range(count):
            question, contexts, answer = known[number % len(known)]
            expected = {
                "response": answer,
                "retrieval_ground_truth": [{"document_id": "d1", "relevance": 2}],
                "citations": [{"document_id": "d1"}],
            }
            asked = {"messages": [{"role": "user", "content": question}]}
            items.append({"item_id": f"i{number}", "input": asked, "expected_output": expected})
            retrieved = [{"document_id": f"d{rank}", "content": text} for rank, text in enumerate(contexts)]
            prediction = {
                "response": answer,
                "citations": [{"document_id": "d1"}],
                "retrieved_documents": retrieved,
            }
            out.write(orjson.dumps({"item_id": f"i{number}", "prediction": prediction}) + b"\n")
    dataset.write_bytes(orjson.dumps({"metadata": metadata | declared, "items": items}))
