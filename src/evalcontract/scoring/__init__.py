"""Scoring runs: predictions against their dataset, and against other runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.lazy import lazily
from evalcontract.scoring.request import ScoreRequest
from evalcontract.scoring.result import ScoreReport
from evalcontract.scoring.run import score_files
from evalcontract.scoring.settings import ScoreSettings

if TYPE_CHECKING:
    from evalcontract.scoring.agreement import AgreementReport, MetricAgreement, agreement, agreement_in
    from evalcontract.scoring.evidence import evidence_of
    from evalcontract.scoring.files import BaseTypes as BaseTypes
    from evalcontract.scoring.files import Files as Files
    from evalcontract.scoring.gates import Bound as Bound
    from evalcontract.scoring.gates import Ceiling as Ceiling
    from evalcontract.scoring.gates import Regression as Regression
    from evalcontract.scoring.intervals import Estimate as Estimate
    from evalcontract.scoring.measured import STATISTICS as STATISTICS
    from evalcontract.scoring.measured import Measured as Measured
    from evalcontract.scoring.records import Header as Header
    from evalcontract.scoring.records import identity_of as identity_of
    from evalcontract.scoring.request import check_request as check_request
    from evalcontract.scoring.result import MeasureDifference as MeasureDifference
    from evalcontract.scoring.result import MeasureResult as MeasureResult
    from evalcontract.scoring.result import PartResult as PartResult
    from evalcontract.scoring.result import Repeated as Repeated
    from evalcontract.scoring.result import RunComparison as RunComparison
    from evalcontract.scoring.result import WorstItem as WorstItem
    from evalcontract.scoring.settings import bounds_in as bounds_in
    from evalcontract.scoring.settings import margins_in as margins_in
    from evalcontract.scoring.settings import names_in as names_in
    from evalcontract.scoring.settings import numbers_in as numbers_in
    from evalcontract.scoring.slices import Slicer as Slicer
    from evalcontract.scoring.totals import RunContext as RunContext
    from evalcontract.scoring.totals import Totals as Totals
    from evalcontract.scoring.work import Job as Job
    from evalcontract.scoring.work import Task as Task
    from evalcontract.scoring.work import Worker as Worker

__all__ = [
    "AgreementReport",
    "MetricAgreement",
    "ScoreReport",
    "ScoreRequest",
    "ScoreSettings",
    "agreement",
    "agreement_in",
    "evidence_of",
    "score_files",
]

__getattr__ = lazily(
    __name__,
    {
        "agreement": "AgreementReport MetricAgreement agreement agreement_in",
        "intervals": "Estimate",
        "evidence": "evidence_of",
        "files": "BaseTypes Files",
        "gates": "Bound Ceiling Regression",
        "measured": "Measured STATISTICS",
        "result": "MeasureDifference MeasureResult PartResult Repeated RunComparison WorstItem",
        "records": "Header identity_of",
        "request": "check_request",
        "settings": "bounds_in margins_in names_in numbers_in",
        "slices": "Slicer",
        "totals": "RunContext Totals",
        "work": "Job Task Worker",
    },
)
