"""Proofs that need one thought each: without it the two schemas would be undecided, or taken for something else."""

from __future__ import annotations

from typing import Any

import pytest

from evalcontract.evolution.comparing.compare import Compatibility, compare
from evalcontract.evolution.comparing.sameness import same_keyword
from evalcontract.evolution.comparing.sides import load_side

WORDS = {"type": "array", "items": {"type": "string"}, "minItems": 1}


def tagged(*tags: str) -> dict[str, Any]:
    return {"type": "object", "properties": {"kind": {"enum": list(tags)}}, "required": ["kind"]}


def union(*branches: dict[str, Any]) -> dict[str, Any]:
    return {"oneOf": list(branches)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (WORDS, {"type": "array", "not": {"type": "array", "items": {"type": "integer"}, "minItems": 1}}),
        (WORDS, {"type": "array", "contains": {"type": "string"}}),
        (
            {"type": "number", "minimum": 0},
            {"type": "number", "anyOf": [{"exclusiveMaximum": 5}, {"minimum": 5}]},
        ),
        (
            {"type": "number"},
            {"type": "number", "anyOf": [{"maximum": 5}, {"exclusiveMinimum": 5}]},
        ),
        ({"type": "array", "contains": {"const": 1}, "minContains": 3}, {"type": "array", "minItems": 2}),
        ({"type": "string", "pattern": "^[a-z]{2,10}$"}, {"type": "string", "minLength": 2, "maxLength": 10}),
        ({"type": "string", "pattern": "^.{0,3}$"}, {"type": "string", "maxLength": 3}),
        (union(tagged("a", "c"), tagged("b")), union(tagged("a"), tagged("c"), tagged("b"))),
        (union(tagged("a"), tagged("b"), tagged("c")), union(union(tagged("a"), tagged("b")), tagged("c"))),
        (union(union(tagged("a"), tagged("b")), tagged("c")), union(tagged("a"), tagged("b"), tagged("c"))),
        (union(union(tagged("a")), tagged("c")), union(union(tagged("a"), tagged("b")), tagged("c"))),
    ],
    ids=[
        "no element of both kinds",
        "the only element fits",
        "numbers from a bound on",
        "numbers beyond a bound",
        "as many elements as it must contain",
        "lengths by a pattern",
        "lengths in characters beyond the first plane",
        "a branch for each value of the tag",
        "a union inside a branch",
        "a union taken apart",
        "a branch more in a union inside",
    ],
)
def test_what_follows_is_proved(old: dict[str, Any], new: dict[str, Any]) -> None:
    found = compare(load_side("old", old), load_side("new", new))
    assert found.backward.verdict is Compatibility.COMPATIBLE


def test_one_element_too_few_is_no_proof() -> None:
    twice = {"type": "array", "contains": {"type": "string"}, "minContains": 2}
    found = compare(load_side("old", WORDS), load_side("new", twice))
    assert found.backward.verdict is Compatibility.INCOMPATIBLE


@pytest.mark.parametrize("keyword", ["contains", "items", "properties", "if"])
def test_a_keyword_is_the_same_where_none_of_its_family_says_more(keyword: str) -> None:
    value = {"a": {"type": "string"}} if keyword == "properties" else {"type": "string"}
    one, other = (load_side(label, {keyword: value}).root for label in ("one", "other"))
    assert same_keyword(one, other, keyword)


@pytest.mark.parametrize(
    ("closing", "clause", "where"),
    [
        ({"additionalProperties": False}, "keys that it doesn't name", "additionalProperties"),
        ({"unevaluatedProperties": False}, "keys that it doesn't name", "unevaluatedProperties"),
        ({"items": False}, "further elements", "items"),
        ({"prefixItems": [{}], "unevaluatedItems": False}, "further elements", "unevaluatedItems"),
        ({"prefixItems": [False]}, "anything", "prefixItems/0"),
    ],
)
def test_what_is_shut_out_is_said_with_its_place(closing: dict[str, Any], clause: str, where: str) -> None:
    open_ = {"type": "array" if "ems" in where.lower() else "object"}
    view = compare(load_side("old", open_), load_side("new", open_ | closing)).backward
    (finding,) = view.findings
    assert finding.sentence == f"new does not accept {clause}, old does"
    assert finding.new == f"new#/{where}"


def test_both_views_tell_the_sides_apart() -> None:
    narrow, wide = {"type": "integer"}, {"type": "number"}
    forward = compare(load_side("old", narrow), load_side("new", wide)).forward
    backward = compare(load_side("old", wide), load_side("new", narrow)).backward
    for view, sentence in (
        (forward, "old does not accept numbers with a fraction, new does"),
        (backward, "new does not accept numbers with a fraction, old does"),
    ):
        (finding,) = view.findings
        assert (finding.sentence, finding.old, finding.new) == (sentence, "old#/type", "new#/type")


@pytest.mark.parametrize(
    ("old", "new", "witness"),
    [
        (union(tagged("a", "c"), tagged("b")), union(tagged("a"), tagged("b")), {"kind": "c"}),
        (
            {"type": "string", "pattern": "^[a-z]{2,11}$"},
            {"type": "string", "maxLength": 10},
            "a" * 11,
        ),
        (union(tagged("a"), tagged("b")), union(union(tagged("a")), tagged("c")), {"kind": "b"}),
        (tagged("a", "b"), union(tagged("a", "b"), tagged("b", "c")), {"kind": "b"}),
    ],
    ids=["a value of the tag less", "a length too many", "a branch less", "two branches for one value"],
)
def test_what_only_nearly_follows_has_a_document(old: Any, new: Any, witness: Any) -> None:
    found = compare(load_side("old", old), load_side("new", new))
    assert found.backward.witness == (witness,)
