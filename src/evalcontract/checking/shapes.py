"""Records that aren't items: what a document is, told by its keys, where nobody has said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from evalcontract.checking.plan import Plan
from evalcontract.validation import (
    CompiledContract,
    ItemChecker,
    ItemVerdict,
    Told,
    advices_of_record,
    bounded,
)

Check = Callable[[object, bool], ItemVerdict]
_RECORDS = {"prediction": "prediction_record", "scores": "score_record"}


def _never_clean(_: object) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Judge:
    """Verdicts on documents: what `check` says, given whether null bytes may be in the document.

    `clean` gives the same for most documents without null bytes about which there is nothing to say, but
    quickly; None for all others. With `objects_only` the code and the place of what is wrong with anything but an
    object depend on its type alone. `briefly` says as much as is needed to count what is found, where that is quicker.
    """

    check: Check
    clean: Callable[[object], ItemVerdict | None] = _never_clean
    objects_only: bool = False
    briefly: Check | None = None


def whole_documents(plan: Plan, contract: str) -> Judge:
    """Judges each document by one contract."""
    ref = plan.catalogue.resolve(contract)
    compiled = CompiledContract(str(ref), plan.catalogue.document(ref), plan.catalogue, engine=plan.engine)
    advices = advices_of_record if ref.name == _RECORDS["prediction"] else _no_advices
    clean = ItemVerdict(str(ref), "told")

    def check(value: object, may_hold_null_bytes: bool) -> ItemVerdict:
        found = [] if compiled.accepts(value) else list(compiled.refusals(value))
        found += bounded(advices(value, may_hold_null_bytes))
        if not found:
            return clean
        item_id = value.get("item_id") if isinstance(value, dict) else None
        name = item_id if isinstance(item_id, str) else None
        placed = tuple(replace(violation, item_id=name, contract=clean.contract) for violation in found)
        return ItemVerdict(clean.contract, clean.origin, placed)

    return Judge(check)


def _no_advices(_: object, __: bool) -> tuple[()]:
    return ()


def items_and_records(plan: Plan, items: ItemChecker) -> Judge:
    """Judges items by `items`, and records by the contract of their kind."""
    if plan.contract is not None or plan.told != Told():
        return Judge(items.check_closely, items.clean, True, partial(items.check_closely, briefly=True))
    records = {key: whole_documents(plan, contract) for key, contract in _RECORDS.items()}

    def check(value: object, may_hold_null_bytes: bool, briefly: bool = False) -> ItemVerdict:
        for key, record in records.items():
            if _is_record(value, key):
                return record.check(value, may_hold_null_bytes)
        return items.check_closely(value, may_hold_null_bytes, briefly)

    return Judge(check, items.clean, True, partial(check, briefly=True))


def _is_record(value: object, key: str) -> bool:
    """Whether a document is a record, not an item: it carries an item_id, what records of the kind are about, and
    no input. A prediction may carry the input that it answers, and then no expected output beside it.
    """
    if not isinstance(value, dict) or "item_id" not in value or key not in value:
        return False
    if value.get("input") is None:
        return True
    return key == "prediction" and isinstance(value[key], dict) and value.get("expected_output") is None
