"""The figures that are aimed at, each as a ratio to something else in the same run, beside its goal."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

import orjson
import zstandard

from tests.bench import pipelines
from tests.bench.data import Items, write_array, write_lines
from tests.bench.measure import Spent, commands, cpu_of_processes, cpu_seconds, tool

MB = 1_000_000
EVALCONTRACT = (sys.executable, "-m", "evalcontract")
_PARSED = """
import sys, orjson
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        for line in file:
            orjson.loads(line)
"""
_SHARED = """
from evalcontract.checking import Splitting, check_files, plan
check_files([{file!r}], plan(), splitting=Splitting({jobs}, from_bytes=0))
"""

Row = tuple[str, str, str]


def rows(folder: Path, items: int, megabytes: int, rounds: int) -> Iterator[Row]:
    """What is measured, what came out, and the goal, of files of that many items or megabytes."""
    yield from _against_parsing(folder, items, rounds)
    yield from _arrays(folder, megabytes, rounds)
    yield from _on_two_cores(folder, megabytes, rounds)
    yield from _from_a_cold_start(folder, rounds)
    yield from _verbs(folder, megabytes)
    yield from _hostile(folder)


def _against_parsing(folder: Path, items: int, rounds: int) -> Iterator[Row]:
    """CPU time of a process that has begun, over that of `orjson.loads` on the same lines."""
    kinds = {
        "clean items": (Items(), "1.8"),
        "every item with one advice": (Items(advised=True), "3.5"),
        "1 % bad items": (Items(0.01), "2.2"),
        "30 % bad items": (Items(0.3), "4"),
    }
    file = folder / "items.jsonl"
    for name, (made, goal) in kinds.items():
        lines = list(made.lines(items))
        file.write_bytes(b"".join(line + b"\n" for line in lines))
        runs = {"": pipelines.validate_file(str(file)), "parsed": pipelines.with_orjson(lines)}
        taken = cpu_seconds(runs, rounds)
        yield f"{name}, over orjson.loads", f"{taken[''] / taken['parsed']:.1f}x", f"{goal}x"
    file.unlink()


def _arrays(folder: Path, megabytes: int, rounds: int) -> Iterator[Row]:
    lines, array = folder / "items.jsonl", folder / "items.json"
    write_lines(lines, Items(), megabytes * MB)
    write_array(array, Items(), megabytes * MB)
    runs = {str(file): pipelines.validate_file(str(file)) for file in (lines, array)}
    taken = cpu_seconds(runs, rounds)
    ratio = taken[str(array)] / taken[str(lines)]
    yield f"an array of {megabytes} MB, over JSON Lines", f"{ratio:.2f}x", "1.1x"
    count = 300_000
    array.write_bytes(b"[" + b",".join([b"7"] * count) + b"]")
    (spent,) = commands(
        {"": [*EVALCONTRACT, "validate", "--limit", f"invalid-documents={count}", str(array)]}, 1
    ).values()
    yield "an element of an array of scalars", f"{spent.cpu / count * 1e6:.1f} µs", "3 µs"
    lines.unlink()
    array.unlink()


def _on_two_cores(folder: Path, megabytes: int, rounds: int) -> Iterator[Row]:
    """One process against two, and against two that have nothing to do with each other.

    The CPU time of the busier of two is what the clock shows where both cores are free.
    """
    lines, half = folder / "items.jsonl", folder / "half.jsonl"
    write_lines(lines, Items(), megabytes * MB)
    write_lines(half, Items(), megabytes * MB // 2)
    content = lines.read_bytes()
    packed = {".gz": gzip.compress(content, 6), ".zst": zstandard.compress(content, 3)}
    for suffix, goal in (("", "1.75x"), (".gz", "1.5x"), (".zst", "1.5x")):
        file = folder / f"items.jsonl{suffix}"
        if suffix:
            file.write_bytes(packed[suffix])
        spent = commands(
            {str(jobs): [sys.executable, "-c", _SHARED.format(file=str(file), jobs=jobs)] for jobs in (1, 2)},
            rounds,
        )
        busier = [
            min(max(cpu_of_processes(["validate", "--jobs", jobs, str(file)])) for _ in range(rounds))
            for jobs in ("1", "2")
        ]
        by_the_clock = f"{spent['1'].wall / spent['2'].wall:.2f}x"
        found = f"{busier[0] / busier[1]:.2f}x (by the clock {by_the_clock})"
        yield f"items.jsonl{suffix} on two cores, by the CPU time of the busier process", found, goal
    one = [sys.executable, "-c", _SHARED.format(file=str(lines), jobs=1)]
    both = '"$0" -c "$1" & "$0" -c "$1"; wait'
    alone = _SHARED.format(file=str(half), jobs=1)
    spent = commands({"one": one, "two": ["/bin/sh", "-c", both, sys.executable, alone]}, rounds)
    ratio = spent["one"].wall / spent["two"].wall
    yield "two processes with half of it each, by the clock", f"{ratio:.2f}x", "the limit"
    for file in folder.glob("*.jsonl*"):
        file.unlink()


def _from_a_cold_start(folder: Path, rounds: int) -> Iterator[Row]:
    few, schema = folder / "few.json", folder / "schema.json"
    write_array(few, Items(), 20_000)
    schema.write_bytes(orjson.dumps({"type": "array", "items": pipelines.item_schema()}))
    small = [folder / f"{number}.jsonl" for number in range(200)]
    made = list(Items().lines(4 * len(small)))
    for number, file in enumerate(small):
        file.write_bytes(b"\n".join(made[4 * number : 4 * number + 4]) + b"\n")
    names = list(map(str, small))
    spent = commands(
        {
            "python": [sys.executable, "-c", "import click, jsonschema_rs, jiter"],
            "few": [*EVALCONTRACT, "validate", str(few)],
            "check-jsonschema": [tool("check-jsonschema"), "--schemafile", str(schema), str(few)],
            "small": [*EVALCONTRACT, "validate", *names],
            "parsed": [sys.executable, "-c", _PARSED, *names],
        },
        rounds,
    )
    yield "four items from a cold start, CPU", _milliseconds(spent["few"]), "90 ms"
    yield "the same, check-jsonschema", _milliseconds(spent["check-jsonschema"]), ""
    yield "Python and the three libraries alone", _milliseconds(spent["python"]), "the limit"
    ratio = spent["small"].cpu / spent["parsed"].cpu
    yield "200 small files, over orjson in one process", f"{ratio:.1f}x", "2x"
    for file in small:
        file.unlink()


def _verbs(folder: Path, size: int) -> Iterator[Row]:
    """Memory of the verbs that read and write, and their CPU time over that of `validate`."""
    items, table, out = folder / "items.jsonl", folder / "table.jsonl", folder / "out.jsonl"
    write_lines(items, Items(), size * MB)
    with items.open("rb") as lines, table.open("wb") as written:
        for line in map(orjson.loads, lines):
            asked, answered = line["input"], line["expected_output"]
            row = {
                "id": line["item_id"],
                "question": asked["messages"][0]["content"],
                "contexts": asked["context"],
                "answer": answered["response"],
            }
            written.write(orjson.dumps(row) + b"\n")
    (checked,) = commands({"": [*EVALCONTRACT, "validate", "--jobs", "1", str(items)]}, 1).values()
    for verb, words in {
        "import": ["import", str(table), "--map", "golden", "-o", str(out)],
        "convert": ["convert", str(items), "-o", str(folder / "out.json")],
        "normalize": ["normalize", str(items), "-o", str(out)],
    }.items():
        (spent,) = commands({"": [*EVALCONTRACT, *words]}, 1).values()
        found = f"{spent.memory / MB:.0f} MB, {spent.cpu / checked.cpu:.1f}x the time"
        yield f"{verb} of {size} MB, over validate", found, "200 MB, 4x"
    for file in (items, table, out, folder / "out.json"):
        file.unlink()


def _hostile(folder: Path) -> Iterator[Row]:
    """Peak memory for one document of 30 MB, beyond that of an empty run."""
    file = folder / "hostile.json"
    (least,) = commands({"": [*EVALCONTRACT, "--version"]}, 1).values()
    size = 30 * MB
    for name, content in {
        "a list of {}": b'{"item_id": [' + b"{}," * (size // 3) + b"{}]}",
        "a list of numbers": b'{"item_id": [' + b"7," * (size // 2) + b"7]}",
        "one long text": b'{"item_id": "' + b"x" * size + b'"}',
        "white space": b" " * size + b"{}",
    }.items():
        file.write_bytes(content)
        (spent,) = commands({"": [*EVALCONTRACT, "validate", str(file)]}, 1).values()
        found = (spent.memory - least.memory) / size
        yield f"memory per MB of one document: {name}", f"{found:.1f} MB", "10 MB, or refused"
    file.unlink()


def _milliseconds(spent: Spent) -> str:
    return f"{spent.cpu * 1000:.0f} ms"
