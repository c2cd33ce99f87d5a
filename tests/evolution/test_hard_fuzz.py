"""Random pairs of the keywords that are hard to compare, by a generator of their own: no document refutes a verdict."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator

from evalcontract.errors import SchemaError
from evalcontract.evolution.comparing.compare import Compatibility, compare
from evalcontract.evolution.comparing.sides import load_side
from tests.evolution.hard_pairs import document, near, pair
from tests.evolution.test_fuzz import second_opinion

AGREED = ((True, False), (None, False), (True, None))
"""What two validators may say of a document under the left and the right side for it to show a break."""

CONTRADICTIONS = ((Compatibility.COMPATIBLE, "no"), (Compatibility.INCOMPATIBLE, "yes"))


class Both:
    """Two validators that share nothing; a value counts where they agree."""

    def __init__(self, schema: Any) -> None:
        self._rust = jsonschema_rs.validator_for(schema, validate_formats=False, offline=True)
        self._python = Draft202012Validator(schema)
        self._schema = schema

    def verdict(self, value: Any) -> bool | None:
        """Whether the value is valid; None where the two disagree."""
        rust = self._rust.is_valid(value)
        if "pattern" in repr(self._schema):
            return rust  # Python's expressions are not those of ECMAScript
        return rust if self._python.is_valid(value) is rust else None


def fuzz(seeds: range, documents: int) -> Counter[str]:
    """Compare one pair a seed, and look for a document that refutes the verdict, either way."""
    tally: Counter[str] = Counter()
    for seed in seeds:
        rng = Random(seed)
        schemas = pair(rng)
        try:
            comparison = compare(load_side("old", schemas[0]), load_side("new", schemas[1]))
        except SchemaError:
            tally["refused schemas"] += 1
            continue
        try:
            judges = list(map(Both, schemas))
        except ValueError:
            tally["schemas that a validator refuses"] += 1
            continue
        drawn = [document(rng) for _ in range(documents // 3)]
        drawn += [near(rng, rng.choice(schemas), schemas[0]) for _ in range(documents - len(drawn))]
        for view, (left, right), pair_of in (
            (comparison.backward, judges, schemas),
            (comparison.forward, judges[::-1], schemas[::-1]),
        ):
            tally[view.verdict] += 1
            opinion = second_opinion(*pair_of)
            tally[f"{view.verdict}, covered: {opinion}"] += 1
            assert (view.verdict, opinion) not in CONTRADICTIONS, seed
            for witness in (
                *view.witness,
                *(shown for finding in view.findings for shown in finding.witness),
            ):
                tally["witnesses"] += 1
                found = left.verdict(witness), right.verdict(witness)
                assert found in AGREED, (seed, witness)
            for value in drawn if view.verdict is not Compatibility.INCOMPATIBLE else ():
                if left.verdict(value):
                    tally[f"documents of {view.verdict}"] += 1
                    broken = right.verdict(value) is False
                    assert not (broken and view.verdict is Compatibility.COMPATIBLE), (seed, value)
                    tally["undecided though broken"] += broken
    return tally


def test_no_document_refutes_a_verdict_on_150_hard_pairs() -> None:
    tally = fuzz(range(150), documents=60)
    assert tally[Compatibility.COMPATIBLE] > 150
    assert tally[Compatibility.INCOMPATIBLE] > 25
    assert tally["documents of compatible"] > 1_500
    assert tally["refused schemas"] < 40


@pytest.mark.long
def test_no_document_refutes_a_verdict_on_20_000_hard_pairs() -> None:
    tally = fuzz(range(1_000_000, 1_020_000), documents=90)
    print(dict(tally))
    assert tally["documents of compatible"] > 50_000
