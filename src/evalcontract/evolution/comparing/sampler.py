"""Draws documents of one schema that have a chance of being refused by another."""

from __future__ import annotations

import math
from random import Random
from typing import Any, NamedTuple

from evalcontract.evolution.comparing.aims import NO_AIM, Aim
from evalcontract.evolution.comparing.candidates import interesting, near
from evalcontract.evolution.comparing.codes import Path
from evalcontract.evolution.comparing.keywords import TYPES
from evalcontract.evolution.comparing.parts import Node, Part, accepts, child, element, flat, fold, types_of
from evalcontract.evolution.comparing.sides import Side
from evalcontract.evolution.comparing.strings import samples
from evalcontract.evolution.comparing.values import (
    COUNTS,
    fewest,
    lowest,
    most,
    named,
    required,
)
from evalcontract.evolution.comparing.work import spend
from evalcontract.values import type_of

UNKNOWN_KEY = "x_unknown"
MAX_LENGTH = 40
MAX_BUILT = 20_000
"""Elements or keys, where a bound asks for so many."""
MAX_BUILT_TEXT = 200_000
DEEP = 10
TOO_DEEP = 30
MAX_DRAWS = 500
DRAW = 10
"""To draw a value takes as long as so many looks at one."""
CHOICES = 12
SAMPLES = 4
"""So often strings are made for a pattern."""


class Nothing(Exception):
    """No value could be drawn here; try again."""


class _Pool(NamedTuple):
    """Values that the left side accepts, and those of them that something on the right side refuses."""

    accepted: list[Any]
    refused: list[Any]


