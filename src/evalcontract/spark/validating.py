"""`validate_dataframe`: the verdict on every row of a table, on the engine where the table lives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from typing import Any

from evalcontract.catalog import Catalogue
from evalcontract.checking import RunResult
from evalcontract.errors import ContractViolation, UsageError
from evalcontract.spark.columns import (
    COPY,
    FINDING,
    JUDGED,
    STATE,
    TEXT,
    VERDICT,
    quoted,
    spark_type,
    text_column,
)
from evalcontract.spark.job import job_of
from evalcontract.spark.judging import Cells, judge
from evalcontract.spark.keeping import Materialize, in_few, kept
from evalcontract.spark.summing import Summary, flattened, merged, summed

LABEL = "<table>"
_IN_MESSAGE = 5
_FROM_STRUCT = (
    "judged from a {kind}, not from text: null and missing keys, number types, keys that differ by case and duplicate "
    "keys can't be told apart any more"
)


@dataclass(frozen=True)
class ValidatedTable:
    """The verdict on a table. Nothing has been computed before it is asked for.

    `checked` is the table with one more column `evalcontract`: `valid`, `copy` (1 for the first row with an id, 2 and
    so on for those that repeat it), `item_id`, `contract`, `errors`, `advices` and the row's own `violations`. `notes`
    say what couldn't be told. Every row is in `valid`, or has an error in `violations`.
    """

    checked: Any
    notes: tuple[str, ...] = ()
    _columns: tuple[str, ...] = field(default=(), repr=False)
    _kind: str = field(default="items", repr=False)
    _layers: tuple[str, ...] = field(default=(), repr=False)
    _compare: bool = field(default=True, repr=False)
    _label: str = field(default=LABEL, repr=False)

    @property
    def valid(self) -> Any:
        """The rows without an error, with the columns of the table."""
        found = self.checked.where(f"{VERDICT}.valid")
        return found.select(*[quoted(name) for name in self._columns])

    @property
    def violations(self) -> Any:
        """A row for each violation and each advice: `item_id`, `pointer`, `code`, `message`, `severity` and so on."""
        rows = _beside_others(self.checked, self._compare).where(
            "errors > 0 or advices > 0 or copy > 1 or asked_copy > 1 or other <> item_id"
        )
        return rows.mapInArrow(flattened, spark_type(FINDING))

    def summary(self) -> RunResult:
        """What `check_files` gives for a file with these rows: counts, and the first thousand violations.

        They come in the order of `evalcontract.rank`, as a table has none of its own. Computed at the first call.
        """
        return self.summed.result(self._label, self._kind, self._layers)

    @cached_property
    def summed(self) -> Summary:
        """The sums that the summary is made of."""
        states = _beside_others(self.checked, self._compare).mapInArrow(summed, spark_type(STATE))
        summary = Summary()
        for row in in_few(states, merged).collect():
            summary.merge(row["state"])
        return summary

    def raise_if_failed(self) -> RunResult:
        """The summary; ContractViolation, with the first violations in `.violations`, when a row has an error."""
        result = self.summary()
        if not result.exit_code:
            return result
        errors = [violation for violation in result.violations if violation.severity == "error"]
        lines = [
            f"{violation.item_id}: {violation}" if violation.item_id else str(violation)
            for violation in islice(errors, _IN_MESSAGE)
        ]
        rest = result.errors - len(lines)
        raise ContractViolation(
            "the table breaks its contract:",
            violations=tuple(errors),
            details=(*lines, *([f"and {rest} more"] if rest else [])),
        )


def validate_dataframe(
    df: Any,
    contract: str | None = None,
    *,
    column: str = "value",
    id_column: str | None = None,
    catalogue: Catalogue | None = None,
    max_violations_per_item: int = 20,
    materialize: Materialize = None,
    from_struct: bool = False,
    schema_type: str | None = None,
    own_types: tuple[str, ...] = (),
    metadata: Mapping[str, object] | None = None,
    unique: bool = True,
) -> ValidatedTable:
    """Judge every row of a Spark DataFrame, each cell of `column` holding the JSON text of an item or a record.

    Works with classic Spark, Spark Connect and Sail; the workers need this package and pyarrow. The rows get the
    verdicts that `evalcontract validate` gives on the lines of a file. Without a `contract` (`prediction_record`,
    `evaluation_item@1.0`) items are judged by the type that they declare; `schema_type` (`rag@1.0`) tells it for all,
    `metadata` is that of their dataset, `own_types` are types without a contract. `catalogue` is sent along as texts.

    `id_column` names rows whose text can't be read, and must agree with the item's own id. `unique` asks that no two
    rows have one id: of those that do one counts as the first, if possible a valid one. It costs a shuffle.
    `from_struct` judges a struct, map or variant; `notes` of the result say what is lost.

    The verdicts are computed once: persisted, where the engine can, when they are first asked for.
    `materialize="catalog.schema.table"`, or a path, writes them there now and reads all results from it; False keeps
    nothing, and each result computes them anew.

    Raises UsageError for a missing column, one that is no text, and a streaming frame (see `contract_udf`);
    UnknownContract.
    """
    kind = text_column(df, column, from_struct=from_struct)
    if id_column is not None and id_column not in df.columns:
        raise UsageError(f"the table has no column {id_column}", hint="id_column names the one with the ids")
    if df.isStreaming:
        raise UsageError(
            "a stream has no end, so it has no summary and no repeated ids",
            hint="judge its rows with contract_udf, or call this in foreachBatch",
        )
    if max_violations_per_item < 1:
        raise UsageError(
            "at least one violation of an item is kept", hint="max_violations_per_item is 1 or more"
        )
    job = job_of(contract, catalogue, schema_type=schema_type, own_types=own_types, metadata=metadata)
    from evalcontract.catalog import default_catalogue

    plan = job.plan(catalogue or default_catalogue())
    columns, source, frame = tuple(df.columns), column, df
    if kind == "variant":
        source = TEXT
        frame = df.selectExpr("*", f"to_json({quoted(column)}) as {source}")
    cells = Cells(source, kind in ("struct", "map"), id_column, max_violations_per_item)
    schema = type(frame.schema)(list(frame.schema.fields)).add(VERDICT, spark_type(JUDGED))
    judged = frame.mapInArrow(partial(judge, job=job, cells=cells), schema)
    checked = _with_copies(judged, columns, unique=unique)
    frame, notes = kept(checked, materialize)
    if kind not in ("string", "binary"):
        notes = (_FROM_STRUCT.format(kind=kind), *notes)
    label = "items" if plan.by_item else str(plan.contract)
    return ValidatedTable(frame, notes, columns, label, plan.catalogue.labels, unique and plan.by_item)


def copy_number(key: str, rank: str) -> str:
    """The expression that numbers the rows with one key from 1, in the order of their rank."""
    return f"row_number() over (partition by coalesce({key}, {rank}) order by {rank})"


def _with_copies(judged: Any, columns: tuple[str, ...], *, unique: bool) -> Any:
    """The rows with `valid` and `copy`: of the rows with one key all but the first are refused."""
    names = [quoted(name) for name in columns]
    copy = copy_number(f"{VERDICT}.key", f"{VERDICT}.rank") if unique else "1"
    numbered = judged.selectExpr(*names, VERDICT, f"cast({copy} as int) as {COPY}")
    fields = ", ".join(f"'{name}', {VERDICT}.`{name}`" for name, _ in JUDGED)
    alone = f"({VERDICT}.key is null or {COPY} = 1)"
    verdict = (
        f"named_struct('valid', {VERDICT}.errors = 0 and {alone}, 'copy', {COPY}, {fields}) as {VERDICT}"
    )
    return numbered.selectExpr(*names, verdict)


def _beside_others(checked: Any, compare: bool) -> Any:
    """The verdicts alone, with what shows only beside the other rows: who asks the same, whose ids look alike."""
    rows = checked.selectExpr(f"{VERDICT}.*")
    if not compare:
        return rows.selectExpr("*", "1 as asked_copy", "cast(null as string) as other")
    asked = "partition by coalesce(asked, rank) order by rank, copy"
    folded = "partition by coalesce(folded, rank) order by rank, copy"
    return rows.selectExpr(
        "*",
        f"cast(row_number() over ({asked}) as int) as asked_copy",
        f"first_value(item_id) over ({folded}) as other",
    )
