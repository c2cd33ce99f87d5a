"""A dataset of the server, as a source that is read like a file."""

from __future__ import annotations

from collections.abc import Iterator

from evalcontract.datasets import DatasetSource
from evalcontract.errors import UnreadableInput
from evalcontract.exchange.client import Server
from evalcontract.exchange.mapping import from_server
from evalcontract.reading import Closed, Document, Event, Fault, NoText, Opened
from evalcontract.validation import violations_of_json
from evalcontract.values import shown


def pulled(server: Server, name: str, *, active_only: bool = False) -> DatasetSource:
    """The dataset: its metadata as that of the dataset, its items oldest first.

    Raises UnreadableInput when there is no such dataset.
    """
    found = server.dataset(name)
    if found is None:
        raise UnreadableInput(
            f"there is no dataset {shown(name)} on {server.url}", hint="check the name and the keys"
        )
    metadata = found.metadata if isinstance(found.metadata, dict) else {}
    label = f"langfuse:{name}"
    envelope = Document({"metadata": metadata}, label, 0, NoText())

    def events() -> Iterator[Event]:
        yield Opened(label, "json", "dataset", envelope)
        index = faults = 0
        for item in server.items(name):
            if active_only and item.status.value != "ACTIVE":
                continue
            value = from_server(item)
            bad = next(violations_of_json(value), None)
            if bad is None:
                yield Document(value, label, index, NoText())
            else:
                faults += 1
                yield Fault(bad.code, f"item {item.id}: {bad.message}", None, bad.hint, label, index=index)
            index += 1
        yield Closed(label, index - faults, faults, 0, True, envelope)

    return DatasetSource(label, events, placed=False)
