"""Strict reading of JSON, JSON Lines and YAML, with positions: values and where they stand, no verdicts.

for event in read("items.jsonl", items=True):
    match event:
        case Document():
            check(event.value, event.locate("/input"))
        case Fault():
            report(event.code, event.position)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.lazy import lazily
from evalcontract.reading.events import (
    Closed,
    Document,
    Event,
    Fault,
    FileNotice,
    NoText,
    Opened,
    Passes,
    Position,
)
from evalcontract.reading.inputs import find_inputs, is_readable_name
from evalcontract.reading.limits import (
    LIMIT_NAMES,
    Held,
    Limits,
    current_limits,
    limited,
    limits_told,
    raise_it,
    too_many_invalid,
)
from evalcontract.reading.reader import read

if TYPE_CHECKING:
    from evalcontract.reading.lines import BLANK, blank_lines
    from evalcontract.reading.locator import JsonText, skip_value
    from evalcontract.reading.no_data import kind_without_data
    from evalcontract.reading.parquet import (
        PARQUET_BATCH,
        PARQUET_DATASET,
        PARQUET_LAYOUT,
        PARQUET_NULLS,
        PARQUET_VERSION,
        column_name,
        keeps_nulls,
        read_parquet,
    )
    from evalcontract.reading.ranges import (
        NotInRanges,
        Range,
        bytes_of,
        can_be_split,
        is_compressed,
        read_range,
        split_ranges,
    )
    from evalcontract.reading.reader import BOM
    from evalcontract.reading.refusals import Refusal
    from evalcontract.reading.single import glance, read_single
    from evalcontract.reading.sources import (
        STDIN,
        STDIN_NAME,
        SUFFIXES,
        is_regular_file,
        opened,
        share_read,
        what_is_read,
    )
    from evalcontract.reading.strict import parse, small_numbers_only
    from evalcontract.reading.tally import Tally

__all__ = [
    "BLANK",
    "BOM",
    "LIMIT_NAMES",
    "PARQUET_BATCH",
    "PARQUET_DATASET",
    "PARQUET_LAYOUT",
    "PARQUET_NULLS",
    "PARQUET_VERSION",
    "STDIN",
    "STDIN_NAME",
    "SUFFIXES",
    "Closed",
    "Document",
    "Event",
    "Fault",
    "FileNotice",
    "Held",
    "JsonText",
    "Limits",
    "NoText",
    "NotInRanges",
    "Opened",
    "Passes",
    "Position",
    "Range",
    "Refusal",
    "Tally",
    "blank_lines",
    "bytes_of",
    "can_be_split",
    "column_name",
    "current_limits",
    "find_inputs",
    "glance",
    "is_compressed",
    "is_readable_name",
    "is_regular_file",
    "keeps_nulls",
    "kind_without_data",
    "limited",
    "limits_told",
    "opened",
    "parse",
    "raise_it",
    "read",
    "read_parquet",
    "read_range",
    "read_single",
    "share_read",
    "skip_value",
    "small_numbers_only",
    "split_ranges",
    "too_many_invalid",
    "what_is_read",
]

__getattr__ = lazily(
    __name__,
    {
        "lines": "BLANK blank_lines",
        "locator": "JsonText skip_value",
        "no_data": "kind_without_data",
        "parquet": "PARQUET_BATCH PARQUET_DATASET PARQUET_LAYOUT PARQUET_NULLS PARQUET_VERSION column_name "
        "keeps_nulls read_parquet",
        "ranges": "NotInRanges Range bytes_of can_be_split is_compressed read_range split_ranges",
        "reader": "BOM",
        "refusals": "Refusal",
        "single": "glance read_single",
        "sources": "STDIN STDIN_NAME SUFFIXES is_regular_file opened share_read what_is_read",
        "strict": "parse small_numbers_only",
        "tally": "Tally",
    },
)
