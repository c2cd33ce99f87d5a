"""Predictions from a structured return value, through a mapping of paths."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalcontract_models import Prediction

from evalcontract.errors import UsageError
from evalcontract.predictions.records import BuiltPrediction, build
from evalcontract.responses import JsonNode, misshapen, plain
from evalcontract.validation import close_key, did_you_mean
from evalcontract.values import follow, pointer_tokens

_PARTS = tuple(Prediction.model_fields)
_TARGETS = (*_PARTS, "trace_id", "measurements")


@dataclass(frozen=True, slots=True)
class ListAt:
    """A list, made from the list at `pointer` by mapping every element with `fields`."""

    pointer: str
    fields: Mapping[str, ValueSource]


ValueSource = str | ListAt | Mapping[str, "ValueSource"]
"""Where a value comes from: a JSON pointer, a list that is mapped, or an object of such."""


def from_result(
    item_id: str,
    result: Any,
    mapping: Mapping[str, ValueSource] | None = None,
    *,
    keep_source: bool = False,
) -> BuiltPrediction:
    """A record from what a function returned: a dict, a dataclass, or an object with `model_dump`.

    `mapping` says where each part comes from: `{"response": "/answer", "retrieved_documents":
    ListAt("/hits", {"document_id": "/id", "content": "/text"}), "measurements": {"latency_ms": "/ms"}}`.
    Targets are the fields of a prediction, trace_id and measurements. Without a mapping the result has the
    field names of a prediction itself. A path that leads nowhere is an error; one that leads to null is null.

    Raises UsageError for a target that does not exist or a path that is no JSON pointer, UnexpectedShape for
    a path that leads nowhere, and ContractViolation when the contract is not kept.
    """
    root = JsonNode(_plain(result))
    if mapping is None:
        mapping = {name: f"/{name}" for name in _TARGETS if name in root.object()}
        if not mapping:
            raise root.unlike(f"an object with any of {', '.join(_TARGETS)}", "or give a mapping")
    _check_targets(mapping)
    found = {target: _value(root, source) for target, source in mapping.items()}
    return build(item_id, source=root.value if keep_source else None, **found)


def _plain(result: Any) -> Any:
    return _as_objects(result, {}) if _is_dataclass(result) else plain(result)


def _is_dataclass(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _as_objects(value: Any, done: dict[int, Any]) -> Any:
    """Like `dataclasses.asdict`, but a part that the value holds many times is made once and shared again."""
    if id(value) in done:
        return done[id(value)]
    made: Any
    if _is_dataclass(value):
        made = done[id(value)] = {}
        for part in dataclasses.fields(value):
            made[part.name] = _as_objects(getattr(value, part.name), done)
    elif isinstance(value, dict):
        made = done[id(value)] = {}
        for key, child in value.items():
            made[key] = _as_objects(child, done)
    elif isinstance(value, list):
        made = done[id(value)] = []
        made.extend(_as_objects(element, done) for element in value)
    else:
        return value
    return made


def _check_targets(mapping: Mapping[str, ValueSource]) -> None:
    for target in mapping:
        if target not in _TARGETS:
            meant = close_key(target, list(_TARGETS))
            hint = did_you_mean(target, meant) if meant else f"known: {', '.join(_TARGETS)}"
            raise UsageError(f"a prediction record has no field {target[:60]!r}", hint=hint)


def _value(root: JsonNode, source: ValueSource) -> Any:
    if isinstance(source, ListAt):
        return [
            {field: _value(element, inner) for field, inner in source.fields.items()}
            for element in _followed(root, source.pointer).items()
        ]
    if isinstance(source, Mapping):
        return {field: _value(root, inner) for field, inner in source.items()}
    return _followed(root, source).value


def _followed(node: JsonNode, pointer: str) -> JsonNode:
    try:
        path, value = follow(node.value, pointer_tokens(pointer))
    except LookupError as error:
        path, token = error.args
        raise misshapen((*node.path, *path, token), "the mapping leads to nothing here") from None
    return JsonNode(value, (*node.path, *path))
