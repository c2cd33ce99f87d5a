"""What readers of a schema see of it, and how that changed: properties, types, values, bounds, defaults, texts.

This is no matter of validity: a property that goes from an open object refuses no document, and breaks its readers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from evalcontract.errors import SchemaError
from evalcontract.evolution.comparing.codes import BreakCode, Path, SchemaFinding, place, told
from evalcontract.evolution.comparing.keywords import ANNOTATIONS, TYPES, words
from evalcontract.evolution.comparing.parts import Node, Part, child, element, flat, fold, possible
from evalcontract.evolution.comparing.sides import Side
from evalcontract.evolution.comparing.unions import tags
from evalcontract.evolution.comparing.values import COUNTS, NUMBER_KEYWORDS, named, required
from evalcontract.values import frozen, same_value

MAX_PLACES = 20_000
MAX_LOOKS = 5_000_000
"""At properties, one time for each place that has them."""
UNIONS = ("anyOf", "oneOf")
TEXTS = ("title", "description")
WORDS = (
    *NUMBER_KEYWORDS,
    *(name for pair in COUNTS.values() for name in pair),
    "pattern",
    "uniqueItems",
    "default",
)

STRUCTURE = words(
    "$ref additionalProperties allOf const enum items patternProperties prefixItems properties required type"
)
FOLLOWED = frozenset((*WORDS, *TEXTS, *UNIONS, *ANNOTATIONS, *STRUCTURE))
"""Keywords with a look of their own here, or of no interest."""


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One difference: `what` is property, required, type, value, branch or a keyword.

    No `before` or `after` is absence. A branch of a union is told by the constants that tell it apart.
    """

    path: Path
    what: str
    before: tuple[Any, ...]
    after: tuple[Any, ...]
    old: str
    new: str


def changes(old: Side, new: Side) -> list[SchemaChange]:
    """Every difference between two versions of a schema, place by place in the document, references followed.

    Raises SchemaError when there are too many places to look at.
    """
    found: list[SchemaChange] = []
    looks = 0
    seen: set[tuple[frozenset[Part], frozenset[Part]]] = set()
    opened: set[tuple[frozenset[Part], frozenset[Part]]] = set()
    pending: list[tuple[Path, Node, Node, str, str]] = [
        ((), old.node(), new.node(), old.root.where, new.root.where)
    ]
    while pending:
        path, before, after, old_at, new_at = pending.pop()
        key = frozenset(before), frozenset(after)
        if key in seen or not (before or after):
            continue
        seen.add(key)
        looks += len(named(before)) + len(named(after))
        if len(seen) > MAX_PLACES or looks > MAX_LOOKS:
            raise SchemaError(
                f"{old.label} and {new.label} have more than {MAX_PLACES:,} places, or "
                f"{MAX_LOOKS:,} properties in all of them, to compare",
                hint="compare one definition at a time, as in FILE#/$defs/NAME",
            )
        old_at, new_at = (before[0].where if before else old_at), (after[0].where if after else new_at)
        kinds = possible(before) & possible(after)
        branches = _branches(before), _branches(after)
        if branches[0] and branches[1]:
            found += [SchemaChange(path, *change, old_at, new_at) for change in _changed_branches(*branches)]
            common = [tag for tag in branches[0] if tag in branches[1]]
            pending += [
                (path, branches[0][tag], branches[1][tag], old_at, new_at) for tag in reversed(common)
            ]
        spread = _alone if branches[0] and branches[1] else _mentioned
        found += [
            SchemaChange(path, *change, old_at, new_at) for change in _differences(before, after, spread)
        ]
        below = _saying(before), _saying(after)
        if below in opened:  # as its members were looked at before, where another reference led to it
            continue
        opened.add(below)
        before, after = spread(before), spread(after)
        kept = set(named(after))
        for name in reversed([name for name in named(before) if name in kept]):
            pending.append(((*path, name), child(before, name), child(after, name), old_at, new_at))
        for pattern in dict.fromkeys(_patterns(before)) if "object" in kinds else ():
            was, now = _rules(before, pattern), _rules(after, pattern)
            if was and now:
                pending.append(((*path, None), was, now, old_at, new_at))
        if "object" in kinds:
            pending.append(((*path, None), child(before, None), child(after, None), old_at, new_at))
        if "array" in kinds:
            pending.append(((*path, None), element(before, 0), element(after, 0), old_at, new_at))
    return found


