"""What stock validators of other languages are asked with the bundles, and what they must say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.languages.documents import fuzzed
from tests.languages.protocol import DATASET, ITEM, Case, cases_of, expected, raw_answers
from tests.languages.test_every_language import PACK, items_that_declare

_TYPED = {ITEM: "typed_item", DATASET: "typed_dataset"}


def differing_verdicts(command: Sequence[str | Path], folder: Path) -> list[str]:
    """The names of those cases in which a validator with the bundles differs from this package.

    They are the pack, documents made at random, and whole items and datasets by their declared types.
    """
    pack = list(cases_of(PACK))
    seeds = [case for case in pack if "/valid/" in case.name]
    made = [case for case in fuzzed(seeds, 1500, seed=3) if expected(case).fault is None]
    cases = [*pack, *made, *items_that_declare()]
    asked = [Case(_TYPED.get(case.contract, case.contract), case.text) for case in cases]
    answers = raw_answers(command, asked, folder)
    assert len(cases) > 2500
    return [
        case.name
        for case, answer in zip(cases, answers, strict=True)
        if answer["valid"] is not _is_valid(case)
    ]


def _is_valid(case: Case) -> bool:
    return all(code == "unknown-minor-version" for _, _, code, _ in expected(case).findings)
