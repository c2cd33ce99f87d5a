"""Tables too big for one machine: validation and scoring on Spark (classic, Connect) and on Sail."""

from __future__ import annotations

from evalcontract.spark.scoring import ScoredTable, score_dataframe
from evalcontract.spark.udf import contract_udf
from evalcontract.spark.validating import ValidatedTable, validate_dataframe

__all__ = ["ScoredTable", "ValidatedTable", "contract_udf", "score_dataframe", "validate_dataframe"]
