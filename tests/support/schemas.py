"""Hypothesis strategies for schemas and for values that come close to what they ask for."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = ("a", "b", "a/b", "")
NUMBERS = (
    0, 1, -1, 0.0, -0.0, 1.0, 0.5, 1e300, -1e300, 5e-324, 2**53 - 1, 2**53, 2**53 + 1, float(2**53),
    2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, -(2**63), -(2**63) - 1, 10**30, 10**30 + 1, -(10**40),
)  # fmt: skip
STRINGS = (
    "",
    "a",
    "ab",
    "a\n",
    "\n",
    "é",
    "e\u0301",
    "👩\u200d👧",
    "\x00",
    "1.0",
    "\r",
    "\u2028",
    "A",
    "a" * 300,
)
TYPES = ("null", "boolean", "object", "array", "number", "integer", "string")
PATTERNS = ("^a$", "[^a]", "^(a|b)*$", "^[0-9]+\\.[0-9]+$", "b", "^$", "^\\.?a{1,2}$")

scalars = st.none() | st.booleans() | st.sampled_from(NUMBERS) | st.sampled_from(STRINGS)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from((*NAMES, "c")), inner, max_size=4)
    ),
    max_leaves=8,
)


def _keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    small = st.integers(0, 3)
    number = st.sampled_from(NUMBERS)
    several = st.lists(inner, min_size=1, max_size=3)
    by_name = st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    names = st.lists(st.sampled_from(NAMES), max_size=3, unique=True)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(TYPES) | st.lists(st.sampled_from(TYPES), min_size=1, unique=True),
            "enum": st.lists(values, min_size=1, max_size=3),
            "const": values,
            "allOf": several,
            "anyOf": several,
            "oneOf": several,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "properties": by_name,
            "patternProperties": st.dictionaries(st.sampled_from(PATTERNS), inner, max_size=2),
            "additionalProperties": inner,
            "propertyNames": inner,
            "required": names,
            "dependentRequired": st.dictionaries(st.sampled_from(NAMES), names, max_size=2),
            "dependentSchemas": by_name,
            "minProperties": small,
            "maxProperties": small,
            "items": inner,
            "prefixItems": several,
            "minItems": small,
            "maxItems": small,
            "uniqueItems": st.booleans(),
            "contains": inner,
            "minContains": small,
            "maxContains": small,
            "minLength": small,
            "maxLength": small,
            "pattern": st.sampled_from(PATTERNS),
            "minimum": number,
            "maximum": number,
            "exclusiveMinimum": number,
            "exclusiveMaximum": number,
            "unevaluatedProperties": inner,
            "unevaluatedItems": inner,
        },
    )


schemas = st.recursive(st.booleans() | _keywords(st.booleans()), _keywords, max_leaves=6).filter(
    lambda schema: isinstance(schema, dict)
)


def long_way_round(length: int) -> dict[str, Any]:
    """An object whose `a` is such an object again, behind a chain of so many references."""
    links = {f"d{at}": {"allOf": [{"$ref": f"#/$defs/d{at + 1}"}]} for at in range(length)}
    end = {"type": "object", "properties": {"a": {"$ref": "#"}}}
    return {"$ref": "#/$defs/d0", "$defs": links | {f"d{length}": end}}
