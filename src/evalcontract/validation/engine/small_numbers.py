"""A schema narrowed to values without infinite and without very large numbers, to be asked once for both."""

from __future__ import annotations

from evalcontract.catalog import Schema
from evalcontract.reading import small_numbers_only

_PLACE = "#/$defs/small"


def narrowed(*schemas: Schema) -> Schema:
    """A schema for values that all of these accept and whose numbers are finite and within 2^53-1."""
    return {"allOf": [*schemas, {"$ref": _PLACE}], "$defs": {"small": small_numbers_only(_PLACE)}}
