"""The fast engine never accepts what the reference refuses, and both give the same violations."""

from __future__ import annotations

import json
import re
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcontract.catalog import ContractRef, default_catalogue
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.strict import parse
from evalcontract.validation.compiled import CompiledContract
from evalcontract.validation.engine.dereference import dereferenced
from evalcontract.validation.engine.reference import reference_validator
from evalcontract.validation.items import ItemChecker
from tests.support.examples import FAULTS, RELEASES, json_lines, mixed_items, release
from tests.support.mutate import mutants
from tests.support.schemas import long_way_round, schemas, values
from tests.support.stack import below
from tests.support.suite import FILES, groups_of, remotes
from tests.support.vectors import cases_of, contracts

CATALOGUE = default_catalogue()
DOCUMENTS = dict(CATALOGUE.documents())
OTHER_DIALECTS = {"schema that uses custom metaschema with with no validation vocabulary"}


class NoCatalogue:
    """A catalogue without documents."""

    labels = ()

    def documents(self) -> tuple[()]:
        return ()


def compiled(schema: dict[str, Any], **more: Any) -> tuple[CompiledContract, CompiledContract]:
    """The same schema for the fast engine and for the reference alone."""
    nothing: Any = NoCatalogue()
    return (
        CompiledContract("own", schema, nothing, **more),
        CompiledContract("own", schema, nothing, engine="reference", **more),
    )


@cache
def engines(ref: ContractRef) -> tuple[CompiledContract, CompiledContract]:
    schema = CATALOGUE.document(ref)
    return (
        CompiledContract(str(ref), schema, CATALOGUE),
        CompiledContract(str(ref), schema, CATALOGUE, engine="reference"),
    )


def assert_same(fast: CompiledContract, reference: CompiledContract, document: object) -> bool:
    """Compare both engines on one document; returns whether the fast one accepted it at once."""
    expected = list(reference.violations(document))
    accepted = fast.accepts(document)
    assert not (accepted and expected), (document, expected)
    assert list(fast.violations(document)) == expected, document
    return accepted


def mutants_of(ref: ContractRef, count: int, seed: int) -> list[Any]:
    documents = [case.document for case in cases_of(ref)]
    return [each.document for each in mutants(documents, DOCUMENTS.values(), seed=seed, count=count)]


@pytest.mark.parametrize("name", FILES)
def test_the_official_test_suite_gets_its_verdicts_from_both_engines(name: str) -> None:
    for group in groups_of(name):
        if not isinstance(group["schema"], dict) or group["description"] in OTHER_DIALECTS:
            continue
        fast, reference = compiled(group["schema"], own=remotes())
        for case in group["tests"]:
            accepted = assert_same(fast, reference, case["data"])
            assert case["valid"] or not accepted
            assert (not list(reference.violations(case["data"]))) == case["valid"], case["description"]


def test_the_fast_engine_takes_part_in_most_of_the_test_suite() -> None:
    groups = [group for name in FILES for group in groups_of(name) if isinstance(group["schema"], dict)]
    cases = [
        (fast, case["data"])
        for group in groups
        for fast, _ in [compiled(group["schema"], own=remotes())]
        for case in group["tests"]
        if case["valid"]
    ]
    assert sum(fast.accepts(data) for fast, data in cases) > 0.8 * len(cases)


@pytest.mark.parametrize("ref", contracts(), ids=str)
def test_every_vector_gets_the_same_violations_from_both_engines(ref: ContractRef) -> None:
    for case in cases_of(ref):
        assert assert_same(*engines(ref), case.document) == case.valid, case.name


@pytest.mark.parametrize("ref", contracts(), ids=str)
def test_mutants_get_the_same_violations_from_both_engines(ref: ContractRef) -> None:
    accepted = [assert_same(*engines(ref), each) for each in mutants_of(ref, 300, seed=1)]
    assert 0 < sum(accepted) < len(accepted)


@pytest.mark.long
@pytest.mark.parametrize("ref", contracts(), ids=str)
def test_fifty_thousand_mutants_a_contract_get_the_same_violations(ref: ContractRef) -> None:
    documents = [case.document for case in cases_of(ref)]
    for each in mutants(documents, DOCUMENTS.values(), seed=2, count=50_000):
        assert_same(*engines(ref), each.document)


