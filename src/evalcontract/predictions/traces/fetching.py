"""Traces fetched from a Langfuse server, through its own SDK (extra `langfuse`), as soon as they are whole."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from evalcontract.errors import ContractError, UsageError
from evalcontract.predictions.traces.finding import read_trace
from evalcontract.predictions.traces.observations import Trace
from evalcontract.predictions.traces.waiting import BACKOFF, wait_for_trace
from evalcontract.values import shown

_FIELDS = "core,basic,time,io,metadata,model,usage,trace_context"
_PAGE = 100
_MOST_PAGES = 1000
_TIMEOUT_SECONDS = 60
_KEYS = ("LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY")
_DEFAULT_URL = "https://cloud.langfuse.com"
_INSTALL = "pip install langfuse"


class FetchError(ContractError):
    """The server with the trace can't be reached, refuses, or answers what can't be understood."""


async def fetch_trace(
    trace_id: str,
    *,
    expected: Iterable[str] = (),
    backoff: Iterable[float] = BACKOFF,
    client: Any = None,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> Trace:
    """The trace with this id, from Langfuse, once it is whole.

    It is asked for once, and again after each of the `backoff` seconds while it lacks something; name in `expected`
    the observations that the run must have. `client` is a client of the Langfuse SDK; by default the project that
    LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY name.

    Raises IncompleteTrace, with what was missing the last time, UsageError when the SDK or the keys are missing, and
    FetchError when the server refuses.
    """
    with _observations_of(client) as observations:
        document = await wait_for_trace(
            lambda: asyncio.to_thread(_whole, observations, trace_id),
            expected=expected,
            backoff=backoff,
            sleep=sleep,
        )
    return read_trace(document)


@contextmanager
def _observations_of(client: Any) -> Iterator[Any]:
    """What lists observations, of a client of the SDK, of its REST client, or of one made from the environment."""
    try:
        from httpx import Client
        from langfuse.api import LangfuseAPI
    except ImportError:
        raise UsageError("fetching a trace needs the Langfuse SDK", hint=_INSTALL) from None
    if client is not None:
        found = getattr(getattr(client, "api", client), "observations", None)
        if found is None or not hasattr(found, "get_many"):
            hint = "pass langfuse.get_client()"
            raise UsageError(f"{type(client).__name__} is no client of the Langfuse SDK", hint=hint)
        yield found
        return
    keys = [os.environ.get(name, "") for name in _KEYS]
    if not all(keys):
        raise UsageError(
            "the keys of the Langfuse project are not in the environment", hint=f"set {' and '.join(_KEYS)}"
        )
    url = os.environ.get("LANGFUSE_BASE_URL") or os.environ.get("LANGFUSE_HOST") or _DEFAULT_URL
    # Redirects aren't followed: they would lead the keys to another host.
    with Client(timeout=_TIMEOUT_SECONDS, follow_redirects=False) as http:
        yield LangfuseAPI(base_url=url, username=keys[0], password=keys[1], httpx_client=http).observations


def _whole(observations: Any, trace_id: str) -> dict[str, Any] | None:
    """Every observation of the trace, page by page; None while there is none."""
    from httpx import HTTPError
    from langfuse.api.core.api_error import ApiError
    from pydantic import ValidationError

    found: list[Any] = []
    cursor: str | None = None
    try:
        for _ in range(_MOST_PAGES):
            page = observations.get_many(trace_id=trace_id, fields=_FIELDS, limit=_PAGE, cursor=cursor)
            found += [observation.model_dump(mode="json") for observation in page.data]
            cursor = getattr(page.meta, "cursor", None)
            if not cursor:
                break
    except ApiError as error:
        if error.status_code == 404:
            return None
        raise FetchError(
            f"Langfuse answers {error.status_code}", hint="check the keys and the address of the project"
        ) from None
    except (HTTPError, ValidationError) as error:
        raise FetchError(f"Langfuse can't be asked for {shown(trace_id)}: {type(error).__name__}") from None
    return {"observations": found} if found else None
