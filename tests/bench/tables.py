"""What is measured, each as one Markdown table."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from tests.bench import goals, pipelines
from tests.bench.data import Items, write_array, write_lines, write_run
from tests.bench.measure import Spent, commands, cpu_of_processes, cpu_seconds, tool

MB = 1_000_000
SHARES = {"clean": 0.0, "1% bad": 0.01, "30% bad": 0.3}
EVALCONTRACT = (sys.executable, "-m", "evalcontract")


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured: items a file, rounds, sizes for memory and for two cores in MB."""

    items: int
    slow_items: int
    rounds: int
    sizes: tuple[int, ...]
    cores_mb: int
    array_mb: int
    scored: int
    goals_mb: int


FULL = Scale(20_000, 1_000, 5, (10, 100, 1000), 1000, 25, 30_000, 200)
QUICK = Scale(2_000, 200, 3, (10, 40), 80, 5, 1_000, 20)


def all_tables(folder: Path, scale: Scale) -> Iterator[str]:
    """Every table, as soon as it is measured."""
    yield goals_table(folder, scale)
    yield throughput(folder, scale)
    yield against_check_jsonschema(folder, scale)
    yield memory(folder, scale)
    yield cold_start(folder, scale)
    yield cores(folder, scale)
    yield scoring(folder, scale)


def goals_table(folder: Path, scale: Scale) -> str:
    """What is aimed at, and how far it is reached."""
    found = goals.rows(folder, scale.items, scale.goals_mb, scale.rounds)
    return table("What is aimed at", ["", "measured", "goal"], found)


def throughput(folder: Path, scale: Scale) -> str:
    """CPU time per item as multiples of orjson.loads on the same lines."""
    columns: dict[str, dict[str, float]] = {}
    size = 0.0
    for name, share in SHARES.items():
        lines = list(Items(share).lines(scale.items))
        file = folder / "items.jsonl"
        file.write_bytes(b"".join(line + b"\n" for line in lines))
        few = lines[: scale.slow_items]
        size = sum(map(len, lines)) / len(lines)
        taken = cpu_seconds(
            {
                pipelines.LIMIT: pipelines.with_orjson(lines),
                "jiter alone, strict": pipelines.with_jiter(lines),
                pipelines.OURS: pipelines.validate_file(str(file)),
                "pydantic TypeAdapter.validate_json": pipelines.with_pydantic(lines),
                "orjson + fastjsonschema": pipelines.with_fastjsonschema(lines),
                pipelines.REFERENCE: pipelines.with_jsonschema(few),
            },
            scale.rounds,
        )
        taken[pipelines.REFERENCE] *= len(lines) / len(few)
        columns[name] = {way: each / taken[pipelines.LIMIT] for way, each in taken.items()}
    rows = [[way, *(f"{column[way]:.2f}x" for column in columns.values())] for way in columns["clean"]]
    clean = columns["clean"]
    against = clean[pipelines.REFERENCE] / clean[pipelines.OURS]
    return table(
        f"CPU time of one process, as a multiple of parsing alone ({scale.items:,} items of {size / 1000:.1f} KB)",
        ["", *columns],
        rows,
        f"On clean data evalcontract costs {against:.0f} times less than jsonschema alone, and finds repeated "
        f"ids, repeated keys and lines that aren't strict JSON as well; 1% bad items cost "
        f"{columns['1% bad'][pipelines.OURS] / clean[pipelines.OURS]:.2f} times as much as none.",
    )


def against_check_jsonschema(folder: Path, scale: Scale) -> str:
    """check-jsonschema reads no JSON Lines: both get one array."""
    file, schema = folder / "array.json", folder / "schema.json"
    count = write_array(file, Items(), scale.array_mb * MB)
    schema.write_bytes(orjson.dumps({"type": "array", "items": pipelines.item_schema()}))
    spent = commands(
        {
            "evalcontract validate": [*EVALCONTRACT, "validate", str(file)],
            "check-jsonschema": [tool("check-jsonschema"), "--schemafile", str(schema), str(file)],
        },
        rounds=1 if scale is FULL else scale.rounds,
    )
    rows = [[name, seconds(each.cpu), megabytes(each)] for name, each in spent.items()]
    title = f"One JSON array of {count:,} items ({scale.array_mb} MB), start of the program included"
    return table(title, ["", "CPU time", "peak memory"], rows)


