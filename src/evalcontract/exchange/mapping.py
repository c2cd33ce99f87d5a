"""Between our items and the server's: `input` and `expected_output` as they are, the rest in the metadata.

An item's raw_metadata is the server's metadata of the item. What else an item carries (keys of its own, other
keys of its metadata) travels in it under one reserved key and comes back from there. Status and source trace
are fields of the server; here they stand in `metadata.langfuse`, and an item without them leaves the
server's as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langfuse.api import DatasetItem, DatasetStatus

from evalcontract.errors import ContractViolation
from evalcontract.values import digest, shown

RESERVED = "evalcontract"
LANGFUSE = "langfuse"
_NO_RAW = "no_raw_metadata"
_OWN = ("item_id", "input", "expected_output", "metadata")
_SERVER_FIELDS = ("status", "source_trace_id", "source_observation_id")
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


@dataclass(frozen=True, slots=True)
class State:
    """What the server has of an item, small enough to be kept for every one."""

    content: bytes
    status: DatasetStatus
    source_trace_id: str | None
    source_observation_id: str | None

    @classmethod
    def of(cls, found: DatasetItem) -> State:
        """The state of an item as it came."""
        content = digest([found.input, found.expected_output, found.metadata])
        return cls(content, DatasetStatus(found.status), found.source_trace_id, found.source_observation_id)

    def holds(self, fields: dict[str, Any]) -> bool:
        """Whether sending these fields would change nothing. What is None in them is left as it is."""
        content = digest([fields["input"], fields["expected_output"], fields["metadata"]])
        return content == self.content and all(
            fields[name] is None or fields[name] == getattr(self, name) for name in _SERVER_FIELDS
        )


def differing(sent: dict[str, Any], came: DatasetItem) -> tuple[str, ...]:
    """The fields in which an item came back other than it was sent."""
    content = ("input", "expected_output", "metadata")
    wrong = [name for name in content if digest(sent[name]) != digest(getattr(came, name))]
    wrong += [name for name in _SERVER_FIELDS if sent[name] is not None and sent[name] != getattr(came, name)]
    return tuple(wrong)


def _status(value: Any, item_id: str) -> DatasetStatus | None:
    try:
        return None if value is None else DatasetStatus(value)
    except ValueError as error:
        raise ContractViolation(
            f"item {shown(item_id)} has the status {shown(value)}",
            hint="the server knows ACTIVE and ARCHIVED",
        ) from error


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
