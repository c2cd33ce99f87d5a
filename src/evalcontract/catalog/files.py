"""The files of a catalogue: their bytes, their digest, and JSON read as strictly as a schema deserves."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from evalcontract.errors import CatalogError
from evalcontract.values import shown

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def file_digest(path: Traversable) -> str:
    """The sha256 of a file's bytes, in hexadecimal."""
    import hashlib

    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise CatalogError(f"{path.name} can't be read: {error.strerror}") from error


def read_json(path: Traversable) -> Any:
    """The JSON in a file, without duplicate keys and NaN. CatalogError when it is anything else."""
    try:
        return json.loads(
            path.read_bytes().decode(),
            object_pairs_hook=_without_duplicates,
            parse_constant=_refuse_constant,
        )
    except OSError as error:
        raise CatalogError(f"{path} can't be read: {error.strerror}", hint="restore the file") from error
    except RecursionError as error:
        raise CatalogError(f"{path} is not JSON: nested too deeply", hint="restore the file") from error
    except ValueError as error:
        raise CatalogError(f"{path} is not JSON: {error}", hint="restore the file") from error


def read_object(path: Traversable) -> dict[str, Any]:
    found = read_json(path)
    if not isinstance(found, dict):
        raise CatalogError(f"{path} does not hold a JSON object", hint="restore the file")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for key, uses in Counter(key for key, _ in pairs).items() if uses > 1)
        raise ValueError(f"the key {shown(twice)} occurs twice in one object")
    return found
