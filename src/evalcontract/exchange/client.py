"""The server, as far as datasets go: a few calls of the SDK's REST client, retried where that is safe."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
from langfuse.api import Dataset as ServerDataset
from langfuse.api import DatasetItem, LangfuseAPI
from langfuse.api.core.api_error import ApiError
from langfuse.api.core.request_options import RequestOptions
from pydantic import ValidationError

from evalcontract.errors import ContractError, UsageError
from evalcontract.values import shown

PAGE_ITEMS = 100
ATTEMPTS = 6
TIMEOUT_SECONDS = 60
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 30.0
_DEFAULT_URL = "https://cloud.langfuse.com"
_NOT_RETRIED: RequestOptions = {"max_retries": 0}

_HINTS = {
    401: "check LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY and LANGFUSE_BASE_URL",
    403: "the keys are valid, but not for this",
    429: f"{ATTEMPTS} attempts were made; try again later",
}

Answer = TypeVar("Answer")


class LangfuseError(ContractError):
    """The server can't be reached, refuses, or answers what can't be understood. `status` is its HTTP status."""

    def __init__(self, message: str, *, hint: str | None = None, status: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status = status


def connect(environment: Mapping[str, str] | None = None) -> Server:
    """The server that the environment names: LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY.

    The keys are taken from there only, so that they stand in no command line, and are never shown. Raises
    UsageError when one is missing.
    """
    given = os.environ if environment is None else environment
    url = given.get("LANGFUSE_BASE_URL") or given.get("LANGFUSE_HOST") or _DEFAULT_URL
    if not url.startswith(("https://", "http://")):
        raise UsageError("LANGFUSE_BASE_URL is no web address", hint="it begins with https://")
    keys = [given.get(name, "") for name in ("LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY")]
    if not all(keys):
        raise UsageError(
            "the keys of the Langfuse project are not in the environment",
            hint="set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY",
        )
    return Server(url, *keys)


class Server:
    """A Langfuse project. Every call is tried up to ATTEMPTS times when the server is busy or cut off.

    `sleep` waits between the attempts, in seconds: longer each time, or as long as the server says.
    """

    def __init__(
        self, url: str, public_key: str, secret_key: str, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.url = url
        self._hidden = (public_key, secret_key)
        self._sleep = sleep
        # Redirects aren't followed: they would lead the keys to another host.
        self._http = httpx.Client(timeout=TIMEOUT_SECONDS, follow_redirects=False)
        self._api = LangfuseAPI(
            base_url=url, username=public_key, password=secret_key, httpx_client=self._http
        )

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def dataset(self, name: str) -> ServerDataset | None:
        """A dataset by name; None when there is none."""
        try:
            found: ServerDataset = self._tried(
                lambda: self._api.datasets.get(quote(_usable(name), safe=""), request_options=_NOT_RETRIED)
            )
        except LangfuseError as error:
            if error.status == 404:
                return None
            raise
        return found

    def save_dataset(self, name: str, **fields: Any) -> ServerDataset:
        """Create a dataset, or change the fields that are given: metadata, input_schema, ..."""
        saved: ServerDataset = self._tried(
            lambda: self._api.datasets.create(name=_usable(name), request_options=_NOT_RETRIED, **fields)
        )
        return saved

    def items(self, name: str) -> Iterator[DatasetItem]:
        """Every item of a dataset, those that the server lists last first: it lists the newest first.

        Raises LangfuseError when items come or go while they are read.
        """
        first = self._page(name, 1)
        total, pages = first.meta.total_items, max(first.meta.total_pages, 1)
        seen: set[str] = set()
        for number in range(pages, 0, -1):
            page = first if number == 1 and pages == 1 else self._page(name, number)
            if page.meta.total_items != total:
                break
            for item in reversed(page.data):
                if item.id not in seen:
                    seen.add(item.id)
                    yield item
        if len(seen) != total:
            raise LangfuseError(
                f"the dataset {shown(name)} changed while it was read: {len(seen)} of {total} items came",
                hint="try again when nobody writes to it",
            )

    def save_item(self, **fields: Any) -> DatasetItem:
        """Create an item, or change the one with this id."""
        saved: DatasetItem = self._tried(
            lambda: self._api.dataset_items.create(request_options=_NOT_RETRIED, **fields)
        )
        return saved

    def _page(self, name: str, number: int) -> Any:
        return self._tried(
            lambda: self._api.dataset_items.list(
                dataset_name=name, page=number, limit=PAGE_ITEMS, request_options=_NOT_RETRIED
            )
        )

    def _tried(self, call: Callable[[], Answer]) -> Answer:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return call()
            except ApiError as error:
                if attempt == ATTEMPTS or not _passing(error.status_code):
                    raise self._refused(error) from None
                pause = _asked_pause(error.headers) or _pause(attempt)
            except httpx.TransportError as error:
                if attempt == ATTEMPTS:
                    raise LangfuseError(
                        f"{self.url} can't be reached: {type(error).__name__}",
                        hint=f"{ATTEMPTS} attempts were made; check LANGFUSE_BASE_URL and the network",
                    ) from None
                pause = _pause(attempt)
            except (ValidationError, httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
                raise self._not_langfuse(type(error).__name__) from None
            self._sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _refused(self, error: ApiError) -> LangfuseError:
        status = error.status_code or 0
        if status < 400:
            return self._not_langfuse(f"HTTP status {status}", status)
        said = error.body.get("message") if isinstance(error.body, dict) else error.body
        text = shown(self._without_keys(str(said or "nothing")), 300)
        return LangfuseError(f"Langfuse answers {status}: {text}", hint=_HINTS.get(status), status=status)

    def _not_langfuse(self, what: str, status: int | None = None) -> LangfuseError:
        return LangfuseError(
            f"{self.url} gives an answer that is not Langfuse's: {what}",
            hint="check LANGFUSE_BASE_URL, and that the server is of a version that the SDK knows",
            status=status,
        )

    def _without_keys(self, text: str) -> str:
        for key in self._hidden:
            text = text.replace(key, "***")
        return text


def _usable(name: str) -> str:
    if not name.strip() or name.strip(".") == "" or len(name) > 500:
        raise UsageError(f"{shown(name)} can't be the name of a dataset")
    return name


def _passing(status: int | None) -> bool:
    return status in (408, 409, 425, 429) or (status is not None and status >= 500)


def _asked_pause(headers: Mapping[str, str] | None) -> float | None:
    """Seconds that the server asks to wait, at most the longest pause."""
    value = next((v for k, v in (headers or {}).items() if k.lower() == "retry-after"), "")
    return min(float(value), _LONGEST_PAUSE_SECONDS) if value.isascii() and value.isdigit() else None


def _pause(attempt: int) -> float:
    longest: float = min(_FIRST_PAUSE_SECONDS * 2 ** (attempt - 1), _LONGEST_PAUSE_SECONDS)
    return longest * (0.5 + random.random() / 2)
