"""What changed decides the number: which step a new version needs, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evalcontract.evolution.comparing.codes import WAIVED_IN_A_MINOR, BreakCode, SchemaFinding
from evalcontract.evolution.comparing.compare import SchemaComparison, View


class Step(StrEnum):
    """NONE: nothing that a reader or a validator would notice."""

    NONE = "none"
    MINOR = "minor"
    MAJOR = "major"


@dataclass(frozen=True, slots=True)
class Waiver:
    """Somebody's word that a finding which could not be decided is none. `pointer` is that in the new schema."""

    code: BreakCode
    pointer: str
    reason: str


@dataclass(frozen=True, slots=True)
class Judged:
    """The findings that call for a major version, and those that a minor may have, each with its reason.

    `undecided`: why it isn't known whether there is a break; None where it is known.
    """

    breaking: tuple[SchemaFinding, ...]
    waived: tuple[tuple[SchemaFinding, str], ...]
    undecided: str | None

    @property
    def exit_code(self) -> int:
        """0 fine, 1 breaking, 3 undecided."""
        return 3 if self.undecided else 1 if self.breaking else 0


IN_A_MINOR = "allowed in a minor version: only documents that carry the key already can break"


def judge(
    views: Sequence[View], surface: Iterable[SchemaFinding] = (), waivers: Sequence[Waiver] = ()
) -> Judged:
    """Split the findings of views, and of the surface, into those that break and those that may pass.

    A waiver covers only what no document proves; NEW_PROPERTY_ON_OPEN_OBJECT is waived by rule.
    """
    breaking: list[SchemaFinding] = []
    waived: list[tuple[SchemaFinding, str]] = []
    for finding in (*(finding for view in views for finding in view.findings), *surface):
        reason = _waiver(finding, waivers)
        if reason is None:
            breaking.append(finding)
        else:
            waived.append((finding, reason))
    proved = any(finding.witness or finding.code in SURFACE for finding in breaking)
    unsettled = [view.unsettled for view in views if view.unsettled]
    open_questions = [*unsettled, *(finding.sentence for finding in breaking)]
    undecided = "; ".join(list(dict.fromkeys(open_questions))[:3]) if open_questions and not proved else None
    return Judged(tuple(breaking), tuple(waived), undecided)


SURFACE = (BreakCode.PROPERTY_NO_DELETE, BreakCode.DEFAULT_NO_CHANGE)
"""What breaks readers and no document: it is seen in the schemas themselves."""


def _waiver(finding: SchemaFinding, waivers: Sequence[Waiver]) -> str | None:
    if finding.code in WAIVED_IN_A_MINOR:
        return IN_A_MINOR
    if finding.witness:
        return None
    named = (waiver for waiver in waivers if (waiver.code, waiver.pointer) == (finding.code, finding.new))
    return next((waiver.reason for waiver in named), None)


def judge_backward(comparison: SchemaComparison, waivers: Sequence[Waiver] = ()) -> Judged:
    """What decides the number: old documents under the new schema, and what readers of the old one would miss."""
    return judge([comparison.backward], comparison.surface, waivers)


def step(comparison: SchemaComparison, waivers: Sequence[Waiver] = ()) -> Step:
    """The smallest step from the old version to the new one."""
    if judge_backward(comparison, waivers).exit_code:
        return Step.MAJOR
    quiet = not comparison.changes and comparison.mode == "FULL"
    return Step.NONE if quiet else Step.MINOR
