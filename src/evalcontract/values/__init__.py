"""The ground that everything stands on: equality, pointers, text and sharing of JSON values; it knows no contract."""

from evalcontract.values.coercion import coerced, fits_double
from evalcontract.values.display import Displayed
from evalcontract.values.equality import MAX_DEPTH, Listed, digest, frozen, same_value, type_of
from evalcontract.values.json_values import SCHEMA_KEY, NotJson, not_json, plain, stated
from evalcontract.values.notices import Notice
from evalcontract.values.pointers import follow, pointer, pointer_tokens, step_into
from evalcontract.values.sharing import MAX_SHARED, Sharing, shares_too_much
from evalcontract.values.stack import on_deep_stack, with_room
from evalcontract.values.suffixes import (
    COMPRESSED_SUFFIXES,
    JSON_SUFFIXES,
    LINES_SUFFIXES,
    PARQUET_SUFFIX,
    YAML_SUFFIXES,
)
from evalcontract.values.text import (
    LIMIT,
    actual,
    counted,
    cut,
    listed,
    no_command,
    quoted,
    short,
    shown,
    visible,
)
from evalcontract.values.written import (
    WrittenNumber,
    first_rounded,
    json_text,
    number_as_written,
    numbers_are_kept,
    numbers_as_written,
    reread,
)

__all__ = [
    "COMPRESSED_SUFFIXES",
    "JSON_SUFFIXES",
    "LIMIT",
    "LINES_SUFFIXES",
    "MAX_DEPTH",
    "MAX_SHARED",
    "PARQUET_SUFFIX",
    "SCHEMA_KEY",
    "YAML_SUFFIXES",
    "Displayed",
    "Listed",
    "NotJson",
    "Notice",
    "Sharing",
    "WrittenNumber",
    "actual",
    "coerced",
    "counted",
    "cut",
    "digest",
    "first_rounded",
    "fits_double",
    "follow",
    "frozen",
    "json_text",
    "listed",
    "no_command",
    "not_json",
    "number_as_written",
    "numbers_are_kept",
    "numbers_as_written",
    "on_deep_stack",
    "plain",
    "pointer",
    "pointer_tokens",
    "quoted",
    "reread",
    "same_value",
    "shares_too_much",
    "short",
    "shown",
    "stated",
    "step_into",
    "type_of",
    "visible",
    "with_room",
]
