"""Between our items and the server's: `input` and `expected_output` as they are, the rest in the metadata.

An item's raw_metadata is the server's metadata of the item. What else an item carries (keys of its own, other
keys of its metadata) travels in it under one reserved key and comes back from there. Status and source trace
are fields of the server; here they stand in `metadata.langfuse`.
"""

from __future__ import annotations

from typing import Any

from langfuse.api import DatasetItem, DatasetStatus

from evalcontract.catalog.names import shown
from evalcontract.errors import ContractViolation
from evalcontract.release.equality import digest

RESERVED = "evalcontract"
LANGFUSE = "langfuse"
_NO_RAW = "no_raw_metadata"
_OWN = ("item_id", "input", "expected_output", "metadata")
_MAX_ID = 255


def to_server(item: dict[str, Any]) -> dict[str, Any]:
    """The fields of the server's item, by the names of the SDK. ContractViolation when it has no place there."""
    item_id = item.get("item_id")
    if not isinstance(item_id, str) or not 0 < len(item_id) <= _MAX_ID:
        raise ContractViolation(
            f"{shown(item_id)} can't be the id of an item on the server",
            hint="ids are texts of 1 to 255 characters",
        )
    metadata = item.get("metadata")
    around = dict(metadata) if isinstance(metadata, dict) else {}
    ours = around.pop(LANGFUSE, None)
    server = ours if isinstance(ours, dict) else {}
    raw = around.pop("raw_metadata", None)
    if isinstance(raw, dict) and RESERVED in raw:
        raise ContractViolation(
            f"item {shown(item_id)} has the key {RESERVED} in its raw_metadata, which the exchange needs",
            hint="rename the key",
        )
    own = {key: value for key, value in item.items() if key not in _OWN}
    extra: dict[str, Any] = {"item": own} if own else {}
    extra |= {"metadata": around} if around else {}
    if extra and not isinstance(raw, dict):
        extra[_NO_RAW] = True
    sent = (raw if isinstance(raw, dict) else {}) | ({RESERVED: extra} if extra else {})
    return {
        "id": item_id,
        "input": item.get("input"),
        "expected_output": item.get("expected_output"),
        "metadata": sent if extra or isinstance(raw, dict) else None,
        "status": _status(server.get("status"), item_id),
        "source_trace_id": _text(server.get("source_trace_id")),
        "source_observation_id": _text(server.get("source_observation_id")),
    }


def from_server(found: DatasetItem) -> dict[str, Any]:
    """The server's item as one of ours. Metadata that is no object is kept as `{"value": ...}`."""
    raw = found.metadata
    extra: Any = {}
    if isinstance(raw, dict):
        raw = dict(raw)
        extra = raw.pop(RESERVED, {})
        extra = extra if isinstance(extra, dict) else {}
        raw = None if extra.get(_NO_RAW) else raw
    elif raw is not None:
        raw = {"value": raw}
    server = {
        "status": str(found.status.value),
        "source_trace_id": found.source_trace_id,
        "source_observation_id": found.source_observation_id,
    }
    item: dict[str, Any] = {"item_id": found.id, "input": found.input}
    if found.expected_output is not None:
        item["expected_output"] = found.expected_output
    around = extra.get("metadata")
    item["metadata"] = {
        **({"raw_metadata": raw} if raw is not None else {}),
        **(around if isinstance(around, dict) else {}),
        LANGFUSE: {key: value for key, value in server.items() if value is not None},
    }
    own = extra.get("item")
    return {**item, **({k: v for k, v in own.items() if k not in _OWN} if isinstance(own, dict) else {})}


def fields_of_server(found: DatasetItem) -> dict[str, Any]:
    """The server's item by the names that `to_server` uses."""
    return {
        "id": found.id,
        "input": found.input,
        "expected_output": found.expected_output,
        "metadata": found.metadata,
        "status": DatasetStatus(found.status),
        "source_trace_id": found.source_trace_id,
        "source_observation_id": found.source_observation_id,
    }


def fingerprint(fields: dict[str, Any]) -> bytes:
    """The same for items that are the same on the server."""
    return digest({**fields, "status": str(fields["status"].value)})


def differing(sent: dict[str, Any], came: dict[str, Any]) -> list[str]:
    """The fields in which an item came back other than it was sent."""
    return [
        name
        for name, value in sent.items()
        if (name != "status" and digest(value) != digest(came[name]))
        or (name == "status" and value != came[name])
    ]


def _status(value: Any, item_id: str) -> DatasetStatus:
    try:
        return DatasetStatus(value or "ACTIVE")
    except ValueError as error:
        raise ContractViolation(
            f"item {shown(item_id)} has the status {shown(value)}",
            hint="the server knows ACTIVE and ARCHIVED",
        ) from error


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
