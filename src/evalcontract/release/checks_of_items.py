"""Checks that every release has to pass, whether or not there was one before."""

from __future__ import annotations

from evalcontract.release.comparison import ReleaseComparison
from evalcontract.release.finding import CheckFinding, failed, not_applicable, passed
from evalcontract.release.keys import PARTS, key_path
from evalcontract.release.survey import (
    ADVICES,
    ANSWERS,
    CONTRACT,
    DECLARATIONS,
    DUPLICATES,
    LOOK_ALIKES,
    Survey,
)
from evalcontract.values import counted, listed


def unique_item_ids(compared: ReleaseComparison) -> CheckFinding:
    """No id twice."""
    survey = compared.new
    if not _items(survey):
        return not_applicable("there are no items")
    if survey.topics.counts.get(DUPLICATES):
        return _of_topic(survey, DUPLICATES, "repeated item_id", "give each item an id of its own")
    return passed(f"{counted(_items(survey), 'item')}, each with an id of its own")


def fields_present(compared: ReleaseComparison) -> CheckFinding:
    """Every item, and the metadata, keeps its contract."""
    survey = compared.new
    if survey.topics.counts.get(CONTRACT):
        return _of_topic(survey, CONTRACT, "violation", "evalcontract validate gives each with its line")
    contracts = survey.result.contracts if survey.result else ()
    return passed(
        f"{counted(_items(survey), 'item')} checked against {listed(name for name, _ in contracts)}"
    )


def type_matches_items(compared: ReleaseComparison) -> CheckFinding:
    """No field that another type defines, and no declaration that says otherwise."""
    survey = compared.new
    if survey.topics.counts.get(DECLARATIONS):
        return _of_topic(survey, DECLARATIONS, "contradiction", None)
    declared = survey.text("input_schema_type")
    if declared is None:
        return not_applicable("no input_schema_type is declared")
    if compared.declared_fields is None:
        return not_applicable(f"{declared} is the product's own type; --input-schema says what it defines")
    foreign = _foreign_fields(compared)
    if not foreign:
        return passed(f"no item carries a field of a type other than {declared}")
    items = [item for part, key in foreign for item in compared.carried(part)[key].examples]
    owners = [
        f"{key_path(part, key)} ({counted(compared.carried(part)[key].filled, 'item')}; a field of {listed(types)})"
        for (part, key), types in foreign.items()
    ]
    meant = _types_that_define_all(compared)
    return failed(
        f"{declared} is declared, but items carry {'; '.join(owners)}",
        f"declare {' or '.join(meant)}, or take the fields out" if meant else "take the fields out",
        items=dict.fromkeys(items),
        keys=(key_path(part, key) for part, key in foreign),
        count=len(foreign),
    )


def answers_agree(compared: ReleaseComparison) -> CheckFinding:
    """No two items with one input and answers that contradict each other."""
    if compared.new.topics.counts.get(ANSWERS):
        hint = "correct one of them, or make one item with alternative_responses"
        return _of_topic(compared.new, ANSWERS, "contradiction", hint)
    return passed("no two items that ask the same expect answers that contradict each other")


def no_look_alike_ids(compared: ReleaseComparison) -> CheckFinding:
    """No ids that only look different."""
    if compared.new.topics.counts.get(LOOK_ALIKES):
        return _of_topic(compared.new, LOOK_ALIKES, "look-alike id", None)
    return passed("no two ids look alike")


def items_unremarkable(compared: ReleaseComparison) -> CheckFinding:
    """No advices."""
    if compared.new.topics.counts.get(ADVICES):
        return _of_topic(compared.new, ADVICES, "advice", None)
    return passed("no advices")


def _items(survey: Survey) -> int:
    return survey.result.items if survey.result else survey.items


def _of_topic(survey: Survey, topic: str, thing: str, hint: str | None) -> CheckFinding:
    found, count = survey.topics.by_topic[topic], survey.topics.counts[topic]
    first = found[0]
    return failed(
        f"{counted(count, thing)}; the first: {first}" if count > 1 else str(first),
        hint if count > 1 else None,
        items=dict.fromkeys(violation.item_id for violation in found if violation.item_id),
        keys=sorted(
            {violation.pointer for violation in found if not violation.item_id and violation.pointer}
        ),
        violations=found,
        count=count,
    )


def _foreign_fields(compared: ReleaseComparison) -> dict[tuple[str, str], list[str]]:
    """Fields that items carry and only other types define, with those types."""
    found: dict[tuple[str, str], list[str]] = {}
    for part, own in (compared.declared_fields or {}).items():
        for key in compared.carried(part):
            if key not in own:
                types = [name for name, fields in compared.fields_by_type.items() if key in fields[part]]
                if types:
                    found[part, key] = types
    return found


def _types_that_define_all(compared: ReleaseComparison) -> list[str]:
    """The types that define every field that the items carry and that any type defines; smallest ones only."""
    known = {
        part: set().union(*(fields[part] for fields in compared.fields_by_type.values())) for part in PARTS
    }
    carried = {part: known[part] & compared.carried(part).keys() for part in PARTS}
    fitting = [
        (sum(map(len, fields.values())), name)
        for name, fields in compared.fields_by_type.items()
        if all(carried[part] <= fields[part] for part in PARTS)
    ]
    return [name for size, name in fitting if size == min(fitting)[0]]
