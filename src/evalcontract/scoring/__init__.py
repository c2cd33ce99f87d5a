"""Scoring runs: predictions against their dataset, and against other runs."""

from __future__ import annotations

from evalcontract.scoring.result import ScoreReport
from evalcontract.scoring.run import Wanted, score_files
from evalcontract.scoring.settings import Settings

__all__ = ["ScoreReport", "Settings", "Wanted", "score_files"]
