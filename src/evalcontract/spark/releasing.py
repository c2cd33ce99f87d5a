"""`check_release_dataframe` and `check_release_files`: the checks of a release, on a table or on many files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from evalcontract.catalog import Catalogue
from evalcontract.checking import plan
from evalcontract.datasets import DatasetSource
from evalcontract.errors import ContractViolation, UsageError
from evalcontract.reading import Closed, Document, Event, NoText, Opened
from evalcontract.release import ReleaseComparison, ReleaseReport, SurveyPart, TableVerdict, report_on
from evalcontract.spark.columns import (
    FINDING,
    OUTCOME,
    RELEASE,
    SURVEYED,
    VERDICT,
    expression,
    quoted,
    spark_type,
    text_column,
)
from evalcontract.spark.job import job_of
from evalcontract.spark.judging import violation_of
from evalcontract.spark.keeping import Materialize, beside, in_few, kept
from evalcontract.spark.surveying import check, contradictions, identify, merged_surveys, survey, value_of
from evalcontract.spark.validating import ValidatedTable, validate_dataframe
from evalcontract.validation import Violation

ITEMS, PREVIOUS = "<items>", "<previous>"
_KEPT = 100
_IN_MESSAGE = 5


def check_release_dataframe(
    items: Any,
    previous: Any | None = None,
    *,
    column: str = "value",
    metadata: Mapping[str, object] | None = None,
    previous_metadata: Mapping[str, object] | None = None,
    name: str | None = None,
    own_types: tuple[str, ...] = (),
    waive: Mapping[str, str] | None = None,
    strict: bool = False,
    catalogue: Catalogue | None = None,
    materialize: Materialize = None,
) -> ReleaseReport:
    """Run every check of a release on a table of items, with the release before it where there is one.

    The report is that of `check_release` on a file with these rows. `metadata` is that of the dataset, else what the
    items say in their raw_metadata. `name` is the release's name. The other arguments are those of `check_release` and
    `validate_dataframe`. Each table is judged in one pass, and in another one its keys and paths are united.

    Raises UsageError like `check_release` and `validate_dataframe`.
    """
    new_plan = plan(contract="dataset", own_types=own_types, catalogue=catalogue)
    for df in (items, *([] if previous is None else [previous])):
        if text_column(df, column) not in ("string", "binary"):
            raise UsageError("a release is checked by its texts")
    verdicts = validate_dataframe(
        items,
        column=column,
        catalogue=catalogue,
        own_types=own_types,
        metadata=metadata,
        materialize=beside(materialize, "verdicts"),
    )
    part, found = _surveyed(items, column, beside(materialize, "survey"))
    summed = verdicts.summed
    verdict = TableVerdict(
        summed.result(ITEMS, "dataset", ()).files[0], summed.violations(ITEMS), summed.counted()
    )
    source = _source(items, column, ITEMS, metadata)
    new = part.survey(source, new_plan, verdict, found, _as_text(verdicts, part.numbers))
    if previous is None:
        return report_on(ReleaseComparison(new_plan, new, given_name=name), waive, strict=strict)
    before, _ = _surveyed(previous, column, beside(materialize, "previous_survey"))
    surveyed = before.survey(_source(previous, column, PREVIOUS, previous_metadata), new_plan)
    return report_on(ReleaseComparison(new_plan, new, surveyed, new_plan, name), waive, strict=strict)


def _surveyed(df: Any, column: str, materialize: Materialize) -> tuple[SurveyPart, list[Violation]]:
    """What the items hold, and which of them contradict each other."""
    job = job_of(None, None)
    rows, _ = kept(
        df.select(quoted(column)).mapInArrow(partial(survey, job=job), spark_type(SURVEYED)), materialize
    )
    part = SurveyPart()
    states = rows.where("kind = 'state'").selectExpr("text as state")
    for row in in_few(states, merged_surveys).collect():
        part.merge(row["state"])
    same = rows.where("kind = 'expected'").groupBy("name").agg(expression("collect_list(text) as texts"))
    found = same.where("size(texts) > 1").select("texts").mapInArrow(contradictions, spark_type(FINDING))
    return part, [violation_of(row.asDict()) for row in found.orderBy("item_id").collect()]


def _as_text(verdicts: ValidatedTable, numbers: set[str]) -> list[str]:
    """Which of these numbers are the id of an item as text."""
    if not numbers:
        return []
    ids = verdicts.checked.selectExpr(f"{VERDICT}.item_id as item_id")
    listed = ", ".join(f"'{number}'" for number in sorted(numbers))
    return [row["item_id"] for row in ids.where(f"item_id in ({listed})").distinct().collect()]


def _source(df: Any, column: str, label: str, metadata: Mapping[str, object] | None) -> DatasetSource:
    """The table as a dataset; its items are fetched only where two releases follow different contracts."""

    def events() -> Iterator[Event]:
        yield Opened(label, "json", "array")
        index = 0
        for row in df.select(quoted(column)).toLocalIterator():
            raw = row[0].encode() if isinstance(row[0], str) else row[0]
            value, fault = value_of(raw)
            if fault is None:
                yield Document(value, label, index, NoText())
            index += 1
        yield Closed(label, index, 0, 0, True)

    told = None if metadata is None else json.loads(json.dumps(metadata))
    return DatasetSource(
        label, events, beside=told, beside_file=None if metadata is None else "<metadata>", placed=False
    )


@dataclass(frozen=True)
class ReleaseFiles:
    """The checks of many release files. `outcomes` has a row for each file and check."""

    outcomes: Any

    @property
    def failures(self) -> Any:
        """The outcomes for which a file may not go out."""
        return self.outcomes.where("status = 'fail' and severity = 'error'")

    def raise_if_failed(self) -> int:
        """The number of files; ContractViolation when one may not go out, or when there is none."""
        files: int = self.outcomes.select("file").distinct().count()
        if not files:
            raise ContractViolation("there is no release file", hint="0 files checked is never a success")
        failed = self.failures.orderBy("file", "check").limit(_KEPT).collect()
        if failed:
            lines = [f"{row['file']}: {row['check']}: {row['reason']}" for row in failed[:_IN_MESSAGE]]
            rest = len(failed) - len(lines)
            lines += [f"and {'at least ' * (len(failed) == _KEPT)}{rest} more"] if rest else []
            found = tuple(
                Violation(row["check"], row["reason"], hint=row["hint"], file=row["file"]) for row in failed
            )
            raise ContractViolation("release files may not go out:", violations=found, details=tuple(lines))
        return files


def check_release_files(
    files: Any,
    *,
    column: str = "value",
    file_column: str = "file",
    own_types: tuple[str, ...] = (),
    strict: bool = False,
    catalogue: Catalogue | None = None,
    materialize: Materialize = None,
) -> ReleaseFiles:
    """Run every check on a table of whole release files, one a row, such as `spark.read.text(folder, wholetext=True)`.

    `file_column` has their names. Of the files with one product_id and scope each is compared with the one whose
    version comes before its own. A file and the one before it are held by one worker: releases of many gigabytes are
    tables of items, for `check_release_dataframe`.

    Raises UsageError like `validate_dataframe`.
    """
    text_column(files, column)
    if file_column not in files.columns:
        raise UsageError(
            f"the table has no column {file_column}",
            hint="add it, as in .selectExpr('value', '_metadata.file_path as file')",
        )
    job = job_of(None, catalogue, own_types=own_types)
    named = files.selectExpr(quoted(column), f"cast({quoted(file_column)} as string) as file")
    releases = named.mapInArrow(partial(identify, job=job), spark_type(RELEASE))
    series = "over (partition by coalesce(series, file) order by major, minor, file)"
    ordered = releases.selectExpr("*", f"lag(text) {series} as before", f"lag(file) {series} as before_file")
    outcomes, _ = kept(
        ordered.mapInArrow(partial(check, job=job, strict=strict), spark_type(OUTCOME)), materialize
    )
    return ReleaseFiles(outcomes)
