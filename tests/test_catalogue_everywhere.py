"""Public functions that judge, name or measure take a catalogue, or there is a reason why they don't."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, get_type_hints

import pytest

import evalcontract
from evalcontract import Catalogue
from evalcontract.importing import ExportRequest, ImportRequest, export_file, import_file, load_mapping
from evalcontract.scoring import score_files
from tests.support.layers import tenant_layer

WITHOUT = {
    "evalcontract.iter_rag_response_errors": "live answers follow rag_response, which is no type of items",
    "evalcontract.validate_rag_response": "likewise",
    "evalcontract.datasets.convert": "moves items as they are",
    "evalcontract.datasets.format_of_target": "looks at a name",
    "evalcontract.datasets.source_of": "opens a file",
    "evalcontract.evolution.read_waivers": "takes the base URI of the catalogue",
    "evalcontract.importing.preset_names": "lists the mappings of this package",
    "evalcontract.importing.preset_text": "prints one of them",
    "evalcontract.importing.scale_in": "reads two numbers",
    "evalcontract.importing.from_deepeval": "reads objects of deepeval by its preset",
    "evalcontract.importing.from_ragas": "reads objects of ragas by its preset",
    "evalcontract.importing.to_ragas": "gives items as objects of ragas, as they are",
    "evalcontract.importing.to_deepeval": "likewise of deepeval",
    "evalcontract.release.looks_like_a_release": "looks at the form of a name",
    "evalcontract.scoring.evidence_of": "takes the built-in type, and an item that was judged before",
}
ROOMS_WITHOUT = {
    "metrics": "functions of plain values",
    "models": "the classes of the built-in contracts; `schema generate --python` writes those of others",
    "predictions": "records of prediction_record, which no schema type changes",
    "rag": "a pipeline that knows no items",
    "responses": "live answers",
}


def public_functions() -> Iterator[tuple[str, FunctionType]]:
    modules = [getattr(evalcontract, name) for name in evalcontract.__all__]
    for module in [evalcontract, *(found for found in modules if isinstance(found, ModuleType))]:
        if module.__name__.rpartition(".")[2] not in ROOMS_WITHOUT:
            for name in module.__all__:
                found = getattr(module, name)
                if inspect.isfunction(found):
                    yield f"{module.__name__}.{name}", found


def takes_a_catalogue(function: FunctionType) -> bool:
    """As a parameter, or in one: a plan, a mapping inside of a request, what is wanted of a measurement."""
    if "catalogue" in inspect.signature(function).parameters:
        return True
    holders = {kind for hint in get_type_hints(function).values() for kind in (hint, *_parts(hint))}
    return any("catalogue" in fields for fields in map(_fields, holders)) or any(
        "catalogue" in _fields(kind)
        for holder in holders
        if isinstance(holder, type) and holder in (ImportRequest, ExportRequest)
        for kind in get_type_hints(holder).values()
    )


def _parts(hint: Any) -> tuple[Any, ...]:
    return getattr(hint, "__args__", ())


def _fields(kind: Any) -> frozenset[str]:
    return frozenset(getattr(kind, "__dataclass_fields__", ()))


def test_every_public_function_takes_a_catalogue_or_says_why_not() -> None:
    found = dict(public_functions())
    assert set(evalcontract.__all__) >= ROOMS_WITHOUT.keys()
    without = {name for name, function in found.items() if not takes_a_catalogue(function)}
    assert without == WITHOUT.keys()
    assert len(found) > 25


TYPE = {"input_schema_type": "my_rag", "input_schema_version": "1.0"}
ITEM = {
    "item_id": "q1",
    "input": {"tenant": "acme", "messages": [{"role": "user", "content": "When do you open?"}]},
    "expected_output": {"response": "At nine."},
    "metadata": {"raw_metadata": TYPE},
}
METADATA = {"product_id": "museum", "scope": "golden", "version": "1.0", **TYPE}


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue.load(tenant_layer(tmp_path / "contracts"))


def test_contracts_are_found_by_name_in_a_catalogue(catalogue: Catalogue) -> None:
    assert evalcontract.versions("my_rag_input", catalogue=catalogue) == ("1.0",)
    schema = evalcontract.load_schema("my_rag_input", catalogue=catalogue)
    assert json.loads(evalcontract.schema_path("my_rag_input", catalogue=catalogue).read_bytes()) == schema
    assert evalcontract.is_valid(ITEM["input"], "my_rag_input", catalogue=catalogue)
    assert not evalcontract.is_valid({"messages": []}, "my_rag_input", catalogue=catalogue)
    assert (
        evalcontract.normalize_dataset_item({"request": ITEM["input"]}, "my_rag_input", catalogue=catalogue)
        == ITEM["input"]
    )


def test_data_of_an_own_type_is_imported_exported_checked_released_and_scored(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    rows, items, back = (tmp_path / name for name in ("rows.jsonl", "museum.jsonl", "back.jsonl"))
    rows.write_text('{"id": "q1", "q": "When do you open?", "customer": "acme", "a": "At nine."}\n')
    (tmp_path / "own.yaml").write_text(
        'mapping_version: "1.0"\nname: own\nitem_id: {from: [id], otherwise: error}\nfields:\n'
        "  - {from: [q], to: /input/messages, as: messages}\n"
        "  - {from: [customer], to: /input/tenant, as: text}\n"
        "  - {from: [a], to: /expected_output/response, as: references}\n"
    )
    mapping = load_mapping(str(tmp_path / "own.yaml"), catalogue)
    assert import_file(ImportRequest(rows, mapping, items)).exit_code == 0
    assert json.loads(items.read_bytes()) == ITEM
    assert export_file(ExportRequest(items, mapping, back)).exit_code == 0
    assert json.loads(back.read_bytes()) == json.loads(rows.read_bytes())
    result = evalcontract.check_files([items], evalcontract.plan(catalogue=catalogue))
    assert (result.exit_code, result.files[0].contracts) == (0, (("my_rag@1.0", 1),))
    report = evalcontract.check_release(
        {"metadata": METADATA, "items": [ITEM]}, name="museum_my_rag_golden_v1.0", catalogue=catalogue
    )
    assert report.exit_code == 0
    (tmp_path / "answers.jsonl").write_text('{"item_id": "q1", "prediction": {"response": "At nine."}}\n')
    wanted = evalcontract.scoring.ScoreRequest(catalogue=catalogue)
    scored = score_files(str(tmp_path / "answers.jsonl"), str(items), wanted=wanted)
    assert "answer_f1" in {measure.name for measure in scored.measures}
