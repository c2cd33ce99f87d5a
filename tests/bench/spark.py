"""What a row of a table costs, in CPU, in memory and beside one process: make bench-spark, make bench-spark-classic.

Each part runs in a process of its own, so that their peaks don't mix. One that finds a cost that isn't linear in the
rows, or a worker that grows, ends with 1.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from evalcontract.checking import check_files
from evalcontract.spark import validate_dataframe
from evalcontract.spark.job import job_of
from evalcontract.spark.judging import Cells, judge
from evalcontract.spark.validating import copy_number
from tests.bench.spark_rows import cpu_of, java, lines, python_workers, resident, row
from tests.spark.engines import session

ROWS = (20_000, 200_000)
"""Rows for the function of a worker."""
TABLE = (20_000, 200_000)
"""Rows of tables."""
IDS = 100_000_000
PLANTED = 1_000
_BATCH = 1_000
_ROUNDS = 2
_LINEAR = 0.15
_FLAT = 1.25
"""Arrow's pools give memory back when they like, so that a peak over more batches is a little higher."""


def cpu(work: Callable[[], Any]) -> float:
    """CPU seconds of this process and its threads."""
    before = time.process_time()
    work()
    return time.process_time() - before


def worker(folder: Path) -> bool:
    """The function that the workers run, fed with rows that are made up as they are asked for."""
    import pyarrow as pa

    feeding = 0.0

    def fed(count: int) -> Iterator[Any]:
        nonlocal feeding
        for start in range(0, count, _BATCH):
            before = time.process_time()
            batch = pa.RecordBatch.from_pydict({"value": [row(start + number) for number in range(_BATCH)]})
            feeding += time.process_time() - before
            yield batch

    def judged(count: int) -> tuple[float, float]:
        """CPU of a row, and the most memory held at the end of a batch."""
        nonlocal feeding
        feeding, most, before = 0.0, 0.0, time.process_time()
        for _ in judge(fed(count), job_of(None, None), Cells("value")):
            most = max(most, resident())
        return (time.process_time() - before - feeding) / count, most

    file = lines(folder, ROWS[0])
    check_files([file])
    judged(ROWS[0])
    alone = min(cpu(partial(check_files, [file])) for _ in range(3)) / ROWS[0]
    costs = [judged(count) for count in ROWS]
    for count, (cost, most) in zip(ROWS, costs, strict=True):
        print(
            f"{count:>9,} rows: {cost * 1e6:4.1f} us a row, {most:4.0f} MB; one process {alone * 1e6:.1f} us"
        )
    (small, held), (large, held_later) = costs
    return _verdict("the function of a worker", large / small) and held_later <= held * _FLAT


def sail(folder: Path) -> bool:
    """Tables of two sizes on Sail, whose server, workers and client are one process."""
    with session("sail", folder) as spark:
        return _table(spark, folder, time.process_time)


def classic(folder: Path) -> bool:
    """The same on Spark, whose Python workers are processes of their own."""
    with session("classic", folder) as spark:
        flat = _workers_are_flat(spark, folder)  # first, as it compares the peaks of all that was
        return _table(spark, folder, lambda: cpu_of(java() + python_workers())) and flat


