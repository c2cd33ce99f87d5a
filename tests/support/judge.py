"""Verdicts on documents and items by validators other than the library's own, which must agree."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from evalcontract.catalog import default_catalogue, default_registry, load_schema
from tests.support.engines import Engine, ecma_python_engine, rust_engine
from tests.support.vectors import Fault

MARKER = re.compile(r"\[\^?[0-9]+\]")


@cache
def engines(name: str) -> tuple[Engine, Engine]:
    schema = load_schema(name)
    return ecma_python_engine(schema, default_registry()), rust_engine(schema, default_registry())


def faults_of(document: Any, contract: str, at: str = "") -> frozenset[Fault]:
    """What both validators find; the pointers start at `at`."""
    first, second = (engine(document) for engine in engines(contract))
    assert first == second
    return frozenset(Fault(at + fault.pointer, fault.keyword) for fault in first)


def faults_of_item(item: dict[str, Any]) -> frozenset[Fault]:
    """The faults of the envelope and, under a known type, of input and expected output."""
    found = faults_of(item, "evaluation_item")
    declared = item["metadata"]["raw_metadata"]
    types = default_catalogue().schema_types().get(declared["input_schema_type"], {})
    pair = types.get(declared["input_schema_version"])
    if pair is None:
        return found
    parts = (("input", pair.input), ("expected_output", pair.expected_output))
    return found.union(
        *(faults_of(item[key], ref.name, f"/{key}") for key, ref in parts if key in item),
    )


def marked(response: str) -> set[str]:
    """The citation markers in a response of the example data."""
    return set(MARKER.findall(response))
