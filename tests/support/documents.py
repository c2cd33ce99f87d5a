"""Hypothesis strategies for documents that keep a contract, made from its schema."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from evalcontract.catalog import Schema, default_catalogue, flat

text = st.text(max_size=8)
numbers = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=5,
)


def documents(name: str, version: str) -> SearchStrategy[Any]:
    """Documents that keep the contract: optional fields come and go, and unknown ones turn up everywhere."""
    catalogue = default_catalogue()
    schema = flat(catalogue, catalogue.resolve(name, version))
    return _values(schema, schema.get("$defs", {}))


def _values(schema: Schema, types: dict[str, Schema]) -> SearchStrategy[Any]:
    if "$ref" in schema:
        target = schema["$ref"].removeprefix("#/$defs/")
        return st.deferred(lambda: _values(types[target], types))
    if "anyOf" in schema:
        return st.one_of([_values(each, types) for each in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"]).flatmap(_in_any_spelling)
    kinds = schema.get("type")
    if kinds is None:
        return json_values
    return st.one_of(
        [_of_type(kind, schema, types) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    )


def _of_type(kind: str, schema: Schema, types: dict[str, Schema]) -> SearchStrategy[Any]:
    match kind:
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "string" if "pattern" in schema:
            return st.from_regex(schema["pattern"].replace("$", r"\Z"))
        case "string":
            return st.text(min_size=schema.get("minLength", 0), max_size=schema.get("maxLength", 12))
        case "integer":
            return st.integers(schema.get("minimum"), schema.get("maximum")).flatmap(_in_any_spelling)
        case "number":
            low, high = schema.get("minimum"), schema.get("maximum")
            return st.integers(low, high) | st.floats(low, high, allow_nan=False, allow_infinity=False)
        case "array":
            least = schema.get("minItems", 0)
            return st.lists(_values(schema["items"], types), min_size=least, max_size=least + 2)
        case _:
            return _objects(schema, types)


def _in_any_spelling(value: Any) -> SearchStrategy[Any]:
    """1 may be written as 1.0 in JSON."""
    return (
        st.sampled_from([value, float(value)])
        if isinstance(value, int) and abs(value) < 2**53
        else st.just(value)
    )


def _objects(schema: Schema, types: dict[str, Schema]) -> SearchStrategy[dict[str, Any]]:
    declared = schema.get("properties", {})
    others = json_values
    if "additionalProperties" in schema:
        others = _values(schema["additionalProperties"], types)
    required = {name: _values(declared[name], types) for name in schema.get("required", [])}
    optional = {name: _values(field, types) for name, field in declared.items() if name not in required}
    unknown = st.dictionaries(text.filter(lambda name: name not in declared), others, max_size=2)
    return st.builds(
        lambda known, more: known | more, st.fixed_dictionaries(required, optional=optional), unknown
    )
