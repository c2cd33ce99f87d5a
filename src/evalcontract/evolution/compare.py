"""Compares two versions of a schema both ways: a verdict with a document as proof, and what it breaks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from evalcontract.errors import SchemaError
from evalcontract.evolution.codes import Code
from evalcontract.evolution.obstacles import Obstacle, Path
from evalcontract.evolution.parts import constrains
from evalcontract.evolution.prover import Prover
from evalcontract.evolution.sides import ANONYMOUS, Side, load_side
from evalcontract.evolution.surface import Change, changes
from evalcontract.evolution.witness import Search
from evalcontract.validation.pointers import pointer


class Verdict(StrEnum):
    COMPATIBLE = "compatible"
    INCOMPATIBLE = "incompatible"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule broken. `path` is where in a document, `*` for any; `old` and `new` where in the two schemas.

    `witness` holds the document that shows it, or nothing where none was found or none is needed.
    """

    code: Code
    path: str
    old: str
    new: str
    sentence: str
    witness: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """Whether every document of one side is a document of the other.

    COMPATIBLE is proved. INCOMPATIBLE has at least one `witness`. UNDECIDED has a `reason`. `unsettled` says why not
    everything was looked at: then there may be more to find than the findings.
    """

    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    witness: tuple[Any, ...] = ()
    reason: str | None = None
    unsettled: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """`backward`: old documents under the new schema; `forward`: new documents under the old one.

    `surface`: what went or changed for readers though documents stay valid. `changes`: every difference.
    """

    old: str
    new: str
    backward: View
    forward: View
    surface: tuple[Finding, ...]
    changes: tuple[Change, ...]

    @property
    def mode(self) -> str:
        """FULL, BACKWARD, FORWARD or NONE, as schema registries call what was proved."""
        back = self.backward.verdict is Verdict.COMPATIBLE
        forth = self.forward.verdict is Verdict.COMPATIBLE
        return "FULL" if back and forth else "BACKWARD" if back else "FORWARD" if forth else "NONE"


def compare(old: Side, new: Side) -> Comparison:
    """Compare two versions of a schema.

    Raises SchemaError when one of them accepts everything (there is nothing to compare then), refers to
    something that isn't there, or to itself without end.
    """
    try:
        for side in (old, new):
            _refuse_everything(side)
        found = tuple(changes(old, new))
        backward, forward = _view(old, new, forward=False), _view(new, old, forward=True)
    except RecursionError:
        raise SchemaError(
            f"{old.label} or {new.label} is nested too deeply to be compared",
            hint="refer to a type directly, not along a chain of references",
        ) from None
    surface = tuple(finding for change in found for finding in _seen_by_readers(change, new.label))
    return Comparison(old.label, new.label, backward, forward, surface, found)


def place(path: Path) -> str:
    """A place in a document as a JSON pointer, with `*` for any key or element."""
    return pointer("*" if step is None else step for step in path)


def _view(left: Side, right: Side, *, forward: bool) -> View:
    if left.dynamic or right.dynamic:
        reason = f"{left.dynamic or right.dynamic} has a dynamic reference"
        return View(Verdict.UNDECIDED, reason=reason, unsettled=reason)
    prover = Prover(left, right)
    if prover.proved:
        return View(Verdict.COMPATIBLE)
    search = Search(left, right)
    witnesses = search.for_each(prover.obstacles)
    findings = tuple(_finding(each, witnesses, forward=forward) for each in prover.obstacles)
    shown = tuple(witnesses.values())[:1] or tuple(search.any())
    if shown:
        return View(Verdict.INCOMPATIBLE, findings, shown, unsettled=prover.gave_up)
    reasons = [*([prover.gave_up] if prover.gave_up else []), *(each.sentence for each in prover.obstacles)]
    return View(Verdict.UNDECIDED, findings, reason="; ".join(reasons[:3]), unsettled=prover.gave_up)


def _finding(obstacle: Obstacle, witnesses: dict[Obstacle, Any], *, forward: bool) -> Finding:
    ends = obstacle.left.removeprefix(ANONYMOUS), obstacle.right.removeprefix(ANONYMOUS)
    old, new = reversed(ends) if forward else ends
    witness = (witnesses[obstacle],) if obstacle in witnesses else ()
    return Finding(obstacle.code, place(obstacle.path), old, new, obstacle.sentence, witness)


def _seen_by_readers(change: Change, new: str) -> list[Finding]:
    if change.what == "property" and change.before:
        name, code = change.before[0], Code.PROPERTY_NO_DELETE
        sentence = f"{new} no longer has the property {name!r}"
        path = (*change.path, name)
    elif change.what == "default" and change.before:
        code, path = Code.DEFAULT_NO_CHANGE, change.path
        sentence = f"{new} changes the default {change.before[0]!r} to {_shown(change.after)}"
    else:
        return []
    return [
        Finding(
            code,
            place(path),
            change.old.removeprefix(ANONYMOUS),
            change.new.removeprefix(ANONYMOUS),
            sentence,
        )
    ]


def _shown(values: tuple[Any, ...]) -> str:
    return ", ".join(map(repr, values)) or "none"


def _refuse_everything(side: Side) -> None:
    if not constrains(side.node()) or Prover(load_side("anything", True), side).proved:
        raise SchemaError(
            f"{side.label} accepts every document, so comparing it would show nothing",
            hint="give the schema of the documents themselves, with a type",
        )
