"""Releases of datasets: their names and versions, and the checks that they have to pass."""

from __future__ import annotations

from evalcontract.release.check import check_release
from evalcontract.release.checks import CHECKS, ReleaseCheck
from evalcontract.release.name import DatasetName, volume_path
from evalcontract.release.report import Outcome, PathRow, ReleaseReport
from evalcontract.release.version import ReleaseVersion

__all__ = [
    "CHECKS",
    "DatasetName",
    "Outcome",
    "PathRow",
    "ReleaseCheck",
    "ReleaseReport",
    "ReleaseVersion",
    "check_release",
    "volume_path",
]
