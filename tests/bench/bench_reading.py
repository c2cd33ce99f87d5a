"""Prints the cost of strict reading as ratios to orjson.loads of the same lines (CPU time, median).

Run: python tests/bench/bench_reading.py [--items N] [--rounds N]
"""

from __future__ import annotations

import argparse
import gzip
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import orjson
import zstandard

from evalcontract.reading import Document, Fault, read

LETTERS = "etaoinshrdlucmfwypvbgk"
ACCENTED = ["café", "naïve", "“quoted”", "Größe", "—", "東京", "déjà"]


def words(random_: random.Random, plain: bool) -> list[str]:
    made = ["".join(random_.choices(LETTERS, k=random_.randint(2, 9))) for _ in range(3000)]
    return made if plain else made + ACCENTED * 12


def passage(random_: random.Random, vocabulary: list[str], count: int) -> str:
    return " ".join(random_.choices(vocabulary, k=count))


def item(random_: random.Random, vocabulary: list[str], number: int) -> dict[str, object]:
    """A RAG item of about 5 KB: one question, five passages, an answer with citations and judgements."""
    return {
        "item_id": f"item-{number:07d}",
        "input": {
            "messages": [{"role": "user", "content": passage(random_, vocabulary, 14)}],
            "context": [passage(random_, vocabulary, 135) for _ in range(5)],
            "document_ids": [f"doc-{random_.randrange(10**6)}" for _ in range(5)],
        },
        "expected_output": {
            "response": passage(random_, vocabulary, 40) + "\n[1]",
            "citations": [{"document_id": "doc-1", "response_marker": "[1]", "page_number": 3}],
            "retrieval_ground_truth": [
                {"document_id": f"doc-{random_.randrange(10**6)}", "relevance": random_.randrange(3)}
                for _ in range(5)
            ],
        },
        "metadata": {"raw_metadata": {"input_schema_type": "rag", "input_schema_version": "1.0"}},
    }


def bad(line: bytes) -> bytes:
    return line.replace(b'"metadata":', b'"item_id":"again","metadata":', 1)


def make(folder: Path, count: int) -> dict[str, tuple[Path, list[bytes]]]:
    """The input files, and the item texts they hold."""
    made: dict[str, tuple[Path, list[bytes]]] = {}

    def write(name: str, content: bytes, lines: list[bytes]) -> None:
        path = folder / name
        path.write_bytes(content)
        made[name] = (path, lines)

    for plain in (True, False):
        random_ = random.Random(7)
        vocabulary = words(random_, plain)
        lines = [orjson.dumps(item(random_, vocabulary, number)) for number in range(count)]
        kind = "ascii" if plain else "mixed"
        write(f"{kind}.jsonl", b"\n".join(lines) + b"\n", lines)
        if plain:
            continue
        write("array.json", b"[" + b",".join(lines) + b"]", lines)
        indented = b'{\n  "metadata": {},\n  "items": [\n    ' + b",\n    ".join(lines) + b"\n  ]\n}\n"
        write("dataset.json", indented, lines)
        for percent in (1, 30):
            mixed = [bad(line) if random_.random() < percent / 100 else line for line in lines]
            write(f"{percent}% bad.jsonl", b"\n".join(mixed) + b"\n", mixed)
            write(f"{percent}% bad.json", b"[" + b",".join(mixed) + b"]", mixed)
        write("mixed.jsonl.gz", gzip.compress(b"\n".join(lines), 6), lines)
        write("mixed.jsonl.zst", zstandard.compress(b"\n".join(lines), 3), lines)
    return made


def cost(action: Callable[[], object]) -> float:
    before = time.process_time()
    action()
    return time.process_time() - before


def loads_all(lines: list[bytes]) -> None:
    for line in lines:
        orjson.loads(line)


def read_all(path: Path) -> int:
    return sum(1 for event in read(path, items=True) if isinstance(event, Document | Fault))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = make(Path(folder), options.items)
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in files}
        for _ in range(options.rounds):
            for name, (path, lines) in files.items():
                limit = cost(lambda lines=lines: loads_all(lines))
                times[name].append((cost(lambda path=path: read_all(path)), limit))
        print(f"{options.items} items, {options.rounds} rounds, python {sys.version.split()[0]}")
        print(f"{'file':18} {'us/item':>8} {'orjson':>8} {'ratio':>6} {'MB/s':>6}")
        for name, pairs in times.items():
            spent = statistics.median(pair[0] for pair in pairs)
            limit = statistics.median(pair[1] for pair in pairs)
            ratio = statistics.median(pair[0] / pair[1] for pair in pairs)
            size = sum(map(len, files[name][1]))
            print(
                f"{name:18} {spent / options.items * 1e6:8.1f} {limit / options.items * 1e6:8.1f}"
                f" {ratio:6.2f} {size / spent / 1e6:6.0f}"
            )
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"peak memory, benchmark data included: {peak} MB")


if __name__ == "__main__":
    main()
