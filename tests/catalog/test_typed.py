from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count, islice
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.catalog.typed import dataset_schema, item_schema, typed_dataset, typed_item
from evalcontract.validation import ItemChecker
from evalcontract.validation.choice import told_type
from evalcontract.validation.items import Told, dataset_violations
from tests.languages.documents import mutated
from tests.support.cli import run
from tests.support.layers import contract, tenant_layer, text

MESSAGES = [{"role": "user", "content": "When does the museum open?"}]
GOOD: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "qa": ({"messages": MESSAGES}, {"response": "At nine."}),
    "rag": ({"messages": MESSAGES, "context": ["Nine to five."]}, {"response": "At nine.", "citations": []}),
    "agent": ({"messages": MESSAGES, "available_tools": ["clock"]}, {"response": "", "tool_calls": []}),
    "my_rag": ({"messages": MESSAGES, "tenant": "acme"}, {"response": "At nine."}),
}


def two_versions(folder: Path) -> Catalogue:
    """`my_rag` 1.0, 1.1 (also a required region) and 2.0 (a tenant is a number), beside the built-in types."""
    tenant_layer(folder)
    parent = [{"$ref": "../my_rag_input/1.0.json"}]
    region = contract("MyRagInput", {"region": text("Where.")}, required=["region"], allOf=parent)
    number = contract(
        "MyRagInput",
        {"tenant": {"type": "integer", "minimum": 0, "description": "Who."}},
        required=["tenant"],
        allOf=[{"$ref": "https://evalcontract.example/schemas/rag_input/1.0.json"}],
    )
    file = folder / "catalog.json"
    catalog = json.loads(file.read_bytes())
    for version, schema in (("1.1", region), ("2.0", number)):
        (folder / "my_rag_input" / f"{version}.json").write_text(
            json.dumps({"$id": f"{catalog['base_uri']}my_rag_input/{version}.json"} | schema)
        )
        catalog["contracts"]["my_rag_input"][version] = {"status": "draft"}
        catalog["schema_types"]["my_rag"][version] = {
            "input": f"my_rag_input@{version}",
            "expected_output": "my_rag_expected_output@1.0",
        }
    file.write_text(json.dumps(catalog))
    return Catalogue.load(folder)


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return two_versions(tmp_path_factory.mktemp("layer"))


def item(kind: str, declared: Any = None, version: Any = None, **more: Any) -> dict[str, Any]:
    input_, output = copy.deepcopy(GOOD[kind])
    made: dict[str, Any] = {"item_id": "a", "input": input_ | more, "expected_output": output}
    if declared is not None or version is not None:
        made["metadata"] = {"raw_metadata": {"input_schema_type": declared, "input_schema_version": version}}
    return made


checker_of = cache(ItemChecker)


def ours_of_item(catalogue: Catalogue, value: Any) -> bool:
    return checker_of(catalogue).check(value).valid


class Stock:
    """Two stock validators, of which the slow one looks at every 11th value; their verdicts must be one."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._quick = jsonschema_rs.validator_for(schema)
        self._slow = Draft202012Validator(schema)
        self._seen = 0

    def accept(self, value: Any) -> bool:
        found: bool = self._quick.is_valid(value)
        self._seen += 1
        if self._seen % 11 == 0:
            assert self._slow.is_valid(value) is found
        return found


DECLARED = [None, "qa", "rag", "agent", "my_rag", "rga", ""]
VERSIONS = [None, "1.0", "1.1", "1.2", "2.0", "2.9", "3.0", "one", ""]


def items() -> Iterator[dict[str, Any]]:
    for kind in GOOD:
        for declared in DECLARED:
            for version in VERSIONS:
                yield item(kind, declared, version)
                yield item(kind, declared, version, region="north")
                yield item(kind, declared, version, tenant=3)
                yield item(kind, declared, version, messages="Q?") | {"expected_output": None}


def test_a_typed_item_has_our_verdict_in_stock_validators(catalogue: Catalogue) -> None:
    stock = Stock(typed_item(catalogue))
    verdicts = {True: 0, False: 0}
    for value in items():
        assert stock.accept(value) is ours_of_item(catalogue, value), json.dumps(value)
        verdicts[ours_of_item(catalogue, value)] += 1
    assert min(verdicts.values()) > 100


def test_a_typed_dataset_has_our_verdict_in_stock_validators(catalogue: Catalogue) -> None:
    stock = Stock(typed_dataset(catalogue))
    verdicts = {True: 0, False: 0}
    offset = count()
    for declared in DECLARED:
        for version in VERSIONS:
            metadata = {
                "product_id": "p",
                "scope": "s",
                "version": "1.0",
                "input_schema_type": declared,
                "input_schema_version": version,
            }
            checker = ItemChecker(catalogue, None, metadata)
            envelope = {"metadata": metadata, "items": []}
            whole = all(found.severity == "advice" for found in dataset_violations(catalogue, envelope))
            for value in islice(items(), next(offset) % 5, None, 5):
                if value["input"].get("tenant") == 3 and declared not in ("my_rag", None):
                    continue
                raw = value.get("metadata", {}).get("raw_metadata", {})
                if known_difference(
                    known_versions(catalogue, declared), version, raw.get("input_schema_version")
                ):
                    continue
                dataset = {"metadata": metadata, "items": [value]}
                expected = whole and checker.check(value).valid
                assert stock.accept(dataset) is expected, json.dumps(dataset)
                verdicts[expected] += 1
    assert min(verdicts.values()) > 50


def known_versions(catalogue: Catalogue, name: str | None) -> set[str]:
    return set(catalogue.schema_types().get(name or "", ()))


def known_difference(known: set[str], of_dataset: str | None, of_item: str | None) -> bool:
    """Two different minors of which neither is known: a schema can't compare two texts."""
    neither = {of_dataset, of_item} & {*known, None} == set()
    return neither and of_dataset != of_item


