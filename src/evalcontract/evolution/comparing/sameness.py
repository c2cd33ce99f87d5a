"""Whether two schemas say the same, word for word, once references are followed and annotations left out."""

from __future__ import annotations

from evalcontract.evolution.comparing.parts import Part, annotates, words
from evalcontract.values import same_value

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
    return _same(left, right, set())


def same_keyword(left: Part, right: Part, keyword: str) -> bool:
    """Whether both say the same with `keyword` and the keywords that belong to it."""
    names = FAMILIES.get(keyword, (keyword,))
    known = left.keywords.keys() | right.keywords.keys()
    alone = known.isdisjoint(NEIGHBOURS.intersection(names))
    return alone and all(_same_said(left, right, name, set()) for name in names)


def _same(left: Part, right: Part, assumed: set[tuple[Part, Part]]) -> bool:
    """Two that are met again, always deeper in the document, may be assumed to be the same."""
    if (left, right) in assumed:
        return True
    assumed.add((left, right))
    if isinstance(left.schema, bool) or isinstance(right.schema, bool):
        return left.schema is right.schema
    names = left.keywords.keys() | right.keywords.keys()
    return all(_same_said(left, right, name, assumed) for name in names if not annotates(name))


def _same_said(left: Part, right: Part, name: str, assumed: set[tuple[Part, Part]]) -> bool:
    ours, theirs = left.subs(name), right.subs(name)
    if ours or theirs:
        return ours.keys() == theirs.keys() and all(_same(ours[at], theirs[at], assumed) for at in ours)
    said = [part.keywords[name] for part in (left, right) if name in part.keywords]
    return not said or (len(said) == 2 and same_value(*said))
