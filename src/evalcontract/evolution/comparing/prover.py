"""Proves that every document of one schema is a document of another, or says what stands in the way.

The left side may be taken too wide, never too narrow: keywords that aren't understood are left out of it. The right
side is taken keyword by keyword: each must follow from the left, and what isn't understood follows only from itself.
A proof is a search for obstacles that finds none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

from evalcontract.evolution.comparing import conditions, members, unions
from evalcontract.evolution.comparing.apart import excludes
from evalcontract.evolution.comparing.automata import NotRegular
from evalcontract.evolution.comparing.codes import BreakCode, code_of, told
from evalcontract.evolution.comparing.implied import ABOUT, IMPLIED
from evalcontract.evolution.comparing.keywords import ALL_TYPES, TYPES, annotates
from evalcontract.evolution.comparing.languages import MAX_LENGTH, refuted
from evalcontract.evolution.comparing.obstacles import Goal, Obstacle, Spot
from evalcontract.evolution.comparing.parts import (
    Node,
    Part,
    fold,
    types_of,
)
from evalcontract.evolution.comparing.proofs import Obstacles
from evalcontract.evolution.comparing.sameness import FAMILIES, same_keyword, same_part
from evalcontract.evolution.comparing.sides import Side, names_of
from evalcontract.evolution.comparing.values import (
    COUNTS,
    few_values,
    fewest,
    most,
    required,
    vacuous,
)
from evalcontract.evolution.comparing.work import BUDGET, STEP, GaveUp, at_most, spend

CASES = 1_000
"""For one combination of branches there has to be so much work in the budget."""
MAX_NESTING = 100
FEW_TYPES = 3
"""Of more types that went, those that are left are named instead."""
FOLDED = frozenset(("$ref", "allOf", "type"))
"""Keywords of the right side that need no look of their own: folded away, or compared by type before."""
VERSION_TAG = re.compile(r"v?[0-9]+(\.[0-9]+){1,3}")


class Prover:
    """`proved`: every document of `left` is one of `right`. If not, `obstacles` or `gave_up` say why.

    `spent`: how much work it took, of `budget`.
    """

    def __init__(self, left: Side, right: Side, budget: int = BUDGET) -> None:
        self.gave_up: str | None = None
        self._names = names_of(left, right)
        self._same = cache(same_part)
        self._assumed: dict[tuple[frozenset[Part], frozenset[Part]], None] = {}
        self._refuted: dict[tuple[frozenset[Part], frozenset[Part]], Obstacle] = {}
        self._max_cases = max(1, budget // CASES)
        self._looking_at = right.root.where
        found: dict[tuple[str, str], Obstacle] = {}
        with at_most(budget) as work:
            try:
                for obstacle in self.node(left.node(), right.node(), Spot((), left.root.where)):
                    found.setdefault((obstacle.sentence, obstacle.right), obstacle)
            except GaveUp as reason:
                self.gave_up = f"{reason}, at {self._looking_at}"
            except RecursionError:
                self.gave_up = f"nested too deeply to be followed, at {self._looking_at}"
        self.spent = min(budget, budget - work[0])
        unsettled = next((obstacle.sentence for obstacle in found.values() if obstacle.unsettled), None)
        self.gave_up = self.gave_up or unsettled
        self.obstacles = [obstacle for obstacle in found.values() if not obstacle.unsettled]
        self.proved = not found and self.gave_up is None

    def obstacle(self, goal: Goal, keyword: str, clause: str, code: BreakCode | None = None) -> Obstacle:
        """That `keyword` of the goal's part doesn't follow: `clause` is what the right side does."""
        old, new = self._names
        contrast = "does" if clause.startswith("does not") else "does not"
        return Obstacle(
            code or code_of(keyword),
            goal.spot.path,
            keyword,
            next(
                (f"{part.where}/{keyword}" for part in goal.case if keyword in part.keywords),
                goal.spot.anchor,
            ),
            goal.part,
            f"{new} {clause}, {old} {contrast}",
            (*goal.spot.trail, goal.case),
        )

    def _unsettled(self, part: Part, spot: Spot, reason: str) -> Obstacle:
        code = code_of("anyOf")
        return Obstacle(code, spot.path, "anyOf", spot.anchor, part, reason, spot.trail, unsettled=True)

    def node(self, left: Node, right: Node, spot: Spot) -> Obstacles:
        """Left implies right. A pair met again, always deeper in the document, may be assumed: documents are finite."""
        spend(STEP)
        pair = frozenset(part for part in left if part.says), frozenset(part for part in right if part.says)
        if not pair[1] or pair in self._assumed:
            return
        if pair in self._refuted:  # what stands in the way was told where the pair was met first
            yield self._refuted[pair]
            return
        if len(spot.path) > MAX_NESTING:
            reason = f"{right[0].where} is nested more than {MAX_NESTING} levels deep"
            yield self._unsettled(right[0], spot, reason)
            return
        self._looking_at = right[0].where
        spot = replace(spot, anchor=left[0].where) if left else spot
        mark, first, finished = len(self._assumed), None, False
        self._assumed[pair] = None
        try:
            for count, case in enumerate(self.cases(left)):
                if count == self._max_cases:
                    looked = f"{count:,} were looked at" if count > 1 else "one was looked at"
                    reason = f"of many combinations of anyOf branches at {right[0].where} {looked}"
                    first = first or self._unsettled(right[0], spot, reason)
                    yield self._unsettled(right[0], spot, reason)
                    break
                for obstacle in self.case(case, ALL_TYPES, right, spot):
                    first = first or obstacle
                    yield obstacle
            finished = True
        finally:
            if finished and first is not None and not first.unsettled:
                self._refuted[pair] = first
            while not (finished and first is None) and len(self._assumed) > mark:
                self._assumed.popitem()  # with the pair goes everything that was proved by assuming it

    def cases(self, todo: Node, done: Node = ()) -> Iterator[Node]:
        """The node as a union of nodes, one for each choice among its `anyOf` and `oneOf` branches."""
        spend(STEP)
        if not types_of(done + todo):
            return
        if not todo:
            yield done
            return
        choices = [branches.values() for branches in map(todo[0].subs, ("anyOf", "oneOf")) if branches]
        for choice in product(*choices):
            yield from self.cases(todo[1:] + fold(*choice), (*done, todo[0]))

    def case(self, case: Node, kinds: frozenset[str], right: Node, spot: Spot) -> Obstacles:
        """All values of these types in a node without open choices are accepted by every part of `right`."""
        spend(STEP + len(case) * len(right))
        left = frozenset(kind for kind in kinds & types_of(case) if not vacuous(case, kind))
        for part in right:
            if any(self._same(known, part) for known in case):
                continue
            goal = Goal(case, part, spot)
            if lost := left - part.possible:
                kept = left & part.possible
                if part.schema is False:
                    clause = f"does not accept {_closed(part, spot)}"
                elif kept and len(lost) > FEW_TYPES:
                    clause = f"accepts only {_type_names(kept)}"
                else:
                    clause = f"does not accept {_type_names(lost)}"
                yield self.obstacle(goal, "type", clause)
            for kind in (kind for kind in TYPES if kind in left & part.possible):
                yield from self._kind(goal, kind)

    def _kind(self, goal: Goal, kind: str) -> Obstacles:
        """All values of one type in `case` are accepted by the keywords of `part`."""
        values = few_values(goal.case, kind)
        if values is not None:
            yield from self._values(goal, values)
            return
        names = [name for name in goal.part.keywords if name not in FOLDED and not annotates(name)]
        said = [name for name in names if kind in ABOUT.get(name, TYPES)]
        for name in said:
            family = FAMILIES.get(name, (name,))
            first = name == next(member for member in family if member in said)
            if first and not any(same_keyword(known, goal.part, name) for known in goal.case):
                yield from self._keyword(goal, kind, name)

    def _values(self, goal: Goal, values: list[Any]) -> Obstacles:
        own = [name for name in goal.part.keywords if name not in FOLDED and not annotates(name)]
        if own in (["enum"], ["const"]):
            spend(1 + len(values) // STEP)
            refused = [value for value in values if not goal.part.lists(value)]
        else:
            refused = [value for value in values if own and not goal.part.accepts(value)]
        if refused:
            cause = next(goal.part.errors(refused[0]))
            while cause.context:
                cause = next(
                    (inner for inner in cause.context if inner.validator != "type"), cause.context[0]
                )
            found = self.obstacle(goal, str(cause.validator), f"does not accept {_some(refused)}")
            tagged = cause.validator == "const" and all(
                VERSION_TAG.fullmatch(str(value)) for value in refused
            )
            more = "; a version tag must not be a const of the schema" if tagged else ""
            yield replace(found, sentence=found.sentence + more, values=tuple(refused))

    def _keyword(self, goal: Goal, kind: str, name: str) -> Obstacles:
        """The keyword follows from `case` for values of this type."""
        value = goal.part.keywords[name]
        match name:
            case "properties" | "patternProperties" | "additionalProperties" | "unevaluatedProperties":
                yield from members.properties(self, goal)
            case "items" | "prefixItems" | "unevaluatedItems":
                yield from members.elements(self, goal)
            case "anyOf" | "oneOf":
                yield from unions.union(self, goal, kind, name)
            case "propertyNames":
                yield from members.names(self, goal)
            case "required":
                known = set(required(goal.case))
                for key in (key for key in value if key not in known):
                    spot = goal.spot.into(key, goal.case)
                    yield replace(
                        self.obstacle(replace(goal, spot=spot), name, f"requires {key!r}"), trail=spot.trail
                    )
            case "enum" | "const":
                yield self.obstacle(goal, name, f"accepts only {_some(goal.part.listed or ())}")
            case "pattern":
                yield from self._pattern(goal, value)
            case _ if name in IMPLIED:
                if not IMPLIED[name](goal.case, kind, value):
                    found = self.obstacle(goal, name, f"wants {name} {told(value)}")
                    yield from self._by_patterns(goal, name, value, found)
            case _ if name in conditions.CONDITIONS:
                yield from conditions.CONDITIONS[name](self, goal, kind)
            case _:
                yield self.unknown(goal, name)

    def unknown(self, goal: Goal, name: str) -> Obstacle:
        """That a keyword is not understood here."""
        return self.obstacle(goal, name, f"has {name!r}, which is compared word for word only")

    def _pattern(self, goal: Goal, wanted: str) -> Obstacles:
        known = [part.keywords["pattern"] for part in goal.case if "pattern" in part.keywords]
        found = self.obstacle(goal, "pattern", f"wants pattern {told(wanted)}")
        try:
            text = refuted(known, wanted, fewest(goal.case, "string"), most(goal.case, "string"))
        except NotRegular:
            yield found
            return
        if text is not None:
            yield replace(found, values=(text,))

    def _by_patterns(self, goal: Goal, name: str, value: Any, found: Obstacle) -> Obstacles:
        """The obstacle `found`, unless it is about a length that the patterns of `case` keep to."""
        known = [part.keywords["pattern"] for part in goal.case if "pattern" in part.keywords]
        if known and name in COUNTS["string"] and value <= MAX_LENGTH:
            counts = f"0,{int(value)}" if name == "maxLength" else f"{int(value)},"
            try:
                if refuted(known, f"^[\\s\\S]{{{counts}}}$") is None:
                    return
            except NotRegular:
                pass
        yield found

    def excludes(self, case: Node, kind: str, other: Node) -> bool:
        """No value of this type in `case` is accepted by `other`."""
        return excludes(self, case, kind, other)


def _closed(part: Part, spot: Spot) -> str:
    """What is shut out by a schema that accepts nothing."""
    if spot.path and isinstance(spot.path[-1], str):
        return f"the key {spot.path[-1]!r}"
    keyword = part.where.rpartition("/")[2]
    if keyword in ("additionalProperties", "unevaluatedProperties"):
        return "keys that it doesn't name"
    return "further elements" if keyword in ("items", "unevaluatedItems") else "anything"


def _some(values: Sequence[Any]) -> str:
    return ", ".join(told(value) for value in values[:5]) + ", ..." * (len(values) > 5)


def _type_names(kinds: frozenset[str]) -> str:
    """The types as JSON Schema calls them, numbers that are not whole by what they are."""
    names = " or ".join(kind for kind in TYPES if kind in kinds)
    return names.replace("integer or fraction", "number").replace("fraction", "numbers with a fraction")
