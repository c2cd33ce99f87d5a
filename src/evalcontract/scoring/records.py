"""Score records: what is written of an item, and what it takes for two of them to be comparable."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalcontract.metrics import MetricScore
from evalcontract.values import digest

_IDENTITY = ("product_id", "scope", "version", "input_schema_type")
_DIGEST = "item_digest"
_DATASET = "dataset"
_SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class Header:
    """What a score record says beside its scores: which dataset and settings they were made with.

    Both are None in a record that says nothing about them.
    """

    dataset: Mapping[str, Any] | None = None
    settings: Mapping[str, Any] | None = None

    @property
    def name(self) -> str | None:
        """The dataset in words."""
        parts = [self.dataset.get(key) for key in ("product_id", "scope", "version")] if self.dataset else []
        return " ".join(part for part in parts if isinstance(part, str)) or None


def identity_of(metadata: object) -> dict[str, Any] | None:
    """What tells a dataset and its version from others, out of its metadata."""
    if not isinstance(metadata, Mapping):
        return None
    return {key: metadata[key] for key in _IDENTITY if key in metadata} or None


def digest_of(item: Mapping[str, Any]) -> str:
    """A digest of all that a score can depend on in an item: equal items have equal digests."""
    return f"sha256:{digest([item.get('input'), item.get('expected_output')]).hex()}"


def line_of(
    item_id: str,
    scores: Mapping[str, MetricScore],
    digest: str,
    header: Header,
    repetition: int | None = None,
    run_id: str | None = None,
) -> bytes:
    """One line of a file of score records."""
    record = {
        "item_id": item_id,
        "scores": {
            name: {"value": score.value, "reason": score.reason, **score.details}
            for name, score in scores.items()
        },
        _DIGEST: digest,
        _DATASET: header.dataset,
        _SETTINGS: header.settings,
        "repetition": repetition,
        "run_id": run_id,
    }
    return json.dumps(record, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def header_in(record: Mapping[str, Any]) -> Header:
    """The header of a record; parts of another shape count as not there."""
    dataset, settings = record.get(_DATASET), record.get(_SETTINGS)
    return Header(
        dataset if isinstance(dataset, Mapping) else None, settings if isinstance(settings, Mapping) else None
    )


def digest_in(record: Mapping[str, Any]) -> str | None:
    """The digest of the item that a record was made for, None when it doesn't say."""
    digest = record.get(_DIGEST)
    return digest if isinstance(digest, str) else None


def values_in(record: Mapping[str, Any]) -> dict[str, float]:
    """The scores of a record, which keeps its contract, that have a value."""
    values = {name: score.get("value") for name, score in record["scores"].items()}
    return {name: float(value) for name, value in values.items() if value is not None}
