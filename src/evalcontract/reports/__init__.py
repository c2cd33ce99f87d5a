"""Reports of a run: one function for each format, from a result to text."""

from __future__ import annotations

from collections.abc import Callable

from evalcontract.checking.result import RunResult
from evalcontract.reports.github import github
from evalcontract.reports.json_report import json_report
from evalcontract.reports.junit import junit
from evalcontract.reports.sarif import sarif
from evalcontract.reports.text import text

__all__ = ["FORMATS", "text"]

FORMATS: dict[str, Callable[[RunResult], str]] = {
    "text": text,
    "json": json_report,
    "github": github,
    "junit": junit,
    "sarif": sarif,
}
