"""`evalcontract score`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from evalcontract.cli.names import refuse_names
from evalcontract.cli.output import emit, is_terminal
from evalcontract.cli.progress import Progress
from evalcontract.cli.validate import OwnType, SchemaTypeOption
from evalcontract.errors import UsageError
from evalcontract.files import refuse_input, whole_file

Predictions = Annotated[
    str, typer.Argument(help="File of prediction records, or - for standard input.", show_default=False)
]
Dataset = Annotated[str, typer.Option(help="The dataset that they answer: a file, or -.", show_default=False)]
Metrics = Annotated[
    str | None,
    typer.Option(
        help="Names such as answer_f1,recall_at_k,ndcg_at_3; by default those of the items' schema types.",
        show_default=False,
    ),
]
Scores = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "--records",
        "-o",
        help="Write a score record for each item, as JSON Lines. The report goes to standard output.",
        show_default=False,
    ),
]
Compare = Annotated[
    str | None,
    typer.Option(help="Other predictions, or the score records of another run.", show_default=False),
]
Bounds = Annotated[
    list[str] | None,
    typer.Option(metavar="METRIC=VALUE", help="Exit with 1 when this mean is lower.", show_default=False),
]


def score(
    predictions: Predictions,
    dataset: Dataset,
    metrics: Metrics = None,
    k: Annotated[str, typer.Option("--k", help="Cut-offs of the metrics at k.")] = "1,5,10",
    output: Scores = None,
    report_format: Annotated[str, typer.Option("--format", help="text, json, csv or markdown.")] = "text",
    compare: Compare = None,
    across_versions: Annotated[
        bool, typer.Option("--across-versions", help="Compare scores of another version of the dataset too.")
    ] = False,
    fail_under: Bounds = None,
    worst: Annotated[int, typer.Option(min=0, help="How many of the worst items to name.")] = 5,
    worst_by: Annotated[
        str | None, typer.Option(help="Rank them by one metric, not by the mean of all.", show_default=False)
    ] = None,
    min_grade: Annotated[int, typer.Option(help="Relevance from which a document counts, 1 or 2.")] = 1,
    gain: Annotated[str, typer.Option(help="Gain of ndcg: linear or exponential.")] = "linear",
    args: Annotated[
        str, typer.Option(help="How tool arguments are compared: exact, superset, subset or ignore.")
    ] = "exact",
    quotes: Annotated[str, typer.Option(help="How quotes are verified: exact or fuzzy.")] = "exact",
    support_threshold: Annotated[
        float | None,
        typer.Option(help="Groundedness that counts as support in citation_support_*.", show_default=False),
    ] = None,
    chunk_separator: Annotated[
        str | None,
        typer.Option(help="Retrieved ids are chunks: what follows this is cut off.", show_default=False),
    ] = None,
    schema_type: SchemaTypeOption = None,
    own_type: OwnType = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes; one a core.", show_default=False)
    ] = None,
) -> None:
    """Score predictions against their dataset, by deterministic metrics.

    Exit code: 0 scored, 1 a bound isn't met or the data breaks its contract, 2 wrong usage or unreadable input.
    """
    from evalcontract.checking import RunResult, cores
    from evalcontract.metrics import MetricOptions
    from evalcontract.reports import FORMATS, text
    from evalcontract.reports.scores import scores_markdown, scores_text
    from evalcontract.reports.scores_data import scores_csv, scores_json
    from evalcontract.scoring import Settings, Wanted, score_files
    from evalcontract.scoring.settings import names_in, numbers_in

    formats = {"text": scores_text, "json": scores_json, "csv": scores_csv, "markdown": scores_markdown}
    if report_format not in formats:
        raise UsageError(f"there is no format {report_format!r}", hint=f"known: {', '.join(formats)}")
    options = MetricOptions(
        min_grade=min_grade,
        gain=cast(Any, gain),
        args=cast(Any, args),
        quotes=cast(Any, quotes),
        support_threshold=support_threshold,
        chunk_separator=chunk_separator,
    )
    settings = Settings(names_in(metrics) if metrics is not None else None, numbers_in(k), options)
    wanted = Wanted(
        compare,
        across_versions,
        dict(map(_bound, fail_under or ())),
        worst,
        worst_by,
        schema_type,
        tuple(own_type or ()),
    )
    refuse_names(predictions, dataset, compare)
    with ExitStack() as stack:
        refuse_input([output], [predictions, dataset, compare])
        file = stack.enter_context(whole_file(output)) if output else None
        progress = stack.enter_context(Progress())
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
            emit(
                FORMATS["json"](result) if report_format == "json" else text(result, colour=is_terminal()),
                None,
            )
            raise typer.Exit(result.exit_code)  # leaves an older file of scores as it is
    if report_format == "text":
        emit(scores_text(result, colour=is_terminal()), None)
    else:
        emit(formats[report_format](result), None)
    raise typer.Exit(result.exit_code)


def _bound(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise UsageError(
            f"a bound is METRIC=VALUE, not {text!r}", hint="write for example --fail-under answer_f1=0.6"
        ) from None
