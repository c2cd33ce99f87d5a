"""`evalcontract convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from evalcontract.cli.options import Limit, PlainFormat, ReportFile
from evalcontract.cli.output import emit, format_for
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.roles import READS_DATA, WRITES_DATA
from evalcontract.errors import UsageError
from evalcontract.files import whole_file
from evalcontract.reports import CONVERTED


def convert(
    source: Annotated[
        str, Argument(metavar="IN", help="The dataset: a file, or - for standard input."), READS_DATA
    ],
    target: Annotated[
        Path | None, Argument(metavar="OUT", help="A .json, .jsonl or .parquet file."), WRITES_DATA
    ] = None,
    output: Annotated[
        Path | None, Option("--output", "-o", help="Another way to say OUT."), WRITES_DATA
    ] = None,
    allow_loss: Annotated[
        bool, Option("--allow-loss", "--allow-drop", help="Leave out what OUT can't hold, and say so.")
    ] = False,
    report_file: ReportFile = None,
    limit: Limit = None,
    report_format: PlainFormat = None,
) -> None:
    """Write a dataset in another format: JSON, JSON Lines with their metadata beside them, or Parquet.

    Items are taken as they are, and ids must be unique: whether an item keeps its contract, validate says of IN and of
    OUT alike.

    Exit code: 0 written, 1 the dataset can't be read to its end or would lose something, 2 wrong usage.
    """
    from evalcontract.cli.names import refuse_names
    from evalcontract.datasets import convert as convert_dataset
    from evalcontract.datasets import source_of
    from evalcontract.release import looks_like_a_release

    format_ = format_for(CONVERTED, report_format, report_file)
    named = [path for path in (target, output) if path is not None]
    if len(named) != 1:
        raise UsageError(
            "convert needs the file to write, once", hint="for example evalcontract convert IN OUT.jsonl"
        )
    refuse_names(source, reads=(".parquet",))
    release = looks_like_a_release(named[0].stem)
    done = convert_dataset(source_of(source), named[0], whole_file, allow_loss=allow_loss, is_release=release)
    emit(CONVERTED.write(format_, done), report_file)
