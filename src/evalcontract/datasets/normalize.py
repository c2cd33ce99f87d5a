"""Inputs as they come from a trace, wrapped in the name of the traced function's argument, made flat.

{"request": {"messages": [...]}}   ->   {"messages": [...]}
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.errors import ContractError, UsageError
from evalcontract.validation import fields_of, from_catalogue, from_class, from_document
from evalcontract.values import listed, shown

log = logging.getLogger(__name__)

Schema = str | Mapping[str, Any] | type
_ARGS, _KWARGS = "args", "kwargs"
_IN_MESSAGE = 8


class PositionalArguments(ContractError, ValueError):
    """A recorded call has positional arguments: the names that the fields need were never recorded."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Normalized:
    """An input made flat, or left as it is.

    `removed` is the wrapper that was taken away, as a path of keys (`request`, `kwargs.query`), None when
    nothing was. `doubt` says why an input that is not flat was left alone; None for a flat one.
    """

    value: Any
    how: Literal["unwrapped", "left", "flat"]
    removed: str | None = None
    doubt: str | None = None


def normalize_dataset_item(
    item: Any, schema: Schema | None = None, *, catalogue: Catalogue | None = None
) -> Any:
    """The input of a dataset item without the key that a trace wrapped it in.

    `item` is the recorded input, such as `{"request": {"messages": [...]}}`. With a schema (the name of a
    contract of `catalogue`, by default the built-in one, a JSON Schema or a pydantic class) the single
    top-level key is removed only when it is not a field of the schema and the object below it has at least one
    of the schema's fields; anything else that has none of the fields is left and logged as a warning. Without
    a schema a single top-level key with an object below it is removed, and logged at info.

    A recorded call, `{"args": [], "kwargs": {...}}`, counts as a wrapper of its keyword arguments.

    One level is removed in a call. A value that isn't an object comes back as it is; text is never decoded.
    `item` is not changed, and the result shares its values with it. Raises PositionalArguments for a
    recorded call that has any, and UnknownContract or SchemaError for a schema that can't be used.
    """
    fields = None if schema is None else schema_fields(schema, catalogue)
    found = normalized(item, fields)
    if found.how == "unwrapped":
        log.info("unwrapped the input from its key %s", shown(found.removed))
    elif found.how == "left":
        log.warning("left the input as it is: %s", found.doubt)
    return found.value


def schema_fields(schema: Schema, catalogue: Catalogue | None = None) -> frozenset[str]:
    """The top-level fields of a schema, inherited ones included; `catalogue` has the names of contracts."""
    catalogue = catalogue or default_catalogue()
    if isinstance(schema, str):
        return _fields_by_name(catalogue, schema)
    if isinstance(schema, type):
        return _fields_by_class(catalogue, schema)
    if isinstance(schema, Mapping):
        return fields_of(catalogue, from_document(catalogue, schema))
    raise UsageError(f"a schema is a name, a JSON Schema or a class, not {type(schema).__name__}")


def normalized(item: Any, fields: frozenset[str] | None) -> Normalized:
    """What normalize_dataset_item returns, with what was done; `fields` are the schema's, None without one."""
    if not isinstance(item, Mapping):
        return Normalized(item, "flat")
    known = fields or frozenset()
    if _is_recorded_call(item) and not known & {_ARGS, _KWARGS}:
        return _from_call(item, fields)
    if fields is None:
        key = _only_key(item)
        if key is not None and isinstance(item[key], Mapping):
            return Normalized(item[key], "unwrapped", str(key))
        return Normalized(item, "flat")
    if not item or known & item.keys():
        return Normalized(item, "flat")
    key = _only_key(item)
    if key is None:
        return Normalized(
            item, "left", doubt=f"several keys and none is a field of the schema: {_listed(item)}"
        )
    return _unwrapped(item, item[key], str(key), known)


def _is_recorded_call(item: Mapping[str, Any]) -> bool:
    return (
        item.keys() == {_ARGS, _KWARGS}
        and isinstance(item[_ARGS], list | tuple)
        and isinstance(item[_KWARGS], Mapping)
    )


def _from_call(item: Mapping[str, Any], fields: frozenset[str] | None) -> Normalized:
    positional, keywords = item[_ARGS], item[_KWARGS]
    if positional:
        places = "; ".join(
            f"args[{at}] is {shown(argument, 40)}" for at, argument in enumerate(positional[:_IN_MESSAGE])
        )
        raise PositionalArguments(
            f"the traced function was called with {len(positional)} positional argument"
            f"{'' if len(positional) == 1 else 's'}, whose names were not recorded: {places}",
            hint="call the function with keyword arguments, or name the field by hand",
        )
    if fields is not None and fields & keywords.keys():
        return Normalized(keywords, "unwrapped", _KWARGS)
    key = _only_key(keywords)
    if key is None:
        return Normalized(
            item, "left", doubt=f"a recorded call with {len(keywords)} keyword arguments: {_listed(keywords)}"
        )
    inner, path = keywords[key], f"{_KWARGS}.{key}"
    if fields is not None:
        return _unwrapped(item, inner, path, fields)
    if isinstance(inner, Mapping):
        return Normalized(inner, "unwrapped", path)
    return Normalized(item, "left", doubt=f"the argument {shown(key)} of the recorded call is not an object")


def _unwrapped(item: Any, inner: Any, path: str, fields: frozenset[str]) -> Normalized:
    if not isinstance(inner, Mapping):
        return Normalized(item, "left", doubt=f"{shown(path)} is no field of the schema and holds no object")
    if not fields & inner.keys():
        return Normalized(
            item,
            "left",
            doubt=f"neither {shown(path)} nor a key below it is a field of the schema: {_listed(inner)}",
        )
    return Normalized(inner, "unwrapped", path)


def _only_key(item: Mapping[Any, Any]) -> Any:
    return next(iter(item)) if len(item) == 1 else None


def _listed(keys: Iterable[Any]) -> str:
    return listed((shown(key, 40) for key in keys), _IN_MESSAGE) or "no keys"


@lru_cache(maxsize=256)
def _fields_by_name(catalogue: Catalogue, name: str) -> frozenset[str]:
    return fields_of(catalogue, from_catalogue(catalogue, name))


@lru_cache(maxsize=256)
def _fields_by_class(catalogue: Catalogue, model: type) -> frozenset[str]:
    return fields_of(catalogue, from_class(catalogue, model, model.__qualname__))
