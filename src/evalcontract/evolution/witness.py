"""Looks for documents that one side accepts and the other refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from evalcontract.evolution.implied import IMPLIED
from evalcontract.evolution.obstacles import Obstacle, Path
from evalcontract.evolution.sampler import Nothing, Sampler
from evalcontract.evolution.shrink import shrink
from evalcontract.evolution.sides import Side

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

TRIES = 40
BLIND_TRIES = 150
MAX_SEARCHES = 25
FUEL = 1_000_000
COST_OF_A_LOOK = 200
"""Validating costs about as much as this many characters of document do; the search ends when the fuel does."""
PLAIN = frozenset(("required", "pattern", "enum", "const", *IMPLIED))
"""Keywords whose failure the validator reports as just that; others may show by what lies below them."""


class Search:
    """`Search(left, right)`: finds documents that `left` accepts and `right` refuses, checked and shrunk."""

    def __init__(self, left: Side, right: Side) -> None:
        self._left = left
        self._right = right
        self._sampler = Sampler(left, right)
        self._fuel = FUEL

    def for_each(self, obstacles: Sequence[Obstacle]) -> dict[Obstacle, Any]:
        """A witness of each obstacle for which one was found."""
        found: dict[Obstacle, Any] = {}
        for obstacle in obstacles[:MAX_SEARCHES]:
            missing = obstacle.keyword == "required"
            documents = self._documents(obstacle.path[:-1] if missing else obstacle.path, TRIES)
            for witness in self._shrunk(documents, obstacle):
                found[obstacle] = witness
        return found

    def any(self) -> list[Any]:
        """A list with one witness of whatever reason, or an empty one when none was found."""
        return self._shrunk(self._documents((), BLIND_TRIES), None)

    def _shrunk(self, documents: Iterator[Any], obstacle: Obstacle | None) -> list[Any]:
        """The first of the documents that is a witness, shrunk, in a list; or an empty list."""
        found = next(([each] for each in documents if self.shows(each, obstacle)), [])
        return [shrink(each, lambda smaller: self.shows(smaller, obstacle)) for each in found]

    def shows(self, document: Any, obstacle: Obstacle | None) -> bool:
        """Whether the left side accepts the document and the right refuses it, for the obstacle's reason."""
        self._fuel -= COST_OF_A_LOOK + len(json.dumps(document))
        if self._fuel < 0 or not self._left.root.accepts(document):
            return False
        errors = self._right.root.errors(document)
        if obstacle is None:
            return next(errors, None) is not None
        return any(_blames(error, obstacle) for each in errors for error in _tree(each))

    def _documents(self, focus: Path, tries: int) -> Iterator[Any]:
        for attempt in range(tries if self._fuel > 0 else 0):
            try:
                yield self._sampler.document(focus, minimal=attempt % 2 == 0)
            except Nothing:
                continue


def _tree(error: ValidationError) -> Iterator[ValidationError]:
    yield error
    for each in error.context or ():
        yield from _tree(each)


def _blames(error: ValidationError, obstacle: Obstacle) -> bool:
    """Whether the error is at the obstacle's place, or below it, and not plainly about something else."""
    where = tuple(error.absolute_path)
    if error.validator is None:
        # jsonschema reports what a `false` schema refuses at the place that holds it
        where += obstacle.path[len(where) :][:1]
    exact = len(where) == len(obstacle.path)
    if len(where) < len(obstacle.path) or not all(map(_fits, obstacle.path, where)):
        return False
    if error.validator == "required" and exact and obstacle.keyword == "properties":
        return False
    return obstacle.keyword not in PLAIN or (exact and error.validator == obstacle.keyword)


def _fits(step: str | int | None, at: str | int | None) -> bool:
    return step is None or step == at
