"""Quick acceptance by a compiled engine, where it is known never to accept what the reference refuses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import jsonschema_rs

from evalcontract.catalog import DATA_KEYWORDS, DIALECT, SCHEMAS_BY_NAME, Schema

# Keywords on which the engines agree; any other keyword sends the schema to the reference alone.
_AGREED = frozenset(
    [
        "$schema", "$id", "$ref", "$defs", "$comment",
        "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "format",
        "contentEncoding", "contentMediaType",
        "type", "enum", "const",
        "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
        "properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties",
        "patternProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties",
        "items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains",
        "unevaluatedItems",
        "minLength", "maxLength", "pattern",
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    ]
)  # fmt: skip
# Literal characters, classes of them, groups and quantifiers: these mean the same to both engines. A dot
# doesn't, nor does a class with `[`, `&&`, `--` or `~~`, which one of them takes for operations on sets.
_PLAIN_PATTERN = re.compile(
    r"""(?: (?![\[\].(\\]) [ -~] | \((?!\?) | \(\?: | \\[!-/:-@\[-`{-~]
        | \[ \^? (?: (?!&&|--|~~) [ -Z^-~] | \\[!-/:-@\[-`{-~] )* \] )*""",
    re.ASCII | re.VERBOSE,
)


def quick_acceptance(schema: Schema, documents: Mapping[str, Schema]) -> Callable[[object], bool] | None:
    """A function that is true only for values that the reference accepts too; None when there is none.

    It takes values as the readers give them: no tuples, no NaN.
    """
    if not all(_agreed(document) for document in (schema, *documents.values())):
        return None
    return compiled(schema, documents)


def compiled(schema: Schema, documents: Mapping[str, Schema]) -> Callable[[object], bool] | None:
    """What the compiled engine says about values; None when it can't compile the schema."""
    validator = _validator(schema, documents)
    return None if validator is None else validator.is_valid


def refused_places(schema: Schema) -> Callable[[object], Iterable[Any]] | None:
    """A function that gives the errors of a value, for a schema without references; None when there is none.

    Of each error only `schema_path` and `instance_path` are of use.
    """
    validator = _validator(schema, {}) if _agreed(schema) else None
    return None if validator is None else validator.iter_errors


def _validator(schema: Schema, documents: Mapping[str, Schema]) -> jsonschema_rs.Draft202012Validator | None:
    try:
        registry = jsonschema_rs.Registry(list(documents.items()))
        return jsonschema_rs.Draft202012Validator(
            schema, registry=registry, validate_formats=False, offline=True, mask="…"
        )  # masked, as a message would show a value however large
    except (ValueError, jsonschema_rs.ReferencingError):
        return None


def is_schema(document: object) -> bool:
    """Whether the compiled engine takes a document for a schema of the dialect, formats such as patterns left aside."""
    try:
        return bool(_metaschema().is_valid(document))
    except ValueError:  # of more levels, or larger numbers, than it knows
        return False


@cache
def _metaschema() -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({"$ref": DIALECT}, validate_formats=False, offline=True)


def _agreed(schema: Any) -> bool:
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(node)
        if not isinstance(node, dict):
            continue
        if not node.keys() <= _AGREED or node.get("$schema", DIALECT) != DIALECT or not _same_patterns(node):
            return False
        for key, value in node.items():
            if key in SCHEMAS_BY_NAME and isinstance(value, dict):
                waiting.extend(value.values())
            elif key not in DATA_KEYWORDS:
                waiting.append(value)
    return True


def _same_patterns(node: dict[str, Any]) -> bool:
    patterns = [node.get("pattern", ""), *(node.get("patternProperties") or ())]
    return all(isinstance(pattern, str) and _PLAIN_PATTERN.fullmatch(pattern) for pattern in patterns)
