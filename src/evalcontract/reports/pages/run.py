"""The page of a run of `evalcontract validate`."""

from __future__ import annotations

from evalcontract.checking import RunResult
from evalcontract.reports.pages.findings import by_code, choices
from evalcontract.reports.pages.page import page
from evalcontract.reports.wording import left_out, outcome


def run_html(result: RunResult) -> str:
    """The verdict, a row a file, and the findings by code with the line that each is about."""
    files, codes = choices(result.violations)
    return page(
        "run",
        result=result,
        outcome=outcome(result),
        groups=by_code(result.violations),
        files=files,
        codes=codes,
        left_out=left_out(result),
    )
