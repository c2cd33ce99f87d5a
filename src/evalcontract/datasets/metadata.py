"""The metadata that stands beside the items of a dataset."""

from __future__ import annotations

from collections.abc import Mapping

from evalcontract.datasets.sources import DatasetSource
from evalcontract.reading import Document, Opened
from evalcontract.values import plain


def metadata_of(source: DatasetSource) -> Mapping[str, object]:
    """The metadata in a dataset's envelope or sidecar, without reading its items; empty where there is none."""
    for event in source.events():
        if isinstance(event, Opened) and event.envelope is not None:
            value = event.envelope.value
            metadata = value.get("metadata") if isinstance(value, Mapping) else None
            return metadata if isinstance(metadata, Mapping) else {}
        if isinstance(event, Opened | Document):
            break
    return plain(source.beside) if isinstance(source.beside, Mapping) else {}
