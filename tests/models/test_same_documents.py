"""Source, bundle, flat file and model schema admit the same documents."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from itertools import combinations
from typing import Any

import jsonschema_rs
import pytest
from evalcontract_models.registry import MODELS
from jsonschema_rs.canonical import Containment

from evalcontract.catalog import ContractRef, Schema, default_catalogue
from tests.support.mutate import mutants
from tests.support.projects import PROJECT
from tests.support.vectors import cases_of, contracts

MUTANTS_PER_CONTRACT = 150
CONTRACTS = contracts()
REGISTRY = jsonschema_rs.Registry(list(default_catalogue().documents()))

each_contract = pytest.mark.parametrize("contract", CONTRACTS, ids=str)


def source(contract: ContractRef) -> Schema:
    return default_catalogue().document(contract)


def bundled(contract: ContractRef) -> Schema:
    return _generated("bundles", contract)


def flattened(contract: ContractRef) -> Schema:
    return _generated("flat", contract)


def modelled(contract: ContractRef) -> Schema:
    return MODELS[contract.name].model_json_schema()


def dumped(contract: ContractRef) -> Schema:
    return MODELS[contract.name].model_json_schema(mode="serialization")


FORMS: tuple[Callable[[ContractRef], Schema], ...] = (source, bundled, flattened, modelled, dumped)


def _generated(folder: str, contract: ContractRef) -> Schema:
    name = f"{contract.name}-{contract.version}.schema.json"
    found: Schema = json.loads((PROJECT / "generated" / folder / name).read_bytes())
    return found


@cache
def canonical(form: Callable[[ContractRef], Schema], contract: ContractRef) -> jsonschema_rs.CanonicalSchema:
    # With references in place of what they stand for, containment of some maps can't be told.
    return jsonschema_rs.canonicalize(
        jsonschema_rs.dereference(form(contract), registry=REGISTRY, offline=True)
    )


def contain_each_other(one: jsonschema_rs.CanonicalSchema, other: jsonschema_rs.CanonicalSchema) -> bool:
    """Whether it is proved that both admit the same documents; what can't be told is not proved."""
    return one.covers(other) == other.covers(one) == Containment.YES


def narrower(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """The schema with one keyword changed, for each keyword that constrains, at any depth."""
    for path, keyword, value in _constraints(schema, ()):
        changed = deepcopy(schema)
        node: Any = changed
        for step in path:
            node = node[step]
        if keyword == "type":
            node[keyword] = "boolean"
        elif keyword in ("required", "enum"):
            node[keyword] = value[1:] or ["something else"]
        else:
            node[keyword] = value + 1 if isinstance(value, int) else "^x$"
        yield "/".join(map(str, (*path, keyword))), changed


def _constraints(node: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str, Any]]:
    if isinstance(node, list):
        for index, each in enumerate(node):
            yield from _constraints(each, (*path, index))
    elif isinstance(node, dict):
        for key, value in node.items():
            names = path and path[-1] in ("properties", "$defs")
            constraints = (
                "type",
                "required",
                "enum",
                "minLength",
                "minItems",
                "minimum",
                "maximum",
                "pattern",
            )
            if key in constraints and not names:
                yield path, key, value
            else:
                yield from _constraints(value, (*path, key))


@each_contract
def test_all_forms_are_proved_to_admit_the_same_documents(contract: ContractRef) -> None:
    unproved = [
        (one.__name__, other.__name__)
        for one, other in combinations(FORMS, 2)
        if not contain_each_other(canonical(one, contract), canonical(other, contract))
    ]
    assert unproved == []


@each_contract
def test_the_proof_fails_when_one_keyword_differs(contract: ContractRef) -> None:
    schema = flattened(contract)
    changes = list(narrower(schema))
    assert changes
    same = [
        where
        for where, changed in changes
        if contain_each_other(
            canonical(flattened, contract), jsonschema_rs.canonicalize(jsonschema_rs.dereference(changed))
        )
    ]
    assert same == []


@each_contract
def test_all_forms_give_the_vectors_their_verdict(contract: ContractRef) -> None:
    validators = {form.__name__: _validator(form, contract) for form in FORMS}
    for case in cases_of(contract):
        verdicts = {name: validator.is_valid(case.document) for name, validator in validators.items()}
        assert verdicts == dict.fromkeys(verdicts, case.valid), str(case)


@each_contract
def test_all_forms_agree_on_mutated_documents(contract: ContractRef) -> None:
    validators = [_validator(form, contract) for form in FORMS]
    seeds = [case.document for case in cases_of(contract)]
    seen = set()
    for mutant in mutants(seeds, _closure(contract), seed=2, count=MUTANTS_PER_CONTRACT):
        verdicts = {validator.is_valid(mutant.document) for validator in validators}
        assert len(verdicts) == 1, mutant
        seen |= verdicts
    assert seen == {True, False}


def _validator(
    form: Callable[[ContractRef], Schema], contract: ContractRef
) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(form(contract), registry=REGISTRY, offline=True)


def _closure(contract: ContractRef) -> list[Schema]:
    schema = flattened(contract)
    return [schema, *schema.get("$defs", {}).values()]
