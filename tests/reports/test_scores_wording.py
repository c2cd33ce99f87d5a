"""What is scored and what is recorded, told so that the two numbers don't contradict each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcontract.reports import SCORES
from evalcontract.scoring import ScoreReport, ScoreRequest, ScoreSettings
from tests.support.scoring import item, prediction, scored

ITEMS = [item(name, citations=[{"document_id": "hours"}]) for name in "abc"]
RIGHT = "The library opens at nine [1]."


@pytest.fixture
def read_from_numbers(tmp_path: Path) -> ScoreReport:
    """One record says what was cited, in two [1] is read as the first document."""
    records = [prediction("a", RIGHT, citations=[{"document_id": "hours"}])]
    records += [prediction(name, RIGHT) for name in "bc"]
    wanted = ScoreRequest(bounds={"citation_f1": 0.5}, by=("/item_id",))
    return scored(tmp_path, ITEMS, records, ScoreSettings(("citation_f1",)), wanted)


@pytest.mark.parametrize("format_", ["text", "markdown", "html"])
def test_values_that_rest_on_a_part_are_told_beside_the_number_of_values(
    format_: str, read_from_numbers: ScoreReport
) -> None:
    told = SCORES.write(format_, read_from_numbers)
    assert "3 of 3, 1 in full" in told
    assert "1 of 3 recorded in full, the other values rest on less: citation_f1" in told
    assert "citation_f1 is recorded in full for 1 of 3 items, all are demanded" in told
    assert "1 of 1, 0 in full" in told  # the slices


def test_where_all_is_recorded_nothing_is_added(tmp_path: Path) -> None:
    records = [prediction(name, RIGHT, citations=[{"document_id": "hours"}]) for name in "abc"]
    report = scored(tmp_path, ITEMS, records, ScoreSettings(("citation_f1",)))
    assert "in full" not in SCORES.write("text", report)
