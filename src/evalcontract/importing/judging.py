"""Verdicts on items and records, those on items without a reference answer included."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evalcontract.catalog import Catalogue, SchemaType, flat, note_judges
from evalcontract.validation import (
    CompiledContract,
    ItemChecker,
    SchemaSource,
    Told,
    Violation,
    declaration_of,
    from_catalogue,
    from_document,
    item_declaration,
)

ANSWER = "response"


class ItemJudge:
    """Checks items under the type that they or their dataset declare; others as far as they go under `type_`.

    An item without a reference answer can declare no type. All else that it has must still have the shape
    of the contract.
    """

    def __init__(self, catalogue: Catalogue, type_: SchemaType, dataset_metadata: object = None) -> None:
        note_judges(catalogue, [str(type_.expected_output)])  # judges as one flat schema, without its name
        source, output = from_catalogue(catalogue, str(type_.input)), _without_answer(catalogue, type_)
        self._by_dataset = declaration_of(dataset_metadata).type is not None
        self._declared = ItemChecker(catalogue, dataset_metadata=dataset_metadata)
        self._asked = ItemChecker(catalogue, Told(input=source))
        self._judged = ItemChecker(catalogue, Told(input=source, expected_output=output))

    def violations(self, item: dict[str, Any], may_hold_null_bytes: bool = True) -> Iterable[Violation]:
        """What is wrong or odd about an item; `may_hold_null_bytes` is false when no text of it has one."""
        if self._by_dataset or item_declaration(item).type is not None:
            return self._declared.check(item, may_hold_null_bytes).violations
        checker = self._asked if item.get("expected_output") is None else self._judged
        return checker.check(item, may_hold_null_bytes).violations


def judge_of(catalogue: Catalogue, type_: SchemaType) -> ItemJudge:
    """The judge of items whose dataset declares nothing."""
    return ItemJudge(catalogue, type_)


def record_contract(catalogue: Catalogue, name: str = "prediction_record") -> CompiledContract:
    """The contract of prediction records, or another one, ready for use."""
    ref = catalogue.resolve(name)
    return CompiledContract(str(ref), catalogue.document(ref), catalogue)


def _without_answer(catalogue: Catalogue, type_: SchemaType) -> SchemaSource:
    schema = flat(catalogue, type_.expected_output)
    required = [name for name in schema.pop("required", []) if name != ANSWER]
    del schema["$id"]
    if required:
        schema["required"] = required
    return from_document(catalogue, schema, f"{type_.expected_output} without a {ANSWER}")
