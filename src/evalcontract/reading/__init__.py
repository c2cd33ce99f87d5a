"""Strict reading of JSON, JSON Lines and YAML, with positions: values and where they stand, no verdicts.

for event in read("items.jsonl", items=True):
    match event:
        case Document():
            check(event.value, event.locate("/input"))
        case Fault():
            report(event.code, event.position)
"""

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
from evalcontract.reading.parquet import keeps_nulls, read_parquet
from evalcontract.reading.ranges import Range, can_be_split, read_range, split_ranges
from evalcontract.reading.reader import read
from evalcontract.reading.tally import Limits

__all__ = [
    "Closed",
    "Document",
    "Event",
    "Fault",
    "FileNotice",
    "Limits",
    "NoText",
    "Opened",
    "Passes",
    "Position",
    "Range",
    "can_be_split",
    "find_inputs",
    "is_readable_name",
    "keeps_nulls",
    "read",
    "read_parquet",
    "read_range",
    "split_ranges",
]
