"""What a row of a table costs on Sail, in CPU and beside one process: make bench-spark."""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from evalcontract.checking import check_files
from evalcontract.spark import validate_dataframe
from tests.spark.engines import session

ROWS = (4_000, 40_000)
IDS = 100_000_000
PLANTED = 1_000
PARTITIONS = 256
_BUCKETS = 14


def row(number: int) -> str:
    """An item of about 5 KB with five passages."""
    item = {
        "item_id": f"q{number:08}",
        "input": {
            "messages": [{"role": "user", "content": f"Which year is number {number}?"}],
            "context": [
                f"Passage {part} of {number}. " + "The museum opens at nine on weekdays. " * 26
                for part in range(5)
            ],
        },
        "expected_output": {"response": f"It is {1000 + number} [1]."},
        "metadata": {"raw_metadata": {"input_schema_type": "rag", "input_schema_version": "1.0"}},
    }
    return json.dumps(item)


def cpu(work: Callable[[], Any]) -> float:
    """CPU seconds of this process and its threads."""
    before = time.process_time()
    work()
    return time.process_time() - before


def rows(folder: Path) -> None:
    """The CPU of a row, for tables of two sizes, on Sail and in one process."""
    with session("sail", folder) as spark:
        warm = spark.createDataFrame([(row(0),)], "value string")
        validate_dataframe(warm, materialize=False).summary()
        check_files([_lines(folder, 1)])
        costs = {}
        for count in ROWS:
            file = _lines(folder, count)
            alone = cpu(lambda file=file: check_files([file])) / count
            df = spark.read.text(str(file), lineSep="\n")
            judged = (
                cpu(lambda df=df: validate_dataframe(df, materialize=False, unique=False).summary()) / count
            )
            unique = cpu(lambda df=df: validate_dataframe(df, materialize=False).summary()) / count
            costs[count] = unique
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"{count:>7,} rows: {alone * 1e6:5.0f} us a row in one process, {judged * 1e6:5.0f} on Sail, "
                f"{unique * 1e6:5.0f} with repeated ids and look-alikes; peak {peak:,.0f} MB"
            )
        small, large = (costs[count] for count in ROWS)
        print(f"10 times the rows: {10 * large / small:.2f} times the CPU")


def ids() -> None:
    """Repeated ids among 10^8, found exactly in parts by hash, and the number of ids by a sketch."""
    numbers = np.arange(IDS, dtype=np.uint64)
    numbers[-PLANTED:] = numbers[:PLANTED]
    hashes = _mixed(numbers)
    sizes = np.bincount((hashes >> np.uint64(64 - 8)).astype(np.uint16), minlength=PARTITIONS)
    estimate = _estimated(hashes)
    hashes.sort()
    found = int((hashes[1:] == hashes[:-1]).sum())
    print(
        f"{IDS:,} ids, {PLANTED:,} of them repeated: {found:,} found; "
        f"64-bit hashes met {found - PLANTED} times by chance"
    )
    print(f"{PARTITIONS} parts by hash: the largest is {sizes.max() / sizes.mean():.4f} times the mean")
    distinct = IDS - PLANTED
    print(
        f"a sketch of {1 << _BUCKETS:,} bytes counts {estimate:,.0f} ids, {100 * (estimate / distinct - 1):+.2f} %"
    )


def _mixed(numbers: Any) -> Any:
    """SplitMix64, as a stand-in for the hash of an id."""
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed ^= mixed >> np.uint64(shift)
        mixed *= np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def _estimated(hashes: Any) -> float:
    """HyperLogLog (Flajolet and others, 2007) over the hashes."""
    ranks = np.zeros(1 << _BUCKETS, dtype=np.uint8)
    for start in range(0, len(hashes), 1 << 22):
        part = hashes[start : start + (1 << 22)]
        buckets = (part >> np.uint64(64 - _BUCKETS)).astype(np.int64)
        rest = (part << np.uint64(_BUCKETS)) >> np.uint64(_BUCKETS + 12)  # 38 bits, exact as a double
        zeros = 38 - np.floor(np.log2(np.maximum(rest, 1).astype(np.float64))).astype(np.uint8)
        np.maximum.at(ranks, buckets, zeros)
    count = 1 << _BUCKETS
    return float((0.7213 / (1 + 1.079 / count)) * count**2 / np.sum(2.0 ** -ranks.astype(np.float64)))


def _lines(folder: Path, count: int) -> Path:
    file = folder / f"{count}.jsonl"
    if not file.exists():
        with file.open("w") as lines:
            lines.writelines(row(number) + "\n" for number in range(count))
    return file


if __name__ == "__main__":
    os.environ.setdefault("RUST_LOG", "error")
    with tempfile.TemporaryDirectory() as made:
        if "ids" not in sys.argv:
            rows(Path(made))
        if "rows" not in sys.argv:
            ids()
