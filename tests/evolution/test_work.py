"""A comparison ends: what a recursive schema asks for grows with the document, not with all ways through it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from evalcontract.evolution.comparing.compare import Compatibility, compare
from evalcontract.evolution.comparing.sides import load_side
from evalcontract.evolution.comparing.work import GaveUp, at_most, spend
from evalcontract.evolution.versions.breaking import breaking

ROOT = {"$ref": "#"}


def recursive(several: int) -> dict[str, dict[str, Any]]:
    """Schemas that look at the members of a value so many times, by the keyword through which they do."""
    lists = {"items": ROOT, "type": "array"}
    return {
        "items": {"type": ["array", "null"], "allOf": [{"items": ROOT}] * several},
        "properties": {"type": ["object", "null"], "allOf": [{"properties": {"k": ROOT}}] * several},
        "additionalProperties": {
            "type": ["object", "null"],
            "allOf": [{"additionalProperties": ROOT}] * several,
        },
        "anyOf": {"anyOf": [{"type": "null"}, *[lists] * several]},
        "oneOf": {"oneOf": [{"type": "null"}, *({**lists, "minItems": 1 + at} for at in range(several))]},
        "contains": {"type": ["array", "null"], "contains": ROOT, "items": ROOT},
        "unevaluatedItems": {"type": ["array", "null"], "prefixItems": [ROOT], "unevaluatedItems": ROOT},
        "not": {"type": ["array", "null"], "items": {"allOf": [ROOT, {"not": {"not": ROOT}}]}},
    }


RECURSIVE = recursive(8)
DOCUMENTS = st.recursive(
    st.none() | st.integers(0, 1),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.just("k"), inner),
)


def nested(name: str, leaf: Any, depth: int = 40) -> Any:
    for _ in range(depth):
        leaf = {"k": leaf} if "roperties" in name else [leaf]
    return leaf


@pytest.mark.parametrize("name", RECURSIVE)
def test_a_deep_document_takes_as_many_looks_as_it_has_values(name: str) -> None:
    schema = load_side("own", RECURSIVE[name]).root
    with at_most(20_000):
        assert schema.accepts(nested(name, None))
        assert not schema.accepts(nested(name, 7))


@pytest.mark.parametrize("name", RECURSIVE)
@given(document=DOCUMENTS)
def test_to_look_once_gives_the_verdict_of_looking_every_time(name: str, document: Any) -> None:
    schema = recursive(2)[name]
    accepted = load_side("own", schema).root.accepts(document)
    assert accepted is Draft202012Validator(schema).is_valid(document)


@pytest.mark.parametrize("name", RECURSIVE)
def test_recursive_schemas_of_many_branches_are_settled_with_a_document(name: str) -> None:
    narrow = RECURSIVE[name]
    wide = {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/tree"}], "$defs": {"tree": retargeted(narrow)}}
    found = compare(load_side("old", wide), load_side("new", narrow))
    assert found.backward.verdict is Compatibility.INCOMPATIBLE
    (witness,) = found.backward.witness
    assert Draft202012Validator(wide).is_valid(witness)
    assert not Draft202012Validator(narrow).is_valid(witness)


def retargeted(schema: Any) -> Any:
    """The schema for a place under $defs: what referred to the root refers to that place."""
    if isinstance(schema, dict):
        return (
            {"$ref": "#/$defs/tree"} if schema == ROOT else {key: retargeted(schema[key]) for key in schema}
        )
    return [retargeted(each) for each in schema] if isinstance(schema, list) else schema


def test_thousands_of_required_keys_are_settled() -> None:
    keys = [f"k{at}" for at in range(20_000)]
    old, new = ({"type": "object", "required": each} for each in (keys, [*keys, "one more"]))
    found = compare(load_side("old", old), load_side("new", new))
    assert found.backward.verdict is not Compatibility.COMPATIBLE
    assert found.forward.verdict is Compatibility.COMPATIBLE


def test_a_branch_that_goes_from_a_recursive_grammar_is_named_with_a_document() -> None:

    def grammar(*operators: str) -> dict[str, Any]:
        sides = {"left": ROOT, "right": ROOT}
        branches = [
            {
                "type": "object",
                "properties": {"op": {"const": each}, **sides},
                "required": ["op", "left", "right"],
            }
            for each in operators
        ]
        return {"anyOf": [*branches, {"type": "number"}]}

    found = breaking(load_side("old", grammar(*"abcdef")), load_side("new", grammar(*"abcde")))
    (finding,) = found.judged.breaking
    assert (found.exit_code, found.judged.undecided) == (1, None)
    assert finding.witness == found.comparison.backward.witness
    assert finding.sentence == "new does not accept what has \"f\" as 'op', old does"


def test_work_is_counted_inside_a_limit_only() -> None:
    spend(10**9)
    with at_most(10) as left:
        spend(4)
        with at_most(1), pytest.raises(GaveUp):
            spend(2)
        assert left == [6]
        with pytest.raises(GaveUp, match="not settled"):
            spend(7)
    spend(10**9)


def test_a_document_that_shows_a_break_is_a_finding_where_the_work_ended_before_the_proof() -> None:
    old, new = load_side("old", {"type": "number"}), load_side("new", {"type": "number", "const": 2.5})
    view = compare(old, new, 40).backward
    (finding,) = view.findings
    assert view.unsettled == "not settled within the budget, at new#"
    assert (view.verdict, finding.code) == (Compatibility.INCOMPATIBLE, "ENUM_VALUE_NO_DELETE")
    assert finding.witness == view.witness


def test_a_document_that_no_obstacle_is_shown_by_is_a_finding_of_its_own() -> None:
    def multiples(of: int) -> Any:
        members = {"^a": {"type": "integer", "multipleOf": of}}
        names = {"propertyNames": {"pattern": "^[a-c]"}, "dependentRequired": {"a": ["b"]}}
        return {"type": "object", "patternProperties": members, **names}

    view = compare(load_side("old", multiples(3)), load_side("new", multiples(5))).backward
    told, shown = view.findings
    assert (told.sentence, told.witness) == ("new wants multipleOf 5, old does not", ())
    assert (shown.sentence, shown.witness) == ("new refuses a document that old accepts", view.witness)
    assert (shown.code, view.verdict, view.unsettled) == (
        "BOUND_NO_TIGHTEN",
        Compatibility.INCOMPATIBLE,
        None,
    )
