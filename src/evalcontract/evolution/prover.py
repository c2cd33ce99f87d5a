"""Proves that every document of one schema is a document of another, or says what stands in the way.

The left side may be taken too wide, never too narrow: keywords that aren't understood are left out of it. The right
side is taken keyword by keyword: each must follow from the left, and what isn't understood follows only from itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product
from math import prod
from typing import Any, TypeAlias

from evalcontract.evolution.codes import Code, code_of
from evalcontract.evolution.implied import FOLDED, IMPLIED, OF_ARRAYS, OF_OBJECTS, OPAQUE
from evalcontract.evolution.obstacles import GaveUp, Obstacle, Path, type_names
from evalcontract.evolution.parts import (
    Node,
    Part,
    child,
    constrains,
    element,
    fold,
    fold_all,
    matched,
    named,
    patterns_of,
)
from evalcontract.evolution.sameness import FAMILIES, Sameness
from evalcontract.evolution.sides import Side
from evalcontract.evolution.values import (
    ALL_TYPES,
    TYPES,
    Possible,
    closed_keys,
    few_values,
    most,
    required,
    types_of,
    vacuous,
)

Key: TypeAlias = tuple[frozenset[int], frozenset[int]]

WORK = 20_000
MAX_CASES = 256
MAX_CHOICES = 4_096
MAX_PATTERNS = 6
MAX_NESTING = 100

VERSION_TAG = re.compile(r"v?[0-9]+(\.[0-9]+){1,3}")
A_STRING = {"type": "string"}


class Prover:
    """`proved`: every document of `left` is one of `right`. If not, `obstacles` or `gave_up` say why."""

    def __init__(self, left: Side, right: Side) -> None:
        self.obstacles: list[Obstacle] = []
        self.gave_up: str | None = None
        self._labels = left.label, right.label
        self._anchor = left.root.where
        self._same = Sameness()
        self._possible = Possible()
        self._work = WORK
        self._nesting = 0
        self._assumed: dict[Key, None] = {}
        try:
            self.proved = self._holds(left.node(), right.node(), ())
        except GaveUp as reason:
            self.proved, self.gave_up = False, str(reason)

    def _spend(self) -> None:
        self._work -= 1
        if self._work < 0:
            raise GaveUp(f"not settled within {WORK:,} steps")

    def _fails(
        self,
        keyword: str,
        path: Path,
        case: Node,
        part: Part,
        clause: str,
        code: Code | None = None,
        more: str = "",
    ) -> bool:
        left = next((each for each in case if keyword in each.keywords), None)
        old, new = self._labels
        contrast = "does" if clause.startswith("does not") else "does not"
        obstacle = Obstacle(
            code or code_of(keyword),
            path,
            keyword,
            f"{left.where}/{keyword}" if left else self._anchor,
            f"{part.where}/{keyword}" if keyword in part.keywords else part.where,
            f"{new} {clause}, {old} {contrast}{more}",
        )
        if not any(
            each.sentence == obstacle.sentence and each.right == obstacle.right for each in self.obstacles
        ):
            self.obstacles.append(obstacle)
        return False

    def _try(self, proof: Iterable[bool]) -> bool:
        """Whether the proof holds; one that doesn't leaves no obstacles behind."""
        mark = len(self.obstacles)
        if all(proof):
            return True
        del self.obstacles[mark:]
        return False

    def _holds(self, left: Node, right: Node, path: Path) -> bool:
        """Left implies right. A pair met again, always deeper in the document, may be assumed: documents are finite."""
        key = frozenset(id(part.schema) for part in left), frozenset(id(part.schema) for part in right)
        if not right or key in self._assumed:
            return True
        if len(path) > MAX_NESTING:
            raise GaveUp(f"{right[0].where} is nested more than {MAX_NESTING} levels deep")
        mark, outer = len(self._assumed), self._anchor
        self._assumed[key] = None
        self._anchor = left[0].where if left else outer
        proved = _every(self._case(case, ALL_TYPES, right, path) for case in self._cases(left))
        self._anchor = outer
        while not proved and len(self._assumed) > mark:
            self._assumed.popitem()  # with the pair goes everything that was proved by assuming it
        return proved

    def _cases(self, node: Node) -> Iterator[Node]:
        """The node as a union of nodes, one for each choice among its `anyOf` and `oneOf` branches."""
        pending: list[tuple[Node, Node]] = [((), node)]
        count = 0
        while pending:
            self._spend()
            done, todo = pending.pop()
            if not types_of(done + todo):
                continue
            if not todo:
                count += 1
                if count > MAX_CASES:
                    raise GaveUp(f"more than {MAX_CASES} combinations of anyOf branches")
                yield done
                continue
            head, rest = todo[0], todo[1:]
            unions = [head.subs(keyword) for keyword in ("anyOf", "oneOf") if keyword in head.keywords]
            if prod(map(len, unions)) > MAX_CHOICES:
                raise GaveUp(f"{head.where} has more than {MAX_CHOICES} combinations of branches")
            for choice in reversed(list(product(*unions))):
                pending.append(((*done, head), rest + fold_all(list(choice))))

    def _case(self, case: Node, kinds: frozenset[str], right: Node, path: Path) -> bool:
        """All values of these types in a node without open choices are accepted by every part of `right`."""
        self._spend()
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            raise GaveUp(f"nested more than {MAX_NESTING} levels deep")
        left = frozenset(kind for kind in kinds & types_of(case) if not vacuous(case, kind))
        wanted = [part for part in right if not any(self._same.parts(each, part) for each in case)]
        proved = _every(self._part(case, left, part, path) for part in wanted)
        self._nesting -= 1
        return proved

    def _part(self, case: Node, kinds: frozenset[str], part: Part, path: Path) -> bool:
        possible = self._possible.of((part,))
        lost = kinds - possible
        if lost:
            self._fails("type", path, case, part, f"does not accept {type_names(lost)}")
        kept = [kind for kind in TYPES if kind in kinds & possible]
        return _every(self._kind(case, kind, part, path) for kind in kept) and not lost

    def _kind(self, case: Node, kind: str, part: Part, path: Path) -> bool:
        """All values of one type in `case` are accepted by the keywords of `part`."""
        values = few_values(case, kind)
        if values is not None:
            return self._values(case, values, part, path)
        present = part.keywords.keys() - FOLDED
        proofs = [self._keyword(case, kind, part, name, path) for name in part.keywords if name in present]
        if kind == "object" and present & OF_OBJECTS:
            proofs.append(self._properties(case, part, path))
        if kind == "array" and present & OF_ARRAYS:
            proofs.append(self._elements(case, part, path))
        return all(proofs)

    def _values(self, case: Node, values: list[Any], part: Part, path: Path) -> bool:
        refused = [(value, error) for value in values for error in [next(part.errors(value), None)] if error]
        if not refused:
            return True
        cause = refused[0][1]
        while cause.context:
            cause = next((each for each in cause.context if each.validator != "type"), cause.context[0])
        some = ", ".join(repr(value)[:40] for value, _ in refused[:5]) + (", ..." if len(refused) > 5 else "")
        tagged = cause.validator == "const" and all(VERSION_TAG.fullmatch(str(value)) for value, _ in refused)
        more = "; a version tag must not be a const of the schema" if tagged else ""
        return self._fails(str(cause.validator), path, case, part, f"does not accept {some}", more=more)

    def _keyword(self, case: Node, kind: str, part: Part, name: str, path: Path) -> bool:
        if name in OF_OBJECTS or name in OF_ARRAYS:
            return True
        if any(self._same.keyword(each, part, name) for each in case):
            return True
        value = part.keywords[name]
        if name in IMPLIED:
            kinds, implied = IMPLIED[name]
            if kind not in kinds or implied(case, kind, value):
                return True
            return self._fails(name, path, case, part, f"wants {name} {value!r}")
        if name in ("anyOf", "oneOf"):
            return self._union(case, kind, part, name, path)
        if name == "required":
            known = set(required(case))
            missing = [each for each in value if each not in known] if kind == "object" else []
            return _every(
                self._fails(name, (*path, each), case, part, f"requires {each!r}") for each in missing
            )
        if name == "propertyNames":
            return kind != "object" or self._names(case, part, path)
        if name == "pattern":
            return kind != "string" or self._fails(name, path, case, part, f"wants pattern {value!r}")
        if name in ("enum", "const"):
            return self._fails(name, path, case, part, "accepts listed values only")
        if kind not in OPAQUE.get(name, TYPES):
            return True
        if name in FAMILIES and name != next(each for each in FAMILIES[name] if each in part.keywords):
            return True  # said once for the family
        return self._fails(name, path, case, part, f"has {name!r}, which is compared word for word only")

    def _union(self, case: Node, kind: str, part: Part, name: str, path: Path) -> bool:
        """Some branch accepts all of `case`, and under `oneOf` no other branch accepts any of it."""
        nodes = [fold(branch) for branch in part.subs(name)]
        fits = [node for node in nodes if kind in self._possible.of(node)]
        if len(fits) == 1:
            return self._case(case, frozenset((kind,)), fits[0], path)
        for node in fits:
            others = [other for other in fits if other is not node] if name == "oneOf" else []
            if all(self._excludes(case, kind, other) for other in others) and self._try(
                self._case(case, frozenset((kind,)), each, path) for each in [node]
            ):
                return True
        return self._fails(name, path, case, part, f"accepts only what {name} lists, branch by branch")

    def _excludes(self, case: Node, kind: str, other: Node) -> bool:
        """No value of this type in `case` is accepted by `other`: by type, by value, or by a required key."""
        if kind not in self._possible.of(other):
            return True
        values = few_values(case, kind)
        if values is not None:
            return not any(all(part.accepts(value) for part in other) for value in values)
        names = required(case) if kind == "object" else []
        return any(
            self._apart(child(case, name, matched(case, name)), child(other, name, matched(other, name)))
            for name in names
        )

    def _apart(self, left: Node, right: Node) -> bool:
        if not right:
            return False
        return all(
            self._excludes(case, kind, right) for case in self._cases(left) for kind in sorted(types_of(case))
        )

    def _properties(self, case: Node, part: Part, path: Path) -> bool:
        names = dict.fromkeys(chain(named(part), *map(named, case), required(case)))
        patterns = patterns_of((*case, part))
        if len(patterns) > MAX_PATTERNS:
            raise GaveUp(f"{part.where}: more than {MAX_PATTERNS} patterns for keys")
        others = chain.from_iterable(combinations(patterns, size) for size in range(len(patterns) + 1))
        named_keys = ((name, matched((*case, part), name)) for name in names)
        keys = chain(named_keys, ((None, frozenset(each)) for each in others))
        return _every(self._property(case, part, name, hits, path) for name, hits in keys)

    def _property(self, case: Node, part: Part, name: str | None, hits: frozenset[str], path: Path) -> bool:
        left, right = child(case, name, hits), child((part,), name, hits)
        proof = (self._holds(left, right, (*path, name)) for _ in range(1))
        known = required(case) + [each for one in case for each in named(one)]
        if name is None or name in known or constrains(left):
            return all(proof)
        return self._try(proof) or self._fails(
            "properties",
            (*path, name),
            case,
            part.sub("properties", name),
            f"restricts the values of {name!r}",
            Code.NEW_PROPERTY_ON_OPEN_OBJECT,
        )

    def _elements(self, case: Node, part: Part, path: Path) -> bool:
        longest = max(len(each.subs("prefixItems")) for each in (*case, part))
        proofs = []
        for index in range(longest + 1):
            if index < most(case, "array"):
                right = element((part,), index)
                step = index if index < longest else None
                proofs.append(self._holds(element(case, index), right, (*path, step)))
        return all(proofs)

    def _names(self, case: Node, part: Part, path: Path) -> bool:
        wanted = part.sub("propertyNames")
        for keys in (keys for each in case if (keys := closed_keys(each)) is not None):
            if all(wanted.accepts(key) for key in keys):
                return True
        known = [each for one in case for each in one.subs("propertyNames")]
        left = fold_all([*known, Part(A_STRING, part.resolver, part.where)])
        return self._try(
            self._case(each, ALL_TYPES, fold(wanted), (*path, None)) for each in self._cases(left)
        ) or self._fails("propertyNames", path, case, part, "restricts the names of keys")


def _every(results: Iterable[bool]) -> bool:
    """Like `all`, but without stopping at the first False, so that every obstacle is found."""
    return False not in list(results)
