"""What a model dumps keeps the contract of the model, and nothing is lost on the way."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest
from evalcontract_models.registry import CONTRACTS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcontract.catalog import bundle, default_catalogue
from evalcontract.models import ContractModel, from_contract
from tests.support.documents import documents

VALIDATORS = {
    model: jsonschema_rs.validator_for(bundle(default_catalogue(), default_catalogue().resolve(*ref)))
    for model, ref in CONTRACTS.items()
}


def kept(before: Any, after: Any) -> bool:
    """Whether all of a document is still there; null may have been added to objects, as a default."""
    if isinstance(before, dict):
        return (
            isinstance(after, dict)
            and all(name in after and kept(value, after[name]) for name, value in before.items())
            and all(after[name] is None for name in after.keys() - before.keys())
        )
    if isinstance(before, list):
        return len(before) == len(after) and all(map(kept, before, after))
    if type(before) is int and type(after) is float:
        return float(before) == after
    return type(before) in (type(after), float) and bool(before == after)


@pytest.mark.parametrize(("model", "ref"), CONTRACTS.items(), ids=str)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_valid_document_comes_back_whole_and_valid(
    model: type[ContractModel], ref: tuple[str, str], data: st.DataObject
) -> None:
    document = data.draw(documents(*ref))
    assert VALIDATORS[model].is_valid(document)
    instance = from_contract(model, document)
    dumped = json.loads(instance.model_dump_json())
    assert VALIDATORS[model].is_valid(dumped)
    assert kept(document, dumped)
    assert model.model_validate_json(instance.model_dump_json()) == instance


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"a": 1}, {}),
        ({"a": 1}, {"a": 2}),
        ({}, {"a": 1}),
        ([1], [1, 1]),
        (True, 1),
        (1, True),
        ("1", 1),
        (0, None),
    ],
)
def test_the_comparison_sees_what_is_lost(before: Any, after: Any) -> None:
    assert not kept(before, after)


@pytest.mark.parametrize(
    ("before", "after"), [({"a": 1}, {"a": 1.0, "b": None}), (1.0, 1), ([{"a": []}], [{"a": [], "b": None}])]
)
def test_the_comparison_allows_what_is_equal(before: Any, after: Any) -> None:
    assert kept(before, after)
