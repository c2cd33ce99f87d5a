"""Constraints in which the oldest versions that the package allows stand in for the pinned ones.

    uv pip compile --resolution lowest-direct pyproject.toml | python -m tools.oldest > oldest.txt

Tools that only developers need stay at the versions of constraints.txt.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

_FOLLOW = ("check-jsonschema", "datasets", "dill", "huggingface-hub", "multiprocess")
"""Tools whose pinned version wants newer dependencies than the package does: an older version is found for them."""
PROJECT = Path(__file__).resolve().parents[1]


def constraints(pinned: Iterable[str], lowest: Iterable[str]) -> Iterator[str]:
    """The lowest versions, and the pins of all that isn't among them."""
    oldest = {_name(line): line.strip() for line in lowest if "==" in line}
    yield from (line.strip() for line in pinned if _name(line) not in {*oldest, *_FOLLOW})
    yield from oldest.values()


def _name(line: str) -> str:
    return re.sub(r"[-_.]+", "-", line.partition("==")[0].strip()).lower()


if __name__ == "__main__":
    pins = (PROJECT / "constraints.txt").read_text("utf-8").splitlines()
    sys.stdout.write("\n".join(constraints(pins, sys.stdin)) + "\n")
