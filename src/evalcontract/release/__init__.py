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
    from evalcontract.release.diff import DatasetDiff as DatasetDiff
    from evalcontract.release.diff import diff_datasets as diff_datasets
    from evalcontract.release.identify import release_name as release_name
    from evalcontract.release.next_number import NextReleaseVersion as NextReleaseVersion
    from evalcontract.release.next_number import next_version as next_version
    from evalcontract.release.stats import DatasetStats as DatasetStats
    from evalcontract.release.stats import Spread as Spread
    from evalcontract.release.stats import dataset_stats as dataset_stats
    from evalcontract.release.stats import null_rates as null_rates

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
        "diff": "DatasetDiff diff_datasets",
        "identify": "release_name",
        "next_number": "NextReleaseVersion next_version",
        "stats": "DatasetStats Spread dataset_stats null_rates",
    },
)
