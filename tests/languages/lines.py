"""What the iterators over JSON Lines must say of a file: what this package says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalcontract.catalog import default_catalogue
from evalcontract.reading import Document, Fault, Limits, read
from evalcontract.validation import ItemChecker
from tests.support.projects import PROJECT

GOOD = {
    "item_id": "a",
    "input": {"messages": [{"role": "user", "content": "é\u2028\u0085"}]},
    "expected_output": {"response": "x"},
}
TAGGED = GOOD | {"metadata": {"raw_metadata": {"input_schema_type": "rag", "input_schema_version": "1.0"}}}
REFUSED = PROJECT / "schemas" / "conformance" / "reading" / "refused"
FILES = {
    "every refusal": b"{}\n"
    + b"\n".join(
        text for text in map(Path.read_bytes, sorted(REFUSED.iterdir())) if text.strip() and b"\n" not in text
    ),
    "first of two keys": '{"é": {"b": 1}, "a": [{"a": 1}], "\\u0061": 2}'.encode(),
    "mixed": b"\xef\xbb\xbf"
    + b"\n".join(
        [
            json.dumps(GOOD, ensure_ascii=False).encode(),
            b"",
            json.dumps(TAGGED).encode() + b"\r",
            b'{"item_id": "b", "item_id": "c"}',
            json.dumps(GOOD | {"input": 3}).encode(),
            b" \t",
            b"[1",
            '{"é": nan}'.encode(),
            b'"\xff"',
            b'{"item_id": "' + b"x" * 3000 + b'"}',
            json.dumps(TAGGED | {"expected_output": None}).encode(),
        ]
    ),
    "empty": b"",
    "blank": b"\n \n\r\n",
    "blank and long": b"\n".join(
        [b" " * 3000, b"{}", b"\t" * 70_000, b"[1", b" \r" * 1500, b" " * 2000, b" " * 2001, b" " * 5000]
    ),
    "long, and blank at first": b"\n".join(
        [b" " * 3000 + b"{}", b" " * 70_000 + b"{", b"{}" + b" " * 3000, b"x" + b" " * 2000]
    ),
    "long, and blank at first, alone": b" " * 2001 + b"{}",
    "indented": b'\n{\n  "item_id": "a"\n}\n',
    "without a last line end": b"{}",
    "pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n",
}
LONGEST = 2000
METADATA = {"input_schema_type": "rag", "input_schema_version": "1.0"}


def expected_lines(path: Path, metadata: object) -> Iterator[dict[str, Any]]:
    """A dict for each line that holds something; a fault of a whole file has no line."""
    checker = ItemChecker(default_catalogue(), dataset_metadata=metadata)
    for event in read(path, items=True, format="lines", limits=Limits(document_bytes=LONGEST)):
        if isinstance(event, Fault):
            position = event.position
            place = [position.line, position.column] if position else None
            yield {"contract": None, "fault": [event.code, place, event.message], "violations": []}
        elif isinstance(event, Document):
            verdict = checker.check(event.value)
            found = [each for each in verdict.violations if each.severity == "error"]
            listed = sorted([each.pointer, each.keyword, each.code, each.message] for each in found)
            yield {"contract": verdict.contract, "fault": None, "violations": listed}


def comparable_lines(printed: str) -> list[dict[str, Any]]:
    """What a language printed, in the same form."""
    made = []
    for line in map(json.loads, printed.splitlines()):
        fault = line["fault"]
        if fault:
            code, line_number, column, message = fault
            place = None if code == "empty-file" else [line_number, column]
            fault = [code, place, message]
        made.append(
            {
                "contract": line["contract"],
                "fault": fault,
                "violations": sorted(map(list, line["violations"])),
            }
        )
    return made