def _saying(node: Node) -> frozenset[Part]:
    """The parts that refuse something by themselves, and don't just refer to others."""
    return frozenset(part for part in node if part.says)


def _branches(node: Node) -> dict[str, Node]:
    """The branches of a union by what tells them apart; nothing where one of them has no such constant."""
    found: dict[str, Node] = {}
    for part in node:
        for keyword in UNIONS:
            for branch in part.subs(keyword).values():
                tag = json.dumps(tags(branch.folded), sort_keys=True, ensure_ascii=False)
                if tag == "{}" or tag in found:
                    return {}
                found[tag] = branch.folded
    return found


def _changed_branches(
    before: dict[str, Node], after: dict[str, Node]
) -> Iterator[tuple[str, tuple[Any, ...], tuple[Any, ...]]]:
    yield from (("branch", (json.loads(tag),), ()) for tag in before if tag not in after)
    yield from (("branch", (), (json.loads(tag),)) for tag in after if tag not in before)


def _alone(node: Node) -> Node:
    return node


def lost(changes: Iterable[SchemaChange], new: str) -> Iterator[SchemaFinding]:
    """What readers miss or misread in the version called `new`, though documents stay valid."""
    for change in changes:
        path, code, sentence = change.path, BreakCode.DEFAULT_NO_CHANGE, ""
        if change.what == "property" and change.before:
            name = change.before[0]
            path, code = (*path, name), BreakCode.PROPERTY_NO_DELETE
            sentence = f"{new} no longer has the property {name!r}"
        elif change.what == "default" and change.before:
            was, now = told(change.before[0]), ", ".join(map(told, change.after))
            sentence = (
                f"{new} changes the default {was} to {now}" if now else f"{new} drops the default {was}"
            )
        if sentence:
            yield SchemaFinding(code, place(path), change.old, change.new, sentence)


def _mentioned(node: Node) -> Node:
    return flat(node, UNIONS, MAX_PLACES)


def _differences(
    before: Node, after: Node, spread: Callable[[Node], Node]
) -> list[tuple[str, tuple[Any, ...], tuple[Any, ...]]]:
    found: list[tuple[str, tuple[Any, ...], tuple[Any, ...]]] = []
    for what, one, other in (
        ("type", _types(before), _types(after)),
        *((what, see(spread(before)), see(spread(after))) for what, see in LISTS.items()),
    ):
        kept = set(map(frozen, one)) & set(map(frozen, other))
        found += [(what, (value,), ()) for value in one if frozen(value) not in kept]
        found += [(what, (), (value,)) for value in other if frozen(value) not in kept]
    others = {keyword for part in (*spread(before), *spread(after)) for keyword in part.keywords}
    for keyword in (*WORDS, *TEXTS, *sorted(others - FOLLOWED)):
        was, now = _said(before, keyword, spread), _said(after, keyword, spread)
        if len(was) != len(now) or not all(map(same_value, was, now)):
            found.append((keyword, was, now))
    return found


def _types(node: Node) -> list[str]:
    return [kind for kind in TYPES if kind in possible(node)]


def _values(node: Node) -> list[Any]:
    return [value for part in node for value in part.listed or ()]


def _said(node: Node, keyword: str, spread: Callable[[Node], Node]) -> tuple[Any, ...]:
    """What the node says with a keyword: texts and defaults in this place only, bounds in its branches too."""
    parts = node[:1] if keyword in TEXTS else node if keyword == "default" else spread(node)
    return tuple(part.keywords[keyword] for part in parts if keyword in part.keywords)


def _patterns(node: Node) -> list[str]:
    return [str(pattern) for part in node for pattern in part.subs("patternProperties")]


def _rules(node: Node, pattern: str) -> Node:
    """What the node asks of keys with just this pattern."""
    found = (part.subs("patternProperties").get(pattern) for part in node)
    return fold(*filter(None, found))


LISTS = {"property": named, "required": required, "value": _values, "patternProperties": _patterns}
SEEN = frozenset(("type", "branch", *LISTS))
"""What a change may be of besides a keyword."""
