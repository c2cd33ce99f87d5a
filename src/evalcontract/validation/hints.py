"""What to do about a violation, where that is known: one table of rules, the first that speaks wins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any

from evalcontract.catalog import default_catalogue
from evalcontract.validation.foreign import foreign_format
from evalcontract.values import shown

if TYPE_CHECKING:
    from jsonschema import ValidationError

_CLOSE = 0.8
_OTHER_NAMES = {
    "item_id": ("id", "qid", "question_id", "example_id"),
    "input": ("inputs", "question", "query"),
    "messages": ("question", "query", "prompt"),
    "content": ("text", "message", "value"),
    "role": ("from", "author", "sender"),
    "response": ("answer", "output", "reference", "ground_truth", "expected"),
    "document_id": ("doc_id", "id", "docid", "file_id"),
    "relevance": ("grade", "label", "rel"),
    "args": ("arguments", "parameters", "input_parameters"),
    "name": ("tool", "tool_name", "function"),
    "retrieved_context": ("content", "text", "passage"),
}
_MAX_KEYS = 200


def hint_for(error: ValidationError) -> str | None:
    """The way out of one error, or None."""
    return next((hint for rule in _RULES if (hint := rule(error)) is not None), None)


def close_key(key: str, known: list[str]) -> str | None:
    """The known key that `key` is probably a misspelling of."""
    if len(key) > 64 or len(known) > _MAX_KEYS:
        return None
    return next(iter(get_close_matches(key, known, n=1, cutoff=_CLOSE)), None)


def did_you_mean(unknown: str, known: str) -> str:
    """The sentence that names a misspelt key and the right one."""
    return f"unknown key {unknown}: did you mean {known}?"


MISSPELT = frozenset(["required", "additionalProperties", "unevaluatedProperties"])
"""Keywords whose errors a misspelt key may explain."""


def _misspelt_key(error: ValidationError) -> str | None:
    if error.validator != "required" or not isinstance(error.instance, Mapping):
        return None
    missing = str(error.absolute_path[-1])
    keys = list(error.instance)[:_MAX_KEYS]
    misspelt = [key for key in keys if key not in _words_of_the_contracts()]
    undefined = [key for key in keys if key not in _properties(error.schema)]
    found = close_key(missing, misspelt) or _other_name(missing, undefined)
    return did_you_mean(found, missing) if found else None


def _misplaced_key(error: ValidationError) -> str | None:
    """The missing key stands one level too deep, or what belongs into the missing object one too high."""
    if error.validator != "required" or not isinstance(error.instance, Mapping):
        return None
    missing, holder = str(error.absolute_path[-1]), error.instance
    keys = list(holder)[:_MAX_KEYS]
    for key in keys:
        if isinstance(holder[key], Mapping) and missing in holder[key]:
            unwrap = ": evalcontract normalize unwraps it" if _wraps_the_input(error) else ""
            return f"{missing} stands in {shown(key)}, one level too deep{unwrap}"
    within, own = _keys_within(error, missing), _properties(error.schema)
    found = [key for key in keys if key in within and key not in own]
    return f"move {', '.join(found[:3])} into {missing}" if found else None


def _wraps_the_input(error: ValidationError) -> bool:
    path, holder = list(error.absolute_path), error.instance
    return len(path) == 2 and path[0] == "input" and isinstance(holder, Mapping) and len(holder) == 1


def _keys_within(error: ValidationError, missing: str) -> Collection[str]:
    """The keys that the missing object has, as far as they are known."""
    if len(error.absolute_path) == 1 and missing in ("input", "expected_output"):
        return _fields_of_types()[missing]
    return _properties(_properties(error.schema).get(missing))


def _properties(schema: Any) -> Mapping[str, Any]:
    return schema.get("properties", {}) if isinstance(schema, dict) else {}


@cache
def _fields_of_types() -> dict[str, frozenset[str]]:
    """The fields that any schema type defines, for each part of an item."""
    catalogue = default_catalogue()
    types = [version for versions in catalogue.schema_types().values() for version in versions.values()]
    parts = {
        "input": {type_.input for type_ in types},
        "expected_output": {type_.expected_output for type_ in types},
    }
    return {
        part: frozenset(name for ref in refs for name in catalogue.document(ref)["properties"])
        for part, refs in parts.items()
    }


def _other_name(missing: str, candidates: list[str]) -> str | None:
    """A key under which other tools keep what is missing."""
    names = _OTHER_NAMES.get(missing, ())
    return next((name for name in names if name in candidates), None)


@cache
def _words_of_the_contracts() -> frozenset[str]:
    """Every property name of every contract: `content` is no misspelling of `context`."""
    documents = (document for _, document in default_catalogue().documents())
    return frozenset(name for document in documents for name in document["properties"])


def _foreign_row(error: ValidationError) -> str | None:
    if (
        error.validator != "required"
        or len(error.absolute_path) != 1
        or not isinstance(error.instance, Mapping)
    ):
        return None
    name = foreign_format(list(error.instance)[:_MAX_KEYS])
    return f"this looks like a {name} row: evalcontract import --map {name}" if name else None


def _unknown_key(error: ValidationError) -> str | None:
    if error.validator not in ("additionalProperties", "unevaluatedProperties"):
        return None
    if not isinstance(error.instance, Mapping) or not isinstance(error.schema, dict):
        return None
    known = list(error.schema.get("properties", {}))
    for key in list(error.instance)[:_MAX_KEYS]:
        if key not in known:
            found = close_key(key, known)
            return did_you_mean(key, found) if found else f"remove {shown(key)} or declare it"
    return None


def _page_zero(error: ValidationError) -> str | None:
    if _name(error) != "page_number":
        return None
    if error.instance == 0 and error.validator == "minimum":
        return "page numbers start at 1; is this a 0-based index?"
    if isinstance(error.instance, str) and not error.instance.isdigit():
        return "a printed page label belongs in a key of your own, such as page_label"
    return None


def _list_as_text(error: ValidationError) -> str | None:
    if error.validator != "type" or not isinstance(error.instance, str):
        return None
    types = _types(error)
    text = error.instance[:200].strip()
    if "array" in types:
        if text.startswith("[") and not text.startswith('["'):
            return "this looks like a list written as Python text; write a JSON array"
        return "write a JSON array, even for one element"
    if "object" in types and text.startswith("{"):
        return "this is an object written as text; write the object itself"
    return None


def _number_as_text(error: ValidationError) -> str | None:
    if error.validator == "type" and {"integer", "number"} & _types(error):
        if isinstance(error.instance, str):
            return "write the number without quotes"
        if isinstance(error.instance, bool):
            return "true and false are not numbers"
    return None


def _version_format(error: ValidationError) -> str | None:
    if error.validator == "pattern" and _name(error).endswith("version"):
        return "write major.minor, for example 1.0"
    return None


def _name(error: ValidationError) -> str:
    return str(error.absolute_path[-1]) if error.absolute_path else ""


def _types(error: ValidationError) -> set[str]:
    value: Any = error.validator_value
    return {value} if isinstance(value, str) else set(value)


_RULES: tuple[Callable[[ValidationError], str | None], ...] = (
    _foreign_row,
    _misplaced_key,
    _misspelt_key,
    _unknown_key,
    _page_zero,
    _list_as_text,
    _number_as_text,
    _version_format,
)
