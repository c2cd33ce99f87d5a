"""A contract with one statement taken away, loosened or tightened at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple


class Mutant(NamedTuple):
    """A changed contract; `field` is the property that was changed, None for the contract as a whole."""

    what: str
    schema: dict[str, Any]
    field: str | None = None


Changed = tuple[str, dict[str, Any]]

TYPES = ("string", "integer", "number", "boolean", "array", "object")
LONG = 255
_NESTED = ("items", "additionalProperties")
_ANY_DIGIT = r"\p{Nd}"
_LINE_ENDS = {"a line feed": r"\n", "a carriage return": r"\r", "U+0085": "\u0085", "U+2028": "\u2028"}


def mutants_of(contract: dict[str, Any]) -> Iterator[Mutant]:
    """Every mutant of a contract, with what was done to it. Some say the same as the contract in other words."""
    for keyword in sorted(contract.keys() & {"type", "allOf"} - ({"type"} if "allOf" in contract else set())):
        yield Mutant(f"without {keyword}", _without(contract, keyword))
    required, properties = contract.get("required", []), contract.get("properties", {})
    for name in required:
        changed = contract | {"required": [other for other in required if other != name]}
        yield Mutant(f"{name} not required", changed, name)
    for name in sorted(properties.keys() - set(required)):
        yield Mutant(f"{name} required", contract | {"required": [*required, name]}, name)
    yield Mutant("closed", contract | {"unevaluatedProperties": False})
    for name, declared in properties.items():
        if isinstance(declared, dict):
            for what, changed in _of_property(declared):
                yield Mutant(f"{name} {what}", contract | {"properties": properties | {name: changed}}, name)


def _without(schema: dict[str, Any], keyword: str) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != keyword}


def _of_property(declared: dict[str, Any]) -> Iterator[Changed]:
    yield from _of_values(declared)
    if isinstance(declared.get("anyOf"), list) and isinstance(declared["anyOf"][0], dict):
        yield "not nullable", {"description": declared.get("description", ""), **declared["anyOf"][0]}
        for kind in TYPES:
            yield f"or {kind}", declared | {"anyOf": [*declared["anyOf"], {"type": kind}]}
    for keyword in (name for name in _NESTED if isinstance(declared.get(name), dict)):
        for what, changed in _of_values(declared[keyword]):
            yield f"{keyword} {what}", declared | {keyword: changed}


def _of_values(schema: dict[str, Any]) -> Iterator[Changed]:
    for keyword in sorted(schema.keys() - {"description", "default"}):
        yield f"without {keyword}", _without(schema, keyword)
    for keyword in sorted(schema.keys() & {"minimum", "maximum", "minLength", "minItems"}):
        for step in (-1, 1):
            yield f"{keyword} {step:+}", schema | {keyword: schema[keyword] + step}
    for keyword, stricter in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if keyword in schema:
            yield stricter, _without(schema, keyword) | {stricter: schema[keyword]}
    for value in schema.get("enum", []):
        yield f"without {value!r}", schema | {"enum": [other for other in schema["enum"] if other != value]}
    if "$ref" in schema:
        yield "nullable", {"anyOf": [{"$ref": schema["$ref"]}, {"type": "null"}]}
        for kind in TYPES:
            yield f"or {kind}", {"anyOf": [{"$ref": schema["$ref"]}, {"type": kind}]}
    if "type" in schema:
        yield from _retyped(schema)
        yield from _narrowed(schema)
    if "pattern" in schema:
        yield from _of_pattern(schema)


def _retyped(schema: dict[str, Any]) -> Iterator[Changed]:
    written = schema["type"]
    if not isinstance(written, str) and (len(written) != 2 or written[1] != "null"):
        return
    kind, nullable = (written, False) if isinstance(written, str) else (written[0], True)
    yield (
        ("not nullable", schema | {"type": kind})
        if nullable
        else ("nullable", schema | {"type": [kind, "null"]})
    )
    others = [other for other in TYPES if other != kind and {kind, other} != {"number", "integer"}]
    for other in [*others, *({"integer": ["number"]}.get(kind, []))]:
        yield f"or {other}", schema | {"type": [kind, other, *(["null"] if nullable else [])]}
    if kind == "number":
        yield "as integer", schema | {"type": ["integer", "null"] if nullable else "integer"}


def _narrowed(schema: dict[str, Any]) -> Iterator[Changed]:
    added: dict[str, Any] = {}
    match schema["type"]:
        case "string" | ["string", _] if "enum" not in schema:
            if "pattern" not in schema:
                added |= {} if "minLength" in schema else {"minLength": 1}
                added |= {"pattern": r"^[\x00-\x7F]*$", "maxLength": LONG}
        case "array" | ["array", _]:
            added |= (
                {"uniqueItems": True} | ({} if "minItems" in schema else {"minItems": 1}) | {"maxItems": 1}
            )
        case "object" | ["object", _]:
            added["minProperties"] = 1
            if "additionalProperties" not in schema:
                added["additionalProperties"] = False
        case "number" | ["number", _]:
            added |= {} if "minimum" in schema else {"minimum": 0}
            added |= {} if "maximum" in schema else {"maximum": 1}
    for keyword, value in added.items():
        yield f"{keyword} added", schema | {keyword: value}


def _of_pattern(schema: dict[str, Any]) -> Iterator[Changed]:
    pattern = schema["pattern"]
    for what, changed in {
        "unanchored at the start": pattern.removeprefix("^"),
        "unanchored at the end": pattern.removesuffix("$"),
        "line by line": f"(?m){pattern}",
        **{f"before {name}": f"{pattern[:-1]}{end}?$" for name, end in _LINE_ENDS.items()},
    }.items():
        yield what, schema | {"pattern": changed}
    digits = pattern.split("[0-9]")
    for at in range(1, len(digits)):
        changed = "[0-9]".join(digits[:at]) + _ANY_DIGIT + "[0-9]".join(digits[at:])
        yield f"with any digit at {at}", schema | {"pattern": changed}
    if "A-Za-z0-9" in pattern:
        yield "of every script", schema | {"pattern": pattern.replace("A-Za-z0-9", r"\p{L}\p{N}")}
