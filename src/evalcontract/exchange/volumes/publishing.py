"""`publish`: a release that passed its checks, written once under its name."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from evalcontract.catalog import Catalogue
from evalcontract.errors import UnreadableInput, UsageError
from evalcontract.exchange.volumes.target import Target, VolumeError, target_of
from evalcontract.reading import Opened, read
from evalcontract.release import DatasetName, ReleaseReport, check_release
from evalcontract.values import listed

if TYPE_CHECKING:  # it needs the SDK, which a dry run does not
    from evalcontract.exchange.volumes.workspace import Workspace

State = Literal["refused", "would be published", "published", "already there"]


@dataclass(frozen=True, slots=True)
class PublishReport:
    """What became of a release. `check` says why it may not go out, when `state` is `refused`.

    `contract` names what its items were checked against, `row` whether a row in `target.table` says so.
    """

    file: str
    release: DatasetName
    target: Target
    sha256: str
    contract: str
    check: ReleaseReport
    state: State
    row: bool = False

    @property
    def ok(self) -> bool:
        """Whether the release is there, or would be."""
        return self.state != "refused"


def publish(
    file: str,
    volume: str,
    workspace: Workspace | None,
    *,
    previous: str | None = None,
    table: str | None = None,
    warehouse: str | None = None,
    waive: Mapping[str, str] | None = None,
    strict: bool = False,
    catalogue: Catalogue | None = None,
) -> PublishReport:
    """Check a release and write its snapshot to a volume, with its sha256 beside it, and a row in a table of releases.

    What is there already under its name stays: the same content is left as it is, and another one is an error. What
    was written is read again and compared. Without a `workspace` nothing is sent. Running it again after a failure
    completes what is missing, and adds no row twice.

    Raises UsageError for a file that is no snapshot, UnreadableInput, and VolumeError.
    """
    _refuse_what_is_no_snapshot(file)
    before = _digest(file)
    check = check_release(file, previous, waive=waive, strict=strict, catalogue=catalogue)
    if check.name is None:
        raise UsageError(f"{file} doesn't say which release it is", hint="complete its metadata")
    target = target_of(check.name, volume, table=table, warehouse=warehouse)
    report = PublishReport(file, check.name, target, before, listed(check.contracts), check, "refused")
    if not check.ok:
        return report
    if workspace is None:
        return replace(report, state="would be published")
    there = workspace.digest(target.path)
    if there is not None and there != before:
        raise _another(target.path)
    if there is None:
        _write(workspace, file, target.path, before)
    workspace.replace(target.digest_path, f"{before}  {check.name}.json\n".encode())
    if target.table is not None and target.warehouse is not None:
        statement, parameters = _row(report, target.table)
        workspace.execute(target.warehouse, statement, parameters)
    state: State = "published" if there is None else "already there"
    return replace(report, state=state, row=target.table is not None)


def _write(workspace: Workspace, file: str, path: str, digest: str) -> None:
    with open(file, "rb") as contents:
        created = workspace.create(path, contents)
    there = workspace.digest(path)
    if there != digest:
        if not created:  # by somebody else, meanwhile
            raise _another(path)
        raise VolumeError(
            f"{path} is not what was sent: the upload was cut off, or the file has changed meanwhile",
            hint="remove it there, and run the command again",
        )


def _another(path: str) -> VolumeError:
    return VolumeError(
        f"there is another content at {path}", hint="a release never changes: give it a version of its own"
    )


def _refuse_what_is_no_snapshot(file: str) -> None:
    if Path(file).suffix.lower() != ".json":
        raise UsageError(
            f"{file} is no snapshot of a release",
            hint="a snapshot is one .json file with metadata and items: evalcontract convert",
        )
    opened = next((event for event in read(file, items=True) if isinstance(event, Opened)), None)
    if opened is None or opened.container != "dataset":
        raise UsageError(f"{file} holds no metadata and items", hint="evalcontract convert makes a snapshot")


def _digest(file: str) -> str:
    try:
        with open(file, "rb") as contents:
            return hashlib.file_digest(contents, "sha256").hexdigest()
    except OSError as error:
        raise UnreadableInput(f"{file} can't be read: {error.strerror}") from error


def _row(report: PublishReport, table: str) -> tuple[str, dict[str, str | None]]:
    """The statement that adds the row of a release unless it is there, and its values."""
    name = ".".join(f"`{part}`" for part in table.split("."))
    verdict = "waived" if any(outcome.status == "waived" for outcome in report.check.outcomes) else "passed"
    values: dict[str, str | None] = {
        "product": report.release.product_id,
        "release": str(report.release),
        "version": str(report.release.version),
        "path": report.target.path,
        "sha256": report.sha256,
        "contract": report.contract,
        "verdict": verdict,
        "items": str(report.check.items),
    }
    columns = ", ".join(f":{column} as {column}" for column in values)
    lines = (
        f"MERGE INTO {name} AS releases",
        f"USING (SELECT {columns}) AS made",
        "ON releases.release = made.release AND releases.sha256 = made.sha256",
        f"WHEN NOT MATCHED THEN INSERT ({', '.join(values)})",
        f"VALUES ({', '.join(f'made.{column}' for column in values)})",
    )
    return " ".join(lines), values
