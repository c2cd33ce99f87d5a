"""Random pairs of schemas of keywords that are hard to compare, and documents, drawn without the prover's sampler."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Schema = Any
KEYS = ("a", "b", "kind", "\U0001f600")
TEXTS = (
    "",
    "a",
    "b",
    "ab",
    "aa",
    "1",
    "12",
    "é",
    "\U0001f600",
    "\U0001f600\U0001f600",
    "a\n",
    "A-1",
    "\u2028",
)
PATTERNS = (
    "^a*$", "a", "^[ab]{1,2}$", "^(a|b)+$", r"^\d+$", r"^\w+$", "^.$", "^..$", r"^[^\s]*$", "^a|b$", "^$", r"\S",
    "^[\u00e9-\U0001f600]$", "^(?=a)", r"^\D*$", "^(ab?)?$", "[0-9]{2}", "^(?:a|12)$", r"^[\w-]+$", "^a?b?$",
)  # fmt: skip
SCALARS: tuple[Any, ...] = (None, True, False, 0, 1, 2, 3, -1, 0.5, 1.5, 2.0, 4, 10, *TEXTS)


def pair(rng: Random) -> tuple[Schema, Schema]:
    """An old schema and a new one, which differs in one to three places."""
    old = rng.choice((objects, objects, arrays, extended, tagged))(rng, 3)
    old["$defs"] = {"R": schema(rng, 2), "S": schema(rng, 1)}
    new = copy.deepcopy(old)
    for _ in range(rng.randint(1, 3)):
        places = list(within(new))
        place = rng.choice(places)
        change(rng, place)
    if rng.random() < 0.15:
        return dynamic(rng, old), dynamic(rng, new)
    return old, new


def dynamic(rng: Random, plain: dict[str, Any]) -> dict[str, Any]:
    """The schema with every reference to its root made a dynamic one; now and then another place has the name too."""
    made = copy.deepcopy(plain) | {"$dynamicAnchor": "node"}
    for place in within(made):
        if place.get("$ref") == "#":
            place["$dynamicRef"] = "#node"
            del place["$ref"]
    if rng.random() < 0.2:
        made["$defs"]["E"] = {"$id": "urn:e", "$dynamicAnchor": "node", "type": "string"}
    return made


def schema(rng: Random, depth: int) -> dict[str, Any]:
    makers: tuple[Callable[[Random, int], dict[str, Any]], ...] = SHALLOW if depth <= 0 else DEEP
    made = rng.choice(makers)(rng, depth)
    if rng.random() < 0.15:
        made |= rng.choice(makers)(rng, depth)
    return made


def member(rng: Random, depth: int) -> Schema:
    if rng.random() < 0.15:
        return {"$ref": rng.choice(("#", "#/$defs/R", "#/$defs/S"))}
    return rng.choice((True, False)) if rng.random() < 0.08 else schema(rng, depth - 1)


def texts(rng: Random, _: int) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "string"}
    if rng.random() < 0.6:
        made["pattern"] = rng.choice(PATTERNS)
    if rng.random() < 0.4:
        made[rng.choice(("minLength", "maxLength"))] = rng.randint(0, 3)
    return made


def numbers(rng: Random, _: int) -> dict[str, Any]:
    made: dict[str, Any] = {"type": rng.choice(("integer", "number"))}
    for name, values in (
        ("multipleOf", (0.5, 1, 2, 3, 4, 0.25)),
        ("minimum", (-1, 0, 0.5, 2)),
        ("exclusiveMaximum", (1, 2, 4, 10)),
        ("maximum", (1, 1.5, 3)),
    ):
        if rng.random() < 0.35:
            made[name] = rng.choice(values)
    return made


def values(rng: Random, _: int) -> dict[str, Any]:
    if rng.random() < 0.4:
        return {"const": rng.choice(SCALARS)}
    return {"enum": rng.sample(SCALARS, rng.randint(1, 4))}


def kinds(rng: Random, _: int) -> dict[str, Any]:
    return {
        "type": rng.sample(("null", "boolean", "integer", "string", "array", "object"), rng.randint(1, 3))
    }


def objects(rng: Random, depth: int) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object"}
    made["properties"] = {key: member(rng, depth) for key in rng.sample(KEYS, rng.randint(0, 3))}
    options: dict[str, Callable[[], Any]] = {
        "required": lambda: rng.sample(KEYS, rng.randint(1, 2)),
        "dependentRequired": lambda: {rng.choice(KEYS): rng.sample(KEYS, rng.randint(1, 2))},
        "dependentSchemas": lambda: {rng.choice(KEYS): schema(rng, depth - 1)},
        "unevaluatedProperties": lambda: rng.choice((False, False, {"type": "string"}, True)),
        "additionalProperties": lambda: rng.choice((False, {"type": "integer"})),
        "patternProperties": lambda: {rng.choice(("^a", "b|k", "^.$")): member(rng, depth)},
        "propertyNames": lambda: {"pattern": rng.choice(PATTERNS)},
        "minProperties": lambda: rng.randint(0, 2),
        "maxProperties": lambda: rng.randint(1, 3),
    }
    for name, make in options.items():
        if rng.random() < 0.18:
            made[name] = make()
    return made


def arrays(rng: Random, depth: int) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "array"}
    options: dict[str, Callable[[], Any]] = {
        "items": lambda: member(rng, depth),
        "prefixItems": lambda: [member(rng, depth) for _ in range(rng.randint(1, 2))],
        "unevaluatedItems": lambda: rng.choice((False, {"type": "string"})),
        "minItems": lambda: rng.randint(0, 2),
        "maxItems": lambda: rng.randint(0, 3),
        "uniqueItems": lambda: True,
    }
    for name, make in options.items():
        if rng.random() < 0.3:
            made[name] = make()
    if rng.random() < 0.4:
        made["contains"] = schema(rng, 0)
        if rng.random() < 0.5:
            made["minContains"] = rng.randint(0, 2)
        if rng.random() < 0.4:
            made["maxContains"] = rng.randint(1, 2)
    return made


def conditional(rng: Random, depth: int) -> dict[str, Any]:
    made = {"if": schema(rng, depth - 1), "then": schema(rng, depth - 1)}
    if rng.random() < 0.4:
        made["else"] = schema(rng, depth - 1)
    return made


def negated(rng: Random, depth: int) -> dict[str, Any]:
    return {"not": schema(rng, 0), **schema(rng, depth - 1)}


def tagged(rng: Random, depth: int) -> dict[str, Any]:
    """A union told apart by a constant, which some branches forget to ask for."""
    branches = []
    for tag in rng.sample(("a", "b", 1, 2), rng.randint(1, 3)):
        branch = objects(rng, depth - 1)
        branch["properties"] = {**branch["properties"], "kind": {"const": tag}}
        if rng.random() < 0.8:
            branch["required"] = ["kind", *rng.sample(("a", "b"), rng.randint(0, 1))]
        branches.append(branch)
    return {rng.choice(("oneOf", "anyOf")): branches}


def either(rng: Random, depth: int) -> dict[str, Any]:
    branches = [schema(rng, depth - 1) for _ in range(rng.randint(1, 3))]
    return {rng.choice(("oneOf", "anyOf", "allOf")): branches}


def extended(rng: Random, depth: int) -> dict[str, Any]:
    made = rng.choice((objects, arrays))(rng, depth)
    return {**made, "allOf": [rng.choice((objects, arrays, either))(rng, depth - 1)]}


SHALLOW = (texts, texts, numbers, values, kinds)
DEEP = (
    *SHALLOW,
    *(objects,) * 3,
    *(arrays,) * 3,
    conditional,
    negated,
    tagged,
    tagged,
    either,
    extended,
    extended,
)


def change(rng: Random, place: dict[str, Any]) -> None:
    """Change one schema, in place: drop a keyword, move a number, take another value, or begin anew."""
    names = [name for name in place if name not in ("$defs", "$ref", "$dynamicRef", "$dynamicAnchor")]
    step = rng.random()
    name = rng.choice(names) if names else ""
    if step < 0.25 and len(names) > 1:
        del place[name]
    elif step < 0.5 and isinstance(place.get(name), int | float) and not isinstance(place[name], bool):
        least = 1 if name == "multipleOf" else -1 if name.endswith("mum") else 0
        place[name] = max(least, place[name] + rng.choice((-1, 1)))
    elif step < 0.6 and "pattern" in place:
        place["pattern"] = rng.choice(PATTERNS)
    elif step < 0.7 and isinstance(place.get("properties"), dict):
        place["properties"] = {**place["properties"], rng.choice(KEYS): schema(rng, 1)}
    elif step < 0.75:
        place["x-note"] = "changed"
    else:
        place.update(schema(rng, 1))


def within(value: Schema) -> Iterator[dict[str, Any]]:
    """Every schema object in a schema made here."""
    if not isinstance(value, dict):
        return
    yield value
    for name, inner in value.items():
        if name in ("properties", "patternProperties", "dependentSchemas", "$defs"):
            for rule in inner.values():
                yield from within(rule)
        elif name in ("allOf", "anyOf", "oneOf", "prefixItems"):
            for branch in inner:
                yield from within(branch)
        elif name in ("items", "contains", "not", "if", "then", "else", "additionalProperties", "propertyNames",
                      "unevaluatedProperties", "unevaluatedItems"):  # fmt: skip
            yield from within(inner)


def document(rng: Random, depth: int = 3) -> Any:
    """A value over the same small vocabulary."""
    roll = rng.random()
    if depth and roll < 0.35:
        return {rng.choice((*KEYS, "x")): document(rng, depth - 1) for _ in range(rng.randint(0, 3))}
    if depth and roll < 0.6:
        made = [document(rng, depth - 1) for _ in range(rng.randint(0, 3))]
        return made + made[-1:] if rng.random() < 0.3 else made
    return rng.choice(("a", "b", 1, 2)) if rng.random() < 0.2 else rng.choice(SCALARS)


def near(rng: Random, schema: Schema, root: Schema, depth: int = 5) -> Any:
    """A value that follows the schema here and there: read off it by other rules than the prover's sampler."""
    if not isinstance(schema, dict) or depth <= 0 or rng.random() < 0.08:
        return document(rng, min(depth, 1))
    if "$dynamicRef" in schema:
        return near(rng, root, root, depth - 1)
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return near(rng, root if name == "#" else root["$defs"][name], root, depth - 1)
    for name in ("anyOf", "oneOf"):
        if name in schema:
            schema = {**{k: v for k, v in schema.items() if k != name}, **_object(rng.choice(schema[name]))}
    for branch in schema.get("allOf", ()):
        schema = {**_object(branch), **schema, "properties": {**_object(branch).get("properties", {}),
                                                              **schema.get("properties", {})}}  # fmt: skip
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    kind = schema.get("type", rng.choice(("object", "array", "string", "integer")))
    kind = rng.choice(kind) if isinstance(kind, list) else kind
    if kind == "object":
        properties = schema.get("properties", {})
        names = [name for name in properties if rng.random() < 0.6] + list(schema.get("required", ()))
        names += [rng.choice((*KEYS, "x"))] * (rng.random() < 0.3)
        names += [name for key in names for name in schema.get("dependentRequired", {}).get(key, ())]
        return {name: near(rng, properties.get(name, True), root, depth - 1) for name in names}
    if kind == "array":
        prefix = schema.get("prefixItems", [])
        count = max(schema.get("minItems", 0), rng.randint(0, 3))
        rules = [prefix[at] if at < len(prefix) else schema.get("items", True) for at in range(count)]
        drawn = [near(rng, rule, root, depth - 1) for rule in rules]
        drawn += (
            [near(rng, schema["contains"], root, depth - 1)] * rng.randint(0, 2)
            if "contains" in schema
            else []
        )
        return drawn
    if kind == "string":
        return rng.choice(TEXTS)
    if kind in ("integer", "number"):
        return rng.choice((-1, 0, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 9, 10, 12))
    return {"null": None, "boolean": rng.random() < 0.5}.get(kind)


def _object(schema: Schema) -> dict[str, Any]:
    return schema if isinstance(schema, dict) else {}