@pytest.mark.parametrize("name", ["qa", "rag", "agent", "rag_agent", "my_rag"])
def test_the_schema_of_one_type_says_what_the_option_type_says(catalogue: Catalogue, name: str) -> None:
    type_ = told_type(catalogue, f"{name}@1.0")
    checker = ItemChecker(catalogue, Told(type=type_))
    one, many = Stock(item_schema(catalogue, type_)), Stock(dataset_schema(catalogue, type_))
    metadata = dict.fromkeys(("product_id", "scope", "input_schema_type"), "x")
    metadata |= {"version": "1.0", "input_schema_version": "1.0"}
    for value in items():
        expected = checker.check(value).valid
        assert one.accept(value) is expected
        assert many.accept({"metadata": metadata, "items": [value]}) is expected


@pytest.mark.parametrize("make", [typed_item, typed_dataset])
def test_the_schemas_of_the_built_in_types_are_small(make: Callable[[Catalogue], Any]) -> None:
    schema = make(default_catalogue())
    Draft202012Validator.check_schema(schema)
    assert len(json.dumps(schema)) < 40_000


@settings(max_examples=60)
@given(
    declared=st.sampled_from(["rag", "qa"]),
    place=st.sampled_from(["input", "expected_output", "item_id", "metadata"]),
    wrong=st.sampled_from([None, 3, "x", [], {}, True]),
)
def test_faults_are_told_once(declared: str, place: str, wrong: Any) -> None:
    value = item("rag", declared, "1.0") | {place: wrong}
    dataset = {
        "metadata": {
            "product_id": "p",
            "scope": "s",
            "version": "1.0",
            "input_schema_type": declared,
            "input_schema_version": "1.0",
        },
        "items": [value],
    }
    catalogue = default_catalogue()
    plainly = faults(dataset_schema(catalogue, told_type(catalogue, declared)), dataset)
    assert faults(typed_dataset(catalogue), dataset) == plainly
    del dataset["metadata"]["input_schema_type"]
    if declared == "rag" and place != "metadata":
        assert faults(typed_dataset(catalogue), dataset) == faults(
            dataset_schema(catalogue, told_type(catalogue, declared)), dataset
        )


def faults(schema: dict[str, Any], value: Any) -> list[tuple[tuple[Any, ...], str]]:
    found = jsonschema_rs.validator_for(schema).iter_errors(value)
    return sorted(((tuple(fault.instance_path), fault.kind.name) for fault in found), key=repr)


def test_a_whole_schema_is_printed_by_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "layer"
    catalogue = two_versions(folder)
    for spec, made in (
        ("typed_item", typed_item(catalogue)),
        ("typed_dataset", typed_dataset(catalogue)),
        ("my_rag_item", item_schema(catalogue, told_type(catalogue, "my_rag@2.0"))),
        ("my_rag_dataset@1.1", dataset_schema(catalogue, told_type(catalogue, "my_rag@1.1"))),
        ("rag_item@1.0", item_schema(catalogue, told_type(catalogue, "rag@1.0"))),
    ):
        done = run("schema", "bundle", spec, "--schemas", str(folder))
        assert done.code == 0, done.err
        assert json.loads(done.out) == made
    moved = run(
        "schema", "bundle", "typed_item", "--schemas", str(folder), "--base-uri", "https://a.example/"
    )
    assert json.loads(moved.out)["$id"] == "https://a.example/bundles/typed_item.schema.json"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["typed_items"], "there is no contract typed_items"),
        (["typed_item@1.0"], "there is no contract typed_item"),
        (["rag_item@3.0"], "rag_item has no version 3.0"),
        (["typed_item", "--flat"], "typed_item has no flat form"),
    ],
)
def test_a_whole_schema_that_there_is_not_is_a_line(arguments: list[str], said: str) -> None:
    done = run("schema", "bundle", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def judged_by_schemas(checker: ItemChecker, value: Any) -> bool:
    """Our verdict, without what no schema can say: that a ground truth judges a document once."""
    found = [violation for violation in checker.check(value).violations if violation.severity == "error"]
    return all(violation.code == "duplicate-judgement" for violation in found)


def test_mutated_items_of_own_types_have_one_verdict_by_schema_and_by_command(catalogue: Catalogue) -> None:
    generator = random.Random(14)
    seeds = [value for value in items() if ours_of_item(catalogue, value)]
    one, many = Stock(typed_item(catalogue)), Stock(typed_dataset(catalogue))
    alone = ItemChecker(catalogue)
    under = []
    for declared in (("my_rag", "1.0"), ("my_rag", "1.1"), ("my_rag", "2.0"), ("rag", "1.0")):
        metadata = {"product_id": "p", "scope": "s", "version": "1.0"}
        metadata |= dict(zip(("input_schema_type", "input_schema_version"), declared, strict=True))
        under.append((metadata, ItemChecker(catalogue, None, metadata)))
    verdicts = {True: 0, False: 0}
    for number in range(2000):
        value = mutated(generator, generator.choice(seeds))
        expected = judged_by_schemas(alone, value)
        assert one.accept(value) is expected, json.dumps(value)
        verdicts[expected] += 1
        metadata, checker = under[number % len(under)]
        expected = judged_by_schemas(checker, value)
        assert many.accept({"metadata": metadata, "items": [value]}) is expected, json.dumps(value)
    assert min(verdicts.values()) > 300
