"""Findings: the first ones in full, the rest counted by code and place."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby

from evalcontract.checking.result import Group
from evalcontract.validation import Violation
from evalcontract.values import cut

_INDEX = re.compile(r"/[0-9]+(?=/|$)")
NO_DOCUMENT = -1
_LONGEST = 500

GroupKey = tuple[str, str, str, str]


@dataclass(slots=True)
class Findings:
    """Keeps the first `limit` findings; only counts further ones, by file, code, kind of place and severity."""

    limit: int
    kept: list[Violation] = field(default_factory=list)
    groups: Counter[GroupKey] = field(default_factory=Counter)

    def add(self, violations: Iterable[Violation], index: int = NO_DOCUMENT) -> None:
        """Keep or count each finding about the document with this number."""
        for violation in violations:
            if len(self.kept) < self.limit:
                self.keep(_bounded(violation), index)
            else:
                self.count([violation], violation.file or "")

    def count(self, violations: Iterable[Violation], file: str) -> None:
        """Count findings in a file without keeping any."""
        for violation in violations:
            self.groups[file, violation.code, kind_of_place(violation.pointer), violation.severity] += 1

    def keep(self, violation: Violation, index: int) -> None:
        """Keep one finding in full."""
        self.kept.append(violation)

    @property
    def full(self) -> bool:
        """Whether further findings are only counted: they need no line and no column."""
        return len(self.kept) >= self.limit

    @property
    def room(self) -> int:
        """How many more findings will be kept in full."""
        return self.limit - len(self.kept)

    def counted(self) -> tuple[Group, ...]:
        """The findings that are not given in full, most frequent first within a file."""
        return tuple(
            Group(file, code, place, severity, count)
            for (file, code, place, severity), count in sorted(
                self.groups.items(), key=lambda item: (item[0][0], -item[1], item[0])
            )
        )


@lru_cache(maxsize=1000)
def kind_of_place(pointer: str) -> str:
    """A pointer with any index in it: findings at one kind of place are counted together."""
    return _INDEX.sub("/*", cut(pointer, _LONGEST))


def _bounded(violation: Violation) -> Violation:
    """The violation, with an id and a place that don't fill the memory."""
    item_id, pointer = cut(violation.item_id or "", _LONGEST), cut(violation.pointer, _LONGEST)
    if pointer == violation.pointer and item_id == (violation.item_id or ""):
        return violation
    return replace(violation, item_id=item_id or None, pointer=pointer)


@dataclass(slots=True)
class FindingsOfPart(Findings):
    """Findings in a part of a file, which also know the number of the document they are about."""

    indexes: array[int] = field(default_factory=lambda: array("q"))

    def keep(self, violation: Violation, index: int) -> None:
        """Keep one finding in full, and the number of its document."""
        self.kept.append(violation)
        self.indexes.append(index)

    def by_document(self) -> Iterator[tuple[int, list[Violation]]]:
        """What was kept, with the number of the document, in the order of the file."""
        pairs = zip(self.indexes, self.kept, strict=True)
        for index, found in groupby(pairs, key=lambda pair: pair[0]):
            yield index, [violation for _, violation in found]
