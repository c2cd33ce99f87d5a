"""What a waiver can and can't do, and the one word for all versions together."""

from __future__ import annotations

from typing import Any

import pytest

from evalcontract.evolution.comparing.codes import RULES, BreakCode
from evalcontract.evolution.comparing.sides import Side, load_side
from evalcontract.evolution.versions.breaking import Datum, Mode, breaking, compatibility, exit_code
from evalcontract.evolution.versions.number import IN_A_MINOR, Step, Waiver

STRING = {"type": "string"}


def object_of(label: str, required: list[str] | None = None, **properties: Any) -> Side:
    return load_side(label, {"type": "object", "properties": properties, "required": required or []})


def test_every_rule_is_registered_once_with_a_reason() -> None:
    assert [rule.code for rule in RULES] == list(BreakCode)
    assert all(rule.why.endswith(".") for rule in RULES)


def test_a_proved_break_can_t_be_waived() -> None:
    old, new = object_of("old", a=STRING), object_of("new", required=["a"], a=STRING)
    waiver = Waiver(BreakCode.REQUIRED_NO_ADD, "urn:evalcontract:new#/required", "nobody does that")
    found = breaking(
        old, new, waivers=[waiver, Waiver(BreakCode.REQUIRED_NO_ADD, "new#/required", "nobody does that")]
    )
    assert found.exit_code == 1
    assert [each.code for each in found.judged.breaking] == [BreakCode.REQUIRED_NO_ADD]


def test_a_new_property_is_waived_but_not_together_with_a_break() -> None:
    old = object_of("old", a=STRING)
    alone = breaking(old, object_of("new", a=STRING, b=STRING))
    assert (alone.exit_code, alone.step) == (0, Step.MINOR)
    assert [reason for _, reason in alone.judged.waived] == [IN_A_MINOR]
    both = breaking(old, object_of("new", a={"type": "integer"}, b=STRING))
    assert (both.exit_code, both.step) == (1, Step.MAJOR)


@pytest.mark.parametrize(
    ("value", "carries"),
    [
        ({"b": 7}, True),
        ({"b": "text"}, False),
        ({}, False),
        ({"a": 7}, False),
        ([], False),
        ({"b": None}, True),
    ],
)
def test_data_speaks_only_of_the_new_key(value: Any, carries: bool) -> None:
    old, new = object_of("old", a=STRING), object_of("new", a=STRING, b=STRING)
    found = breaking(old, new, data=[Datum("items.jsonl: item 'q1'", value)])
    assert bool(found.carried) is carries
    assert found.exit_code == int(carries)
    assert all(each.startswith("items.jsonl: item 'q1' carries /b") for each in found.carried)


def test_data_is_looked_at_behind_arrays_too() -> None:
    def wrapped(label: str, **properties: Any) -> Side:
        return object_of(label, list={"type": "array", "items": {"type": "object", "properties": properties}})

    datum = Datum("it", {"list": [{}, {"b": 7}]})
    (sentence,) = breaking(wrapped("old"), wrapped("new", b=STRING), data=[datum]).carried
    assert sentence.startswith("it carries /list/1/b")


def test_data_is_looked_at_in_branches_and_wherever_a_schema_is_used_again() -> None:
    def tree(label: str, **properties: Any) -> Side:
        branch = {"anyOf": [{"$ref": "#"}, {"type": "null"}]}
        both = {"type": "array", "items": branch}
        return object_of(label, left=branch, kids=both, **properties)

    old, new = tree("old"), tree("new", b=STRING)
    data = [
        {"b": 7},
        {"left": {"b": 7}},
        {"kids": [None, {"left": {"b": "x"}}]},
        {"kids": [{"kids": [{"b": 7}]}]},
    ]
    found = breaking(old, new, data=[Datum(str(at), each) for at, each in enumerate(data)])
    assert [each.partition(":")[0] for each in found.carried] == [
        "0 carries /b",
        "1 carries /left/b",
        "3 carries /kids/0/kids/0/b",
    ]
    assert found.exit_code == 1


def test_values_behind_a_reference_are_reported_once_and_where_they_stand() -> None:
    def colours(label: str, *names: str) -> Side:
        paint = {"$ref": "#/$defs/Colour", "default": None}
        return load_side(
            label,
            {"type": "object", "properties": {"a": paint}, "$defs": {"Colour": {"enum": [*names, None]}}},
        )

    (finding,) = breaking(colours("old", "red", "blue"), colours("new", "red")).judged.breaking
    assert (finding.old, finding.new) == ("old#/$defs/Colour/enum", "new#/$defs/Colour/enum")
    assert finding.sentence == 'new does not accept "blue", old does'


