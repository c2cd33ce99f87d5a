"""Proves that every document of one schema is a document of another, or says what stands in the way.

The left side may be taken too wide, never too narrow: keywords that aren't understood are left out of it. The right
side is taken keyword by keyword: each must follow from the left, and what isn't understood follows only from itself.
A proof is a search for obstacles that finds none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from typing import Any, TypeAlias

from evalcontract.evolution.comparing.codes import Code, Path, code_of, told
from evalcontract.evolution.comparing.implied import ABOUT, IMPLIED
from evalcontract.evolution.comparing.obstacles import Goal, Obstacle
from evalcontract.evolution.comparing.parts import (
    ALL_TYPES,
    ANNOTATIONS,
    TYPES,
    Node,
    Part,
    accepts,
    child,
    constrains,
    element,
    fold,
    possible,
    types_of,
)
from evalcontract.evolution.comparing.sameness import FAMILIES, same_keyword, same_part
from evalcontract.evolution.comparing.sides import Side
from evalcontract.evolution.comparing.values import closed_keys, few_values, most, named, required, vacuous
from evalcontract.evolution.comparing.work import GaveUp, at_most, spend

Obstacles: TypeAlias = Iterator[Obstacle]

WORK = 250_000
STEP = 10
"""A step of the search for obstacles takes as long as so many looks of a validator at a value."""
MAX_CASES = 256
MAX_NESTING = 100
FOLDED = ANNOTATIONS | {"$ref", "allOf", "type"}
"""Keywords of the right side that need no look of their own: folded away, or compared by type before."""
VERSION_TAG = re.compile(r"v?[0-9]+(\.[0-9]+){1,3}")


class Prover:
    """`proved`: every document of `left` is one of `right`. If not, `obstacles` or `gave_up` say why."""

    def __init__(self, left: Side, right: Side) -> None:
        self.gave_up: str | None = None
        self._labels = left.label, right.label
        self._same = cache(same_part)
        self._assumed: dict[tuple[frozenset[Part], frozenset[Part]], None] = {}
        found: dict[tuple[str, str], Obstacle] = {}
        try:
            with at_most(WORK):
                for each in self._node(left.node(), right.node(), (), left.root.where):
                    found.setdefault((each.sentence, each.right), each)
        except GaveUp as reason:
            self.gave_up = str(reason)
        except RecursionError:
            self.gave_up = "nested too deeply to be followed"
        self.obstacles = list(found.values())
        self.proved = not found and self.gave_up is None

    def _obstacle(self, goal: Goal, keyword: str, clause: str, code: Code | None = None) -> Obstacle:
        old, new = self._labels
        contrast = "does" if clause.startswith("does not") else "does not"
        return Obstacle(
            code or code_of(keyword),
            goal.path,
            keyword,
            next((f"{each.where}/{keyword}" for each in goal.case if keyword in each.keywords), goal.anchor),
            goal.part,
            f"{new} {clause}, {old} {contrast}",
        )

    def _node(self, left: Node, right: Node, path: Path, anchor: str) -> Obstacles:
        """Left implies right. A pair met again, always deeper in the document, may be assumed: documents are finite."""
        spend(STEP)
        pair = frozenset(left), frozenset(right)
        if not right or pair in self._assumed:
            return
        if len(path) > MAX_NESTING:
            raise GaveUp(f"{right[0].where} is nested more than {MAX_NESTING} levels deep")
        mark, proved = len(self._assumed), True
        self._assumed[pair] = None
        for count, case in enumerate(self._cases(left)):
            if count == MAX_CASES:
                raise GaveUp(f"more than {MAX_CASES} combinations of anyOf branches")
            for obstacle in self._case(case, ALL_TYPES, right, path, left[0].where if left else anchor):
                proved = False
                yield obstacle
        while not proved and len(self._assumed) > mark:
            self._assumed.popitem()  # with the pair goes everything that was proved by assuming it

    def _cases(self, todo: Node, done: Node = ()) -> Iterator[Node]:
        """The node as a union of nodes, one for each choice among its `anyOf` and `oneOf` branches."""
        spend(STEP)
        if not types_of(done + todo):
            return
        if not todo:
            yield done
            return
        unions = [each.values() for each in map(todo[0].subs, ("anyOf", "oneOf")) if each]
        for choice in product(*unions):
            yield from self._cases(todo[1:] + fold(*choice), (*done, todo[0]))

    def _case(self, case: Node, kinds: frozenset[str], right: Node, path: Path, anchor: str) -> Obstacles:
        """All values of these types in a node without open choices are accepted by every part of `right`."""
        spend(STEP + len(case) * len(right))
        left = frozenset(kind for kind in kinds & types_of(case) if not vacuous(case, kind))
        for part in right:
            if any(self._same(each, part) for each in case):
                continue
            goal = Goal(case, part, path, anchor)
            if lost := left - part.possible:
                yield self._obstacle(goal, "type", f"does not accept {_type_names(lost)}")
            for kind in (each for each in TYPES if each in left & part.possible):
                yield from self._kind(goal, kind)

    def _kind(self, goal: Goal, kind: str) -> Obstacles:
        """All values of one type in `case` are accepted by the keywords of `part`."""
        values = few_values(goal.case, kind)
        if values is not None:
            yield from self._values(goal, values)
            return
        said = [name for name in goal.part.keywords if name not in FOLDED and kind in ABOUT.get(name, TYPES)]
        for name in said:
            family = FAMILIES.get(name, (name,))
            first = name == next(each for each in family if each in said)
            if first and not any(same_keyword(each, goal.part, name) for each in goal.case):
                yield from self._keyword(goal, kind, name)

    def _values(self, goal: Goal, values: list[Any]) -> Obstacles:
        own = goal.part.keywords.keys() - FOLDED  # what it refers to is a part of the right side as well
        refused = [value for value in values if own and not goal.part.accepts(value)]
        if refused:
            cause = next(goal.part.errors(refused[0]))
            while cause.context:
                cause = next((each for each in cause.context if each.validator != "type"), cause.context[0])
            some = ", ".join(told(value) for value in refused[:5]) + ", ..." * (len(refused) > 5)
            found = self._obstacle(goal, str(cause.validator), f"does not accept {some}")
            tagged = cause.validator == "const" and all(
                VERSION_TAG.fullmatch(str(value)) for value in refused
            )
            more = "; a version tag must not be a const of the schema" if tagged else ""
            yield replace(found, sentence=found.sentence + more)

    def _keyword(self, goal: Goal, kind: str, name: str) -> Obstacles:
        """The keyword follows from `case` for values of this type."""
        value = goal.part.keywords[name]
        match name:
            case "properties" | "patternProperties" | "additionalProperties":
                yield from self._properties(goal)
            case "items" | "prefixItems":
                yield from self._elements(goal)
            case "anyOf" | "oneOf":
                yield from self._union(goal, kind, name)
            case "propertyNames":
                yield from self._names(goal)
            case "required":
                known = set(required(goal.case))
                for each in (each for each in value if each not in known):
                    yield self._obstacle(replace(goal, path=(*goal.path, each)), name, f"requires {each!r}")
            case "enum" | "const":
                yield self._obstacle(goal, name, "accepts listed values only")
            case _ if name in IMPLIED:
                if not IMPLIED[name](goal.case, kind, value):
                    yield self._obstacle(goal, name, f"wants {name} {told(value)}")
            case _:
                yield self._obstacle(goal, name, f"has {name!r}, which is compared word for word only")

    def _union(self, goal: Goal, kind: str, name: str) -> Obstacles:
        """Some branch accepts all of `case`, and under `oneOf` no other branch accepts any of it."""
        nodes = [branch.folded for branch in goal.part.subs(name).values()]
        fits = [node for node in nodes if kind in possible(node)]
        for at, node in enumerate(fits):
            proof = self._case(goal.case, frozenset((kind,)), node, goal.path, goal.anchor)
            if len(fits) == 1:
                yield from proof
                return
            others = fits[:at] + fits[at + 1 :] if name == "oneOf" else []
            if all(self._excludes(goal.case, kind, other) for other in others) and not list(proof):
                return
        yield self._obstacle(goal, name, f"accepts only what {name} lists, branch by branch")

    def _excludes(self, case: Node, kind: str, other: Node) -> bool:
        """No value of this type in `case` is accepted by `other`: by type, by value, or by a required key."""
        values = [] if kind not in possible(other) else few_values(case, kind)
        if values is not None:
            return not any(accepts(other, value) for value in values)
        pairs = [(child(case, name), child(other, name)) for name in required(case) if kind == "object"]
        return any(right and self._apart(left, right) for left, right in pairs)

    def _apart(self, left: Node, right: Node) -> bool:
        cases = ((case, kind) for case in self._cases(left) for kind in types_of(case))
        return all(self._excludes(case, kind, right) for case, kind in cases)

    def _properties(self, goal: Goal) -> Obstacles:
        parts = (goal.part, *goal.case)
        for name in dict.fromkeys([*named(parts), *required(goal.case)]):
            yield from self._property(goal, name, frozenset())
        patterns = sorted({str(pattern) for part in parts for pattern in part.subs("patternProperties")})
        for size in range(len(patterns) + 1):
            for hits in combinations(patterns, size):
                yield from self._property(goal, None, frozenset(hits))

    def _property(self, goal: Goal, name: str | None, patterns: frozenset[str]) -> Obstacles:
        """What `case` says of the value under a key implies what `part` says."""
        left, right = child(goal.case, name, patterns), child((goal.part,), name, patterns)
        proof = self._node(left, right, (*goal.path, name), goal.anchor)
        if name is None or constrains(left) or name in required(goal.case) + named(goal.case):
            yield from proof
        elif list(proof):
            at = replace(goal, part=goal.part.subs("properties")[name], path=(*goal.path, name))
            code = Code.NEW_PROPERTY_ON_OPEN_OBJECT
            yield self._obstacle(at, "properties", f"restricts the values of {name!r}", code)

    def _elements(self, goal: Goal) -> Obstacles:
        longest = max(len(each.subs("prefixItems")) for each in (*goal.case, goal.part))
        for index in (each for each in range(longest + 1) if each < most(goal.case, "array")):
            left, right = element(goal.case, index), element((goal.part,), index)
            step = index if index < longest else None
            yield from self._node(left, right, (*goal.path, step), goal.anchor)

    def _names(self, goal: Goal) -> Obstacles:
        wanted = goal.part.subs("propertyNames")[0]
        closed = [keys for each in goal.case if (keys := closed_keys(each)) is not None]
        if any(all(map(wanted.accepts, keys)) for keys in closed):
            return
        known = fold(*(rule for each in goal.case for rule in each.subs("propertyNames").values()))
        for case in self._cases(known):
            if list(self._case(case, frozenset(("string",)), wanted.folded, (), goal.anchor)):
                yield self._obstacle(goal, "propertyNames", "restricts the names of keys")


def _type_names(kinds: frozenset[str]) -> str:
    """The types as JSON Schema calls them, numbers that are not whole by what they are."""
    names = " or ".join(kind for kind in TYPES if kind in kinds)
    return names.replace("integer or fraction", "number").replace("fraction", "numbers with a fraction")
