"""The pages of a release: may it go out, and what changed."""

from __future__ import annotations

from evalcontract.release import DatasetDiff, ReleaseReport
from evalcontract.reports.pages.findings import by_code, choices
from evalcontract.reports.pages.page import page
from evalcontract.reports.release import verdict

_SHOWN = 200


def release_html(report: ReleaseReport) -> str:
    """The verdict, why not, every check with its reason, and the union of the keys."""
    violations = [found for outcome in report.outcomes for found in outcome.violations]
    files, codes = choices(violations)
    to_mend = [outcome for outcome in report.outcomes if outcome.status in ("fail", "waived")]
    return page(
        "release",
        report=report,
        verdict=verdict(report),
        to_mend=[(outcome, by_code(outcome.violations)) for outcome in to_mend],
        files=files,
        codes=codes,
        shown=_SHOWN,
    )


def diff_html(diff: DatasetDiff) -> str:
    """What was added, removed and changed, the first of each by name."""
    return page("diff", diff=diff, shown=_SHOWN)
