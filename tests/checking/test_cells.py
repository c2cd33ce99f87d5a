"""A cell is judged as the only line of a file is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evalcontract.checking import CellCheck, check_files, plan
from evalcontract.errors import UsageError
from evalcontract.reading import Limits, limited
from evalcontract.validation import Violation
from tests.checking.test_parallel import LINES

CELLS = [raw for raw in LINES if raw.strip() and raw != b"\xff\xfe"]  # at the head of a file these are UTF-16
NOT_OF_A_CELL = {"nothing-checked", "empty-file", "blank-lines"}


def of_file(violation: Violation) -> Violation:
    return replace(violation, file=None)


@pytest.mark.parametrize("raw", CELLS)
@pytest.mark.parametrize("contract", [None, "prediction_record", "evaluation_item@1.0"])
def test_a_cell_gets_the_verdict_of_a_line(raw: bytes, contract: str | None, tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    file.write_bytes(raw)
    expected = check_files([file], plan(contract=contract))
    found = CellCheck(plan(contract=contract)).check(raw)
    theirs = [of_file(violation) for violation in expected.violations if violation.code not in NOT_OF_A_CELL]
    assert list(found.violations) == theirs
    assert found.errors == sum(violation.severity == "error" for violation in theirs)
    assert [found.contract] * (found.contract is not None) == [
        name for name, _ in expected.files[0].contracts
    ]


def test_nothing_is_read_beyond_the_limits() -> None:
    check = CellCheck(plan())
    with limited(Limits(document_bytes=100)):
        assert [found.code for found in check.check(b'{"item_id": "' + b"x" * 200 + b'"}').violations] == [
            "too-long"
        ]
    with limited(Limits(document_values=10)):
        many = b'{"item_id": "a", "input": {"n": [' + b"1," * 600_000 + b"1]}}"
        assert [found.code for found in check.check(many).violations] == ["too-many-values"]


def test_an_empty_cell_is_no_item() -> None:
    for raw in (b"", b" \n"):
        (found,) = CellCheck(plan()).check(raw).violations
        assert found.severity == "error"
    (found,) = CellCheck(plan()).check(None).violations
    assert (found.code, found.actual) == ("null-cell", "NULL")


def test_a_text_over_several_lines_has_places() -> None:
    (found,) = CellCheck(plan()).check(b'{"item_id": "a",\r\n "input": 3}').violations
    assert (found.pointer, found.line, found.column) == ("/input", 2, 11)


def test_a_dataset_is_no_cell() -> None:
    with pytest.raises(UsageError, match="not a whole dataset"):
        CellCheck(plan(contract="dataset"))
