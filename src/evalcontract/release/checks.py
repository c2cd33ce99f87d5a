"""The checks of a release, as values in one tuple that the command line, the reports and the docs read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from evalcontract.errors import UsageError
from evalcontract.release.checks_of_items import (
    answers_agree,
    fields_present,
    items_unremarkable,
    no_look_alike_ids,
    type_matches_items,
    unique_item_ids,
)
from evalcontract.release.checks_of_versions import (
    items_still_valid,
    keys_changed,
    keys_unchanged,
    name_matches_metadata,
    previous_comparable,
    version_higher,
)
from evalcontract.release.comparison import ReleaseComparison
from evalcontract.release.finding import CheckFinding
from evalcontract.release.report import Kind
from evalcontract.validation import Severity
from evalcontract.values import shown

ALWAYS: frozenset[Kind] = frozenset(("new", "minor", "major"))
WITH_PREVIOUS: frozenset[Kind] = frozenset(("minor", "major"))
MINOR: frozenset[Kind] = frozenset(("minor",))
MAJOR: frozenset[Kind] = frozenset(("major",))


@dataclass(frozen=True, slots=True)
class ReleaseCheck:
    """One rule for releases: its stable code, what it demands, why, and the kinds of release it is for."""

    code: str
    name: str
    why: str
    severity: Severity
    kinds: frozenset[Kind]
    run: Callable[[ReleaseComparison], CheckFinding]


CHECKS: tuple[ReleaseCheck, ...] = (
    ReleaseCheck(
        "unique-item-ids",
        "no duplicate item_id",
        "scores are joined to items by item_id: of two items with one id, one gets the other's scores",
        "error",
        ALWAYS,
        unique_item_ids,
    ),
    ReleaseCheck(
        "fields-present",
        "required fields present and typed in every item",
        "whoever reads a release relies on its contract without looking at each item",
        "error",
        ALWAYS,
        fields_present,
    ),
    ReleaseCheck(
        "type-matches-items",
        "declared input_schema_type matches the items",
        "the declared type decides which metrics run: fields of another type would be left unscored",
        "error",
        ALWAYS,
        type_matches_items,
    ),
    ReleaseCheck(
        "name-matches-metadata",
        "name agrees with metadata (product_id, input_schema_type, scope, version)",
        "a release is found by its name and understood by its metadata",
        "error",
        ALWAYS,
        name_matches_metadata,
    ),
    ReleaseCheck(
        "keys-unchanged",
        "field key union identical to the previous version's",
        "a consumer may take a minor release without changing its code",
        "error",
        MINOR,
        keys_unchanged,
    ),
    ReleaseCheck(
        "keys-changed",
        "field key union differs from the previous version's",
        "a major release asks every consumer to look at its code: without new or removed keys there is no need",
        "error",
        MAJOR,
        keys_changed,
    ),
    ReleaseCheck(
        "version-higher",
        "version strictly higher than the previous",
        "a number that was used once means the same items for ever",
        "error",
        WITH_PREVIOUS,
        version_higher,
    ),
    ReleaseCheck(
        "previous-comparable",
        "the previous release is whole, and of the same dataset",
        "keys and versions of another product's dataset say nothing about this one",
        "error",
        WITH_PREVIOUS,
        previous_comparable,
    ),
    ReleaseCheck(
        "items-still-valid",
        "items of the previous version keep the contract of this one",
        "a schema that became stricter breaks consumers although no key has changed",
        "error",
        MINOR,
        items_still_valid,
    ),
    ReleaseCheck(
        "answers-agree",
        "items with one input expect no answers that contradict each other",
        "whatever a system answers, one of the two items calls it wrong",
        "error",
        ALWAYS,
        answers_agree,
    ),
    ReleaseCheck(
        "ids-look-alike",
        "no two item ids that differ only by case, space, type or Unicode form",
        "platforms that fold ids merge such items",
        "advice",
        ALWAYS,
        no_look_alike_ids,
    ),
    ReleaseCheck(
        "items-unremarkable",
        "nothing odd in the items",
        "empty passages, unused markers and the like are valid and rarely meant",
        "advice",
        ALWAYS,
        items_unremarkable,
    ),
)


def check_of(code: str) -> ReleaseCheck:
    """The check with a code; UsageError lists the codes that there are."""
    for check in CHECKS:
        if check.code == code:
            return check
    raise UsageError(
        f"there is no check {shown(code)}", hint=f"known: {', '.join(check.code for check in CHECKS)}"
    )
