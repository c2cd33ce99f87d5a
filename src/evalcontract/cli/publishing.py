"""`evalcontract dataset publish`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from evalcontract.cli.dataset import File, Previous, waivers_in
from evalcontract.cli.options import Limit, PlainFormat, Reason, ReportFile, Schemas, Strict, Waive
from evalcontract.cli.output import emit, finish, format_for
from evalcontract.cli.parameters import Option
from evalcontract.cli.roles import SAYS
from evalcontract.errors import UsageError
from evalcontract.reports import PUBLISH

if TYPE_CHECKING:
    from evalcontract.exchange.volumes import Workspace


def publish(
    file: File,
    volume: Annotated[str, Option(help="Catalog, or folder /Volumes/CATALOG/SCHEMA/VOLUME/..."), SAYS],
    previous: Previous = None,
    table: Annotated[
        str | None, Option(help="Add a row to catalog.schema.table; needs --warehouse."), SAYS
    ] = None,
    warehouse: Annotated[str | None, Option(help="Id of the SQL warehouse that adds the row."), SAYS] = None,
    waive: Waive = None,
    reason: Reason = None,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Check and say where it would go; send nothing.")
    ] = False,
    report_file: ReportFile = None,
    schemas: Schemas = None,
    limit: Limit = None,
    report_format: PlainFormat = None,
    strict: Strict = False,
) -> None:
    """Write the snapshot of a release to a Unity Catalog volume, once and for all.

    The release must pass its checks. Its sha256 is written beside it. The same content is left as it is, another one
    under the same name is refused. The workspace is the one that the SDK of Databricks finds, by DATABRICKS_HOST and
    DATABRICKS_TOKEN or by a profile. Exit code: 0 it is there, 1 a check failed, 2 it can't be written.
    """
    from evalcontract.exchange.volumes import publish as publish_release
    from evalcontract.settings import catalogue_for

    format_ = format_for(PUBLISH, report_format, report_file)
    report = publish_release(
        file,
        volume,
        None if dry_run else _workspace(),
        previous=previous,
        table=table,
        warehouse=warehouse,
        waive=waivers_in(waive or [], reason or []),
        strict=strict,
        catalogue=catalogue_for(schemas or ()),
    )
    emit(PUBLISH.write(format_, report), report_file)
    finish(0 if report.ok else 1, report_file)


def _workspace() -> Workspace:
    try:
        from evalcontract.exchange.volumes import connect
    except ImportError as error:
        raise UsageError(
            "Unity Catalog needs the SDK of Databricks", hint="pip install databricks-sdk"
        ) from error
    return connect()
