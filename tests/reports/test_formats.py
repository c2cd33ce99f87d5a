"""The table of formats, and the tables of text."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract import reports
from evalcontract.errors import UsageError
from evalcontract.reports import Formats, Look
from evalcontract.reports.tables import aligned, width

ROWS = {name: found for name, found in vars(reports).items() if isinstance(found, Formats)}


@pytest.mark.parametrize("name", ROWS)
def test_every_format_of_a_result_takes_that_result(name: str) -> None:
    results = set()
    for format_ in ROWS[name].names:
        first, *rest = inspect.signature(ROWS[name].writer(format_)).parameters.values()
        results.add(first.annotation)
        assert [each.name for each in rest] == (["look"] if format_ == "text" else [])
    assert len(results) == 1


@pytest.mark.parametrize("name", ROWS)
def test_text_is_a_format_of_everything_and_an_unknown_one_lists_the_known(name: str) -> None:
    assert ROWS[name].names[0] == "text"
    with pytest.raises(UsageError, match="there is no format 'xml'") as raised:
        ROWS[name].write("xml", None, Look())
    assert raised.value.hint == f"known: {', '.join(ROWS[name].names)}"


CELLS = st.text("ab 日本\u0301", max_size=6).map(str.strip)


@given(
    st.integers(1, 4).flatmap(lambda n: st.lists(st.tuples(*[CELLS] * n), max_size=6)),
    st.sets(st.integers(0, 3)),
)
def test_columns_of_a_table_begin_and_end_together(rows: list[tuple[str, ...]], right: set[int]) -> None:
    lines = list(aligned(rows, right=right))
    assert len(lines) == len(rows)
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row, line in zip(rows, lines, strict=True):
        assert width(line) <= sum(widths) + 2 * (len(widths) - 1)
        at = 0
        for number, (cell, wide) in enumerate(zip(row, widths, strict=True)):
            before = wide - width(cell) if number in right else 0
            assert not cell or line[_offset(line, at + before) :].startswith(cell)
            at += wide + 2


def _offset(line: str, columns: int) -> int:
    """The index of the character at a column."""
    return next(index for index in range(len(line) + 1) if width(line[:index]) >= columns)


def test_colours_take_no_room() -> None:
    assert list(aligned([("\x1b[31mfail\x1b[0m", "a"), ("passed", "b")])) == [
        "\x1b[31mfail\x1b[0m    a",
        "passed  b",
    ]