def _table(spark: Any, folder: Path, taken: Callable[[], float]) -> bool:
    """The CPU of a row, without what a table of one row takes."""

    def cost(count: int, *, unique: bool) -> float:
        df = spark.read.text(str(lines(folder, count)), lineSep="\n")
        before = taken()
        assert not validate_dataframe(df, materialize=False, unique=unique).summary().errors
        return taken() - before

    linear = True
    for unique, what in ((False, "rows alone"), (True, "with repeated ids and look-alikes")):
        cost(TABLE[1], unique=unique)
        rounds = [
            [sum(cost(count, unique=unique) for _ in range(TABLE[-1] // count)) for count in TABLE]
            for _ in range(_ROUNDS)
        ]  # ten small tables and a large one take as long, so that a busy machine disturbs both alike
        fixed = min(cost(1, unique=unique) for _ in range(_ROUNDS))
        costs = map(min, zip(*rounds, strict=True))
        small, large = (spent / TABLE[-1] - fixed / count for spent, count in zip(costs, TABLE, strict=True))
        print(
            f"{what}: {small * 1e6:.1f} and {large * 1e6:.1f} us a row, and {fixed:.2f} s for a table of one row"
        )
        linear &= _verdict(what, large / small)
    return linear


def _workers_are_flat(spark: Any, folder: Path) -> bool:
    """The memory that the Python workers have had at most, after each of the two tables."""
    peaks = []
    for count in TABLE:
        df = spark.read.text(str(lines(folder, count)), lineSep="\n")
        validate_dataframe(df, materialize=False).summary()
        peaks.append(max(resident(pid, peak=True) for pid in python_workers()))
    print(f"peak memory of a Python worker: {peaks[0]:.0f} and {peaks[1]:.0f} MB")
    return peaks[1] <= peaks[0] * _FLAT


def _verdict(what: str, times: float) -> bool:
    print(f"{what}: 10 times the rows take {10 * times:.1f} times the CPU")
    return abs(times - 1) <= _LINEAR


def ids(folder: Path) -> bool:
    """Repeated ids among 10^8 on Sail, found as in every table, and their number by a sketch."""
    with session("sail", folder) as spark:
        for count in (IDS // 10, IDS):
            rows = spark.range(count).selectExpr(
                f"concat('q', lpad(cast(id % {count - PLANTED} as string), 12, '0')) as key",
                "hex(id) as rank",
            )
            begun = time.process_time()
            found = rows.selectExpr(f"{copy_number('key', 'rank')} as copy").where("copy > 1").count()
            spent = time.process_time() - begun
            print(
                f"{count:,} ids, {PLANTED:,} of them repeated: {found:,} found in {spent:.0f} s of CPU, "
                f"{resident(peak=True):,.0f} MB"
            )
        (told,) = rows.selectExpr("approx_count_distinct(key) as n").collect()
        distinct = IDS - PLANTED
        print(f"a sketch counts {told['n']:,} ids, {100 * (told['n'] / distinct - 1):+.2f} %")
        return bool(found == PLANTED)


def keys(_: Path) -> bool:
    """The union of keys and paths over 10^8 rows: a part has a thousand like each of those that it looked at."""
    from evalcontract.release import SurveyPart

    parts, looked_at, names, alike = 1_000, 100, 2_000, 1_000
    whole, longest, begun = SurveyPart(), 0, time.process_time()
    for part in range(parts):
        seen = SurveyPart()
        for number in range(part * looked_at, (part + 1) * looked_at):
            seen.add(
                {"item_id": f"q{number}", "input": {"messages": [], f"key_{number % names}": {"deep": 1}}}
            )
        state = _times(seen.state(), alike)
        longest = max(longest, len(state))
        whole.merge(state)
    merged = json.loads(whole.state())
    rows, found = merged["items"], merged["keys"]["input"]
    print(
        f"{rows:,} rows in {parts:,} parts: {len(found):,} keys and {len(merged['paths']):,} paths in "
        f"{time.process_time() - begun:.1f} s; {longest:,} bytes from a part at most, {len(whole.state()):,} at the end"
    )
    used = {name: items for name, (items, *_) in found.items()}
    expected = {f"key_{number}": rows // names for number in range(names)} | {"messages": rows}
    return rows == parts * looked_at * alike and used == expected and not merged["left_out"]


def _times(state: str, number: int) -> str:
    """The state of so many times as many rows."""
    told = json.loads(state)
    told["items"] *= number
    for uses in (told["paths"], *told["keys"].values()):
        for name, (items, filled, examples) in uses.items():
            uses[name] = (items * number, filled * number, examples)
    return json.dumps(told)


PARTS = {"worker": worker, "sail": sail, "classic": classic, "ids": ids, "keys": keys}
_AT_FIRST = ("worker", "sail", "ids", "keys")


def main(names: list[str]) -> int:
    """Run the named parts."""
    if len(names) == 1:
        with tempfile.TemporaryDirectory() as made:
            return not PARTS[names[0]](Path(made))
    ends = [
        subprocess.run([sys.executable, "-m", __spec__.name, name], check=False)
        for name in names or _AT_FIRST
    ]
    return max(end.returncode for end in ends)


if __name__ == "__main__":
    os.environ.setdefault("RUST_LOG", "error")
    sys.exit(main(sys.argv[1:]))
