"""The vectors of whole items and datasets: stock validators find the same faults, and commands agree."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from referencing import Registry

from evalcontract.catalog import default_catalogue, typed_dataset, typed_item
from evalcontract.validation import ItemChecker, iter_violations
from tests.support.engines import python_engine, rust_engine
from tests.support.projects import PROJECT
from tests.support.vectors import CONFORMANCE, WHOLE, Fault

SCHEMAS = {"typed_item": typed_item(default_catalogue()), "typed_dataset": typed_dataset(default_catalogue())}
BUNDLES = PROJECT / "generated" / "bundles"
DECLARATIONS = {"unknown-schema-type", "unknown-schema-version", "declarations-disagree"}
"""What a command says of a declaration in words of its own, where the schema has a keyword."""

# `$` of JSON Schema is the very end of the text; that of Python's `re` also stands before a final line break.
ACCEPTED_BY_PYTHON_PATTERNS = {"a-version-with-a-line-break"}

each_schema = pytest.mark.parametrize("name", WHOLE)


def folder(name: str) -> Path:
    return CONFORMANCE / name / "1.0"


def cases(name: str) -> Iterator[tuple[Path, Any, frozenset[Fault]]]:
    expected = json.loads((folder(name) / "expected.json").read_bytes())
    assert expected.keys() == {path.stem for path in (folder(name) / "invalid").iterdir()}
    for path in sorted(folder(name).glob("*valid/*.json")):
        faults = expected[path.stem] if path.parent.name == "invalid" else []
        listed = [Fault(fault["pointer"], fault["keyword"]) for fault in faults]
        assert listed == sorted(set(listed))
        yield path, json.loads(path.read_bytes()), frozenset(listed)


@each_schema
def test_two_stock_validators_find_exactly_the_expected_faults(name: str) -> None:
    python = python_engine(SCHEMAS[name], Registry())
    rust = rust_engine(SCHEMAS[name], Registry())
    for path, document, faults in cases(name):
        assert (faults == frozenset()) is (path.parent.name == "valid"), path.name
        assert rust(document) == faults, path.name
        assert python(document) == (frozenset() if path.stem in ACCEPTED_BY_PYTHON_PATTERNS else faults), (
            path.name
        )


@each_schema
def test_check_jsonschema_gives_the_same_verdicts(name: str) -> None:
    program = Path(sys.executable).parent / "check-jsonschema"
    for verdict, code in (("valid", 0), ("invalid", 1)):
        files = sorted((folder(name) / verdict).iterdir())
        command = [
            program,
            "--schemafile",
            BUNDLES / f"{name}.schema.json",
            "--output-format",
            "json",
            *files,
        ]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        refused = {Path(error["filename"]) for error in json.loads(done.stdout)["errors"]}
        assert refused == ({*files} if verdict == "invalid" else set())


def faults_of_item(item: Any, metadata: object) -> frozenset[Fault]:
    found = ItemChecker(default_catalogue(), dataset_metadata=metadata).check(item).violations
    return frozenset(
        Fault(violation.pointer, violation.keyword or violation.code)
        for violation in found
        if violation.severity == "error"
    )


def faults_of_dataset(dataset: Any) -> frozenset[Fault]:
    found = {Fault(found.pointer, str(found.keyword)) for found in iter_violations(dataset, "dataset")}
    if isinstance(dataset, dict) and isinstance(dataset.get("items"), list):
        for number, item in enumerate(dataset["items"]):
            faults = faults_of_item(item, dataset.get("metadata"))
            found |= {Fault(f"/items/{number}{fault.pointer}", fault.keyword) for fault in faults}
    return frozenset(found)


@each_schema
def test_the_library_finds_the_expected_faults_and_calls_declarations_by_names_of_its_own(name: str) -> None:
    """Whoever follows declarations in code says so once an item; the schema says it where the words stand."""
    judged = 0
    for path, document, faults in cases(name):
        found = faults_of_item(document, None) if name == "typed_item" else faults_of_dataset(document)
        plain = {fault for fault in found if fault.keyword not in DECLARATIONS}
        declared = {fault for fault in faults - plain if "input_schema_" in fault.pointer}
        assert plain == faults - declared, path.name
        assert bool(found - plain) is bool(declared), path.name
        judged += 1
    assert judged > 50


@each_schema
def test_full_and_minimal_are_there_and_no_two_cases_are_the_same(name: str) -> None:
    documents = {path.stem: document for path, document, _ in cases(name)}
    assert {"full", "minimal"} <= documents.keys()
    texts = [json.dumps(document, sort_keys=True) for document in documents.values()]
    assert len(texts) == len(set(texts))


def without_one_keyword(schema: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """The rules of a schema with one of their keywords taken away, and where it stood."""
    if isinstance(schema, list):
        for number, part in enumerate(schema):
            for place, changed in without_one_keyword(part, f"{at}/{number}"):
                yield place, [*schema[:number], changed, *schema[number + 1 :]]
    elif isinstance(schema, dict):
        for key, value in schema.items():
            yield f"{at}/{key}", {other: kept for other, kept in schema.items() if other != key}
            for place, changed in without_one_keyword(value, f"{at}/{key}"):
                yield place, schema | {key: changed}


def elsewhere(name: str) -> Iterator[Any]:
    """Documents beside the vectors: each item under datasets that declare this and that."""
    items = [document for _, document, _ in cases("typed_item")]
    if name == "typed_item":
        yield from ({**item, "expected_output": 5} for item in items if isinstance(item, dict))
        return
    for type_ in ("qa", "rag", "agent", "rag_agent", "summary", None):
        for version in ("1.0", "1.999", "2.0", None):
            metadata = {"product_id": "p", "scope": "s", "version": "1.0", "input_schema_type": type_}
            yield from (
                {"metadata": metadata | {"input_schema_version": version}, "items": [i]} for i in items
            )


@pytest.mark.long
@each_schema
def test_what_other_documents_notice_of_a_changed_rule_the_vectors_notice(name: str) -> None:
    schema = SCHEMAS[name]
    held = [(document, faults) for _, document, faults in cases(name)]
    others = list(elsewhere(name))
    verdicts = list(map(jsonschema_rs.validator_for(schema).is_valid, others))
    changes, unnoticed = 0, []
    for place, rules in without_one_keyword(schema["allOf"]):
        changed = schema | {"allOf": rules}
        engine = rust_engine(changed, Registry())
        changes += 1
        if all(engine(document) == faults for document, faults in held):
            is_valid = jsonschema_rs.validator_for(changed).is_valid
            if any(is_valid(other) != verdict for other, verdict in zip(others, verdicts, strict=True)):
                unnoticed.append(place)
    assert changes > 200
    assert unnoticed == []
