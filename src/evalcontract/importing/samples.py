"""Items as the objects of ragas and deepeval, whose own metrics then run on them, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

from evalcontract.errors import ContractViolation, UsageError
from evalcontract.importing.assemble import item_id_of, item_of, record_of
from evalcontract.importing.convert import convert
from evalcontract.importing.converted import ConversionRequest
from evalcontract.importing.foreign_rows import ItemAndRecord, foreign_row
from evalcontract.importing.mapping import load_mapping
from evalcontract.importing.row import Row, always
from evalcontract.importing.targets import widest_type
from evalcontract.importing.values import Form
from evalcontract.validation import Violation

Record = Mapping[str, Any]
ItemsAndRecords = tuple[list[dict[str, Any]], list[dict[str, Any]]]


def to_ragas(items: Iterable[Record], predictions: Iterable[Record] = ()) -> Any:
    """A `ragas.EvaluationDataset` with a SingleTurnSample for each item and its prediction, in the order of the items.

    The texts of what was retrieved are `retrieved_contexts`, without them those of the item's context. Raises
    UsageError where ragas isn't installed, for a conversation of several turns and for several predictions of one item;
    ContractViolation for what the sample can't hold.
    """
    schema = _library("ragas.dataset_schema", "ragas")
    samples = []
    for row, record in _rows("ragas", items, predictions):
        if not isinstance(row["user_input"], str):
            raise UsageError(
                "a sample of ragas with one turn asks one question", hint="leave conversations out"
            )
        if (texts := _retrieved(record)) is not None:
            row["retrieved_contexts"] = texts
        samples.append(schema.SingleTurnSample(**_known(row, schema.SingleTurnSample)))
    return schema.EvaluationDataset(samples=samples)


def from_ragas(dataset: Any) -> ItemsAndRecords:
    """Items and prediction records of a `ragas.EvaluationDataset`; ids are made of the content.

    Raises ContractViolation for what the preset `ragas` doesn't read.
    """
    return _read("ragas", (sample.model_dump(exclude_none=True) for sample in dataset.samples))


def to_deepeval(items: Iterable[Record], predictions: Iterable[Record] = ()) -> list[Any]:
    """A deepeval `LLMTestCase` for each item and its prediction, with the item's id as its name.

    The item's context is `context`, the texts of what was retrieved are `retrieval_context`. Raises as `to_ragas`.
    """
    cases = _library("deepeval.test_case", "deepeval")
    case, made = cases.LLMTestCase, []
    for row, record in _rows("deepeval", items, predictions):
        if not isinstance(row["input"], str):
            raise UsageError("a test case of deepeval asks one question", hint="leave conversations out")
        if (texts := _retrieved(record)) is not None:
            row["retrieval_context"] = texts
        for key in row.keys() & {"expected_tools", "tools_called"}:
            row[key] = [
                cases.ToolCall(name=call["name"], input_parameters=call.get("inputParameters"))
                for call in row[key]
            ]
        made.append(case(**_known({**row, "name": row["item_id"]}, case)))
    return made


def from_deepeval(cases: Iterable[Any]) -> ItemsAndRecords:
    """Items and prediction records of deepeval's test cases or goldens; a name is the id.

    Raises ContractViolation for what the preset `deepeval` doesn't read.
    """
    return _read("deepeval", map(_deepeval_row, cases))


def _deepeval_row(case: Any) -> dict[str, Any]:
    row = case.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    for call in (*row.get("expected_tools", ()), *row.get("tools_called", ())):
        if call.get("type") == "FUNCTION":  # what every call of a tool is
            del call["type"]
    return {"item_id" if key == "name" else key: value for key, value in row.items()}


def _rows(
    preset: str, items: Iterable[Record], predictions: Iterable[Record]
) -> Iterator[tuple[dict[str, Any], Record | None]]:
    mapping, records = load_mapping(preset), _by_item(predictions)
    for item in items:
        record = records.pop(item["item_id"], None)
        found = foreign_row(ItemAndRecord(dict(item), _without_documents(record)), mapping, Form())
        _refuse(found.findings)
        yield found.row, record
    if records:
        raise UsageError(f"there is no item for the prediction {next(iter(records))!r}", hint="leave it out")


def _by_item(predictions: Iterable[Record]) -> dict[str, Record]:
    found: dict[str, Record] = {}
    for record in predictions:
        if found.setdefault(record["item_id"], record) is not record:
            raise UsageError(
                f"item {record['item_id']!r} has several predictions",
                hint="hand over one repetition at a time",
            )
    return found


def _without_documents(record: Record | None) -> dict[str, Any] | None:
    if record is None:
        return None
    said = {**(record.get("prediction") or {}), "retrieved_documents": None}
    return {"item_id": record["item_id"], "prediction": said}


def _retrieved(record: Record | None) -> list[str] | None:
    """The texts of what was retrieved; None where one is not recorded."""
    documents = ((record or {}).get("prediction") or {}).get("retrieved_documents")
    texts = None if documents is None else [document.get("content") for document in documents]
    return texts if texts is not None and None not in texts else None


def _known(row: Mapping[str, Any], model: Any) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key in model.model_fields}


def _read(preset: str, rows: Iterable[dict[str, Any]]) -> ItemsAndRecords:
    mapping = load_mapping(preset)
    type_, wanted = widest_type(mapping.catalogue), ConversionRequest(predictions=True)
    items, records = [], []
    for number, row in enumerate(rows, 1):
        found = convert(Row(row, number, preset, always(None)), mapping, wanted)
        _refuse(found.findings)
        item_id = item_id_of(found, mapping.otherwise)
        assert item_id is not None, "the presets make ids"
        items.append(item_of(found, item_id, type_, declare=False))
        if found.record:
            records.append(record_of(found, item_id, keep=False))
    return items, records


def _refuse(findings: list[Violation]) -> None:
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        raise ContractViolation(errors[0].message, violations=tuple(errors), hint=errors[0].hint)


def _library(module: str, name: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise UsageError(
            f"{name} can't be imported: {error}", hint=f"pip install 'evalcontract[{name}]'"
        ) from error
