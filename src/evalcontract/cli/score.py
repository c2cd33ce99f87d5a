"""`evalcontract score`."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from click.exceptions import Exit

from evalcontract.cli.names import refuse_names
from evalcontract.cli.options import Jobs, Limit, OwnType, Report, Schemas, SchemaTypeOption, ScoresFormat
from evalcontract.cli.output import emit, finish, format_for, look_for, refuse_misnamed
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.progress import Progress
from evalcontract.cli.roles import READS_DATA, SAYS, WRITES_FILE
from evalcontract.files import whole_file
from evalcontract.reports import RUN, SCORES, TEXT

if TYPE_CHECKING:
    from evalcontract.checking import RunResult

Predictions = Annotated[
    str, Argument(help="File of prediction records, or - for standard input."), READS_DATA
]
Dataset = Annotated[
    str | None,
    Option(
        help="The dataset that they answer: a file, or -. Without one, what needs no reference is measured."
    ),
    READS_DATA,
]
Metrics = Annotated[
    str | None,
    Option(
        help="Names such as answer_f1,recall_at_k,ndcg_at_3; by default those of the items' schema types."
    ),
    SAYS,
]
Records = Annotated[
    Path | None, Option(help="Write a score record for each item, as JSON Lines."), WRITES_FILE
]
Compare = Annotated[
    str | None, Option(help="Other predictions, or the score records of another run."), READS_DATA
]
Bounds = Annotated[
    list[str] | None, Option(metavar="METRIC=VALUE", help="Exit with 1 when this mean is lower."), SAYS
]


def score(
    predictions: Predictions,
    dataset: Dataset = None,
    metrics: Metrics = None,
    metric: Annotated[
        list[str] | None,
        Option(
            metavar="PACKAGE.MODULE:FUNCTION",
            help="A metric of your own: a function of an item and a prediction.",
        ),
        SAYS,
    ] = None,
    k: Annotated[str, Option("--k", help="Cut-offs of the metrics at k."), SAYS] = "1,5,10",
    output: Report = None,
    records: Records = None,
    limit: Limit = None,
    report_format: ScoresFormat = None,
    scores: Annotated[
        list[str] | None,
        Option(
            help="Score records that others gave, a model that judges or a person; repeat it for several."
        ),
        READS_DATA,
    ] = None,
    compare: Compare = None,
    across_versions: Annotated[
        bool, Option("--across-versions", help="Compare scores of another version of the dataset too.")
    ] = False,
    fail_under: Bounds = None,
    min_scored: Annotated[
        list[str] | None,
        Option(
            metavar="METRIC=SHARE",
            help="Let --fail-under hold when this share of the items is recorded, not all.",
        ),
        SAYS,
    ] = None,
    fail_worse: Annotated[
        list[str] | None,
        Option(
            metavar="METRIC[=MARGIN]",
            help="Exit with 1 when this run is worse than --compare by more than the margin, beyond chance.",
        ),
        SAYS,
    ] = None,
    fail_over: Annotated[
        list[str] | None,
        Option(
            metavar="MEASUREMENT=VALUE", help="Exit with 1 when a statistic such as latency_ms.p95 is higher."
        ),
        SAYS,
    ] = None,
    by: Annotated[
        list[str] | None,
        Option(
            metavar="POINTER",
            help="Break everything down by a value of the items, such as /metadata/raw_metadata/language.",
        ),
        SAYS,
    ] = None,
    abstention: Annotated[
        list[str] | None, Option(metavar="TEXT", help="An answer that holds this text abstains."), SAYS
    ] = None,
    worst: Annotated[int, Option(min=0, help="How many of the worst items to name.")] = 5,
    worst_by: Annotated[
        str | None, Option(help="Rank them by one metric, not by the mean of all."), SAYS
    ] = None,
    repetitions: Annotated[
        int | None,
        Option(min=1, help="How often each item was asked, where not as often as the one with most records."),
    ] = None,
    min_grade: Annotated[int, Option(help="Relevance from which a document counts, 1 or 2.")] = 1,
    gain: Annotated[str, Option(help="Gain of ndcg: linear or exponential."), SAYS] = "linear",
    args: Annotated[
        str, Option(help="How tool arguments are compared: exact, superset, subset or ignore."), SAYS
    ] = "exact",
    quotes: Annotated[str, Option(help="How quotes are verified: exact or fuzzy."), SAYS] = "exact",
    support_threshold: Annotated[
        float | None, Option(help="Groundedness that counts as support in citation_support_*.")
    ] = None,
    number_tolerance: Annotated[
        float,
        Option(
            help="How far off a number of number_match may lie: 0.01 is one per cent of the expected one."
        ),
    ] = 0.0,
    chunk_separator: Annotated[
        str | None, Option(help="Retrieved ids are chunks: what follows this is cut off."), SAYS
    ] = None,
    schema_type: SchemaTypeOption = None,
    own_type: OwnType = None,
    schemas: Schemas = None,
    jobs: Jobs = None,
) -> None:
    """Score predictions against their dataset, by deterministic metrics.

    Exit code: 0 scored, 1 a bound isn't met or the data breaks its contract, 2 wrong usage or unreadable input.
    """
    from evalcontract.checking import RunResult
    from evalcontract.metrics import MetricOptions
    from evalcontract.scoring import (
        ScoreRequest,
        ScoreSettings,
        bounds_in,
        margins_in,
        names_in,
        numbers_in,
        score_files,
    )
    from evalcontract.settings import catalogue_for
    from evalcontract.workers import cores

    format_ = format_for(SCORES, report_format, output)
    refuse_misnamed(records, "lines")
    options = MetricOptions(
        min_grade=min_grade,
        gain=cast(Any, gain),
        args=cast(Any, args),
        quotes=cast(Any, quotes),
        support_threshold=support_threshold,
        number_tolerance=number_tolerance,
        chunk_separator=chunk_separator,
        abstentions=tuple(abstention or ()),
    )
    if metric and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # as `python -m` does: one's own modules lie there
    named = names_in(metrics) if metrics is not None else None
    settings = ScoreSettings(named, numbers_in(k), options, tuple(metric or ()))
    wanted = ScoreRequest(
        scores=tuple(scores or ()),
        compare=compare,
        across_versions=across_versions,
        bounds=bounds_in("--fail-under", fail_under or ()),
        min_scored=bounds_in("--min-scored", min_scored or ()),
        margins=margins_in("--fail-worse", fail_worse or ()),
        ceilings=bounds_in("--fail-over", fail_over or ()),
        by=tuple(by or ()),
        worst=worst,
        worst_by=worst_by,
        repetitions=repetitions,
        schema_type=schema_type,
        own_types=tuple(own_type or ()),
        catalogue=catalogue_for(schemas or ()),
    )
    refuse_names(predictions, dataset, compare, *(scores or ()))
    with ExitStack() as stack:
        file = stack.enter_context(whole_file(records)) if records else None
        read = (predictions, dataset, compare, *(scores or ()))
        progress = stack.enter_context(Progress([name for name in read if name]))
        result = score_files(
            predictions,
            dataset,
            settings,
            wanted,
            write=file.write if file else None,
            jobs=jobs or cores(),
            progress=progress.update,
        )
        if isinstance(result, RunResult):
            _emit_faults(result, format_, output)
            finish(result.exit_code, output)  # leaves an older file of scores as it is
    emit(SCORES.write(format_, result, look_for(output)), output)
    finish(result.exit_code, output)


def _emit_faults(result: RunResult, format_: str, output: Path | None) -> None:
    """What keeps the data from being scored: as the report, or beside one whose format has no place for it."""
    if format_ in RUN.names:
        emit(RUN.write(format_, result, look_for(output)), output)
    else:
        print(RUN.write(TEXT, result), end="", file=sys.stderr)
        raise Exit(result.exit_code)