class Sampler:
    """Draws values that `left` probably accepts, out of what both sides mention. Same seed, same documents."""

    def __init__(self, left: Side, right: Side, seed: int = 0) -> None:
        self._left, self._right = left.node(), right.node()
        self._rng = Random(seed)
        self._pools: dict[tuple[Node, Node], _Pool] = {}
        self._matches: dict[str, list[list[str]]] = {}
        self._draws = 0

    def document(self, focus: Path = (), aim: Aim = NO_AIM, *, spare: bool = False) -> Any:
        """A document that has something at `focus`; a `spare` one, as every third, has little besides what must be.

        The left side may refuse it all the same. Raises Nothing when the draw came to nothing.
        """
        self._draws = 0
        self._odds = 0.0 if spare else self._rng.choice((0.0, 0.3, 0.8))
        return self._draw(self._left, self._right, focus, 0, aim)

    def _draw(self, left: Node, right: Node, focus: Path, depth: int, aim: Aim = NO_AIM) -> Any:
        spend(DRAW)
        self._draws += 1
        if self._draws > MAX_DRAWS or depth > TOO_DEEP + len(focus):
            raise Nothing
        right = flat(right)
        case = aim.trail[0] if aim.trail else self._choose(left, focus, self._is_simple(focus, depth))
        if not focus and aim != NO_AIM:
            aimed = self._aimed(case, right, depth, aim)
            if aimed:
                return aimed[0]
        pool = self._pool(case, right)
        if pool.refused and not focus and self._rng.random() < 0.5:
            return self._rng.choice(pool.refused)
        kinds = [kind for kind in TYPES if kind in types_of(case) and _leads(kind, focus)]
        kind = self._one([kind for kind in kinds if depth < DEEP or kind not in ("array", "object")] or kinds)
        values = [value for value in pool.accepted if type_of(value) == kind]
        if kind == "object" and not values:
            return self._object(case, right, focus, depth, aim)
        if kind == "array" and not values:
            return self._array(case, right, focus, depth, aim)
        return self._one(values)

    def _aimed(self, case: Node, right: Node, depth: int, aim: Aim) -> list[Any]:
        """A value as the aim wants it, or nothing where it wants none in particular."""
        if aim.values:
            return [self._rng.choice(aim.values)]
        size = aim.size
        if size is not None and size >= 0:
            if aim.keyword in COUNTS["string"]:
                return [self._text(case, size)]
            make = self._array if aim.keyword in COUNTS["array"] else self._object
            return [make(case, right, (), depth, size=size)]
        if aim.keyword == "uniqueItems":
            return [self._array(case, right, (), depth, size=max(2, int(fewest(case, "array"))))]
        if aim.keyword in ("contains", "minContains", "maxContains"):
            return [self._containing(case, depth, aim)]
        return []

    def _text(self, case: Node, length: int) -> str:
        """A text of just this length that the case accepts."""
        if not fewest(case, "string") <= length <= min(most(case, "string"), MAX_BUILT_TEXT):
            raise Nothing
        spend(1 + length // DRAW)
        patterns = dict.fromkeys(part.keywords["pattern"] for part in case if "pattern" in part.keywords)
        begun = [text for pattern in patterns for text in self._matching(pattern) if len(text) <= length]
        texts = [sign * length for sign in "aA0 "]
        texts += [text + text[-1:] * (length - len(text)) for text in begun if text]
        return str(self._one([text for text in texts if len(text) == length and accepts(case, text)][:1]))

    def _matching(self, pattern: str) -> list[str]:
        """Some strings that match a pattern: they take long to make, so after a few times made ones come again."""
        known = self._matches.setdefault(pattern, [])
        if len(known) < SAMPLES:
            known.append(samples(pattern, self._rng))
            return known[-1]
        spend()
        return self._rng.choice(known)

    def _containing(self, case: Node, depth: int, aim: Aim) -> list[Any]:
        """An array with one element too few, or too many, that `contains` of the aim's part accepts."""
        assert aim.part is not None
        wanted = fold(*aim.part.subs("contains").values())
        many = aim.keyword == "maxContains"
        bound = aim.part.keywords.get("maxContains" if many else "minContains", 1)
        count = int(bound) + (1 if many else -1)
        least, top = int(fewest(case, "array")), most(case, "array")
        if not 0 <= count <= min(top, MAX_BUILT):
            raise Nothing
        own = fold(*(rule for part in case for rule in part.subs("contains").values()))
        drawn = [
            self._draw(element(case, at) + fold(*(wanted if many else own)), (), (), depth + 1)
            for at in range(min(count, MAX_LENGTH))
        ]
        drawn += drawn[-1:] * (count - len(drawn))
        for part in case:
            for rule in part.subs("contains").values():
                missing = int(part.keywords.get("minContains", 1)) - sum(map(rule.accepts, drawn))
                for _ in range(min(missing, MAX_LENGTH)):
                    drawn.append(self._draw(element(case, len(drawn)) + rule.folded, (), (), depth + 1))
        while len(drawn) < least:
            drawn.append(self._draw(element(case, len(drawn)), wanted, (), depth + 1))
        return drawn

    def _distinct(self, node: Node, count: int) -> list[Any]:
        """Whole numbers or texts, no two alike, that the node accepts."""
        kinds = types_of(node)
        spend(count)
        if "integer" in kinds:
            low = lowest(node, "integer")[0]
            first = int(low) if low > -math.inf else 0
            found: list[Any] = list(range(first, first + count))
        elif "string" in kinds:
            found = [str(number).rjust(int(fewest(node, "string")), "0") for number in range(count)]
        else:
            found = []
        if len(found) < count or not all(accepts(node, value) for value in found):
            raise Nothing
        return found

    def _odds_at(self, focus: Path, aim: Aim) -> float:
        """How likely it is that something is there which need not be: also in a spare document at its focus."""
        return self._odds or (0.5 if aim != NO_AIM and not focus else 0.0)

    def _is_simple(self, focus: Path, depth: int) -> bool:
        return not focus and (depth > 3 or not self._odds)

    def _one(self, values: list[Any]) -> Any:
        if not values:
            raise Nothing
        return self._rng.choice(values)

    def _choose(self, node: Node, focus: Path, simple: bool) -> Node:
        """The node with one branch chosen of each `anyOf`, `oneOf` and `if`; a `simple` one has no required keys."""
        found: Node | None = None
        for _ in range(CHOICES):
            done: list[Part] = []
            todo = list(node)
            while todo and len(done) < MAX_LENGTH:
                head = todo.pop()
                done.append(head)
                for branches in filter(None, (head.subs("anyOf"), head.subs("oneOf"))):
                    todo += self._rng.choice(list(branches.values())).folded
                if head.subs("if"):
                    ways = ("if", "then"), ("else",)
                    todo += fold(
                        *(part for name in self._rng.choice(ways) for part in head.subs(name).values())
                    )
            case = tuple(done)
            if any(_leads(kind, focus) for kind in types_of(case)):
                if not simple or not required(case):
                    return case
                found = found or case
        if found is None:
            raise Nothing
        return found

    def _pool(self, case: Node, right: Node) -> _Pool:
        """Values to take as they are: those that the case lists, or those without members that may tell."""
        if (case, right) not in self._pools:
            listed = next((part.listed for part in case if part.listed is not None), None)
            values = interesting((*case, *right), self._matching) if listed is None else listed
            kinds = types_of(case)
            accepted = [value for value in values if type_of(value) in kinds and accepts(case, value)]
            refused = [value for value in accepted if not accepts(right, value)]
            self._pools[case, right] = _Pool(accepted, refused)
        return self._pools[case, right]

    def _object(
        self, case: Node, right: Node, focus: Path, depth: int, aim: Aim = NO_AIM, size: int | None = None
    ) -> dict[str, Any]:
        parts = (*case, *right)
        other = self._other_key(parts)
        targets = [other if step is None else str(step) for step in focus[:1]]
        musts = dict.fromkeys([*required(case), *targets])
        names = dict.fromkeys([*musts, *named(parts), *required(right), other])
        odds = 0.0 if depth > DEEP else self._odds_at(focus, aim)
        chosen = [name for name in names if name in musts or self._rng.random() < odds]
        if size is not None:
            chosen = [*musts, *(name for name in names if name not in musts and types_of(child(case, name)))][
                :size
            ]
        elif depth <= DEEP or len(musts) < fewest(case, "object"):
            size = int(max(fewest(case, "object"), self._rng.choice([0, *near(parts, "object", MAX_LENGTH)])))
        if size is not None:
            chosen += [f"{UNKNOWN_KEY}_{number}" for number in range(min(size - len(chosen), MAX_BUILT))]
        drawn: dict[str, Any] = {}
        for name in chosen:
            onward, way = (focus[1:], aim.deeper()) if name in targets else ((), NO_AIM)
            if len(drawn) > MAX_LENGTH and name.startswith(UNKNOWN_KEY):
                drawn[name] = drawn[next(reversed(drawn))]
                continue
            try:
                drawn[name] = self._draw(child(case, name), child(right, name), onward, depth + 1, way)
            except Nothing:
                if name in musts:
                    raise
        return drawn

    def _other_key(self, parts: Node) -> str:
        """A key that the parts don't name, but may have a rule for."""
        rules = [flat(rule.folded) for part in parts for rule in part.subs("propertyNames").values()]
        patterns = dict.fromkeys(str(pattern) for part in parts for pattern in part.subs("patternProperties"))
        source = self._rng.choice([None, *rules, *patterns])
        if isinstance(source, str):
            keys = [near for text in self._matching(source) for near in (text, f"-{text}")]
        else:
            keys = [text for text in interesting(source or (), self._matching) if isinstance(text, str)]
        return self._rng.choice([UNKNOWN_KEY, *keys])

    def _array(
        self, case: Node, right: Node, focus: Path, depth: int, aim: Aim = NO_AIM, size: int | None = None
    ) -> list[Any]:
        parts = (*case, *right)
        prefix = max((len(part.subs("prefixItems")) for part in parts), default=0)
        target = -1 if not focus else prefix if focus[0] is None else int(focus[0])
        least, top = int(max(fewest(case, "array"), target + 1)), min(most(case, "array"), MAX_BUILT)
        lengths = [least, 0, 1, 2, prefix, prefix + 1, *near(parts, "array", MAX_LENGTH)]
        if size is not None:
            lengths = [size]
        elif depth > DEEP or not self._odds_at(focus, aim):
            lengths = [least]
        length = self._one([length for length in lengths if least <= length <= top])
        unique = any(part.keywords.get("uniqueItems") is True for part in case)
        if unique and size is not None and length > 1:
            return self._distinct(fold(*element(case, 0), *element(case, length)), length)
        repeats = self._rng.random() < 0.3
        drawn: list[Any] = []
        for at in range(min(length, MAX_LENGTH if size is None else prefix + 1)):
            contained = [rule for part in case for rule in part.subs("contains").values() if at == prefix]
            rules = element(case, at) + fold(*contained), element(right, at)
            onward, way = (focus[1:], aim.deeper()) if at == target else ((), NO_AIM)
            again = drawn[-1:] if repeats and at > prefix else []
            drawn += again or [self._draw(*rules, onward, depth + 1, way)]
        drawn += drawn[-1:] * (length - len(drawn))
        return drawn


def _leads(kind: str, focus: Path) -> bool:
    """Whether a value of this type can have something at the first step of `focus`."""
    wanted = {str: ("object",), int: ("array",), type(None): ("array", "object")}
    return not focus or kind in wanted[type(focus[0])]
