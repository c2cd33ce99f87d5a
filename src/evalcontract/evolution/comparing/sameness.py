"""Whether two schemas say the same, word for word, once references are followed and annotations left out."""

from __future__ import annotations

from typing import TypeAlias

from evalcontract.evolution.comparing.keywords import annotates, words
from evalcontract.evolution.comparing.parts import Part
from evalcontract.values import same_value

Pair: TypeAlias = tuple[Part, Part]

FAMILIES = {
    keyword: words(family)
    for family in (
        "properties patternProperties additionalProperties unevaluatedProperties",
        "prefixItems items unevaluatedItems",
        "if then else",
        "contains minContains maxContains",
    )
    for keyword in words(family)
}
"""Keywords that mean something only together."""

NEIGHBOURS = frozenset(("unevaluatedItems", "unevaluatedProperties"))
"""Keywords whose meaning depends on everything beside them."""


def same_part(left: Part, right: Part) -> bool:
    """Whether the two accept the same values because they are written the same way."""
    return _same([(left, right)])


def same_keyword(left: Part, right: Part, keyword: str) -> bool:
    """Whether both say the same with `keyword` and the keywords that belong to it."""
    names = FAMILIES.get(keyword, (keyword,))
    known = left.keywords.keys() | right.keywords.keys()
    if not known.isdisjoint(NEIGHBOURS.intersection(names)):
        return False
    below = [_pairs_below(left, right, name) for name in names]
    return all(pairs is not None and _same(pairs) for pairs in below)


def _same(pending: list[Pair]) -> bool:
    """Two that are met again, always deeper in the document, may be assumed to be the same."""
    seen: set[Pair] = set()
    while pending:
        left, right = pair = pending.pop()
        if pair in seen:
            continue
        seen.add(pair)
        if isinstance(left.schema, bool) or isinstance(right.schema, bool):
            if left.schema is not right.schema:
                return False
            continue
        for name in left.keywords.keys() | right.keywords.keys():
            below = () if annotates(name) else _pairs_below(left, right, name)
            if below is None:
                return False
            pending += below
    return True


def _pairs_below(left: Part, right: Part, name: str) -> list[Pair] | None:
    """What must be the same for a keyword to say the same in both; None when it doesn't anyway."""
    ours, theirs = left.subs(name), right.subs(name)
    if ours or theirs:
        return [(ours[at], theirs[at]) for at in ours] if ours.keys() == theirs.keys() else None
    said = [part.keywords[name] for part in (left, right) if name in part.keywords]
    return [] if not said or (len(said) == 2 and same_value(*said)) else None
