"""Looks for documents that one side accepts and the other refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from evalcontract.evolution.codes import Path
from evalcontract.evolution.implied import IMPLIED
from evalcontract.evolution.obstacles import Obstacle
from evalcontract.evolution.sampler import Nothing, Sampler
from evalcontract.evolution.shrink import shrink
from evalcontract.evolution.sides import Side

TRIES = 40
BLIND_TRIES = 150
FUEL = 12_000
COST_OF_A_LOOK = 200
"""The fuel is for so many values drawn; to validate a document costs as much for each so many characters."""
PLAIN = frozenset(("required", "enum", "const", *IMPLIED))
"""Keywords whose failure the validator reports as just that; others may show by what lies below them."""


class Search:
    """`Search(left, right)`: finds documents that `left` accepts and `right` refuses, checked and shrunk."""

    def __init__(self, left: Side, right: Side) -> None:
        self._left = left
        self._right = right
        self._sampler = Sampler(left, right)
        self._fuel = FUEL

    def find(self, obstacle: Obstacle | None = None) -> tuple[Any, ...]:
        """A document that shows the obstacle, or without one any that is refused; nothing if none was found."""
        focus = () if obstacle is None else _place(obstacle)
        for _ in range(BLIND_TRIES if obstacle is None else TRIES):
            if self._fuel < 0:
                break
            try:
                document = self._sampler.document(focus)
            except Nothing:
                continue
            finally:
                self._fuel -= self._sampler.draws
            if self._shows(document, obstacle):
                return (shrink(document, lambda smaller: self._shows(smaller, obstacle)),)
        return ()

    def _shows(self, document: Any, obstacle: Obstacle | None) -> bool:
        """Whether the left side accepts the document and the right refuses it, for the obstacle's reason."""
        self._fuel -= 1 + len(json.dumps(document)) // COST_OF_A_LOOK
        if self._fuel < 0 or not self._left.root.accepts(document) or self._right.root.accepts(document):
            return False
        return obstacle is None or any(_blames(obstacle, each) for each in _at(document, _place(obstacle)))


def _place(obstacle: Obstacle) -> Path:
    """Where the value is that the obstacle is about; a missing key's is the object."""
    return obstacle.path[:-1] if obstacle.keyword == "required" else obstacle.path


def _at(document: Any, path: Path) -> Iterator[Any]:
    """The values at a path, all keys or elements taken where it doesn't say which."""
    if not path:
        yield document
    elif isinstance(document, dict | list):
        members = dict(enumerate(document)) if isinstance(document, list) else document
        for step in members if path[0] is None else {path[0]} & members.keys():
            yield from _at(members[step], path[1:])


def _blames(obstacle: Obstacle, value: Any) -> bool:
    """Whether the obstacle's part refuses the value, and not plainly for something else."""
    keyword, part = obstacle.keyword, obstacle.part
    missing = obstacle.path[-1:] if keyword == "required" else ()
    plain = keyword in PLAIN and keyword in part.keywords
    return any(
        not plain or (keyword, missing) == (each.validator, tuple(each.path)) for each in part.errors(value)
    )
