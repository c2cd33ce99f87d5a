"""Records that aren't items: what a document is, told by its keys, where nobody has said."""

from __future__ import annotations

from collections.abc import Callable

from evalcontract.checking.plan import Plan
from evalcontract.validation.compiled import CompiledContract
from evalcontract.validation.items import Told, Verdict

Judge = Callable[[object, bool], Verdict]
_RECORDS = {"prediction": "prediction_record", "scores": "score_record"}


def whole_documents(plan: Plan, contract: str) -> Judge:
    """Judges each document by one contract."""
    ref = plan.catalogue.resolve(contract)
    compiled = CompiledContract(str(ref), plan.catalogue.document(ref), plan.catalogue, engine=plan.engine)
    clean = Verdict(str(ref), "told")

    def judge(value: object, _: bool) -> Verdict:
        if compiled.accepts(value):
            return clean
        return Verdict(clean.contract, clean.origin, tuple(compiled.refusals(value)))

    return judge


def items_and_records(plan: Plan, items: Judge) -> Judge:
    """Judges items by `items`, and records that carry an item_id but no input by the contract of their kind."""
    if plan.contract is not None or plan.told != Told():
        return items
    records = {key: whole_documents(plan, contract) for key, contract in _RECORDS.items()}

    def judge(value: object, may_hold_null_bytes: bool) -> Verdict:
        if isinstance(value, dict) and "input" not in value and "item_id" in value:
            for key, judge_record in records.items():
                if key in value:
                    return judge_record(value, may_hold_null_bytes)
        return items(value, may_hold_null_bytes)

    return judge
