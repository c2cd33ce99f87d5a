"""A schema narrowed to values without infinite and without very large numbers, to be asked once for both."""

from __future__ import annotations

from typing import Any

from evalcontract.catalog import Schema
from evalcontract.catalog.keywords import INDEPENDENT
from evalcontract.reading.strict import MAX_SAFE_INTEGER, TYPES, small_numbers_only

_PLACE = "#/$defs/small"
_SMALL: Schema = {"$ref": _PLACE}


def narrowed(schema: Schema | bool) -> Schema:
    """A schema for values that this one accepts and whose numbers are finite and within 2^53-1."""
    return {"allOf": [_narrowed(schema)], "$defs": {"small": small_numbers_only(_PLACE)}}


def _narrowed(schema: Any) -> Any:
    """Each value is looked at where the schema speaks of it, and all that it doesn't speak of as a whole."""
    if schema is False:
        return False
    if schema is True or schema == {}:
        return _SMALL
    if not schema.keys() <= INDEPENDENT:
        return {"allOf": [schema, _SMALL]}
    if "anyOf" in schema:
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return {**rest, "anyOf": [_narrowed(each) for each in schema["anyOf"]]}
    types = schema.get("type", TYPES)
    made = {**schema, "type": types}
    if "object" in types:
        made["properties"] = {name: _narrowed(each) for name, each in schema.get("properties", {}).items()}
        made["additionalProperties"] = _narrowed(schema.get("additionalProperties", True))
    if "array" in types:
        made["items"] = _narrowed(schema.get("items", True))
    if "number" in types or "integer" in types:
        made["minimum"] = max(schema.get("minimum", -MAX_SAFE_INTEGER), -MAX_SAFE_INTEGER)
        made["maximum"] = min(schema.get("maximum", MAX_SAFE_INTEGER), MAX_SAFE_INTEGER)
    return made
