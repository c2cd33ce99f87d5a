"""Curated pairs: the truth about each, both ways, with documents that prove it."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs
import pytest

from evalcontract.evolution.comparing.codes import RULES, BreakCode
from evalcontract.evolution.comparing.compare import Compatibility, SchemaComparison, View, compare
from evalcontract.evolution.comparing.keywords import words
from evalcontract.evolution.comparing.sides import Side, load_side
from evalcontract.evolution.versions.number import step

PAIRS = sorted((Path(__file__).parent / "data" / "pairs").glob("*.json"))
NAMES = [path.stem for path in PAIRS]
VIEWS = [(name, view) for name in NAMES for view in ("backward", "forward")]
PROFILE = words(
    "type properties required allOf $ref items enum const pattern minLength maxLength minimum maximum "
    "exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems additionalProperties anyOf default "
    "description title"
)


class Pair(NamedTuple):
    truth: dict[str, Any]
    old: Side
    new: Side
    comparison: SchemaComparison

    def sides(self, view: str) -> tuple[Side, Side]:
        return (self.old, self.new) if view == "backward" else (self.new, self.old)

    def found(self, view: str) -> View:
        return self.comparison.backward if view == "backward" else self.comparison.forward


@cache
def pair(name: str) -> Pair:
    truth = json.loads((PAIRS[0].parent / f"{name}.json").read_text("utf-8"))
    documents = truth.get("documents", {"old": {}, "new": {}})
    old = load_side("old", truth["old"], documents=documents["old"])
    new = load_side("new", truth["new"], documents=documents["new"])
    return Pair(truth, old, new, compare(old, new))


def expected(truth: dict[str, Any]) -> Compatibility:
    if truth.get("undecided"):
        return Compatibility.UNDECIDED
    return Compatibility.COMPATIBLE if truth["compatible"] else Compatibility.INCOMPATIBLE


def rust_validator(truth: dict[str, Any], end: str) -> Any:
    """A validator that shares no code with the checker's."""
    documents = truth.get("documents", {}).get(end, {})
    registry = jsonschema_rs.Registry(list(documents.items()))
    return jsonschema_rs.validator_for(truth[end], registry=registry, validate_formats=False, offline=True)


def test_the_truth_of_each_pair_is_shown_by_its_witness() -> None:
    for name, view in VIEWS:
        truth = pair(name).truth
        assert ("witness" in truth[view]) is not truth[view]["compatible"], (name, view)
        if "witness" in truth[view]:
            left, right = ("old", "new") if view == "backward" else ("new", "old")
            assert rust_validator(truth, left).is_valid(truth[view]["witness"]), (name, view)
            assert not rust_validator(truth, right).is_valid(truth[view]["witness"]), (name, view)


def test_each_view_has_the_right_verdict_and_codes() -> None:
    for name, view in VIEWS:
        truth, found = pair(name).truth[view], pair(name).found(view)
        assert found.verdict is expected(truth), (name, view)
        assert sorted({finding.code for finding in found.findings}) == sorted(truth["codes"]), (name, view)


def test_every_witness_is_valid_on_one_side_and_refused_by_the_other() -> None:
    for name, view in VIEWS:
        found, truth = pair(name).found(view), pair(name).truth
        witnesses = [*found.witness, *(shown for finding in found.findings for shown in finding.witness)]
        assert bool(witnesses) is (found.verdict is Compatibility.INCOMPATIBLE), (name, view)
        left, right = ("old", "new") if view == "backward" else ("new", "old")
        for witness in witnesses:
            assert rust_validator(truth, left).is_valid(witness), (name, view, witness)
            assert not rust_validator(truth, right).is_valid(witness), (name, view, witness)


def test_every_finding_of_a_break_has_a_witness_and_points_into_both_files() -> None:
    for name, view in VIEWS:
        found = pair(name).found(view)
        if found.verdict is Compatibility.INCOMPATIBLE:
            for finding in found.findings:
                assert finding.witness, (name, view, finding)
                assert "#" in finding.old, (name, view, finding)
                assert "#" in finding.new, (name, view, finding)
                assert finding.sentence, (name, view, finding)


def test_the_number_follows_from_what_changed() -> None:
    for name in NAMES:
        assert step(pair(name).comparison) == pair(name).truth["number"], name


def test_the_second_opinion_never_contradicts() -> None:
    for name, view in VIEWS:
        truth = pair(name).truth
        left, right = ("old", "new") if view == "backward" else ("new", "old")
        try:
            opinion = str(canonical(truth, right).covers(canonical(truth, left)))
        except jsonschema_rs.canonical.IncompatibleOperands:
            continue  # one of the two refers to its own root
        refuting = {"no": Compatibility.COMPATIBLE, "yes": Compatibility.INCOMPATIBLE}.get(opinion)
        assert pair(name).found(view).verdict is not refuting, (name, view)


def canonical(truth: dict[str, Any], end: str) -> jsonschema_rs.CanonicalSchema:
    documents = truth.get("documents", {}).get(end, {})
    registry = jsonschema_rs.Registry(list(documents.items()))
    return jsonschema_rs.canonicalize(truth[end], registry=registry, offline=True)


def test_the_table_has_nothing_unsound(capsys: pytest.CaptureFixture[str]) -> None:
    table: Counter[str] = Counter()
    for name, view in VIEWS:
        truth, found = pair(name).truth[view]["compatible"], pair(name).found(view).verdict
        if found is Compatibility.UNDECIDED:
            table["refused"] += 1
        elif found is Compatibility.COMPATIBLE:
            table["right" if truth else "unsound"] += 1
        else:
            table["false alarm" if truth else "right"] += 1
    columns = ("right", "unsound", "refused", "false alarm")
    with capsys.disabled():
        print(
            f"\n{len(PAIRS)} pairs, {len(VIEWS)} verdicts: "
            + ", ".join(f"{column} {table[column]}" for column in columns)
        )
    refused = sum(bool(pair(name).truth[view].get("undecided")) for name, view in VIEWS)
    assert dict(table) == {"right": len(VIEWS) - refused, "refused": refused}


def test_the_pairs_cover_every_rule_and_every_keyword_of_the_authoring_profile() -> None:
    assert len(PAIRS) >= 68
    texts = "".join(path.read_text("utf-8") for path in PAIRS)
    assert [keyword for keyword in PROFILE if f'"{keyword}"' not in texts] == []
    findings = {finding.code for name, view in VIEWS for finding in pair(name).found(view).findings}
    surface = {finding.code for name in NAMES for finding in pair(name).comparison.surface}
    assert findings | surface == set(BreakCode) == {rule.code for rule in RULES}
