"""Events of values that come from no text: a dataset or items in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evalcontract.reading import Closed, Document, Event, NoText, Opened


def events_of(dataset: dict[str, Any], name: str) -> Iterator[Event]:
    """The events of a parsed dataset."""
    items = dataset.get("items")
    rest = {key: value for key, value in dataset.items() if key != "items"}
    envelope = Document(rest if isinstance(items, list) else dataset, name, 0, NoText())
    yield Opened(name, "json", "dataset", envelope)
    yield from _documents(items if isinstance(items, list) else [], name, envelope)


def events_of_items(items: list[Any], name: str) -> Iterator[Event]:
    """The events of parsed items around which nothing stands."""
    yield Opened(name, "json", "array")
    yield from _documents(items, name, None)


def _documents(values: list[Any], name: str, envelope: Document | None) -> Iterator[Event]:
    for index, value in enumerate(values):
        yield Document(value, name, index, NoText())
    yield Closed(name, len(values), 0, 0, True, envelope)