@cache
def items(schema_type: str) -> tuple[dict[str, Any], ...]:
    """Example items of a type, small and large, whose faults are of all kinds."""
    examples = [item for name in RELEASES for item in release(name)["items"][:4]]
    return tuple(
        item
        | {"metadata": {"raw_metadata": {"input_schema_type": schema_type, "input_schema_version": "1.0"}}}
        for item in (*examples, *mixed_items(), *json_lines(FAULTS))
        if isinstance(item, dict)
    )


def holds_null_bytes(document: object) -> bool:
    return "\\u0000" in json.dumps(document)


def assert_same_items(schema_type: str, count: int, seed: int) -> int:
    fast, reference = (ItemChecker(CATALOGUE, engine=engine) for engine in ("fast", "reference"))
    valid = 0
    for each in mutants(items(schema_type), DOCUMENTS.values(), seed=seed, count=count):
        verdict = reference.check(each.document)
        assert fast.check(each.document) == verdict, each
        # The quickest way out, which leaves a clean item without a second look.
        assert fast.check(each.document, holds_null_bytes(each.document)) == verdict, each
        valid += verdict.valid
    return valid


@pytest.mark.parametrize("schema_type", [*CATALOGUE.schema_types(), "of our own"])
def test_mutated_items_get_the_same_verdict_from_both_engines(schema_type: str) -> None:
    assert assert_same_items(schema_type, 300, seed=3) < 300


@pytest.mark.long
@pytest.mark.parametrize("schema_type", CATALOGUE.schema_types())
def test_fifty_thousand_mutated_items_a_type_get_the_same_verdict(schema_type: str) -> None:
    assert assert_same_items(schema_type, 50_000, seed=4) < 50_000


@pytest.mark.parametrize("ref", contracts(), ids=str)
def test_a_dereferenced_schema_gives_the_errors_of_its_source(ref: ContractRef) -> None:
    schema = CATALOGUE.document(ref)
    inlined = dereferenced(schema, DOCUMENTS)
    assert inlined is not None
    assert "$ref" not in json.dumps(inlined)
    by_registry = reference_validator(schema, DOCUMENTS.items())
    in_place = reference_validator(inlined, ())
    sparing = reference_validator(inlined, (), sparing=True)
    documents = [case.document for case in cases_of(ref)] + mutants_of(ref, 80, seed=5)
    for document in documents:
        expected = errors(by_registry, document)
        assert errors(in_place, document) == expected
        assert errors(sparing, document) == expected


def test_most_that_is_wrong_is_found_by_the_compiled_engine() -> None:
    ref = CATALOGUE.resolve("rag_expected_output")
    fast, _ = engines(ref)
    lister = fast._lister
    assert lister is not None
    refused = [document for document in mutants_of(ref, 300, seed=7) if not fast.accepts(document)]
    assert sum(lister.errors(document) is None for document in refused) < 0.2 * len(refused)


def errors(validator: Any, document: object) -> list[tuple[object, ...]]:
    return [
        (list(each.absolute_path), list(each.absolute_schema_path), each.validator, each.message)
        for each in validator.iter_errors(document)
    ]


@settings(max_examples=250, deadline=None)
@given(schema=schemas, documents=st.lists(values, min_size=1, max_size=4))
def test_any_schema_gives_the_same_violations_with_both_engines(
    schema: dict[str, Any], documents: list[Any]
) -> None:
    fast, reference = compiled(schema)
    for document in documents:
        assert_same(fast, reference, document)


@pytest.mark.long
@settings(max_examples=50_000, deadline=None)
@given(schema=schemas, documents=st.lists(values, min_size=1, max_size=4))
def test_fifty_thousand_schemas_give_the_same_violations_with_both_engines(
    schema: dict[str, Any], documents: list[Any]
) -> None:
    fast, reference = compiled(schema)
    for document in documents:
        assert_same(fast, reference, document)


INTEGERS = (0, -1, 1, 2**53 - 1, 2**53, -(2**53), 2**63, 2**64, 10**30, 10**30 + 1, -(10**4000))


