"""Random pairs of schemas that differ a little, and random documents, over a vocabulary small enough to collide."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

KEYS = ("a", "b", "c")
TEXTS = ("", "a", "ab", "abc", "b1", "1.0")
PATTERNS = ("^a", "^[a-c]+$", "^[0-9]\\.[0-9]$", "b")
VALUES: tuple[Any, ...] = (None, True, False, 0, 1, 2, 1.0, 2.5, "a", "ab", "", [], {}, [1], {"a": 1})
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")


def pair(rng: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """An old schema and a new one, made of it by one to three changes, or now and then an unrelated one."""
    old = root(rng)
    if rng.random() < 0.05:
        return old, root(rng)
    new = copy.deepcopy(old)
    for _ in range(rng.randint(1, 3)):
        change(rng, new)
    return old, new


def root(rng: Random) -> dict[str, Any]:
    made = schema(rng, 3)
    if not isinstance(made, dict) or "type" not in made:
        made = {"type": "object", **objects(rng, 2)}
    return {**made, "$defs": {name: schema(rng, 2) for name in ("A", "B")}}


def schema(rng: Random, depth: int) -> Any:
    maker = rng.choice(MAKERS if depth > 0 else LEAVES)
    made = maker(rng, depth)
    if rng.random() < 0.1:
        made["default"] = rng.choice(VALUES)
    return made


def below(rng: Random, depth: int) -> Any:
    """A schema in a place that a document reaches one level deeper, so that it may refer to anything."""
    if rng.random() < 0.2:
        return {"$ref": rng.choice(("#/$defs/A", "#/$defs/B", "#"))}
    return schema(rng, depth - 1) if rng.random() < 0.93 else rng.choice((True, False, {}))


def sometimes(rng: Random, **keywords: Any) -> dict[str, Any]:
    return {name: value for name, value in keywords.items() if rng.random() < 0.3}


def strings(rng: Random, _: int) -> dict[str, Any]:
    return {
        "type": "string",
        **sometimes(rng, minLength=rng.randint(0, 3), maxLength=rng.randint(0, 3)),
    } | sometimes(rng, pattern=rng.choice(PATTERNS))


def numbers(rng: Random, _: int) -> dict[str, Any]:
    return {"type": rng.choice(("integer", "number"))} | sometimes(
        rng,
        minimum=rng.choice((-1, 0, 0.5, 1)),
        maximum=rng.choice((0, 1, 1.5, 3, 90)),
        exclusiveMinimum=rng.choice((-1, 0, 0.5)),
        exclusiveMaximum=rng.choice((1, 2.5, 3)),
        multipleOf=rng.choice((1, 2, 3, 4, 0.5)),
    )


def simple(rng: Random, _: int) -> dict[str, Any]:
    kinds = rng.sample(TYPES, rng.randint(1, 3))
    return {"type": kinds if len(kinds) > 1 else kinds[0]}


def lists(rng: Random, _: int) -> dict[str, Any]:
    return {"const": rng.choice(VALUES)} if rng.random() < 0.3 else {"enum": some_values(rng)}


def some_values(rng: Random) -> list[Any]:
    return rng.sample(VALUES, rng.randint(1, 4))


def objects(rng: Random, depth: int) -> dict[str, Any]:
    names = rng.sample(KEYS, rng.randint(0, 3))
    made: dict[str, Any] = {"properties": {name: below(rng, depth) for name in names}}
    made |= sometimes(
        rng,
        required=rng.sample(KEYS, rng.randint(0, 2)),
        additionalProperties=rng.choice((False, True, {"type": "integer"}, {"type": ["string", "null"]})),
    )
    if rng.random() < 0.35:
        made |= sometimes(
            rng,
            minProperties=rng.randint(0, 2),
            maxProperties=rng.randint(0, 4),
            patternProperties={rng.choice(("^a", "[bc]")): schema(rng, 0)},
            propertyNames=rng.choice(({"maxLength": 1}, {"pattern": "^[a-c]"}, {"enum": ["a", "b"]})),
            dependentRequired={"a": ["b"]},
        )
    return {"type": "object", **made} if rng.random() < 0.9 else made


def arrays(rng: Random, depth: int) -> dict[str, Any]:
    made = sometimes(
        rng, items=below(rng, depth), minItems=rng.randint(0, 2), maxItems=rng.randint(0, 3), uniqueItems=True
    )
    if rng.random() < 0.2:
        made |= sometimes(
            rng, prefixItems=[below(rng, depth)], contains=schema(rng, 0), minContains=rng.randint(0, 2)
        )
    return {"type": "array", **made}


def nullable(rng: Random, depth: int) -> dict[str, Any]:
    inner = schema(rng, depth - 1)
    if inner.get("type", "null") in ("string", "integer", "number", "array", "object") and rng.random() < 0.5:
        return {**inner, "type": [inner["type"], "null"]}
    return {"anyOf": [inner, {"type": "null"}]}


def unions(rng: Random, depth: int) -> dict[str, Any]:
    branches = [schema(rng, depth - 1) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.1:
        branches += rng.choice(([True], [False], [{}], [True, True], copy.deepcopy(branches)))
    return {rng.choice(("anyOf", "anyOf", "oneOf")): branches}


def inherited(rng: Random, depth: int) -> dict[str, Any]:
    return {"allOf": [schema(rng, depth - 1)], **schema(rng, depth - 1)}


def rare(rng: Random, depth: int) -> dict[str, Any]:
    return {
        "not": lambda: {"not": schema(rng, 0)},
        "if": lambda: {"if": schema(rng, 0), "then": schema(rng, 0), "else": schema(rng, 0)},
        "unevaluated": lambda: {**objects(rng, depth), "unevaluatedProperties": False},
    }[rng.choice(("not", "if", "unevaluated"))]()


LEAVES = (strings, numbers, simple, lists)
MAKERS = (*LEAVES, *(objects,) * 4, *(arrays,) * 2, nullable, nullable, unions, inherited, rare)


def change(rng: Random, document: dict[str, Any]) -> None:
    """Change one place of the document, in place."""
    place = rng.choice(list(within(document, used=repr(document))))
    kept = {"$defs": place["$defs"]} if "$defs" in place else {}
    step = rng.random()
    names = [name for name in place if name != "$defs"]
    if step < 0.25 and names:
        name = rng.choice(names)
        place[name] = tweaked(rng, name, place[name])
    elif step < 0.4 and len(names) > 1:
        del place[rng.choice(names)]
    elif step < 0.6:
        place.update(schema(rng, 1))
    elif step < 0.7 and not kept:
        inner = dict(place)
        place.clear()
        place.update({"anyOf": [inner, schema(rng, 0)]})
    elif step < 0.8 and not kept:
        inner = dict(place)
        place.clear()
        place.update({"allOf": [inner]})
    elif step < 0.9 and "properties" in place:
        name = rng.choice(KEYS)
        if place["properties"].pop(name, None) is None:
            place["properties"][name] = schema(rng, 1)
    else:
        place.clear()
        place.update({**kept, **schema(rng, 1)})
    if kept and "type" not in document:
        document["type"] = "object"


def tweaked(rng: Random, name: str, value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return max(
            value + rng.choice((-1, 1)), 1 if name == "multipleOf" else -1 if name[-3:] == "mum" else 0
        )
    if name == "type":
        return (
            rng.choice(("number", "string", "object"))
            if isinstance(value, list)
            else [value, "null"] * (value != "null") or "null"
        )
    if name == "enum":
        return some_values(rng)
    if name == "required":
        return rng.sample(KEYS, rng.randint(0, 3))
    if name == "pattern":
        return rng.choice(PATTERNS)
    return value


def within(value: Any, used: str) -> Iterator[dict[str, Any]]:
    """Every schema object in a schema made by this module, without definitions that `used` doesn't mention."""
    if not isinstance(value, dict):
        return
    yield value
    for name, each in value.items():
        inner: list[Any] = []
        if name in ("properties", "patternProperties"):
            inner = list(each.values())
        elif name == "$defs":
            inner = [schema for key, schema in each.items() if f"#/$defs/{key}" in used]
        elif name in ("allOf", "anyOf", "oneOf", "prefixItems"):
            inner = each
        elif name in ("items", "additionalProperties", "not", "if", "then", "else", "contains"):
            inner = [each]
        for schema in inner:
            yield from within(schema, used)


def document(rng: Random, depth: int = 3) -> Any:
    kind = rng.random()
    if depth and kind < 0.35:
        return {rng.choice((*KEYS, "x")): document(rng, depth - 1) for _ in range(rng.randint(0, 3))}
    if depth and kind < 0.55:
        return [document(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return rng.choice((*VALUES, *TEXTS, -1, 3, 4, 0.25, 1.5, 91))
