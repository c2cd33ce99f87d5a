"""Tables of items for tests, and what `validate` says of a file with the same rows in the order that a table has."""

from __future__ import annotations

import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalcontract.checking import CellCheck, RunResult, check_files, plan
from evalcontract.validation import Violation

RAG = {"input_schema_type": "rag", "input_schema_version": "1.0"}


def item(number: int, **more: Any) -> dict[str, Any]:
    """A valid rag item."""
    return {
        "item_id": f"q{number:05}",
        "input": {
            "messages": [{"role": "user", "content": f"Which year is number {number}?"}],
            "context": [f"Number {number} is the year {1000 + number}."],
            "document_ids": [f"d{number}"],
        },
        "expected_output": {"response": f"It is {1000 + number} [1]."},
        "metadata": {"raw_metadata": RAG},
        **more,
    }


def mixed(count: int, seed: int = 7) -> list[str]:
    """So many texts: most of them valid items, others broken in each way that a table knows."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        valid = item(number)
        kind = chance.randrange(40)
        text = json.dumps(valid, ensure_ascii=False)
        if kind == 0:
            text = text[: text.index(": ", chance.randrange(len(text) - 60)) + 1]
        elif kind == 1:
            text = json.dumps({**valid, "input": chance.choice((3, {}, {"messages": []}))})
        elif kind == 2 and made:
            text = chance.choice(made)
        elif kind == 3:
            text = json.dumps({**valid, "item_id": f"Q{chance.randrange(count):05}"})
        elif kind == 4:
            text = json.dumps({**valid, "expected_output": None})
        elif kind == 5:
            text = json.dumps({**valid, "input": item(chance.randrange(count))["input"]})
        elif kind == 6:
            text = text.replace("{", '{"item_id": "twice", ', 1)
        elif kind == 7:
            text = json.dumps({**valid, "size": 2**60})
        elif kind == 8:
            text = json.dumps({**valid, "input": {**valid["input"], "context": ["a\r\nb", " \u2028", ""]}})
        made.append(text)
    return made


def in_table_order(texts: Sequence[str], **told: Any) -> list[str]:
    """The texts as a table orders them: those without an error of their own first."""
    check = CellCheck(plan(**told))
    alone = {text: check.check(text.encode("utf-8", "surrogatepass")).errors for text in set(texts)}
    return sorted(texts, key=lambda text: _rank(text, alone[text] > 0))


def _rank(text: str, invalid: bool) -> str:
    raw = text.encode("utf-8", "surrogatepass")
    return f"{invalid:d}{zlib.crc32(raw):08x}{len(raw):x}"


def validated(texts: Sequence[str], folder: Path, **told: Any) -> RunResult:
    """What one process says of a file with these lines."""
    file = folder / "rows.jsonl"
    file.write_bytes(b"".join(text.encode("utf-8", "surrogatepass") + b"\n" for text in texts))
    return check_files([file], plan(**told))


def comparable(violations: Sequence[Violation]) -> Counter[Any]:
    """Violations without what a file and a table name differently: the place, and which other row is meant."""
    return Counter(map(_without_place, violations))


def _without_place(violation: Violation) -> Violation:
    beside = violation.code in ("duplicate-item-id", "duplicate-prediction", "same-input")
    placeless = violation.code in ("same-input", "duplicate-item-id", "look-alike-id", "truncated")
    return replace(
        violation,
        file=None,
        line=None,
        column=None if placeless else violation.column,
        message="" if beside else re.sub(r"line \d+", "line", violation.message),
        item_id=None if violation.code == "same-input" else violation.item_id,
    )
