"""Tables too big for one machine: validation, scoring and release checks on Spark (classic, Connect) and on Sail."""

from __future__ import annotations

from evalcontract.spark.releasing import ReleaseFiles, check_release_dataframe, check_release_files
from evalcontract.spark.scoring import ScoredTable, score_dataframe
from evalcontract.spark.udf import contract_udf
from evalcontract.spark.validating import ValidatedTable, validate_dataframe

__all__ = [
    "ReleaseFiles",
    "ScoredTable",
    "ValidatedTable",
    "check_release_dataframe",
    "check_release_files",
    "contract_udf",
    "score_dataframe",
    "validate_dataframe",
]
