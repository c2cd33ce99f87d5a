"""The mutators make what differential tests need, and independent validators agree about it."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.catalog import ContractRef, default_catalogue, default_registry, load_schema
from evalcontract.catalog.bundle import definitions
from tests.support.engines import ecma_python_engine, rust_engine
from tests.support.mutate import MUTATORS, Mutant, mutants, paths, vocabulary_of
from tests.support.vectors import cases_of, contracts

COUNT = 150
ROOT = Path(__file__).resolve().parents[2]

each_contract = pytest.mark.parametrize("contract", contracts(), ids=str)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@cache
def schemas_of(contract: ContractRef) -> tuple[dict[str, Any], ...]:
    return tuple(definitions(default_catalogue(), [contract]).values())


@cache
def mutants_of(contract: ContractRef) -> tuple[Mutant, ...]:
    valid = [case.document for case in cases_of(contract) if case.valid]
    return tuple(mutants(valid, schemas_of(contract), seed=7, count=COUNT))


@each_contract
def test_independent_validators_agree_about_every_mutant(contract: ContractRef) -> None:
    schema = load_schema(contract.name, contract.version)
    python, rust = ecma_python_engine(schema, default_registry()), rust_engine(schema, default_registry())
    for mutant in mutants_of(contract):
        found, wanted = rust(mutant.document), python(mutant.document)
        assert bool(found) == bool(wanted), mutant
        if '"": ' not in json.dumps(mutant.document):  # jsonschema_rs leaves an empty key out of paths
            assert found == wanted, mutant


@each_contract
def test_mutants_are_valid_and_invalid(contract: ContractRef) -> None:
    judge = rust_engine(load_schema(contract.name, contract.version), default_registry())
    invalid = sum(bool(judge(mutant.document)) for mutant in mutants_of(contract))
    assert COUNT // 10 <= invalid <= COUNT - COUNT // 10


@each_contract
def test_mutants_differ(contract: ContractRef) -> None:
    texts = {json.dumps(mutant.document) for mutant in mutants_of(contract)}
    assert len(texts) > COUNT // 2


def test_every_mutator_is_used_and_changes_something() -> None:
    contract = default_catalogue().resolve("dataset")
    full = next(case.document for case in cases_of(contract) if case.name == "valid/full")
    single = [
        each for each in mutants([full], schemas_of(contract), seed=3, count=400) if len(each.steps) == 1
    ]
    changing = {mutant.steps[0] for mutant in single if mutant.document != full}
    assert changing == {mutate.__name__ for mutate in MUTATORS}


def test_the_same_seed_gives_the_same_mutants_and_another_seed_others() -> None:
    contract = default_catalogue().resolve("prediction_record")
    documents = [case.document for case in cases_of(contract)]
    runs = [
        json.dumps([each.document for each in mutants(documents, schemas_of(contract), seed=seed, count=50)])
        for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1] != runs[2]


def test_mutants_do_not_depend_on_hash_seeds() -> None:
    script = (
        "from tests.support.mutate import mutants\n"
        "documents, schemas = [{'a': [1, {'b': 'x'}], 'c': 2}], [{'properties': {'a': {'minimum': 1}}}]\n"
        "made = mutants(documents, schemas, seed=1, count=50)\n"
        "print([(each.document, each.steps) for each in made])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs != {b""}


@given(document=json_values, seed=st.integers(0, 2**32))
def test_mutants_are_json_and_the_document_stays_as_it_was(document: Any, seed: int) -> None:
    before = deepcopy(document)
    for mutant in mutants([document], [{"properties": {"name": {"enum": ["a"]}}}], seed=seed, count=5):
        text = json.dumps(mutant.document, allow_nan=False, ensure_ascii=False)
        assert json.loads(text.encode()) == mutant.document
    assert document == before
    assert str(document) == str(before)


def test_paths_name_every_value() -> None:
    assert paths({"a": [1, {"b": None}], "c": {}}) == [(), ("a",), ("c",), ("a", 0), ("a", 1), ("a", 1, "b")]


def test_the_vocabulary_has_names_enum_values_and_both_sides_of_each_limit() -> None:
    found = vocabulary_of(schemas_of(default_catalogue().resolve("rag_expected_output")))
    assert {"response", "citations", "document_id", "relevance"} <= set(found.names)
    assert {0, 1, 2, 2**53 - 2, 2**53 - 1, 2**53} <= set(found.values)
