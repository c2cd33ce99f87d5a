"""`contract_udf`: the verdict on one text as a function of SQL, for streams, expectations and others' checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evalcontract.catalog import Catalogue
from evalcontract.errors import UsageError
from evalcontract.reading import limited
from evalcontract.spark.columns import FINDING, spark_type
from evalcontract.spark.job import TableJob, cell_check, job_of
from evalcontract.validation import Violation


def contract_udf(
    contract: str | None = None,
    *,
    catalogue: Catalogue | None = None,
    schema_type: str | None = None,
    own_types: tuple[str, ...] = (),
    metadata: Mapping[str, object] | None = None,
    max_violations: int = 20,
    advices: bool = False,
) -> Any:
    """A Spark function from the JSON text of an item or a record, or its UTF-8 bytes, to an array of violations.

    An empty array is a valid row; NULL and text that is no JSON are violations too. With `advices` these come as well.
    `spark.udf.register("violations", contract_udf("prediction_record"))` makes it known to SQL. Each row is judged by
    itself: repeated ids are found by `validate_dataframe`. The other arguments are those of `validate_dataframe`.

    Raises UsageError and UnknownContract.
    """
    if max_violations < 1:
        raise UsageError("at least one violation is kept", hint="max_violations is 1 or more")
    job = job_of(contract, catalogue, schema_type=schema_type, own_types=own_types, metadata=metadata)
    from pyspark.sql.functions import udf

    def violations(text: Any) -> list[tuple[Any, ...]]:
        found = (
            violation for violation in violations_in(text, job) if advices or violation.severity == "error"
        )
        return [tuple(getattr(violation, name) for name, _ in FINDING) for violation in found][
            :max_violations
        ]

    return udf(violations, spark_type([FINDING]), useArrow=False)


def violations_in(text: str | bytes | None, job: TableJob) -> tuple[Violation, ...]:
    """What is found about one text."""
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    with limited(job.limits):
        return cell_check(job).check(None if raw is None else bytes(raw)).violations