@pytest.mark.parametrize(
    ("now", "sentence"),
    [
        ({"default": None}, 'new changes the default "x" to null'),
        ({}, 'new drops the default "x"'),
        ({"default": "y" * 99}, f'new changes the default "x" to "{"y" * 58}…'),
    ],
)
@pytest.mark.parametrize("keyword", ["properties", "patternProperties"])
def test_a_changed_default_is_told_as_json(keyword: str, now: dict[str, Any], sentence: str) -> None:
    sides = [
        load_side(label, {"type": "object", keyword: {"a": {**STRING, **default}}})
        for label, default in (("old", {"default": "x"}), ("new", now))
    ]
    (finding,) = breaking(sides[0], sides[1]).judged.breaking
    assert (finding.code, finding.sentence) == (BreakCode.DEFAULT_NO_CHANGE, sentence)


@pytest.mark.parametrize(
    ("news", "word"),
    [
        ([{"a": STRING}], "FULL"),
        ([{"a": {"type": ["string", "null"]}}], "BACKWARD"),
        ([{"a": {"type": "string", "maxLength": 3}}], "FORWARD"),
        ([{"a": {"type": ["string", "null"]}}, {"a": STRING}], "BACKWARD"),
        ([{"a": {"type": ["string", "null"]}}, {"a": {"type": "string", "maxLength": 3}}], "NONE"),
        ([], "NONE"),
    ],
)
def test_one_word_holds_for_all_versions(news: list[dict[str, Any]], word: str) -> None:
    old = object_of("old", a=STRING)
    found = [breaking(old, object_of("new", **each)) for each in news]
    assert compatibility(found, transitive=False) == word
    assert compatibility(found, transitive=True) == (word if word == "NONE" else f"{word}_TRANSITIVE")


def test_breaking_outweighs_undecided() -> None:
    old = object_of("old", a={"type": "string", "pattern": "^[ab]$"})
    undecided = breaking(old, object_of("new", a={"type": "string", "pattern": "^(?=.$)[ab]"}))
    broken = breaking(old, object_of("new", a={"type": "integer"}))
    fine = breaking(old, old)
    assert [each.exit_code for each in (undecided, broken, fine)] == [3, 1, 0]
    assert exit_code([fine]) == exit_code([]) == 0
    assert exit_code([fine, undecided]) == 3
    assert exit_code([undecided, broken]) == 1


@pytest.mark.parametrize(("mode", "code"), [(Mode.BACKWARD, 0), (Mode.FORWARD, 1), (Mode.FULL, 1)])
def test_a_widening_breaks_forward_only(mode: Mode, code: int) -> None:
    old, new = object_of("old", a=STRING), object_of("new", a={"type": ["string", "null"]})
    assert breaking(old, new, mode).exit_code == code


def test_a_version_tag_as_a_const_is_named_for_what_it_is() -> None:
    old, new = object_of("old", tag={"const": "1.0"}), object_of("new", tag={"const": "1.1"})
    (finding,) = breaking(old, new).judged.breaking
    assert (
        finding.sentence
        == 'new does not accept "1.0", old does; a version tag must not be a const of the schema'
    )


def test_a_waiver_doesn_t_cover_what_was_never_looked_at() -> None:
    """The prover stops at `z`, after it found the new property: nothing may be concluded from that one alone."""
    choices = [{"anyOf": [{"properties": {f"k{n}{m}": STRING}} for m in range(5)]} for n in range(9)]
    hard = {"type": "object", "allOf": choices}
    harder = {
        "type": "object",
        "allOf": [*choices, {"properties": {"z": {"type": "integer", "not": {"const": 7}}}}],
    }
    old, new = object_of("old", z=hard), object_of("new", b=STRING, z=harder)
    found = breaking(old, new)
    assert {finding.code for finding, _ in found.judged.waived} == {BreakCode.NEW_PROPERTY_ON_OPEN_OBJECT}
    assert found.judged.breaking == ()
    assert (found.exit_code, found.step) == (3, Step.MAJOR)
    assert "combinations of anyOf branches" in (found.judged.undecided or "")
