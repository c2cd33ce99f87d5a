"""`score_dataframe`: what `evalcontract score` says of two files, of two tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from evalcontract.checking import RunResult
from evalcontract.errors import UsageError
from evalcontract.scoring import (
    Header,
    RunContext,
    ScoreReport,
    ScoreRequest,
    ScoreSettings,
    Totals,
    check_request,
    identity_of,
)
from evalcontract.spark.columns import SCORED, VERDICT, expression, quoted, spark_type
from evalcontract.spark.job import job_of
from evalcontract.spark.keeping import Materialize, beside, in_few, kept
from evalcontract.spark.measuring import Measuring, gathered, measure
from evalcontract.spark.validating import ValidatedTable, validate_dataframe
from evalcontract.values import shown

PREDICTIONS, ITEMS = "<predictions>", "<items>"


@dataclass(frozen=True)
class ScoredTable:
    """A scored run. `predictions` and `items` are the verdicts on the two tables; without items there is one alone.

    Rows with an error are left out of `records`, which count only when `report()` gives a ScoreReport.
    """

    predictions: ValidatedTable
    items: ValidatedTable | None
    scored: Any = field(repr=False)
    _told: Measuring = field(repr=False)

    @property
    def records(self) -> Any:
        """A score record for each item and repetition: `item_id`, and its JSON text as `value`."""
        return self.scored.where("kind = 'record'").selectExpr("name as item_id", "text as value")

    def report(self) -> ScoreReport | RunResult:
        """What `score_files` gives for files with these rows in the order of their ids; computed at the first call.

        What `validate_dataframe` says, when a table doesn't keep its contract. Raises UsageError like `score_files`.
        """
        return self._report

    @cached_property
    def _report(self) -> ScoreReport | RunResult:
        verdicts = [table.summary() for table in (self.predictions, self.items) if table is not None]
        if any(verdict.exit_code for verdict in verdicts):
            return _together(verdicts)
        told = self._told
        totals = Totals(told.settings, told.wanted)
        ids: dict[str, list[str]] = {"missing": [], "extra": [], "incomplete": []}
        sums = in_few(self.scored.where("kind <> 'record'"), partial(gathered, told=told), SCORED)
        for row in sums.toLocalIterator():
            if row["kind"] == "state":
                totals.merge_text(row["text"])
            elif row["kind"] == "numbers":
                totals.merge_numbers([(row["name"], row["text"], bytes(row["numbers"]))])
            elif row["kind"] == "crowded":
                raise UsageError(
                    f"item {shown(row['name'])} has {row['text']} predictions, not {told.repetitions} at most",
                    hint="leave repetitions out, and they are counted",
                )
            else:
                ids[row["kind"]].append(row["name"])
        missing, extra, incomplete = (tuple(sorted(names)) for names in ids.values())
        around = RunContext(
            PREDICTIONS,
            None if self.items is None else ITEMS,
            told.header.name,
            missing,
            extra,
            incomplete,
            told.repetitions,
            sum(verdict.advices for verdict in verdicts),
        )
        return totals.report(around)


def score_dataframe(
    predictions: Any,
    items: Any | None = None,
    *,
    metrics: tuple[str, ...] | None = None,
    settings: ScoreSettings | None = None,
    wanted: ScoreRequest | None = None,
    column: str = "value",
    items_column: str = "value",
    metadata: Mapping[str, object] | None = None,
    repetitions: int | None = None,
    materialize: Materialize = None,
) -> ScoredTable:
    """Score a table of prediction records against a table of items; without items, live traffic by what needs none.

    Both hold JSON texts, in `column` and in `items_column`. They are joined by item_id and measured by the functions
    of `evalcontract score`, with the same numbers to the last digit. `metrics` are names as in `settings`, which says
    more; `wanted` has bounds, slices and the schema type as for `score_files`, all but the comparison with another
    run. `metadata` is that of the dataset. The records of an item count in the order of their `repetition`.

    How many `repetitions` the items have is counted at once, unless it is told; all else when it is asked for.
    `materialize` is as for `validate_dataframe`; tables and folders are named after it, with `_predictions` and
    `_items` for the verdicts.

    Raises UsageError for unknown metrics and gates, and like `validate_dataframe`.
    """
    settings = _settings(metrics, settings, live=items is None)
    wanted = wanted or ScoreRequest()
    if wanted.compare is not None:
        raise UsageError(
            "a table is not compared with another run", hint="compare the two reports, or write files"
        )
    check_request(wanted, settings.measures())
    if repetitions is not None and repetitions < 1:
        raise UsageError(f"an item has 1 prediction or more, not {repetitions}", hint="leave repetitions out")
    records = validate_dataframe(
        predictions,
        "prediction_record",
        column=column,
        catalogue=wanted.catalogue,
        materialize=beside(materialize, "predictions"),
    )
    records = replace(records, _label=PREDICTIONS)
    texts = _texts(records, column, "text").groupBy("item_id").agg(expression("collect_list(text) as texts"))
    dataset = None
    rows = texts.selectExpr("item_id", "cast(null as string) as item", "texts")
    if items is not None:
        dataset = validate_dataframe(
            items,
            column=items_column,
            catalogue=wanted.catalogue,
            schema_type=wanted.schema_type,
            own_types=wanted.own_types,
            metadata=metadata,
            materialize=beside(materialize, "items"),
        )
        dataset = replace(dataset, _label=ITEMS)
        rows = _texts(dataset, items_column, "item").join(texts, "item_id", "full_outer")
        rows = rows.select("item_id", "item", "texts")
    told = Measuring(
        job_of(None, wanted.catalogue, schema_type=wanted.schema_type, own_types=wanted.own_types),
        settings,
        replace(wanted, catalogue=None),
        Header(identity_of(metadata), settings.recorded()),
        metadata,
        repetitions or wanted.repetitions or _most(texts),
        live=items is None,
    )
    scored, notes = kept(rows.mapInArrow(partial(measure, told=told), spark_type(SCORED)), materialize)
    records = replace(records, notes=(*records.notes, *notes))
    return ScoredTable(records, dataset, scored, told)


def _settings(
    metrics: tuple[str, ...] | None, settings: ScoreSettings | None, *, live: bool
) -> ScoreSettings:
    if metrics is not None:
        if settings is not None:
            raise UsageError("metrics are named twice", hint="give them in the settings")
        if isinstance(metrics, str):
            raise UsageError(f"metrics are a tuple of names, not {metrics!r}", hint=f"write ({metrics!r},)")
        settings = ScoreSettings(metrics=tuple(metrics))
    settings = settings or ScoreSettings()
    return settings.without_reference() if live else settings


def _texts(table: ValidatedTable, column: str, name: str) -> Any:
    """The texts of valid rows under the id that they say themselves."""
    return table.checked.where(f"{VERDICT}.valid").selectExpr(
        f"{VERDICT}.item_id as item_id", f"cast({quoted(column)} as string) as {name}"
    )


def _most(texts: Any) -> int:
    (row,) = texts.selectExpr("max(size(texts)) as most").collect()
    return row["most"] or 1


def _together(results: list[RunResult]) -> RunResult:
    return RunResult(
        tuple(file for result in results for file in result.files),
        tuple(violation for result in results for violation in result.violations),
        tuple(group for result in results for group in result.groups),
        layers=results[0].layers,
    )