def memory(folder: Path, scale: Scale) -> str:
    """Peak resident memory of the command on files of growing size."""
    rows = []
    for kind, suffix, write in (("JSON Lines", "jsonl", write_lines), ("one array", "json", write_array)):
        row = [kind]
        for size in scale.sizes:
            file = folder / f"memory.{suffix}"
            count = write(file, Items(), size * MB)
            (spent,) = commands({"": [*EVALCONTRACT, "validate", "--jobs", "1", str(file)]}, 1).values()
            row.append(f"{megabytes(spent)} ({spent.cpu / count * 1e6:.1f} µs an item)")
            file.unlink()
        rows.append(row)
    return table(
        "Peak memory of evalcontract validate, one process",
        ["", *(f"{size} MB" for size in scale.sizes)],
        rows,
    )


def cold_start(folder: Path, scale: Scale) -> str:
    """From nothing to the answer."""
    file, schema = folder / "small.json", folder / "schema.json"
    write_array(file, Items(), 20_000)
    schema.write_bytes(orjson.dumps({"type": "array", "items": pipelines.item_schema()}))
    check_jsonschema = tool("check-jsonschema")
    spent = commands(
        {
            "evalcontract --version": [*EVALCONTRACT, "--version"],
            "check-jsonschema --version": [check_jsonschema, "--version"],
            "evalcontract validate, 4 items": [*EVALCONTRACT, "validate", str(file)],
            "check-jsonschema, 4 items": [check_jsonschema, "--schemafile", str(schema), str(file)],
        },
        scale.rounds,
    )
    rows = [[name, seconds(each.cpu), megabytes(each)] for name, each in spent.items()]
    return table("Cold start", ["", "CPU time", "peak memory"], rows)


def cores(folder: Path, scale: Scale) -> str:
    """Two processes against one, by the clock."""
    file = folder / "cores.jsonl"
    write_lines(file, Items(), scale.cores_mb * MB)
    spent = commands(
        {jobs: [*EVALCONTRACT, "validate", "--jobs", jobs, str(file)] for jobs in ("1", "2")}, scale.rounds
    )
    one, two = spent["1"], spent["2"]
    file.unlink()
    return table(
        f"Two cores against one ({scale.cores_mb} MB of JSON Lines, by the clock)",
        ["--jobs", "wall time", "CPU time"],
        [[jobs, seconds(each.wall), seconds(each.cpu)] for jobs, each in spent.items()],
        f"Two processes are {one.wall / two.wall:.2f} times as fast as one.",
    )


def scoring(folder: Path, scale: Scale) -> str:
    """A scored run in two processes against one: by the clock, and by the CPU time of the busier of the two.

    The latter is what the clock shows where both cores are free, and holds on a busy machine too.
    """
    items, runs = folder / "scored.json", folder / "predictions.jsonl"
    write_run(items, runs, scale.scored)
    command = [*EVALCONTRACT, "score", str(runs), "--dataset", str(items), "--worst", "0"]
    spent = commands({jobs: [*command, "--jobs", jobs] for jobs in ("1", "2")}, 1)
    one, two = spent["1"], spent["2"]
    busier = {jobs: max(cpu_of_processes([*command[2:], "--jobs", jobs])) for jobs in ("1", "2")}
    items.unlink()
    runs.unlink()
    return table(
        f"A scored run of {scale.scored:,} items, all metrics of rag",
        ["--jobs", "wall time", "CPU time", "CPU time an item", "CPU time of the busier process"],
        [
            [
                jobs,
                seconds(each.wall),
                seconds(each.cpu),
                f"{each.cpu / scale.scored * 1e3:.2f} ms",
                seconds(busier[jobs]),
            ]
            for jobs, each in spent.items()
        ],
        f"Two processes are {one.wall / two.wall:.2f} times as fast as one by the clock, "
        f"{busier['1'] / busier['2']:.2f} times by the CPU time of the busier one.",
    )


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], note: str = "") -> str:
    """A Markdown table under a heading."""
    lines = [f"### {title}", "", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, "", *([note, ""] if note else [])])


def seconds(value: float) -> str:
    """Seconds with a sensible number of digits."""
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


def megabytes(spent: Spent) -> str:
    """Peak memory."""
    return f"{spent.memory / MB:.0f} MB"
