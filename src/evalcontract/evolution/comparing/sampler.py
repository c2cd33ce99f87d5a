"""Draws documents of one schema that have a chance of being refused by another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from evalcontract.evolution.comparing.codes import Path
from evalcontract.evolution.comparing.parts import (
    TYPES,
    Node,
    Part,
    accepts,
    child,
    element,
    flat,
    fold,
    types_of,
)
from evalcontract.evolution.comparing.sides import Side
from evalcontract.evolution.comparing.strings import samples
from evalcontract.evolution.comparing.values import COUNTS, NUMBER_KEYWORDS, fewest, most, named, required
from evalcontract.evolution.comparing.work import spend
from evalcontract.values import type_of

UNKNOWN_KEY = "x_unknown"
MAX_LENGTH = 40
MAX_TEXT = 4000
DEEP = 10
TOO_DEEP = 30
MAX_DRAWS = 500
DRAW = 10
"""To draw a value takes as long as so many looks at one."""
CHOICES = 12


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
        self._draws = 0

    def document(self, focus: Path = ()) -> Any:
        """A document that has something at `focus`; every third one has little besides what must be there.

        The left side may refuse it all the same. Raises Nothing when the draw came to nothing.
        """
        self._draws = 0
        self._odds = self._rng.choice((0.0, 0.3, 0.8))
        return self._draw(self._left, self._right, focus, 0)

    def _draw(self, left: Node, right: Node, focus: Path, depth: int) -> Any:
        spend(DRAW)
        self._draws += 1
        if self._draws > MAX_DRAWS or depth > TOO_DEEP + len(focus):
            raise Nothing
        right = flat(right)
        case = self._choose(left, focus)
        pool = self._pool(case, right)
        if pool.refused and not focus and self._rng.random() < 0.5:
            return self._rng.choice(pool.refused)
        kinds = [kind for kind in TYPES if kind in types_of(case) and _leads(kind, focus)]
        kind = self._one([kind for kind in kinds if depth < DEEP or kind not in ("array", "object")] or kinds)
        values = [value for value in pool.accepted if type_of(value) == kind]
        if kind == "object" and not values:
            return self._object(case, right, focus, depth)
        if kind == "array" and not values:
            return self._array(case, right, focus, depth)
        return self._one(values)

    def _one(self, values: list[Any]) -> Any:
        if not values:
            raise Nothing
        return self._rng.choice(values)

    def _choose(self, node: Node, focus: Path) -> Node:
        """The node with one branch chosen for each `anyOf` and `oneOf`."""
        for _ in range(CHOICES):
            done: list[Part] = []
            todo = list(node)
            while todo and len(done) < MAX_LENGTH:
                head = todo.pop()
                done.append(head)
                for branches in filter(None, (head.subs("anyOf"), head.subs("oneOf"))):
                    todo += self._rng.choice(list(branches.values())).folded
            if any(_leads(kind, focus) for kind in types_of(tuple(done))):
                return tuple(done)
        raise Nothing

    def _pool(self, case: Node, right: Node) -> _Pool:
        """Values to take as they are: those that the case lists, or those without members that may tell."""
        if (case, right) not in self._pools:
            listed = next((part.listed for part in case if part.listed is not None), None)
            values = self._interesting((*case, *right)) if listed is None else listed
            kinds = types_of(case)
            accepted = [value for value in values if type_of(value) in kinds and accepts(case, value)]
            refused = [value for value in accepted if not accepts(right, value)]
            self._pools[case, right] = _Pool(accepted, refused)
        return self._pools[case, right]

    def _interesting(self, parts: Node) -> list[Any]:
        """Scalars at and around everything that the parts say of scalars."""
        bounds = [part.keywords[name] for part in parts for name in NUMBER_KEYWORDS if name in part.keywords]
        patterns = dict.fromkeys(part.keywords["pattern"] for part in parts if "pattern" in part.keywords)
        texts = [text for pattern in patterns for text in samples(pattern, self._rng)]
        return [
            *(None, False, True, 0, 1, -1, 0.5, -0.5),
            *(math.floor(bound) + step for bound in bounds for step in (-1, 0, 1, 2)),
            *(bound + step for bound in bounds for step in (-0.25, 0, 0.25)),
            *("a" * length for length in sorted({0, 1, *_near(parts, "string", MAX_TEXT)})),
            *(near for text in texts for near in (text, text[:-1], f"{text}x", f"-{text}")),
            *(each for part in parts for each in part.listed or () if not isinstance(each, dict | list)),
        ]

    def _object(self, case: Node, right: Node, focus: Path, depth: int) -> dict[str, Any]:
        parts = (*case, *right)
        other = self._other_key(parts)
        targets = [other if step is None else str(step) for step in focus[:1]]
        musts = dict.fromkeys([*required(case), *targets])
        names = dict.fromkeys([*musts, *named(parts), *required(right), other])
        odds = 0.0 if depth > DEEP else self._odds
        chosen = [name for name in names if name in musts or self._rng.random() < odds]
        size = max(fewest(case, "object"), self._rng.choice([0, *_near(parts, "object", MAX_LENGTH)]))
        missing = min(int(size) - len(chosen), MAX_LENGTH)
        chosen += [f"{UNKNOWN_KEY}_{number}" for number in range(missing)]
        drawn: dict[str, Any] = {}
        for name in chosen:
            onward = focus[1:] if name in targets else ()
            try:
                drawn[name] = self._draw(child(case, name), child(right, name), onward, depth + 1)
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
            keys = [near for text in samples(source, self._rng) for near in (text, f"-{text}")]
        else:
            keys = [text for text in self._interesting(source or ()) if isinstance(text, str)]
        return self._rng.choice([UNKNOWN_KEY, *keys])

    def _array(self, case: Node, right: Node, focus: Path, depth: int) -> list[Any]:
        parts = (*case, *right)
        prefix = max((len(part.subs("prefixItems")) for part in parts), default=0)
        target = -1 if not focus else prefix if focus[0] is None else int(focus[0])
        least, top = int(max(fewest(case, "array"), target + 1)), most(case, "array")
        lengths = [least, 0, 1, 2, prefix, prefix + 1, *_near(parts, "array", MAX_LENGTH)]
        if not self._odds or depth > DEEP:
            lengths = [least]
        length = self._one([each for each in lengths if least <= each <= min(top, MAX_LENGTH)])
        repeats = self._rng.random() < 0.3
        drawn: list[Any] = []
        for at in range(length):
            contained = [rule for part in case for rule in part.subs("contains").values() if at == prefix]
            rules = element(case, at) + fold(*contained), element(right, at)
            onward = focus[1:] if at == target else ()
            again = drawn[-1:] if repeats and at > prefix else []
            drawn += again or [self._draw(*rules, onward, depth + 1)]
        return drawn


def _leads(kind: str, focus: Path) -> bool:
    """Whether a value of this type can have something at the first step of `focus`."""
    wanted = {str: ("object",), int: ("array",), type(None): ("array", "object")}
    return not focus or kind in wanted[type(focus[0])]


def _near(parts: Node, kind: str, limit: int) -> Iterator[int]:
    """Lengths at, just under and just over what the parts say."""
    for bound in (
        int(part.keywords[name]) for part in parts for name in COUNTS[kind] if name in part.keywords
    ):
        yield from (each for each in (bound - 1, bound, bound + 1) if 0 <= each <= limit)
