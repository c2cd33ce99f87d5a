"""Strict reading of JSON, JSON Lines and YAML, with positions: values and where they stand, no verdicts."""

from evalcontract.reading.events import Closed, Document, Event, Fault, Notice, Opened, Position
from evalcontract.reading.inputs import find_inputs
from evalcontract.reading.reader import read
from evalcontract.reading.tally import Limits

__all__ = [
    "Closed",
    "Document",
    "Event",
    "Fault",
    "Limits",
    "Notice",
    "Opened",
    "Position",
    "find_inputs",
    "read",
]
