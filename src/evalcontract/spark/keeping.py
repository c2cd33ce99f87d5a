"""Results that several others are made of: computed once, and where they lie meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

from evalcontract.errors import UsageError
from evalcontract.spark.columns import STATE, Fields, spark_type

Materialize = str | Literal[False] | None
"""A table or a path, False to keep nothing, None to leave it to the engine."""

_MERGES = 8
_NOT_KEPT = "the engine keeps nothing, so each result is computed anew: give materialize a table or a path"


def kept(df: Any, materialize: Materialize) -> tuple[Any, tuple[str, ...]]:
    """The frame as the caller wants it kept, and what has to be said of that.

    A path has a slash or a scheme in it and is written as Parquet; anything else is a table. Raises UsageError when
    there is one already.
    """
    if materialize is False:
        return df, ()
    if materialize is None:
        return _persisted(df)
    if not isinstance(materialize, str) or not materialize.strip():
        raise UsageError(f"materialize is a table, a path or False, not {materialize!r}")
    session = df.sparkSession
    is_path = "/" in materialize or ":" in materialize
    if not is_path and session.catalog.tableExists(materialize):
        raise UsageError(f"there is a table {materialize} already", hint="name a new one, or drop it")
    writer = df.write.mode("error")
    try:
        if is_path:
            writer.parquet(materialize)
        else:
            writer.saveAsTable(materialize)
    except Exception as error:  # each engine has errors of its own for a path that is there
        if "exist" in str(error).lower():
            raise UsageError(
                f"there is something at {materialize} already", hint="name a new place"
            ) from error
        raise
    return (session.read.parquet(materialize) if is_path else session.table(materialize)), ()


def beside(materialize: Materialize, name: str) -> Materialize:
    """The place of another result beside the one that the caller named."""
    return f"{materialize.rstrip('/')}_{name}" if isinstance(materialize, str) else materialize


def in_few(rows: Any, merge: Callable[[Iterable[Any]], Iterator[Any]], fields: Fields = STATE) -> Any:
    """The rows as the workers merge them, so that the driver isn't sent the sums of each part; one pass gives all."""
    return rows.repartition(_MERGES).mapInArrow(merge, spark_type(fields))


def _persisted(df: Any) -> tuple[Any, tuple[str, ...]]:
    from pyspark.errors import PySparkException

    try:
        return df.persist(), ()
    except PySparkException:  # serverless clusters refuse it
        return df, (_NOT_KEPT,)