@pytest.mark.parametrize("bound", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "const"])
def test_large_numbers_are_compared_exactly(bound: str) -> None:
    numbers = [*INTEGERS, -0.0, 0.5, float(2**53), 1e22, 5e-324, 1.7976931348623157e308]
    for limit in numbers:
        fast, reference = compiled({bound: limit, "type": "number"})
        for number in numbers:
            assert_same(fast, reference, number)
            assert_same(*compiled({"not": {bound: limit}}), number)


@pytest.mark.parametrize("text", ["1e400", "-1e400", "1e309", '{"args": {"n": 1e999}}', "[1e+0400]"])
def test_numbers_beyond_all_bounds_never_reach_an_engine(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse(text.encode())
    assert caught.value.code == "not-finite"


def test_long_and_odd_texts_get_the_same_violations() -> None:
    texts = ["x" * 10_000_000, "é" * 100_000, "\x00", "\ud7ff\ue000", "\U0010ffff" * 1000, "a\u0301" * 5]
    fast, reference = engines(CATALOGUE.resolve("message"))
    bounded = compiled({"type": "string", "minLength": 5, "maxLength": 10_000})
    for text in texts:
        assert_same(fast, reference, {"role": "user", "content": text})
        assert_same(fast, reference, {"role": text, "content": "c"})
        assert_same(*bounded, text)


@pytest.mark.parametrize("opening", ['{"a":', "["])
def test_values_as_deep_as_can_be_read_get_the_same_violations(opening: str) -> None:
    depth = 98  # of the 100 levels the value itself takes two
    deep, _ = parse((opening * depth + "1" + ("]" if opening == "[" else "}") * depth).encode())
    fast, reference = engines(CATALOGUE.resolve("tool_call"))
    assert assert_same(fast, reference, {"name": "n", "args": {"deep": deep}})
    assert not assert_same(fast, reference, {"name": deep, "args": {"deep": deep}})
    own = compiled({"$ref": "#/$defs/any", "$defs": {"any": {"type": ["object", "array"]}}})
    assert assert_same(*own, deep)


def nested(levels: int, inside: bytes) -> Any:
    """Objects in each other by the key `a`, as they are read."""
    return parse(b'{"a":' * levels + inside + b"}" * levels)[0]


def refusals(contract: CompiledContract, document: Any) -> list[tuple[str, str]]:
    return [(violation.code, violation.pointer) for violation in contract.violations(document)]


@pytest.mark.parametrize("open_calls", [0, 500, 850])
def test_a_recursive_schema_judges_the_deepest_value_however_deep_the_caller_is(open_calls: int) -> None:
    rules = {"allOf": [{"anyOf": [{"properties": {"a": {"$ref": "#"}}, "type": "object"}]}]}
    for contract in compiled(rules):
        right, wrong = (partial(refusals, contract, nested(99, inside)) for inside in (b"{}", b"1"))
        assert below(open_calls, right) == []
        assert below(open_calls, wrong) == [("wrong-type", "/a" * 99)]


def test_what_is_wrong_behind_too_many_references_at_every_level_is_refused_for_its_depth() -> None:
    for contract in compiled(long_way_round(20)):
        assert refusals(contract, nested(99, b"1")) == [("wrong-type", "/a" * 99)]
    for contract in compiled(long_way_round(200)):
        assert refusals(contract, nested(99, b"1")) == [("too-deep", "")]


def test_the_reference_engine_never_asks_the_fast_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise AssertionError("asked")

    monkeypatch.setattr("evalcontract.validation.engine.fast.quick_acceptance", forbidden)
    monkeypatch.setattr("evalcontract.validation.engine.sparing.quick_acceptance", forbidden)
    checker = ItemChecker(CATALOGUE, engine="reference")
    for item in items("rag"):
        checker.check(item)


def test_whole_texts_are_matched_by_the_version_pattern() -> None:
    fast, reference = engines(CATALOGUE.resolve("raw_metadata"))
    for version in ("1.0", "1.0\n", "01.0", "１.0", "1.0 ", "10.20"):
        accepted = assert_same(fast, reference, {"input_schema_version": version})
        assert accepted == bool(re.fullmatch(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)", version, re.ASCII))
