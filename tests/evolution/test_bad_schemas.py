"""Schemas that can't be compared: a clear error, or UNDECIDED with a reason; never a guess, never a traceback."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evalcontract.errors import SchemaError
from evalcontract.evolution.comparing.compare import Compatibility, SchemaComparison, compare
from evalcontract.evolution.comparing.sides import load_side
from evalcontract.values import MAX_DEPTH
from tests.support.schemas import long_way_round
from tests.support.stack import below

PLAIN = {"type": "object", "properties": {"a": {"type": "string"}}}
DIALECT_3 = "http://json-schema.org/draft-03/schema#"


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return schema


def chain(length: int) -> dict[str, Any]:
    """Definitions that refer to each other, one after the other."""
    definitions: dict[str, Any] = {f"d{at}": {"$ref": f"#/$defs/d{at + 1}"} for at in range(length)}
    return {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d0"}},
        "$defs": definitions | {f"d{length}": {}},
    }


def doubling(keyword: str) -> dict[str, Any]:
    """Definitions that each refer twice to the next one."""
    twice = {f"d{at}": {keyword: [{"$ref": f"#/$defs/d{at + 1}"}] * 2} for at in range(40)}
    return {"$ref": "#/$defs/d0", "$defs": twice | {"d40": {"type": "string"}}}


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ([], "is not a JSON Schema: at the root"),
        ("object", "is not a JSON Schema: at the root"),
        ({"type": "strin"}, "is not a JSON Schema: at /type"),
        ({"properties": {"a": {"minLength": -1}}}, "is not a JSON Schema: at /properties/a/minLength"),
        ({"properties": {"a": 1}}, "is not a JSON Schema"),
        ({"const": float("nan")}, "is not JSON"),
        ({"const": float("inf")}, "is not JSON"),
        ({"const": {1, 2}}, "is not JSON"),
        ({"$schema": DIALECT_3, "type": "object"}, "declares the dialect"),
        (
            {"properties": {"a": {"$id": "a.json", "$schema": DIALECT_3, "prefixItems": [False]}}},
            "#/properties/a declares the dialect",
        ),
        ({"type": "integer", "minimum": 10**300}, "has a number of more than 300 digits"),
        (
            {"properties": {"a": {"$ref": "#/$defs/A"}}},
            "#/properties/a refers to '#/$defs/A', which is not there",
        ),
        ({"allOf": [{"$ref": "other.json"}]}, "refers to 'other.json', which is not there"),
        ({"allOf": [{"$ref": "#nowhere"}]}, "which is not there"),
        ({"allOf": [{"$ref": "#/required"}], "required": ["a"]}, "which is not a schema"),
        ({"type": "string", "pattern": "("}, "is not a regular expression"),
        ({"patternProperties": {"(": {}}}, "is not a regular expression"),
        ({"items": {"type": "string"}, "contains": {"pattern": "("}}, "is not a regular expression"),
        (nested(MAX_DEPTH), f"nested deeper than {MAX_DEPTH} levels"),
        ({"enum": ["x" * 4_000_001]}, "larger than"),
        ({"anyOf": [{"type": "string"}] * 10_001}, "more than 10,000 subschemas"),
        (doubling("allOf"), "looks at one value more than 2,000 times"),
        (doubling("anyOf"), "looks at one value more than 2,000 times"),
        ({"patternProperties": {f"^{at}$": {} for at in range(101)}}, "new# has more than 100 patterns"),
        ({"properties": {"a": {"pattern": "("}}}, "new#/properties/a: '(' is not a regular expression"),
        ({"$defs": {"a": {"$schema": DIALECT_3}}}, "new#/$defs/a declares the dialect"),
    ],
)
def test_what_is_no_usable_schema_is_refused_with_its_place(schema: Any, words: str) -> None:
    with pytest.raises(SchemaError) as refused:
        load_side("new", schema)
    assert words in refused.value.message


def test_the_dialect_may_be_written_with_an_empty_fragment() -> None:
    dialect = "https://json-schema.org/draft/2020-12/schema#"
    assert load_side("new", {"$schema": dialect, "type": "string"}).root.accepts("a")


@pytest.mark.parametrize(
    "everything",
    [True, {}, {"description": "Anything."}, {"type": ["null", "boolean", "number", "string", "array", "object"]},
     {"anyOf": [{"type": "string"}, {}]}, {"properties": {"a": {}}}, {"$ref": "#/$defs/A", "$defs": {"A": True}}],
)  # fmt: skip
@pytest.mark.parametrize("first", [True, False])
def test_a_root_that_accepts_everything_is_no_comparison(everything: Any, first: bool) -> None:
    sides = [load_side("one", everything), load_side("other", PLAIN)]
    with pytest.raises(SchemaError, match="one accepts every document"):
        compare(*(sides if first else reversed(sides)))


@pytest.mark.parametrize(
    "loop",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}], "type": "object"},
        {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}},
        {"anyOf": [{"$ref": "#"}, {"type": "string"}]},
    ],
)
def test_a_reference_that_leads_nowhere_but_to_itself_is_refused(loop: Any) -> None:
    with pytest.raises(SchemaError, match="refers to itself without end"):
        compare(load_side("old", loop), load_side("new", PLAIN))


TREE = {
    "$dynamicAnchor": "node",
    "type": "object",
    "properties": {"kids": {"items": {"$dynamicRef": "#node"}}},
}


def test_a_dynamic_reference_that_can_mean_one_place_only_is_a_plain_one() -> None:
    named = {**TREE, "properties": {**TREE["properties"], "name": {"type": "string"}}}  # type: ignore[dict-item]
    found = compare(load_side("old", TREE), load_side("new", named | {"required": ["name"]}))
    assert found.backward.verdict is Compatibility.INCOMPATIBLE
    assert found.forward.verdict is Compatibility.COMPATIBLE


def test_a_dynamic_reference_is_undecided_even_when_nothing_changed() -> None:
    other = {"$id": "urn:other", "$dynamicAnchor": "node", "type": "object"}
    tree = {**TREE, "$defs": {"other": other}}
    found = compare(load_side("old", tree), load_side("new", tree))
    assert found.backward.verdict is found.forward.verdict is Compatibility.UNDECIDED
    assert "has a dynamic reference" in (found.backward.reason or "")


@pytest.mark.parametrize("reference", [{"$ref": "#"}, {"$dynamicRef": "#node"}])
def test_places_that_lead_back_are_compared_while_they_are_few_enough(reference: dict[str, str]) -> None:
    def tree(size: int) -> dict[str, Any]:
        keys = {f"k{number}": reference for number in range(size)}
        return {"$dynamicAnchor": "node", "type": "object", "properties": keys}

    def with_one_required(size: int) -> SchemaComparison:
        return compare(load_side("old", tree(size)), load_side("new", tree(size) | {"required": ["k1"]}))

    assert len(with_one_required(200).changes) == 201
    with pytest.raises(SchemaError, match="properties in all of them, to compare"):
        with_one_required(2_000)


def test_too_many_combinations_are_undecided_not_endless() -> None:
    choices = [
        {"anyOf": [{"properties": {f"k{n}{m}": {"type": "string"}}} for m in range(5)]} for n in range(9)
    ]
    old = {"type": "object", "allOf": choices}
    new = {"type": "object", "allOf": [*choices, {"properties": {"z": {"not": {"type": "integer"}}}}]}
    found = compare(load_side("old", old), load_side("new", new))
    assert found.backward.verdict is not Compatibility.COMPATIBLE
    assert found.forward.verdict is not Compatibility.COMPATIBLE


def array_in_array(depth: int) -> dict[str, Any]:
    """Definitions that lead deeper into the document, one after the other."""
    links = {
        f"link{at}": {"type": "array", "items": {"$ref": f"#/$defs/link{at + 1}"}} for at in range(depth)
    }
    return {"$ref": "#/$defs/link0", "$defs": links | {f"link{depth}": {"type": "string"}}}


@pytest.mark.parametrize("open_calls", [0, 500, 850])
def test_schemas_nested_too_deeply_are_not_compatible_for_want_of_a_look(open_calls: int) -> None:
    old = array_in_array(105)
    new = json.loads(json.dumps(old).replace('"string"', '"integer"'))
    found = below(open_calls, lambda: compare(load_side("old", old), load_side("new", new)).backward)
    assert found.verdict is Compatibility.UNDECIDED
    assert "nested more than 100 levels deep" in (found.reason or "")


@pytest.mark.parametrize("open_calls", [0, 500, 850])
def test_what_is_nested_less_deeply_is_settled_however_deep_the_caller_is(open_calls: int) -> None:
    old = array_in_array(99)
    new = json.loads(json.dumps(old).replace('"string"', '["string", "null"]'))
    found = below(open_calls, lambda: compare(load_side("old", old), load_side("new", new)))
    assert found.backward.verdict is Compatibility.COMPATIBLE
    assert found.forward.verdict is not Compatibility.COMPATIBLE


def test_what_is_written_the_same_is_the_same_however_deep() -> None:
    found = compare(load_side("old", array_in_array(3_000)), load_side("new", array_in_array(3_000)))
    assert found.mode == "FULL"


@pytest.mark.parametrize(
    "new",
    [
        {"type": "object", "patternProperties": {"(?=a)a": {"type": "string"}}},
        {"type": "object", "properties": {"a" * 20_001: {"pattern": "(?=a)a"}}},
    ],
)
def test_a_text_that_a_pattern_takes_too_long_for_is_refused(new: Any) -> None:
    old = {"type": "object", "properties": {"a" * 20_001: {"const": "a" * 20_001}}}
    with pytest.raises(SchemaError, match="takes too long to match with a pattern"):
        compare(load_side("old", old), load_side("new", new))


@pytest.mark.parametrize("length", [50, 1_990])
def test_a_long_chain_of_references_is_followed(length: int) -> None:
    found = compare(load_side("old", chain(length)), load_side("new", chain(length)))
    assert found.backward.verdict is Compatibility.COMPATIBLE


def test_a_chain_of_references_without_a_bound_is_refused() -> None:
    with pytest.raises(SchemaError, match="looks at one value more than 2,000 times"):
        load_side("old", chain(2_001))


def test_a_deep_value_under_a_chain_of_references_at_every_level_is_given_up_with_a_reason() -> None:
    value: Any = 1
    for _ in range(90):
        value = {"a": value}
    with pytest.raises(SchemaError, match="nested too deeply"):
        compare(load_side("old", {"enum": [value]}), load_side("new", long_way_round(200)))


def test_what_is_given_is_not_changed_and_may_change_later() -> None:
    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema", **PLAIN}
    before = repr(schema)
    side = load_side("old", schema)
    assert repr(schema) == before
    schema.clear()
    assert not side.root.accepts([])


def test_embedded_resources_resolve_from_their_own_base() -> None:
    inner = {
        "$id": "https://example.invalid/inner/one.json",
        "type": "object",
        "properties": {"a": {"$ref": "two.json"}},
    }
    two = {"$id": "https://example.invalid/inner/two.json", "type": "string"}
    root = {
        "$id": "https://example.invalid/root.json",
        "type": "object",
        "properties": {"x": {"$ref": "inner/one.json"}},
    }
    bundle = root | {"$defs": {"one": inner, "two": two}}
    apart = load_side("apart", root, documents={inner["$id"]: inner, two["$id"]: two})
    found = compare(apart, load_side("bundle", bundle))
    assert found.mode == "FULL"
    assert not apart.root.accepts({"x": {"a": 1}})


def test_the_same_comparison_gives_the_same_witnesses() -> None:
    new = {
        "type": "object",
        "properties": {"a": {"type": "string", "pattern": "^[a-f0-9]{8}$"}},
        "required": ["b"],
    }
    first, second = (compare(load_side("old", PLAIN), load_side("new", new)) for _ in range(2))
    assert first == second


def test_large_schemas_are_settled_or_given_up_not_endless() -> None:
    names = [f"p{at}" for at in range(800)]
    wide = {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": names}
    wider = wide | {"properties": {name: {"type": ["string", "null"]} for name in names}}
    found = compare(load_side("old", wide), load_side("new", wider))
    assert found.backward.verdict is Compatibility.COMPATIBLE
    listed = {"type": "object", "properties": {"a": {"enum": list(range(2_000))}}}
    longer = {"type": "object", "properties": {"a": {"enum": list(range(2_001))}}}
    assert compare(load_side("old", listed), load_side("new", longer)).mode == "BACKWARD"
    many = {"anyOf": [{"const": at} for at in range(300)], "oneOf": [{"const": at} for at in range(300)]}
    assert compare(load_side("old", many), load_side("new", {"type": "integer"})).mode != "FULL"


@pytest.mark.parametrize("bound", ["minProperties", "minItems", "minLength", "minimum", "multipleOf"])
@pytest.mark.parametrize("size", [10**250, 2**64, 1e300])
def test_enormous_bounds_are_compared_without_building_what_they_ask_for(bound: str, size: float) -> None:
    old = {"type": "object", "properties": {"a": {bound: size}}}
    new = {"type": "object", "properties": {"a": {bound: 2 * size}}}
    found = compare(load_side("old", old), load_side("new", new))
    assert found.backward.verdict is not Compatibility.COMPATIBLE
