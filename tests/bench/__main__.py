"""Measures and prints what the speed of evalcontract is, compared with others on the same data.

Run: python -m tests.bench [--quick] [--write FILE]...
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from importlib.metadata import version
from pathlib import Path

from tests.bench import bench_metrics
from tests.bench.tables import FULL, QUICK, all_tables

_BEGIN = "<!-- benchmarks: written by make bench -->"
_END = "<!-- end of benchmarks -->"
_TOOLS = ("orjson", "jiter", "jsonschema", "jsonschema-rs", "fastjsonschema", "pydantic", "check-jsonschema")


def main() -> None:
    """Measure, print, and write where asked to."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small data: a look, not a measurement")
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FILE",
        action="append",
        default=[],
        help="write the tables between FILE's markers; may be repeated",
    )
    options = parser.parse_args()
    tables = [_circumstances()]
    print(tables[0])
    with tempfile.TemporaryDirectory(prefix="evalcontract-bench-") as folder:
        for each in all_tables(Path(folder), QUICK if options.quick else FULL):
            print(each, flush=True)
            tables.append(each)
    tables.append("### Metrics\n\n" + bench_metrics.table(5_000 if options.quick else 100_000))
    print(tables[-1])
    for file in options.write:
        write_between_markers(file, "\n".join(tables))


def write_between_markers(file: Path, text: str) -> None:
    """Replace what stands between the markers of a file; ValueError when it has none."""
    before, begin, rest = file.read_text(encoding="utf-8").partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"{file} has no lines {_BEGIN} and {_END}")
    file.write_text(f"{before}{_BEGIN}\n\n{text}\n{_END}{after}", encoding="utf-8")


def _circumstances() -> str:
    tools = ", ".join(f"{name} {version(name)}" for name in _TOOLS)
    return (
        f"Measured with Python {platform.python_version()} on {os.cpu_count()} cores ({platform.machine()}), "
        f"all ways in turns, the least of several rounds. {tools}.\n"
    )


if __name__ == "__main__":
    main()
