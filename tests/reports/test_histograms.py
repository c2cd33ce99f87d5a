"""Small histograms in text, and what a pull request gets."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evalcontract.release.stats import Spread
from evalcontract.reports import PLAIN, SCORES
from evalcontract.reports.tables import BLOCKS, histogram
from evalcontract.scoring import Estimate, MeasureResult
from tests.support.cli import run
from tests.support.page_results import pages


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=12))
def test_blocks_are_as_high_as_counts(counts: list[int]) -> None:
    drawn = histogram(counts)
    if not any(counts):
        assert drawn == ""
        return
    heights = [BLOCKS.index(block) for block in drawn]
    assert len(heights) == len(counts)
    assert max(heights) == len(BLOCKS) - 1
    assert [height == 0 for height in heights] == [count == 0 for count in counts]
    for one, other in zip(range(len(counts)), range(1, len(counts)), strict=False):
        assert (counts[one] <= counts[other]) <= (heights[one] <= heights[other])


@given(st.lists(st.integers(0, 100_000), max_size=60))
def test_a_spread_counts_every_number_once(numbers: list[int]) -> None:
    spread = Spread()
    for number in numbers:
        spread.add(number)
    assert sum(spread.histogram()) == len(numbers)
    if numbers:
        assert spread.histogram()[0] > 0
        assert len(set(numbers)) > 1 or spread.histogram().count(0) == 9


def items(count: int) -> dict[str, Any]:
    metadata = {"product_id": "m", "scope": "s", "version": "1.0", "input_schema_type": "qa"}
    rows = [
        {
            "item_id": f"q{number}",
            "input": {"messages": [{"role": "user", "content": "When? " * (number + 1)}]},
            "expected_output": {"response": "At nine."},
        }
        for number in range(count)
    ]
    return {"metadata": metadata, "items": rows}


def test_statistics_draw_how_lengths_are_spread_where_there_are_enough(tmp_path: Path) -> None:
    file = tmp_path / "m_s_v1.0.json"
    file.write_text(json.dumps(items(40)))
    assert "over 40  6 |██████████| 240" in run("dataset", "stats", str(file)).out
    file.write_text(json.dumps(items(4)))
    assert "|" not in run("dataset", "stats", str(file)).out


def test_scores_draw_how_they_are_spread_where_there_are_enough() -> None:
    _, report = pages("text")["scores"]
    drawn = MeasureResult(
        "f1", "answers", Estimate(0.5, 40, 0.4, 0.6), 40, {}, (), 40, 40, (20, *[0] * 8, 20)
    )
    assert "|█        █|" in SCORES.write("text", replace(report, measures=(drawn,)), PLAIN)
    assert "0 to 1" not in SCORES.write("text", report, PLAIN)


def test_a_pull_request_gets_numbers_first_and_items_folded() -> None:
    _, report = pages("some text")["scores"]
    lines = SCORES.write("markdown", report).split("\n")
    table, compared, worst = (
        next(number for number, line in enumerate(lines) if line.startswith(start))
        for start in ("| measure |", "**Compared with", "<details><summary>Worst items</summary>")
    )
    assert table < compared < worst
    folded = lines[worst : lines.index("</details>", worst)]
    assert "  - question: `some text`" in folded
    assert any(line.startswith("  - answer: `some text is open on Mondays") for line in folded)


def test_data_in_a_pull_request_mentions_nobody() -> None:
    _, report = pages("@everyone </details> `x` [a](http://b)")["scores"]
    text = SCORES.write("markdown", report)
    assert "question: `@everyone </details> 'x' [a](http://b)`" in text
    outside = re.sub(r"(?<!\\)`[^`\n]*`", "", text)
    assert "@everyone" not in outside
    assert outside.count("</details>") == outside.count("<details>") == 3
