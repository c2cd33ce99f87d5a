"""Every code that is raised is explained, and every code that is explained is raised."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

import pytest

from evalcontract.checking import RunResult
from evalcontract.predictions.traces.finding import PARTS
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.scanner import scan
from evalcontract.release import CHECKS
from evalcontract.reports import RUN
from evalcontract.reports.codes import CODES, TABLES
from evalcontract.responses.adapters.state_table import MEANINGS
from evalcontract.validation import Violation
from evalcontract.validation.messages import _CATALOGUE
from tests.support.projects import PROJECT

CODE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SOURCES = PROJECT / "src" / "evalcontract"
RAISED_BY = {
    "BadScalar": 0, "Fault": 0, "NotJson": 0, "Notice": 0, "Refusal": 0, "Violation": 0, "_finding": 2, "advice": 0,
    "fault": 0, "notice": 0, "refusal_at": 2, "violation": 0,
}  # fmt: skip
"""What makes a finding or a notice, and where its code stands among the arguments."""
OTHER_FAULTS = {"authoring"}
"""Its `Fault` is a fault of a conformance vector, which has a keyword and no code."""


def named(node: ast.expr) -> Iterator[str]:
    """The codes that an argument may be: a text, or one of two."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from named(node.body)
        yield from named(node.orelse)


def raised() -> dict[str, str]:
    """Each code that stands in the source, with a file that raises it."""
    found = {}
    for path in SOURCES.rglob("*.py"):
        room = path.relative_to(SOURCES).parts[0]
        if room in {"codes", *OTHER_FAULTS}:
            continue
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            place = RAISED_BY.get(name)
            given = [word.value for word in call.keywords if word.arg == "code" and place is not None]
            if place is not None and place < len(call.args):
                given.append(call.args[place])
            found.update({code: path.name for argument in given for code in named(argument)})
    return found


def computed() -> set[str]:
    """The codes that come from tables: of keywords, of how answers end, of parts that a trace may lack."""
    return (
        {row[0] for row in _CATALOGUE.values()}
        | {meaning.code for meaning in MEANINGS}
        | {f"missing-{part}" for part in PARTS}
        | {"rule-broken", "unknown-schema-type", "unknown-schema-version"}
    )


def test_every_code_that_is_raised_is_explained() -> None:
    known = {*CODES, *(check.code for check in CHECKS)}
    assert {code: file for code, file in raised().items() if code not in known} == {}
    assert computed() - known == set()


def test_every_code_that_is_explained_is_raised() -> None:
    assert set(CODES) - set(raised()) - computed() == set()


def test_a_code_is_explained_once_in_full() -> None:
    entries = [entry for table in TABLES.values() for entry in table]
    assert len(entries) == len(CODES)
    for entry in entries:
        assert CODE.fullmatch(entry.code)
        assert all(entry)


@pytest.mark.parametrize(
    "code", ["syntax", "truncated", "duplicate-key", "not-finite", "lone-surrogate", "trailing-content"]
)
def test_the_examples_of_strict_reading_are_refused_with_their_code(code: str) -> None:
    examples = re.findall(r"`([^`]+)`", CODES[code].example)
    assert examples
    for example in examples:
        with pytest.raises(Refusal) as refused:
            scan(example.encode())
        assert refused.value.code == code


def test_sarif_explains_the_codes_of_its_results() -> None:
    violation = Violation("duplicate-key", "duplicate key 'a'", file="items.jsonl", line=1, column=9)
    result = RunResult((), (violation,), (), (), False, {})
    (rule,) = json.loads(RUN.write("sarif", result))["runs"][0]["tool"]["driver"]["rules"]
    assert rule["fullDescription"]["text"] == CODES["duplicate-key"].meaning
    assert CODES["duplicate-key"].way_out in rule["help"]["text"]
