"""Every language reads, judges and writes as this package does."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import pytest

from evalcontract.values import same_value
from tests.languages.documents import fuzzed
from tests.languages.hostile import near, readings, typed
from tests.languages.protocol import (
    DATASET,
    ITEM,
    JSON,
    Case,
    asked,
    cases_of,
    comparable,
    expected,
    typed_cases_of,
)
from tests.languages.toolchains import Driver
from tests.support.projects import PROJECT

PACK = PROJECT / "schemas" / "conformance"
FLAT = PROJECT / "generated" / "flat"
DATASETS = sorted((PROJECT / "examples" / "pathfinder").glob("*.json"))


def disagreements(driver: Driver, cases: Sequence[Case]) -> list[str]:
    """The cases in which a language differs, in words."""
    found = []
    for case, answer in zip(cases, asked(driver.command, cases, driver.folder), strict=True):
        wanted = expected(case)
        judged = comparable(answer) == comparable(wanted)
        kept = len(answer.written) == len(wanted.written) and all(
            same_value(given, original)
            for given, original in zip(answer.written, wanted.written, strict=True)
        )
        if not (judged and kept):
            found.append(
                f"{case.contract} {case.name}: {case.text[:300]!r}\n  {answer}\n  instead of {wanted}"
            )
    return found


def test_verdicts_fault_sets_messages_and_round_trips_of_the_pack(driver: Driver) -> None:
    cases = list(cases_of(PACK))
    assert len(cases) > 900
    assert disagreements(driver, cases)[:5] == []


def reading(verdict: str) -> list[Case]:
    """The vectors for strict readers."""
    return [
        Case(JSON, path.read_bytes(), path.stem) for path in sorted((PACK / "reading" / verdict).iterdir())
    ]


def test_what_the_strict_reader_accepts_it_also_writes_back(driver: Driver) -> None:
    cases = reading("accepted")
    assert all(expected(case).fault is None for case in cases)
    assert disagreements(driver, cases) == []


def test_what_the_strict_reader_refuses(driver: Driver) -> None:
    cases = reading("refused")
    assert all(expected(case).fault for case in cases)
    assert disagreements(driver, cases) == []


def items_that_declare() -> list[Case]:
    """The vectors of items and datasets, and such of every type and version that there is, was or will be."""
    cases = list(typed_cases_of(PACK))
    assert len(cases) > 150
    for path in DATASETS:
        dataset = json.loads(path.read_bytes())
        cases.append(Case(DATASET, path.read_bytes(), path.name))
        item = dataset["items"][0]
        for declared in (None, "qa", "rag", "agent", "rag_agent", "ragg", "", "it's", "x" * 100, 5):
            for version in (None, "1.0", "1.7", "2.0", "01.0", "1", "1.0\n", 1.0):
                raw = {"input_schema_type": declared, "input_schema_version": version}
                tagged = item | {"metadata": {"raw_metadata": raw}}
                cases.append(Case(ITEM, json.dumps(tagged).encode(), f"{declared} {version}"))
                whole = dataset | {"items": [tagged, {**item, "expected_output": None}, 3]}
                cases.append(Case(DATASET, json.dumps(whole).encode(), f"{path.name} {declared} {version}"))
    return cases


def test_items_and_datasets_follow_the_declared_type(driver: Driver) -> None:
    cases = items_that_declare()
    codes = Counter(code for case in cases for _, _, code, _ in expected(case).findings)
    assert {
        "unknown-schema-type",
        "unknown-schema-version",
        "unknown-minor-version",
        "declarations-disagree",
    } <= set(codes)
    assert disagreements(driver, cases)[:5] == []


def test_a_ground_truth_judges_a_document_once(driver: Driver) -> None:
    item = json.loads(DATASETS[-1].read_bytes())["items"][0]
    judged = [{"document_id": id_, "relevance": 1} for id_ in ("a", "it's", "a", 3, "it's")]
    item["expected_output"] |= {"retrieval_ground_truth": judged}
    case = Case(ITEM, json.dumps(item).encode())
    codes = Counter(code for _, _, code, _ in expected(case).findings)
    assert codes["duplicate-judgement"] == 2
    assert disagreements(driver, [case]) == []


def seeds() -> list[Case]:
    valid = [case for case in cases_of(PACK) if "/valid/" in case.name]
    items = [
        Case(contract, path.read_bytes(), path.name) for path in DATASETS for contract in (DATASET, DATASET)
    ]
    return valid + items


def test_a_few_documents_made_at_random(driver: Driver) -> None:
    assert disagreements(driver, fuzzed(seeds(), 500, seed=1))[:5] == []


@pytest.mark.long
def test_many_documents_made_at_random(driver: Driver) -> None:
    assert disagreements(driver, fuzzed(seeds(), 6000, seed=2))[:5] == []


def test_what_stands_beside_known_traps_is_read_alike(driver: Driver) -> None:
    assert disagreements(driver, list(readings()))[:10] == []


def test_a_text_with_any_byte_changed_is_read_alike(driver: Driver) -> None:
    assert disagreements(driver, list(near()))[:10] == []


def test_every_property_takes_and_keeps_the_same_values(driver: Driver) -> None:
    fields = {
        file.name.removesuffix(".schema.json").replace("-", "@"): json.loads(file.read_bytes())["properties"]
        for file in FLAT.glob("*-*.schema.json")
    }
    minimal = [case for case in cases_of(PACK) if case.name.endswith("/valid/minimal.json")]
    assert len(minimal) >= len(fields)
    assert disagreements(driver, list(typed(minimal, fields)))[:10] == []
