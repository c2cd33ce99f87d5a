"""A Databricks workspace, as far as releases go: files of volumes, and one statement of SQL."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import Any, BinaryIO

from databricks.sdk import WorkspaceClient
from databricks.sdk.errors import AlreadyExists, NotFound, PermissionDenied, Unauthenticated
from databricks.sdk.errors.base import DatabricksError
from databricks.sdk.service.sql import (
    ExecuteStatementRequestOnWaitTimeout,
    StatementParameterListItem,
    StatementState,
)
from requests import RequestException

from evalcontract.exchange.volumes.target import VolumeError
from evalcontract.values import shown

_BLOCK = 1 << 20
_POLL_SECONDS = 2.0
_MINUTES = 5
_LOGIN = "set DATABRICKS_HOST and DATABRICKS_TOKEN, or log in as the SDK of Databricks describes"
_RUNNING = (StatementState.PENDING, StatementState.RUNNING)


class Workspace:
    """The calls that publishing makes; failures that may pass are retried by the SDK."""

    def __init__(self, client: WorkspaceClient, sleep: Callable[[float], object] = time.sleep) -> None:
        self._client = client
        self._sleep = sleep

    def digest(self, path: str) -> str | None:
        """The sha256 of a file as it is there, read to its end; None where there is none. Raises VolumeError."""
        with _told(f"{path} can't be read"):
            try:
                contents: Any = self._client.files.download(path).contents
            except NotFound:
                return None
            found = hashlib.sha256()
            with contents:
                while block := contents.read(_BLOCK):
                    found.update(block)
        return found.hexdigest()

    def create(self, path: str, contents: BinaryIO) -> bool:
        """Write a new file, and the folders above it; False when there is one already. Raises VolumeError."""
        folder = path.rpartition("/")[0]
        with _told(f"{path} can't be written"):
            self._client.files.create_directory(folder)
            try:
                self._client.files.upload(path, contents, overwrite=False)
            except AlreadyExists:
                return False
        return True

    def replace(self, path: str, contents: bytes) -> None:
        """Write a small file, whatever is there. Raises VolumeError."""
        with _told(f"{path} can't be written"):
            self._client.files.upload(path, BytesIO(contents), overwrite=True)

    def execute(self, warehouse: str, statement: str, parameters: Mapping[str, str | None]) -> None:
        """Run a statement of SQL to its end. Raises VolumeError."""
        told = [StatementParameterListItem(name=name, value=value) for name, value in parameters.items()]
        with _told("the statement can't be run"):
            done = self._client.statement_execution.execute_statement(
                statement,
                warehouse,
                parameters=told,
                wait_timeout="30s",
                on_wait_timeout=ExecuteStatementRequestOnWaitTimeout.CONTINUE,
            )
            waited = 0.0
            while done.status is not None and done.status.state in _RUNNING and waited < _MINUTES * 60:
                self._sleep(_POLL_SECONDS)
                waited += _POLL_SECONDS
                done = self._client.statement_execution.get_statement(str(done.statement_id))
        state = done.status.state if done.status else None
        if state != StatementState.SUCCEEDED:
            why = done.status.error.message if done.status and done.status.error else None
            said = f"{state.value if state else 'no state'}: {shown(why or 'nothing more is said', 200)}"
            raise VolumeError(
                f"the statement did not succeed: {said}", hint="run the command again; it adds no row twice"
            )


def connect() -> Workspace:
    """The workspace that the environment or the profile of the SDK names. Raises VolumeError."""
    with _told("there is no workspace to publish to", hint=_LOGIN):
        return Workspace(WorkspaceClient(product="evalcontract"))


@contextmanager
def _told(what: str, hint: str | None = None) -> Iterator[None]:
    try:
        yield
    except (Unauthenticated, PermissionDenied) as error:
        raise VolumeError(f"{what}: {_said(error)}", hint=hint or _LOGIN) from error
    except (DatabricksError, RequestException, TimeoutError, ValueError, OSError) as error:
        raise VolumeError(f"{what}: {_said(error)}", hint=hint or "run the command again") from error


def _said(error: Exception) -> str:
    """The first line of it: the SDK adds its settings behind."""
    return shown(next(iter(str(error).splitlines()), "") or type(error).__name__, 200)
