"""Datasets as files: read from any of the formats, written to any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.datasets.convert import FORMATS, convert, format_of_target
from evalcontract.datasets.sources import Dataset, DatasetSource, source_of
from evalcontract.lazy import lazily

if TYPE_CHECKING:
    from evalcontract.datasets.contents import Contents as Contents
    from evalcontract.datasets.convert import ConvertedFiles as ConvertedFiles
    from evalcontract.datasets.memory import events_of as events_of
    from evalcontract.datasets.memory import events_of_items as events_of_items
    from evalcontract.datasets.metadata import metadata_of as metadata_of
    from evalcontract.datasets.normalize import normalize_dataset_item as normalize_dataset_item
    from evalcontract.datasets.normalizing import NormalizedItems as NormalizedItems

__all__ = [
    "FORMATS",
    "Dataset",
    "DatasetSource",
    "convert",
    "format_of_target",
    "source_of",
]

__getattr__ = lazily(
    __name__,
    {
        "contents": "Contents",
        "convert": "ConvertedFiles",
        "memory": "events_of events_of_items",
        "metadata": "metadata_of",
        "normalize": "normalize_dataset_item",
        "normalizing": "NormalizedItems",
    },
)
