"""Random pairs of schemas: COMPATIBLE is never said of a pair that a document refutes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from evalcontract.errors import SchemaError
from evalcontract.evolution.comparing.compare import Compatibility, View, compare
from evalcontract.evolution.comparing.sampler import Nothing, Sampler
from evalcontract.evolution.comparing.sides import Side, load_side
from tests.evolution.schema_pairs import document, pair

NO_OPINION = (
    jsonschema_rs.canonical.IncompatibleOperands,
    jsonschema_rs.canonical.UnsupportedOperand,
    jsonschema_rs.canonical.UnsupportedResult,
)


def fuzz(seeds: range, documents: int) -> Counter[str]:
    """Compare one pair a seed, both ways, and check each verdict with documents and with a second opinion."""
    tally: Counter[str] = Counter()
    for seed in seeds:
        rng = Random(seed)
        schemas = pair(rng)
        try:
            old, new = load_side("old", schemas[0]), load_side("new", schemas[1])
            comparison = compare(old, new)
        except SchemaError:
            tally["refused schemas"] += 1
            continue
        for view, left, right, schema in (
            (comparison.backward, old, new, schemas),
            (comparison.forward, new, old, schemas[::-1]),
        ):
            about = f"seed {seed}, {left.label} under {right.label}"
            tally[view.verdict] += 1
            tally["documents"] += check(
                view, left, right, schema, list(drawn(rng, left, right, documents)), about
            )
    return tally


def check(
    view: View, left: Side, right: Side, schemas: tuple[Any, Any], documents: list[Any], about: str
) -> int:
    """Refute the verdict if that is possible; returns how many valid documents tried to."""
    accepted, refused = map(validator, schemas)
    opinion = second_opinion(*schemas)
    valid = 0
    if view.verdict is Compatibility.COMPATIBLE:
        assert opinion != "no", about
        for each in documents:
            if accepted.is_valid(each):
                valid += 1
                assert refused.is_valid(each), (about, each)
    if view.verdict is Compatibility.INCOMPATIBLE:
        assert opinion != "yes", about
        for each in (*view.witness, *(each for finding in view.findings for each in finding.witness)):
            assert accepted.is_valid(each), (about, each)
            assert not refused.is_valid(each), (about, each)
    if view.verdict is Compatibility.UNDECIDED:
        assert view.reason, about
    return valid


def validator(schema: Any) -> Any:
    return jsonschema_rs.validator_for(schema, validate_formats=False, offline=True)


def second_opinion(left: Any, right: Any) -> str:
    try:
        return str(jsonschema_rs.canonicalize(right).covers(jsonschema_rs.canonicalize(left)))
    except NO_OPINION:
        return "none"


def drawn(rng: Random, left: Side, right: Side, count: int) -> Iterator[Any]:
    sampler = Sampler(left, right, seed=rng.randrange(2**31))
    for number in range(count):
        if number % 3 == 0:
            yield document(rng)
            continue
        try:
            yield sampler.document()
        except Nothing:
            continue


def test_no_document_refutes_a_verdict_on_500_pairs() -> None:
    tally = fuzz(range(500), documents=45)
    assert tally[Compatibility.COMPATIBLE] > 300
    assert tally[Compatibility.INCOMPATIBLE] > 300
    assert tally[Compatibility.UNDECIDED] < 100
    assert tally["documents"] > 5_000
    assert tally["refused schemas"] < 25


@pytest.mark.long
def test_no_document_refutes_a_verdict_on_10_000_pairs() -> None:
    tally = fuzz(range(1_000_000, 1_010_000), documents=90)
    print(dict(tally))
    assert tally["documents"] > 200_000
