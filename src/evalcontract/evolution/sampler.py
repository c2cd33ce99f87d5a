"""Draws documents of one schema that have a chance of being refused by another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from evalcontract.evolution.obstacles import Path
from evalcontract.evolution.parts import (
    Node,
    Part,
    child,
    element,
    flat,
    fold,
    fold_all,
    matched,
    named,
    patterns_of,
)
from evalcontract.evolution.sides import Side
from evalcontract.evolution.strings import samples
from evalcontract.evolution.values import (
    COUNTS,
    NUMBER_KEYWORDS,
    TYPES,
    fewest,
    listed,
    most,
    required,
    types_of,
)

UNKNOWN_KEY = "x_unknown"
MAX_LENGTH = 40
MAX_TEXT = 4000
DEEP = 10
TOO_DEEP = 30
MAX_DRAWS = 500
ALL_DRAWS = 8_000
CHOICES = 12


class Nothing(Exception):
    """No value could be drawn here; try again."""


class _Scalars(NamedTuple):
    """Values that the left side accepts, and those of them that something on the right side refuses."""

    accepted: list[Any]
    refused: list[Any]


class Sampler:
    """Draws values that `left` probably accepts, out of what both sides mention. Same seed, same documents."""

    def __init__(self, left: Side, right: Side, seed: int = 0) -> None:
        self._left = left.node()
        self._right = right.node()
        self._rng = Random(seed)
        self._draws = 0
        self._left_to_draw = ALL_DRAWS
        self._scalar_cache: dict[tuple[Any, ...], _Scalars] = {}

    def document(self, focus: Path = (), *, minimal: bool = False) -> Any:
        """A document that has something at `focus`. Raises Nothing when the draw came to nothing.

        `minimal`: only what the left side requires. The document may still be one that the left refuses.
        """
        self._draws = 0
        if self._left_to_draw < 0:
            raise Nothing
        return self._draw(self._left, self._right, focus, 0, minimal)

    def _draw(self, left: Node, right: Node, focus: Path, depth: int, minimal: bool) -> Any:
        self._draws += 1
        self._left_to_draw -= 1
        if self._draws > MAX_DRAWS or depth > TOO_DEEP + len(focus):
            raise Nothing
        right = flat(right)
        case = self._choose(left, focus)
        values = next((found for part in case if (found := listed(part)) is not None), None)
        if values is not None:
            return self._one([value for value in values if all(part.accepts(value) for part in case)])
        kinds = [kind for kind in TYPES if kind in types_of(case) and (not focus or _leads(kind, focus[0]))]
        if not focus and self._rng.random() < 0.5:
            refused = [value for kind in kinds for value in self._scalars(case, kind, right).refused]
            if refused:
                return self._one(refused)
        kind = self._one([kind for kind in kinds if depth < DEEP or kind not in COUNTS] or kinds)
        if kind == "object":
            return self._object(case, right, focus, depth, minimal)
        if kind == "array":
            return self._array(case, right, focus, depth, minimal)
        return self._one(self._scalars(case, kind, right).accepted)

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
                    todo += fold(self._rng.choice(branches))
            kinds = types_of(tuple(done))
            if kinds if not focus else any(_leads(kind, focus[0]) for kind in kinds):
                return tuple(done)
        raise Nothing

    def _scalars(self, case: Node, kind: str, right: Node) -> _Scalars:
        """Values of a type without members that the case accepts, the interesting ones of both sides."""
        key = (kind, *(id(part.schema) for part in case), None, *(id(part.schema) for part in right))
        if key not in self._scalar_cache:
            values = self._interesting((*case, *right), kind)
            accepted = [value for value in values if all(part.accepts(value) for part in case)]
            refused = [value for value in accepted if not all(part.accepts(value) for part in right)]
            self._scalar_cache[key] = _Scalars(accepted, refused)
        return self._scalar_cache[key]

    def _interesting(self, parts: Node, kind: str) -> list[Any]:
        if kind in ("null", "boolean"):
            return [None] if kind == "null" else [False, True]
        extra = [value for part in parts for value in listed(part) or ()]
        if kind == "string":
            lengths = {0, 1, *_near(parts, COUNTS[kind], MAX_TEXT)}
            patterns = dict.fromkeys(part.keywords["pattern"] for part in parts if "pattern" in part.keywords)
            for text in (text for pattern in patterns for text in samples(pattern, self._rng)):
                extra += [text, text[:-1], f"{text}x", f"-{text}"]
            return [
                *("a" * length for length in sorted(lengths)),
                *(each for each in extra if isinstance(each, str)),
            ]
        if kind in ("integer", "fraction"):
            bounds = [
                part.keywords[name] for part in parts for name in NUMBER_KEYWORDS if name in part.keywords
            ]
            whole = {0, 1, -1, *(math.floor(each) + step for each in bounds for step in (-1, 0, 1, 2))}
            near = {0.5, -0.5, *(each + step for each in bounds for step in (-0.25, 0, 0.25))}
            return sorted(whole) if kind == "integer" else sorted(each for each in near if each % 1)
        return []

    def _object(self, case: Node, right: Node, focus: Path, depth: int, minimal: bool) -> dict[str, Any]:
        parts = (*case, *right)
        patterns = patterns_of(parts)
        musts = dict.fromkeys(
            [*required(case), *([] if not focus else [focus[0] or self._other_key(parts, patterns)])]
        )
        names = dict.fromkeys([*musts, *(name for part in parts for name in named(part)), *required(right)])
        odds = 0.0 if minimal or depth > DEEP else self._rng.choice((0.2, 0.5, 0.9))
        chosen = [name for name in names if name in musts or self._rng.random() < odds]
        if self._rng.random() < odds:
            chosen.append(self._other_key(parts, patterns))
        size = self._one([*_near(parts, COUNTS["object"], MAX_LENGTH), 0])
        chosen += [
            f"{UNKNOWN_KEY}_{number}"
            for number in range(max(size, int(fewest(case, "object"))) - len(chosen))
        ]
        drawn: dict[str, Any] = {}
        for name in dict.fromkeys(str(each) for each in chosen):
            hits = matched(parts, name)
            onward = focus[1:] if focus and name == (focus[0] or list(musts)[-1]) else ()
            try:
                below = child(case, name, hits), child(right, name, hits)
                drawn[name] = self._draw(*below, onward, depth + 1, minimal)
            except Nothing:
                if name in musts:
                    raise
        return drawn

    def _other_key(self, parts: Node, patterns: list[str]) -> str:
        rules = [flat(fold(part.sub("propertyNames"))) for part in parts if "propertyNames" in part.keywords]
        keys = [text for rule in rules for text in self._interesting(rule, "string")]
        keys += [text for pattern in patterns for text in samples(pattern, self._rng)]
        return str(self._one([UNKNOWN_KEY, *keys]))

    def _array(self, case: Node, right: Node, focus: Path, depth: int, minimal: bool) -> list[Any]:
        least, top = fewest(case, "array"), most(case, "array")
        prefix = max((len(part.subs("prefixItems")) for part in (*case, *right)), default=0)
        index = prefix if focus and focus[0] is None else int(focus[0] or 0) if focus else -1
        lengths = {
            0,
            1,
            2,
            prefix,
            prefix + 1,
            int(least),
            *_near((*case, *right), COUNTS["array"], MAX_LENGTH),
        }
        if minimal or depth > DEEP:
            lengths = {int(least), index + 1}
        length = self._one([each for each in sorted(lengths) if max(least, index + 1) <= each <= top])
        drawn: list[Any] = []
        repeats = self._rng.random() < 0.3
        for at in range(min(length, MAX_LENGTH)):
            if repeats and at > prefix:
                drawn.append(drawn[-1])
                continue
            onward = focus[1:] if at == index else ()
            contained = [
                part.sub("contains") for part in case if "contains" in part.keywords and at == prefix
            ]
            each = element(case, at) + fold_all(contained)
            drawn.append(self._draw(each, element(right, at), onward, depth + 1, minimal))
        return drawn


def _leads(kind: str, step: str | int | None) -> bool:
    """Whether a value of this type can have something at `step`."""
    return (
        kind == "object" if isinstance(step, str) else kind == "array" or (step is None and kind == "object")
    )


def _near(parts: Node, keywords: tuple[str, str], limit: int) -> Iterator[int]:
    """Lengths at, just under and just over what the keywords say."""
    for part in parts:
        for bound in (int(part.keywords[name]) for name in keywords if name in part.keywords):
            yield from (each for each in (bound - 1, bound, bound + 1) if 0 <= each <= limit)
