"""Results in notebooks: the pages of the reports in frames, and rows for pandas and polars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from evalcontract.checking import RunResult
from evalcontract.errors import UsageError
from evalcontract.release import ReleaseReport
from evalcontract.reports.pages.release import release_html
from evalcontract.reports.pages.run import run_html
from evalcontract.reports.pages.scores import comparison_html, scores_html
from evalcontract.reports.scores_data import difference_row, measure_row
from evalcontract.scoring import RunComparison, ScoreReport

Rows = Sequence[dict[str, Any]]
_HEIGHT = 480
_LIBRARIES = ("pandas", "polars")


def framed(result: object) -> str:
    """The page of a result for a notebook: in a frame, so that neither's styles reach the other.

    The frame may run the page's own script, which its policy names by hash, and nothing else. Raises TypeError for
    what has no page.
    """
    page, _ = _shown_as(result)
    written = escape(page(result))
    return (
        f'<iframe sandbox="allow-scripts" srcdoc="{written}" width="100%" height="{_HEIGHT}" '
        'title="Report" loading="lazy"></iframe>'
    )


def frame(result: object, library: str | None = None) -> Any:
    """The rows of a result as a DataFrame. Raises UsageError when no library for it is installed."""
    _, rows = _shown_as(result)
    if library is not None and library not in _LIBRARIES:
        raise UsageError(
            f"there is no library {library[:40]!r} of tables", hint=f"known: {', '.join(_LIBRARIES)}"
        )
    wanted = [library] if library else list(_LIBRARIES)
    found = next((name for name in wanted if find_spec(name)), None)
    if found is None:
        raise UsageError(
            f"{' or '.join(wanted)} is not installed", hint=f"pip install 'evalcontract[{wanted[0]}]'"
        )
    options = {"infer_schema_length": None} if found == "polars" else {}  # first rows may hold nulls
    return import_module(found).DataFrame(list(rows(result)), **options)


def _run_rows(result: RunResult) -> Rows:
    return [asdict(violation) for violation in result.violations]


def _release_rows(report: ReleaseReport) -> Rows:
    names = ("code", "name", "severity", "status", "reason", "hint", "findings", "waiver")
    return [{name: getattr(outcome, name) for name in names} for outcome in report.outcomes]


def _score_rows(report: ScoreReport) -> Rows:
    left_out = ("worst", "reasons", "histogram")
    rows = map(measure_row, report.measures)
    return [{key: value for key, value in row.items() if key not in left_out} for row in rows]


def _comparison_rows(comparison: RunComparison) -> Rows:
    left_out = ("only_this", "only_other")
    rows = map(difference_row, comparison.differences)
    return [{key: value for key, value in row.items() if key not in left_out} for row in rows]


_SHOWN: dict[type, tuple[Callable[[Any], str], Callable[[Any], Rows]]] = {
    RunResult: (run_html, _run_rows),
    ReleaseReport: (release_html, _release_rows),
    ScoreReport: (scores_html, _score_rows),
    RunComparison: (comparison_html, _comparison_rows),
}


def _shown_as(result: object) -> tuple[Callable[[Any], str], Callable[[Any], Rows]]:
    try:
        return _SHOWN[type(result)]
    except KeyError:
        raise TypeError(f"{type(result).__name__} has no page") from None
