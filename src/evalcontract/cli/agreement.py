"""`evalcontract agreement`."""

from __future__ import annotations

from typing import Annotated

from evalcontract.cli.names import refuse_names
from evalcontract.cli.options import AgreementFormat, Limit, Report
from evalcontract.cli.output import emit, finish, format_for, look_for
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.progress import Progress
from evalcontract.cli.roles import READS_DATA, SAYS
from evalcontract.errors import UsageError
from evalcontract.reports import AGREEMENT, RUN


def agreement(
    files: Annotated[list[str], Argument(help="Files of score records, of all evaluators."), READS_DATA],
    reference: Annotated[
        str | None, Option(help="The evaluator that the others are held against, such as a person."), SAYS
    ] = None,
    threshold: Annotated[float, Option(help="The value from which a score is positive.")] = 0.5,
    limit: Limit = None,
    report_format: AgreementFormat = None,
    output: Report = None,
) -> None:
    """Tell how far evaluators agree: Krippendorff's alpha, Cohen's kappa, precision and recall of a judge.

    Exit code: 0 told, 1 the records break their contract, 2 wrong usage or unreadable input.
    """
    from evalcontract.checking import RunResult
    from evalcontract.scoring import agreement_in

    if not 0 <= threshold <= 1:
        raise UsageError(f"a threshold lies from 0 to 1, not at {threshold:g}")
    format_ = format_for(AGREEMENT, report_format, output)
    refuse_names(*files)
    with Progress(files) as progress:
        found = agreement_in(files, reference, threshold, progress=progress.update)
    if isinstance(found, RunResult):
        emit(RUN.write(format_ if format_ in RUN.names else "text", found, look_for(output)), output)
        finish(found.exit_code, output)
    else:
        emit(AGREEMENT.write(format_, found, look_for(output)), output)
