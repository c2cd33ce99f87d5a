"""Compares two versions of a schema both ways: a verdict with a document as proof, and what it breaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from evalcontract.errors import SchemaError
from evalcontract.evolution.comparing.codes import WAIVED_IN_A_MINOR, SchemaFinding, code_of, place
from evalcontract.evolution.comparing.keywords import is_unknown
from evalcontract.evolution.comparing.obstacles import Obstacle
from evalcontract.evolution.comparing.parts import constrains
from evalcontract.evolution.comparing.prover import Prover
from evalcontract.evolution.comparing.sides import Side, load_side, names_of
from evalcontract.evolution.comparing.surface import SEEN, SchemaChange, changes, lost
from evalcontract.evolution.comparing.witness import Search
from evalcontract.evolution.comparing.work import BUDGET
from evalcontract.validation.engine import PatternUndecided
from evalcontract.values import on_deep_stack


class Compatibility(StrEnum):
    COMPATIBLE = "compatible"
    INCOMPATIBLE = "incompatible"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class View:
    """Whether every document of one side is a document of the other.

    COMPATIBLE is proved. INCOMPATIBLE has at least one `witness`. UNDECIDED has a `reason`. `unsettled` says why not
    everything was looked at: then there may be more to find than the findings. `spent`: the work that it took, in
    looks of a validator at a value.
    """

    verdict: Compatibility
    findings: tuple[SchemaFinding, ...] = ()
    witness: tuple[Any, ...] = ()
    reason: str | None = None
    unsettled: str | None = None
    spent: int = 0


@dataclass(frozen=True, slots=True)
class SchemaComparison:
    """`backward`: old documents under the new schema; `forward`: new documents under the old one.

    `surface`: what went or changed for readers though documents stay valid. `changes`: every difference.
    `notes`: what is different and means nothing. `budget`: the work that each view might take.
    """

    old: str
    new: str
    backward: View
    forward: View
    surface: tuple[SchemaFinding, ...]
    changes: tuple[SchemaChange, ...]
    notes: tuple[str, ...] = ()
    budget: int = BUDGET

    @property
    def mode(self) -> str:
        """FULL, BACKWARD, FORWARD or NONE, as schema registries call what was proved."""
        back = self.backward.verdict is Compatibility.COMPATIBLE
        forth = self.forward.verdict is Compatibility.COMPATIBLE
        return "FULL" if back and forth else "BACKWARD" if back else "FORWARD" if forth else "NONE"


def compare(old: Side, new: Side, budget: int = BUDGET, *, whole: bool = True) -> SchemaComparison:
    """Compare two versions of a schema, each view with so much work to spend.

    Parts of a schema, not `whole` ones, may accept everything.

    Raises SchemaError when one of them accepts everything (there is nothing to compare then), refers to
    something that isn't there, or to itself without end, or has a text that a pattern takes too long for.
    """
    try:
        return on_deep_stack(partial(_compared, old, new, budget, whole=whole))
    except RecursionError:
        raise SchemaError(
            f"{old.label} or {new.label} is nested too deeply to be compared",
            hint="refer to a type directly, not along a chain of references",
        ) from None
    except PatternUndecided:
        raise SchemaError(
            f"{old.label} or {new.label} has a text that takes too long to match with a pattern",
            hint="shorten the listed value or key, or write the pattern without look-arounds",
        ) from None


def _compared(old: Side, new: Side, budget: int, *, whole: bool) -> SchemaComparison:
    for side in (old, new) if whole else ():
        _refuse_everything(side)
    found = () if old.refused or new.refused else tuple(changes(old, new))
    backward = _view(old, new, budget, forward=False)
    forward = _view(new, old, budget, forward=True)
    surface = () if new.root.schema is False else tuple(lost(found, names_of(old, new)[1]))
    notes = tuple(dict.fromkeys((*old.notes, *new.notes, *_notes(found))))
    return SchemaComparison(old.label, new.label, backward, forward, surface, found, notes, budget)


def _notes(found: Iterable[SchemaChange]) -> Iterator[str]:
    for keyword in dict.fromkeys(
        change.what for change in found if is_unknown(change.what) and change.what not in SEEN
    ):
        yield f"{keyword!r} is no keyword of the dialect: what it says changes nothing"


def _view(left: Side, right: Side, budget: int, *, forward: bool) -> View:
    reason = left.refused or right.refused
    if not reason and (left.dynamic or right.dynamic):
        reason = f"{left.dynamic or right.dynamic} has a dynamic reference"
    if reason:
        return View(Compatibility.UNDECIDED, reason=reason, unsettled=reason)
    prover = Prover(left, right, budget)
    if prover.proved:
        return View(Compatibility.COMPATIBLE, spent=prover.spent)
    search = Search(left, right, budget)
    witnesses = search.find_all(prover.obstacles)
    findings = tuple(map(partial(_finding, forward=forward), prover.obstacles, witnesses))
    shown = next(filter(None, witnesses), ()) or search.find()
    if (
        shown
        and not any(witnesses)
        and (prover.gave_up or {finding.code for finding in findings} - WAIVED_IN_A_MINOR)
    ):
        findings += (_refusal(left, right, shown, forward),)
    spent = prover.spent + search.spent
    if shown:
        return View(Compatibility.INCOMPATIBLE, findings, shown, unsettled=prover.gave_up, spent=spent)
    reasons = [prover.gave_up] if prover.gave_up else []
    reasons += [obstacle.sentence for obstacle in prover.obstacles]
    reason = "; ".join(reasons[:3])
    return View(Compatibility.UNDECIDED, findings, reason=reason, unsettled=prover.gave_up, spent=spent)


def _finding(obstacle: Obstacle, witness: tuple[Any, ...], forward: bool) -> SchemaFinding:
    old, new = (obstacle.right, obstacle.left) if forward else (obstacle.left, obstacle.right)
    return SchemaFinding(obstacle.code, place(obstacle.path), old, new, obstacle.sentence, witness)


def _refusal(left: Side, right: Side, witness: tuple[Any, ...], forward: bool) -> SchemaFinding:
    """A document is refused, though what was found to stand in the way doesn't show it."""
    cause = next(right.root.errors(witness[0]))
    old, new = (right, left) if forward else (left, right)
    here, there = names_of(left, right)
    sentence = f"{there} refuses a document that {here} accepts"
    path = place(tuple(cause.absolute_path))
    return SchemaFinding(
        code_of(str(cause.validator)), path, old.root.where, new.root.where, sentence, witness
    )


def accepts_everything(side: Side) -> bool:
    """Whether every document is one of the side."""
    return on_deep_stack(partial(_accepts_everything, side))


def _accepts_everything(side: Side) -> bool:
    return not constrains(side.node()) or Prover(load_side("anything", True), side).proved


def _refuse_everything(side: Side) -> None:
    if _accepts_everything(side):
        raise SchemaError(
            f"{side.label} accepts every document, so comparing it would show nothing",
            hint="give the schema of the documents themselves, with a type",
        )
