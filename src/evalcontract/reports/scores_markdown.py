"""The report of a scoring run for a pull request, in Markdown: outcome and numbers first, items folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evalcontract.reports.scores import (
    Row,
    changed_most,
    difference_rows,
    heading,
    measure_rows,
    number,
    remarks,
    repeated,
    unchanged,
    verdict,
    without_value,
)
from evalcontract.reports.scores_parts import tables
from evalcontract.scoring import ScoreReport, WorstItem
from evalcontract.values import visible

_LONGEST = 300


def scores_markdown(report: ScoreReport) -> str:
    """The outcome, tables of measures and differences, and folded what concerns single items."""
    return "\n".join(_markdown(report)) + "\n"


def _markdown(report: ScoreReport) -> Iterator[str]:
    """The outcome and the numbers first; items are folded, so that a pull request stays short."""
    yield f"**{cell(heading(report))}**"
    yield ""
    yield f"**{cell(verdict(report))}**"
    yield ""
    yield from table(measure_rows(report.measures))
    for title, rows in tables(report):
        yield f"{title.capitalize()}:"
        yield ""
        yield from table(rows)
    if report.comparison:
        yield f"**Compared with {cell(visible(report.comparison.other))}**"
        yield ""
        yield from table(difference_rows(report.comparison))
        yield from _list("Unchanged", map(cell, unchanged(report.comparison)))
    yield from _list("Repetitions", map(cell, repeated(report)))
    yield from _list("Notes", map(cell, remarks(report)))
    if report.comparison:
        changed = (f"- {cell(line)}" for line in changed_most(report.comparison))
        yield from _details("Items that changed most", changed)
    yield from _details("Worst items", _worst_markdown(report))
    without = (f"- {cell(line)}" for line in without_value(report.measures))
    yield from _details("Without a value", without)


def _worst_markdown(report: ScoreReport) -> Iterator[str]:
    """Each item with its texts and where it is lowest."""
    for item in report.worst:
        yield f"- **{number(item.mean)} {cell(visible(item.item_id))}**"
        for what, said in _texts(item):
            yield f"  - {what}: {_span(said)}"
        for name, value, reason in item.lowest:
            yield f"  - `{name}` {number(value)}" + (f": {cell(visible(reason, _LONGEST))}" if reason else "")


def _texts(item: WorstItem) -> Iterator[tuple[str, str]]:
    evidence = item.evidence
    if evidence.get("question"):
        yield "question", evidence["question"]
    if expected := evidence.get("expected", {}).get("response"):
        yield "expected", expected
    for answer in evidence.get("answers", ()):
        yield "answer", answer["response"] if answer["response"] is not None else "(none)"
        missing = [term["text"] for sentence in answer["sentences"] or () for term in sentence["missing"]]
        if missing:
            yield "in no document", ", ".join(dict.fromkeys(missing))


def _span(text: str) -> str:
    """Text of data as code: nothing in it is a link, a mention or Markdown."""
    return f"`{visible(text, _LONGEST).replace('`', chr(39))}`"


def _details(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield from _block(f"<details><summary>{title}</summary>", lines, "</details>", "")


def table(rows: Sequence[Row]) -> Iterator[str]:
    """The lines of a table, whose first row is its head; nothing where there is no other row."""
    if len(rows) > 1:
        head, *body = rows
        yield _row(head)
        yield _row(("---", *["---:"] * (len(head) - 1)))
        yield from map(_row, body)
        yield ""


def _row(cells: Row) -> str:
    return f"| {' | '.join(map(cell, cells))} |"


def _list(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield from _block(f"{title}:", (f"- {line}" for line in lines))


def _block(head: str, lines: Iterable[str], *end: str) -> Iterator[str]:
    """A head, some lines and what closes them, each on its own; nothing without a line."""
    found = list(lines)
    if found:
        yield from (head, "", *found, "", *end)


def cell(text: str) -> str:
    """Text that can't break out of a table or pose as Markdown."""
    for special in "\\|`*<>[]":
        text = text.replace(special, f"\\{special}")
    return text.replace("@", "@<!-- -->")  # an empty comment keeps a mention from being one
