"""Datasets as files: read from any of the formats, written to any of them."""

from __future__ import annotations

from evalcontract.datasets.convert import FORMATS, convert, format_of_target
from evalcontract.datasets.sources import Dataset, Source, source_of

__all__ = ["FORMATS", "Dataset", "Source", "convert", "format_of_target", "source_of"]
