"""Reports of a scoring run for people, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.scores_gates import failures, notes
from evalcontract.reports.scores_parts import scored_of, tables
from evalcontract.reports.tables import ENOUGH, aligned, histogram
from evalcontract.reports.text import paint
from evalcontract.scoring import Estimate, MeasureResult, RunComparison, ScoreReport
from evalcontract.values import counted, visible

_RED, _GREEN, _BOLD, _YELLOW = "31", "32", "1", "33"
_FEW = 30
_SHOWN = 10

Row = tuple[str, ...]


def scores_text(report: ScoreReport, look: Look = PLAIN) -> str:
    """The run in a line, a table with a row a measure, what has no value and why, the worst items, the verdict."""
    return "\n".join(_lines(report, look.colour)) + "\n"


def heading(report: ScoreReport) -> str:
    """What was scored."""
    if report.dataset is None:
        return visible(f"{report.predictions}: {counted(report.items, 'record')} without a dataset")
    with_prediction = report.items - len(report.missing)
    items = counted(report.items, "item")
    return visible(f"{report.name or report.dataset}: {items}, {with_prediction:,} with a prediction")


def verdict(report: ScoreReport) -> str:
    """The outcome in one line."""
    measured = [measure for measure in report.measures if measure.estimate]
    if not measured:
        return "failed: nothing could be scored"
    below = list(failures(report))
    if below:
        return f"failed: {'; '.join(below)}"
    held = f", {counted(len(report.gates), 'bound')} met" if report.gates else ""
    return f"ok: {counted(report.items, 'item')} scored on {counted(len(measured), 'measure')}{held}"


def _lines(report: ScoreReport, colour: bool) -> Iterator[str]:
    yield paint(heading(report), _BOLD, colour)
    yield ""
    yield from _aligned(_with_histograms(report.measures))
    for title, rows in tables(report):
        yield from _section(title, _aligned(rows), colour)
    yield from _section("without a value", without_value(report.measures), colour)
    yield from _section("repetitions", repeated(report), colour)
    yield from _section("worst items", _worst(report), colour)
    if report.comparison:
        yield from _comparison(report.comparison, colour)
    yield ""
    for note in remarks(report):
        yield f"{paint('note:', _YELLOW, colour)} {note}"
    yield paint(verdict(report), _GREEN if report.exit_code == 0 else _RED, colour)


def _section(title: str, lines: Iterable[str], colour: bool) -> Iterator[str]:
    found = list(lines)
    if found:
        yield ""
        yield paint(title, _BOLD, colour)
        yield from (f"  {line}" for line in found)


def measure_rows(measures: Sequence[MeasureResult]) -> list[Row]:
    """A head, and a row a measure that has a value."""
    rows: list[Row] = [("measure", "mean", "95 % interval", "scored")]
    for measure in measures:
        if measure.estimate:
            mean, interval = number(measure.estimate.mean), _interval(measure.estimate)
            rows.append((measure.name, mean, interval, scored_of(measure)))
    return rows


def _with_histograms(measures: Sequence[MeasureResult]) -> list[Row]:
    """The rows, with how the scores are spread from 0 to 1 where some measure has enough of them."""
    rows, found = measure_rows(measures), [measure for measure in measures if measure.estimate]
    if all(measure.n_scored < ENOUGH for measure in found):
        return rows
    drawn = [f"|{histogram(measure.histogram):10}|" for measure in found]
    return [(*row, cell) for row, cell in zip(rows, ["0 to 1", *drawn], strict=True)]


def _aligned(rows: Sequence[Row]) -> Iterator[str]:
    """The first column to the left, the others to the right."""
    if len(rows) > 1:
        yield from aligned(rows, right=range(1, len(rows[0])))


def without_value(measures: Sequence[MeasureResult]) -> Iterator[str]:
    """Each reason once, with the measures and the number of items that it concerns."""
    names: dict[tuple[str, int], list[str]] = {}
    for measure in measures:
        for reason, count in measure.reasons.items():
            names.setdefault((reason, count), []).append(measure.name)
    for (reason, count), found in names.items():
        yield f"{visible(reason)} ({counted(count, 'item')}): {', '.join(_folded(found))}"


def _folded(names: Iterable[str]) -> Iterator[str]:
    """`recall_at_1, recall_at_5` as `recall_at_1,5`."""
    for head, found in groupby(names, key=lambda name: name.rpartition("_at_")[0] or name):
        cuts = [name.rpartition("_at_")[2] for name in found]
        yield head if cuts == [head] else f"{head}_at_{','.join(cuts)}"


def repeated(report: ScoreReport) -> Iterator[str]:
    """How far the repetitions of an item lie apart, and of 0/1 measures how often one or all of them score 1."""
    for found in report.repeated:
        passed = ""
        both = found.always.keys() & found.at_least_once.keys()
        if both:
            k = max(both)
            passed = f", pass@{k} {number(found.at_least_once[k])}, pass^{k} {number(found.always[k])}"
        yield f"{found.name}: within an item ±{number(found.spread)}{passed} ({counted(found.items, 'item')})"


def _worst(report: ScoreReport) -> Iterator[str]:
    for item in report.worst:
        yield f"{number(item.mean)}  {visible(item.item_id)}"
        for name, value, reason in item.lowest:
            yield f"        {name} {number(value)}{f': {visible(reason)}' if reason else ''}"


def _comparison(comparison: RunComparison, colour: bool) -> Iterator[str]:
    yield ""
    yield paint(f"compared with {visible(comparison.other)}", _BOLD, colour)
    yield from _aligned(difference_rows(comparison))
    yield from unchanged(comparison)
    yield from _section("items that changed most", changed_most(comparison), colour)


def unchanged(comparison: RunComparison) -> Iterator[str]:
    """The measures without a difference, by the number of pairs that say so."""
    names: dict[int, list[str]] = {}
    for found in comparison.differences:
        if not found.better + found.worse:
            names.setdefault(found.estimate.n, []).append(found.name)
    for pairs, folded in names.items():
        pairs_said = f"all {pairs:,} pairs" if pairs > 1 else "the only pair"
        yield f"the same on {pairs_said}: {', '.join(_folded(folded))}"


def difference_rows(comparison: RunComparison) -> list[Row]:
    """A head, and a row a measure on which an item is better or worse."""
    rows: list[Row] = [
        ("measure", "other", "this", "difference", "95 % interval", "better", "same", "worse", "items")
    ]
    for difference in comparison.differences:
        if difference.better or difference.worse:
            means = (number(difference.theirs), number(difference.ours), _signed(difference.estimate.mean))
            counts = (difference.better, difference.same, difference.worse, difference.estimate.n)
            rows.append(
                (
                    difference.name,
                    *means,
                    _interval(difference.estimate, signed=True),
                    *map("{:,}".format, counts),
                )
            )
    return rows


def changed_most(comparison: RunComparison) -> Iterator[str]:
    """A line for each item that changed most."""
    for changed in comparison.changed:
        most = [f"{name} {number(theirs)} -> {number(ours)}" for name, theirs, ours in changed.most]
        yield f"{number(changed.change)}  {visible(changed.item_id)}  {', '.join(most)}"


def remarks(report: ScoreReport) -> Iterator[str]:
    """What else is to be said of the run, a line each."""
    if report.missing:
        yield f"{counted(len(report.missing), 'missing prediction')} scored 0: {_ids(report.missing)}"
    if report.extra:
        yield f"{counted(len(report.extra), 'prediction')} for no item of the dataset: {_ids(report.extra)}"
    if report.incomplete:
        yield (
            f"{counted(len(report.incomplete), 'item')} with fewer than {report.repetitions:,} predictions, "
            f"the missing ones scored 0: {_ids(report.incomplete)}"
        )
    yield from _recorded(report)
    yield from notes(report)
    for warning, count in report.warnings.items():
        yield f"{counted(count, 'item')}: {visible(warning)}"
    if report.advices:
        yield f"{counted(report.advices, 'advice')} about the data, which evalcontract validate shows"
    if report.comparison:
        yield from _notes_on(report.comparison)


def _recorded(report: ScoreReport) -> Iterator[str]:
    """What the predictions lack of what the dataset can judge."""
    names: dict[tuple[int, int, str], list[str]] = {}
    for measure in report.measures:
        if measure.n_recorded < measure.n_judged:
            in_full = (
                " in full, the other values rest on less" if measure.n_scored > measure.n_recorded else ""
            )
            names.setdefault((measure.n_recorded, measure.n_judged, in_full), []).append(measure.name)
    for (recorded, judged, in_full), folded in names.items():
        yield f"{recorded:,} of {judged:,} recorded{in_full}: {', '.join(_folded(folded))}"


def _notes_on(comparison: RunComparison) -> Iterator[str]:
    other = visible(comparison.other)
    for what, ids in (
        ("not the same item there, and left out", comparison.left_out),
        ("missing there", comparison.missing_there),
        ("only there", comparison.only_there),
    ):
        if ids:
            yield f"{other}: {counted(len(ids), 'item')} {what}: {_ids(ids)}"
    yield from _unpaired(comparison)
    yield from _unsettled(comparison)
    if comparison.not_in_both:
        yield f"{other}: no pair of values on {', '.join(_folded(comparison.not_in_both))}"


def _unpaired(comparison: RunComparison) -> Iterator[str]:
    """What has a value in one of the runs only."""
    names: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for found in comparison.differences:
        for where, ids in (("here", found.only_ours), ("there", found.only_theirs)):
            if ids:
                names.setdefault((where, ids), []).append(found.name)
    for (where, ids), folded in names.items():
        yield (
            f"{visible(comparison.other)}: {counted(len(ids), 'item')} without a pair, with a value only {where}: "
            f"{_ids(ids)} ({', '.join(_folded(folded))})"
        )


def _unsettled(comparison: RunComparison) -> Iterator[str]:
    """How many items would settle the differences that few items leave open."""
    for found in comparison.differences:
        if found.estimate.n < _FEW and found.estimate.mean and not found.settled:
            needed = f"about {found.to_settle:,}" if found.to_settle else "no number of"
            yield (
                f"{found.name}: {counted(found.estimate.n, 'item')} can't tell a difference of "
                f"{_signed(found.estimate.mean)} from chance; {needed} items like these would"
            )


def _ids(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else ""
    return visible(", ".join(ids[:_SHOWN])) + more


def number(value: float) -> str:
    """A score as reports show it."""
    return f"{value:.4f}"


def _signed(value: float) -> str:
    return f"{value:+.4f}"


def _interval(estimate: Estimate, *, signed: bool = False) -> str:
    if estimate.low is None or estimate.high is None:
        return "-"
    show = _signed if signed else number
    return f"{show(estimate.low)} to {show(estimate.high)}"
