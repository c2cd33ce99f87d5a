"""Releases of datasets: their names and versions, and the checks that they have to pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.lazy import lazily
from evalcontract.release.check import check_release
from evalcontract.release.checks import CHECKS, ReleaseCheck
from evalcontract.release.name import DatasetName, looks_like_a_release, volume_path
from evalcontract.release.report import Outcome, PathRow, ReleaseReport
from evalcontract.release.version import ReleaseVersion

if TYPE_CHECKING:
    from evalcontract.release.answers import Expected as Expected
    from evalcontract.release.answers import asked_by as asked_by
    from evalcontract.release.answers import contradiction as contradiction
    from evalcontract.release.answers import expected_of as expected_of
    from evalcontract.release.card import DatasetCard as DatasetCard
    from evalcontract.release.card import dataset_card as dataset_card
    from evalcontract.release.check import report_on as report_on
    from evalcontract.release.comparison import ReleaseComparison as ReleaseComparison
    from evalcontract.release.diff import DatasetDiff as DatasetDiff
    from evalcontract.release.diff import diff_datasets as diff_datasets
    from evalcontract.release.identify import release_name as release_name
    from evalcontract.release.next_number import NextReleaseVersion as NextReleaseVersion
    from evalcontract.release.next_number import next_version as next_version
    from evalcontract.release.stats import DatasetStats as DatasetStats
    from evalcontract.release.stats import Spread as Spread
    from evalcontract.release.stats import dataset_stats as dataset_stats
    from evalcontract.release.stats import null_rates as null_rates
    from evalcontract.release.survey_part import SurveyPart as SurveyPart
    from evalcontract.release.survey_part import TableVerdict as TableVerdict

__all__ = [
    "CHECKS",
    "DatasetName",
    "Outcome",
    "PathRow",
    "ReleaseCheck",
    "ReleaseReport",
    "ReleaseVersion",
    "check_release",
    "looks_like_a_release",
    "volume_path",
]

__getattr__ = lazily(
    __name__,
    {
        "answers": "Expected asked_by contradiction expected_of",
        "card": "DatasetCard dataset_card",
        "check": "report_on",
        "comparison": "ReleaseComparison",
        "diff": "DatasetDiff diff_datasets",
        "identify": "release_name",
        "next_number": "NextReleaseVersion next_version",
        "stats": "DatasetStats Spread dataset_stats null_rates",
        "survey_part": "SurveyPart TableVerdict",
    },
)
