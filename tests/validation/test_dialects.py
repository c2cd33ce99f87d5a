"""Older dialects: rewritten so that the same values are valid, or refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from evalcontract.errors import SchemaError
from evalcontract.validation.dialects import OLDER, modern
from tests.support.cli import run

URIS = {draft: f"{uri}#" if draft < 2019 else uri for uri, draft in OLDER.items()}
VALIDATORS: dict[int, Any] = {
    4: jsonschema_rs.Draft4Validator,
    6: jsonschema_rs.Draft6Validator,
    7: jsonschema_rs.Draft7Validator,
    2019: jsonschema_rs.Draft201909Validator,
}
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    2,
    3,
    -1,
    0.5,
    "",
    "a",
    "ab",
    [],
    {},
    [1],
    ["a"],
    {"a": 1},
)


def schema(rng: Random, draft: int, depth: int = 3) -> Any:
    """A schema of an older dialect, with what changed since."""
    makers = (
        [_scalar, _bounds] if depth <= 0 else [_scalar, _bounds, _object, _array, _object, _array, _mixed]
    )
    return rng.choice(makers)(rng, draft, depth - 1)


def _scalar(rng: Random, draft: int, depth: int) -> Any:
    if draft > 4 and rng.random() < 0.3:
        return rng.choice((True, False, {"const": rng.choice(VALUES)}))
    return rng.choice(
        ({"type": rng.choice(("string", "number", "null", "boolean"))}, {"enum": rng.sample(VALUES, 3)})
    )


def _bounds(rng: Random, draft: int, depth: int) -> Any:
    exclusive = (
        {"minimum": 1, "exclusiveMinimum": rng.choice((True, False))}
        if draft == 4
        else {"exclusiveMinimum": 1}
    )
    return {"type": "number", **exclusive, "maximum": rng.choice((1, 2))}


def _object(rng: Random, draft: int, depth: int) -> Any:
    made: dict[str, Any] = {"type": "object", "properties": {"a": schema(rng, draft, depth)}}
    if draft <= 7 and rng.random() < 0.6:
        made["dependencies"] = rng.choice(
            ({"a": ["b"]}, {"a": schema(rng, draft, depth)}, {"a": ["b"], "b": {}})
        )
    if rng.random() < 0.3:
        made["additionalProperties"] = rng.choice((False, schema(rng, draft, depth)))
    if rng.random() < 0.3:
        made["const" if draft == 4 else "propertyNames"] = {"maxLength": 1}
    return made


def _array(rng: Random, draft: int, depth: int) -> Any:
    made: dict[str, Any] = {"type": "array"}
    many = [schema(rng, draft, depth) for _ in range(rng.randint(1, 2))]
    made["items"] = many if rng.random() < 0.7 else schema(rng, max(draft, 4), depth)
    if draft == 4 and isinstance(made["items"], bool):
        made["items"] = {}
    if rng.random() < 0.6:
        made["additionalItems"] = rng.choice((False, schema(rng, draft, depth)))
    if rng.random() < 0.3:
        made["contains"] = {"type": "string"}
        made["minContains"] = 2
    return made


def _mixed(rng: Random, draft: int, depth: int) -> Any:
    return rng.choice(
        (
            {"if": {"type": "string"}, "then": {"maxLength": 1}, "type": ["string", "object"]},
            {"$ref": "#/definitions/d", "type": "string", "maxLength": 0},
            {"anyOf": [schema(rng, draft, depth), schema(rng, draft, depth)]},
            {"not": schema(rng, draft, depth) or {}},
            {"$ref": "#/definitions/d"},
        )
    )


def value(rng: Random, depth: int = 2) -> Any:
    roll = rng.random()
    if depth and roll < 0.35:
        return {rng.choice("abc"): value(rng, depth - 1) for _ in range(rng.randint(0, 3))}
    if depth and roll < 0.65:
        return [value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return rng.choice(VALUES)


@pytest.mark.parametrize("draft", VALIDATORS)
def test_the_same_values_are_valid_after_the_rewriting(draft: int) -> None:
    rng, valid, looked = Random(draft), 0, 0
    for _ in range(400):
        body = schema(rng, draft)
        body = body if isinstance(body, dict) else {"not": {}}
        definitions = {"d": {"type": ["object", "string"]}}
        document = {"$schema": URIS[draft], "definitions": definitions, "allOf": [body]}
        rewritten = modern(document, "own").schema
        jsonschema.Draft202012Validator.check_schema(rewritten)
        old, new = VALIDATORS[draft](document), jsonschema.Draft202012Validator(rewritten)
        for _ in range(30):
            drawn = value(rng)
            looked += 1
            valid += old.is_valid(drawn)
            assert old.is_valid(drawn) is new.is_valid(drawn), (document, rewritten, drawn)
    assert 0.05 < valid / looked < 0.95


def test_the_report_says_what_was_read_and_what_meant_nothing() -> None:
    found = modern({"$schema": URIS[4], "type": "integer", "const": 7}, "own.json")
    assert found.schema == {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "integer"}
    assert found.notes == (
        "own.json was read as draft-04, rewritten into 2020-12",
        "own.json: 'const' means nothing in draft-04",
        "own.json: 1.0 counts as an integer here, other than in draft-04",
    )
    assert modern({"type": "integer"}, "own.json").notes == ()


def test_an_identifier_that_only_repeats_its_place_or_is_no_name_means_nothing() -> None:
    """As older generators of schemas wrote them, with slips: nobody refers to them."""
    place = {"$id": "#/properties/a", "type": "string"}
    slip = {"$id": "#/properties/a", "type": "integer"}
    document = {
        "$schema": URIS[7],
        "properties": {"a": place, "b": {"$ref": "#/properties/a"}, "c": {"$id": "#1", "type": "null"}},
    }
    checker = jsonschema.Draft202012Validator(modern(document, "own").schema)
    assert [checker.is_valid({name: "x"}) for name in ("a", "b", "c")] == [True, True, False]
    slipped = {"$schema": URIS[7], "properties": {"a": place, "d": slip}}
    assert jsonschema.Draft202012Validator(modern(slipped, "own").schema).is_valid({"a": "x", "d": 1})
    referred = {**slipped, "items": {"$ref": "#/properties/a"}}
    with pytest.raises(SchemaError, match="which is no name, and is referred to at /properties/d"):
        modern(referred, "own")


def test_anchors_and_recursive_references_keep_their_meaning() -> None:
    anchored = {"$schema": URIS[7], "definitions": {"a": {"$id": "#here", "type": "string"}}, "$ref": "#here"}
    checker = jsonschema.Draft202012Validator(modern(anchored, "own").schema)
    assert checker.is_valid("a")
    assert not checker.is_valid(7)
    tree = {"$schema": URIS[2019], "type": "array", "items": {"$recursiveRef": "#"}}
    checker = jsonschema.Draft202012Validator(modern(tree, "own").schema)
    assert checker.is_valid([[], [[]]])
    assert not checker.is_valid([[7]])


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"$schema": "http://json-schema.org/draft-03/schema#"}, "declares the dialect"),
        ({"$schema": 7}, "declares the dialect"),
        ({"$schema": URIS[2019], "$recursiveAnchor": True}, "a recursive reference to an anchor"),
        (
            {"$schema": URIS[2019], "unevaluatedItems": False, "allOf": [{"contains": {}}]},
            "has 'unevaluatedItems' and 'contains'",
        ),
        ({"$schema": URIS[7], "items": [{}], "not": {"$ref": "#/items/0"}}, "under another name"),
        ({"$schema": URIS[7], "not": {"$id": "a.json#b"}}, "with an anchor in it"),
        (
            {"$schema": URIS[7], "not": {"$schema": URIS[4], "$id": "a.json"}},
            "a part in another dialect, draft-04",
        ),
        ({"$schema": URIS[4], "not": True}, "a schema that is true or false"),
    ],
)
def test_what_is_not_exact_is_refused_by_name(document: dict[str, Any], words: str) -> None:
    with pytest.raises(SchemaError) as refused:
        modern(document, "own")
    assert words in refused.value.message


def test_validate_takes_them_too(tmp_path: Path) -> None:
    own = {
        "$schema": URIS[4],
        "type": "object",
        "properties": {"n": {"minimum": 1, "exclusiveMinimum": True}},
    }
    (tmp_path / "own.json").write_text(json.dumps(own))
    item = {"item_id": "q", "input": {"n": 1}, "expected_output": {"response": "a"}}
    (tmp_path / "item.json").write_text(json.dumps(item))
    arguments = ("validate", str(tmp_path / "item.json"), "--input-schema", str(tmp_path / "own.json"))
    done = run(*arguments)
    assert done.code == 1
    assert "/input/n" in done.out
    (tmp_path / "item.json").write_text(json.dumps(item | {"input": {"n": 2}}))
    assert run(*arguments).code == 0
