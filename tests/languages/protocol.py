"""How a language is asked: a driver reads cases from standard input, one a line, and answers each with a line.

Case:   {"id": 7, "contract": "rag_input@1.0", "bytes": "<base64 of a text>"}
Answer: {"id": 7, "fault": null, "violations": [[pointer, keyword, code, message], ...], "written": "<JSON>"}

`contract` may also be "@item" and "@dataset", which follow the declared type, and "@json", which only reads.
`fault` is the code of the strict reader's refusal; `violations` is empty then. `written` is the text that the
language writes of the value: of its typed form when the value keeps its contract, of any JSON value for "@json",
else null. The keyword of a finding that no keyword of a schema makes is null.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from evalcontract.catalog import default_catalogue
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.strict import parse
from evalcontract.validation import ItemChecker, Violation, iter_violations
from tests.languages.toolchains import run

ITEM, DATASET, JSON = "@item", "@dataset", "@json"
BOM = b"\xef\xbb\xbf"

Finding = tuple[str, str | None, str, str]
"""Pointer, keyword, code and message."""


@dataclass(frozen=True)
class Case:
    """A text to be read and judged; `name` is for messages."""

    contract: str
    text: bytes
    name: str = ""


@dataclass(frozen=True)
class Answer:
    """What a language says of a case; `written` is a value, when something was written."""

    fault: str | None
    findings: frozenset[Finding]
    written: tuple[Any, ...] = ()


def lines_of(cases: Sequence[Case]) -> str:
    """The cases as a driver reads them."""
    lines = (
        json.dumps({"id": number, "contract": case.contract, "bytes": base64.b64encode(case.text).decode()})
        for number, case in enumerate(cases)
    )
    return "\n".join(lines) + "\n"


def asked(command: Sequence[str | Path], cases: Sequence[Case], cwd: Path) -> list[Answer]:
    """The answers of a driver, in the order of the cases."""
    return list(map(_answer, raw_answers(command, cases, cwd)))


def raw_answers(command: Sequence[str | Path], cases: Sequence[Case], cwd: Path) -> list[dict[str, Any]]:
    """What a program prints when it is given the cases, in their order."""
    printed = run(*command, cwd=cwd, stdin=lines_of(cases))
    answers = [json.loads(line) for line in printed.split("\n") if line]
    assert [answer["id"] for answer in answers] == list(range(len(cases)))
    return answers


def _answer(raw: dict[str, Any]) -> Answer:
    written = () if raw["written"] is None else (json.loads(raw["written"]),)
    return Answer(raw["fault"], frozenset(tuple(found) for found in raw["violations"]), written)


@cache
def expected(case: Case) -> Answer:
    """What this package says of a case."""
    text = case.text.removeprefix(BOM)
    if not text.strip(b" \t\r\n"):
        return Answer("empty-file", frozenset())
    try:
        value, _ = parse(text)
    except Refusal as refusal:
        return Answer(refusal.code, frozenset())
    found = frozenset(map(_finding, _violations(case.contract, value)))
    keeps = (not found and not case.contract.startswith("@")) or case.contract == JSON
    return Answer(None, found, (value,) if keeps else ())


def _finding(violation: Violation) -> Finding:
    return violation.pointer, violation.keyword, violation.code, violation.message


def _violations(contract: str, value: Any) -> Iterator[Violation]:
    if contract == JSON:
        return
    if contract == ITEM:
        yield from of_item(value, None)
    elif contract == DATASET:
        yield from of_dataset(value)
    else:
        yield from iter_violations(value, contract)


def of_item(item: Any, metadata: object) -> list[Violation]:
    """The errors in an item under the type that it or its dataset declares, and what is said of the version."""
    checker = ItemChecker(default_catalogue(), dataset_metadata=metadata)
    found = checker.check(item).violations
    return [each for each in found if each.severity == "error" or each.code == "unknown-minor-version"]


def of_dataset(dataset: Any) -> Iterator[Violation]:
    """Those of a dataset and of its items, each place and keyword once, pointers from the top."""
    seen = set()
    items = dataset.get("items") if isinstance(dataset, dict) else None
    metadata = dataset.get("metadata") if isinstance(dataset, dict) else None
    of_items = (
        replace(violation, pointer=f"/items/{number}{violation.pointer}")
        for number, item in enumerate(items if isinstance(items, list) else [])
        for violation in of_item(item, metadata)
    )
    for violation in [*of_items, *iter_violations(dataset, "dataset")]:
        key = (violation.pointer, violation.keyword or violation.code)
        if key not in seen:
            seen.add(key)
            yield violation


_FRACTION = re.compile(r"\bnumber (-?[0-9]+)\.0$")
_KEYS = re.compile(r"object with (.*[^…])$", re.DOTALL)


def comparable(answer: Answer) -> tuple[str | None, frozenset[Finding]]:
    """An answer without what some languages can't know: how a whole number and the order of keys was written."""
    return answer.fault, frozenset(
        (pointer, keyword, code, same_words(message)) for pointer, keyword, code, message in answer.findings
    )


@cache
def same_words(message: str) -> str:
    """A message without what some languages can't know."""
    whole = _FRACTION.sub(r"integer \1", message).replace("integer -0", "integer 0")
    keys = _KEYS.search(whole)
    return f"{whole[: keys.start()]}object with {sorted(keys[1].split(', '))}" if keys else whole


_WHOLE = {"typed_item": ITEM, "typed_dataset": DATASET}


def cases_of(pack: Path) -> Iterable[Case]:
    """Every vector of the conformance pack that is of a contract, as a case."""
    for file in _vectors(pack):
        name, version = file.parts[-4:-2]
        if name not in _WHOLE:
            yield Case(f"{name}@{version}", file.read_bytes(), "/".join(file.parts[-4:]))


def typed_cases_of(pack: Path) -> Iterable[Case]:
    """Every vector of whole items and datasets."""
    for file in _vectors(pack):
        if kind := _WHOLE.get(file.parts[-4]):
            yield Case(kind, file.read_bytes(), "/".join(file.parts[-4:]))


def _vectors(pack: Path) -> list[Path]:
    return sorted(pack.glob("*/*/*valid/*.json"))
