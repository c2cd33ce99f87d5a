"""The items of a file with their inputs made flat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evalcontract.checking import Plan
from evalcontract.datasets.normalize import PositionalArguments, normalized
from evalcontract.errors import ContractViolation
from evalcontract.reading import Document, current_limits, too_many_invalid
from evalcontract.validation import (
    Declaration,
    ItemChecker,
    SchemaSource,
    Violation,
    choose,
    declaration_of,
    fields_of,
    from_catalogue,
    item_declaration,
)
from evalcontract.values import shown

_KEPT = 20
_MOST_DECLARATIONS = 1000
WITHOUT = "no schema"


@dataclass(slots=True)
class NormalizedItems:
    """Makes the input of each item flat, and counts what that took.

    The schema is the one told, else the input contract of the type that the item or its dataset declares;
    an item without any is unwrapped by guess. `unwrapped` counts items by removed key, `by_schema` items by
    the schema that decided, `left` lists why inputs were left, by item, `invalid` counts the items that
    break their contract afterwards.
    """

    plan: Plan
    metadata: Mapping[str, object]
    unwrapped: Counter[str] = field(default_factory=Counter)
    by_schema: Counter[str] = field(default_factory=Counter)
    left: list[tuple[str, str]] = field(default_factory=list)
    left_count: int = 0
    items: int = 0
    invalid: int = 0
    refused: list[Violation] = field(default_factory=list)
    refused_count: int = 0
    _checker: ItemChecker = field(init=False)
    _fields: dict[str, frozenset[str]] = field(default_factory=dict)
    _schemas: dict[Declaration, SchemaSource | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._checker = ItemChecker(self.plan.catalogue, self.plan.told, self.metadata)

    def change(self, document: Document) -> Any:
        """The item with a flat input; a refused one as it is."""
        item = document.value
        self.items += 1
        if isinstance(item, dict) and "input" in item:
            item = self._flat(item, document)
        self.invalid += not self._checker.check(item, may_hold_null_bytes=False).valid
        if self.invalid > current_limits().invalid_documents:
            message, hint = too_many_invalid(current_limits())
            raise ContractViolation(message, hint=f"nothing was written; {hint}")
        return item

    def finish(self) -> None:
        """Raise ContractViolation when inputs were refused."""
        if not self.refused_count:
            return
        lines = [
            f"{violation.file}:{violation.line}: item {violation.item_id}: {violation.message}"
            for violation in self.refused
        ]
        rest = self.refused_count - len(lines)
        lines += [f"and {rest} more"] if rest else []
        raise ContractViolation(
            "inputs that can't be made flat:",
            details=tuple(lines),
            violations=tuple(self.refused),
            hint=f"nothing was written; {self.refused[0].hint}",
        )

    def _flat(self, item: dict[str, Any], document: Document) -> dict[str, Any]:
        source = self._schema(item)
        self.by_schema[source.label if source else WITHOUT] += 1
        name = str(item.get("item_id"))
        try:
            found = normalized(item["input"], self._fields_of(source))
        except PositionalArguments as error:
            self.refused_count += 1
            if len(self.refused) < _KEPT:
                place = document.start
                self.refused.append(
                    Violation(
                        "positional-arguments",
                        error.message,
                        "/input/args",
                        hint=error.hint,
                        item_id=name,
                        file=document.file,
                        line=place.line,
                        column=place.column,
                    )
                )
            return item
        if found.how == "unwrapped":
            self.unwrapped[str(found.removed)] += 1
            return item | {"input": found.value}
        if found.how == "left":
            self.left_count += 1
            if len(self.left) < _KEPT:
                self.left.append((shown(name, 60), str(found.doubt)))
        return item

    def _schema(self, item: dict[str, Any]) -> SchemaSource | None:
        told = self.plan.told
        if told.input is not None:
            return told.input
        declared = item_declaration(item)
        if declared not in self._schemas:
            if len(self._schemas) >= _MOST_DECLARATIONS:
                self._schemas.clear()
            self._schemas[declared] = self._schema_of(declared)
        return self._schemas[declared]

    def _schema_of(self, declared: Declaration) -> SchemaSource | None:
        told, catalogue = self.plan.told, self.plan.catalogue
        chosen = choose(catalogue, declared, declaration_of(self.metadata), told.own_types)
        type_ = told.type or chosen.type
        return from_catalogue(catalogue, str(type_.input)) if type_ else None

    def _fields_of(self, source: SchemaSource | None) -> frozenset[str] | None:
        if source is None:
            return None
        if source.uri not in self._fields:
            self._fields[source.uri] = fields_of(self.plan.catalogue, source)
        return self._fields[source.uri]
