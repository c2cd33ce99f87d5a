"""Does a schema break an older one: a comparison, judged in a mode, with the word of data where it counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from evalcontract.evolution.comparing.codes import BreakCode, SchemaFinding
from evalcontract.evolution.comparing.compare import SchemaComparison, compare
from evalcontract.evolution.comparing.sides import Side
from evalcontract.evolution.comparing.work import BUDGET
from evalcontract.evolution.versions.number import Judged, Step, Waiver, judge, step
from evalcontract.values import pointer, pointer_tokens

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


class Mode(StrEnum):
    """Which view decides: old documents under the new schema, new ones under the old, or both."""

    BACKWARD = "backward"
    FORWARD = "forward"
    FULL = "full"


class Datum(NamedTuple):
    """A document of data, and what to call it in a report."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Judgement:
    """One comparison and what the rules say about it. `carried`: data that settles a waiver against it."""

    comparison: SchemaComparison
    judged: Judged
    step: Step
    carried: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 fine, 1 breaking, 3 undecided."""
        return 1 if self.carried else self.judged.exit_code


def breaking(
    old: Side,
    new: Side,
    mode: Mode = Mode.BACKWARD,
    waivers: Sequence[Waiver] = (),
    data: Iterable[Datum] = (),
    budget: int = BUDGET,
    *,
    whole: bool = True,
) -> Judgement:
    """Compare two versions and judge them in a mode. Raises SchemaError when they can't be compared.

    Parts of a schema, not `whole` ones, may accept everything.
    """
    comparison = compare(old, new, budget, whole=whole)
    back, forth = comparison.backward, comparison.forward
    views = {Mode.BACKWARD: [back], Mode.FORWARD: [forth], Mode.FULL: [back, forth]}[mode]
    judged = judge(views, () if mode is Mode.FORWARD else comparison.surface, waivers)
    return Judgement(comparison, judged, step(comparison, waivers), tuple(carried(back.findings, new, data)))


def carried(findings: Iterable[SchemaFinding], new: Side, data: Iterable[Datum]) -> Iterator[str]:
    """Data that carries a newly named key with a value that its type refuses, one sentence for each place.

    A finding names one place of a key; where a schema is used in several, or in itself, the key is looked for in all.
    """
    keys = {
        pointer_tokens(finding.path)[-1]
        for finding in findings
        if finding.code is BreakCode.NEW_PROPERTY_ON_OPEN_OBJECT
    }
    if not keys:
        return
    for name, value in data:
        refused = dict(reversed([place for error in new.root.errors(value) for place in _reasons(error)]))
        for path in (at for at in sorted(refused, key=str) if not keys.isdisjoint(at)):
            yield f"{name} carries {pointer(path)}: {refused[path][:200]}"


def _reasons(error: ValidationError, above: tuple[str | int, ...] = ()) -> Iterator[tuple[Any, str]]:
    """Where a value was refused in the end, and why: an error may stand for those in branches."""
    path = (*above, *error.path)
    if not error.context:
        yield path, error.message
    for cause in error.context:
        yield from _reasons(cause, path)


def exit_code(judgements: Iterable[Judgement]) -> int:
    """1 when one breaks, else 3 when one is undecided, else 0."""
    codes = {judgement.exit_code for judgement in judgements}
    return 1 if 1 in codes else 3 if 3 in codes else 0


def compatibility(judgements: Sequence[Judgement], *, transitive: bool) -> str:
    """What was proved against every one of them, as schema registries call it: `BACKWARD_TRANSITIVE`, `NONE`."""
    modes = {judgement.comparison.mode for judgement in judgements}
    proved = [mode for mode in ("BACKWARD", "FORWARD") if modes and modes <= {mode, "FULL"}]
    name = "FULL" if len(proved) == 2 else proved[0] if proved else "NONE"
    return f"{name}_TRANSITIVE" if transitive and name != "NONE" else name
