"""Items as the metrics may read them: every field that a schema type defines is what the type says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evalcontract.catalog import default_catalogue
from evalcontract.validation import CompiledContract
from evalcontract.values import pointer_tokens

Record = Mapping[str, Any]

_PARTS = {"input": "rag_agent_input", "expected_output": "rag_agent_expected_output"}
"""The contracts that define every field a metric reads."""


class KnownFields:
    """Drops what only bears the name of a known field from items that were checked as plain items."""

    def __init__(self) -> None:
        self._contracts: dict[str, CompiledContract] = {}

    def of(self, item: Record, schema_type: str | None) -> tuple[Record, frozenset[str]]:
        """The item, without fields that aren't what they are called, and the dotted paths of those."""
        dropped: set[str] = set()
        if schema_type is None:
            for part in _PARTS:
                value = item.get(part)
                if isinstance(value, Mapping):
                    names = self._unlike(part, value)
                    if names:
                        item = {**item, part: {key: value[key] for key in value if key not in names}}
                        dropped.update(f"{part}.{name}" for name in names)
        return _with_whole_grades(item), frozenset(dropped)

    def _unlike(self, part: str, value: Record) -> set[str]:
        if part not in self._contracts:
            catalogue = default_catalogue()
            ref = catalogue.resolve(_PARTS[part])
            self._contracts[part] = CompiledContract(str(ref), catalogue.document(ref), catalogue)
        found = self._contracts[part].violations(value)
        return {
            pointer_tokens(violation.pointer)[0] for violation in found if violation.pointer
        }.intersection(value)


def _with_whole_grades(item: Record) -> Record:
    """The item with a relevance of 2.0, which is the same number in JSON, written as 2."""
    expected = item.get("expected_output")
    judged = expected.get("retrieval_ground_truth") if isinstance(expected, Mapping) else None
    if not isinstance(judged, Sequence) or not any(isinstance(row["relevance"], float) for row in judged):
        return item
    rows = [{**row, "relevance": int(row["relevance"])} for row in judged]
    return {**item, "expected_output": {**item["expected_output"], "retrieval_ground_truth": rows}}
