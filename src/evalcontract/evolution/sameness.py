"""Whether two schemas say the same, word for word, once references are followed and annotations left out."""

from __future__ import annotations

from evalcontract.evolution.equality import same_value
from evalcontract.evolution.parts import ANNOTATIONS, ONE_SCHEMA, SCHEMA_LISTS, SCHEMA_MAPS, Part

DYNAMIC = frozenset(("$dynamicRef", "$recursiveRef"))
"""What these refer to depends on the way one came, so no two of them are ever called the same."""

FAMILIES = {
    keyword: family
    for family in (("if", "then", "else"), ("contains", "minContains", "maxContains"))
    for keyword in family
}
"""Keywords that mean something only together."""

NEIGHBOURS = frozenset(("unevaluatedItems", "unevaluatedProperties"))
"""Keywords whose meaning depends on everything beside them."""


class Sameness:
    """Compares parts of a left side with parts of a right one, and remembers what it found."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int], bool] = {}

    def parts(self, left: Part, right: Part) -> bool:
        """Whether the two accept the same values because they are written the same way."""
        key = (id(left.schema), id(right.schema))
        if key not in self._found:
            self._found[key] = _same(left, right, set())
        return self._found[key]

    def keyword(self, left: Part, right: Part, keyword: str) -> bool:
        """Whether both say the same with `keyword` and the keywords that belong to it."""
        if keyword in NEIGHBOURS or keyword in DYNAMIC:
            return False
        return _same_keywords(left, right, FAMILIES.get(keyword, (keyword,)), set())


def _same(left: Part, right: Part, assumed: set[tuple[int, int]]) -> bool:
    if isinstance(left.schema, bool) or isinstance(right.schema, bool):
        return left.schema is right.schema
    key = (id(left.schema), id(right.schema))
    if key in assumed:
        return True
    assumed.add(key)
    names = left.keywords.keys() - ANNOTATIONS
    if names != right.keywords.keys() - ANNOTATIONS or names & DYNAMIC:
        return False
    return _same_keywords(left, right, tuple(names), assumed)


def _same_keywords(left: Part, right: Part, names: tuple[str, ...], assumed: set[tuple[int, int]]) -> bool:
    return all(_same_keyword(left, right, name, assumed) for name in names)


def _same_keyword(left: Part, right: Part, name: str, assumed: set[tuple[int, int]]) -> bool:
    if (name in left.keywords) != (name in right.keywords):
        return False
    if name not in left.keywords:
        return True
    if name == "$ref":
        return _same(left.target(), right.target(), assumed)
    one, other = left.keywords[name], right.keywords[name]
    if name in SCHEMA_MAPS and one.keys() != other.keys():
        return False
    if name in SCHEMA_MAPS:
        return all(_same(left.sub(name, each), right.sub(name, each), assumed) for each in one)
    if name in ONE_SCHEMA or name in SCHEMA_LISTS:
        lefts, rights = left.subs(name), right.subs(name)
        return len(lefts) == len(rights) and all(map(_same, lefts, rights, [assumed] * len(lefts)))
    return same_value(one, other)
