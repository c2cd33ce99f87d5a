"""Looks for documents that one side accepts and the other refuses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .prover import Obstacle, Path
from .sampler import Nothing, Sampler
from .shrink import shrink
from .sides import Side

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

TRIES = 40
BLIND_TRIES = 150
MAX_SEARCHES = 25
BROAD = ("type", "properties", "anyOf", "oneOf", "propertyNames")
"""Keywords whose failure the validator may report as that of another keyword in the same place."""


class Search:
    """`Search(left, right)`: finds documents that `left` accepts and `right` refuses, checked and shrunk."""

    def __init__(self, left: Side, right: Side) -> None:
        self._left = left
        self._right = right
        self._sampler = Sampler(left, right)

    def for_each(self, obstacles: Sequence[Obstacle]) -> dict[Obstacle, Any]:
        """A witness of each obstacle for which one was found."""
        found: dict[Obstacle, Any] = {}
        for obstacle in obstacles[:MAX_SEARCHES]:
            for document in self._documents(obstacle.path, TRIES):
                if self.shows(document, obstacle):
                    found[obstacle] = shrink(document, lambda each, about=obstacle: self.shows(each, about))
                    break
        return found

    def any(self) -> list[Any]:
        """One witness of whatever reason, in a list; an empty list when none was found."""
        for document in self._documents((), BLIND_TRIES):
            if self.shows(document, None):
                return [shrink(document, lambda each: self.shows(each, None))]
        return []

    def shows(self, document: Any, obstacle: Obstacle | None) -> bool:
        """Whether the left side accepts the document and the right refuses it, for the obstacle's reason."""
        if not self._left.root.accepts(document):
            return False
        errors = self._right.root.errors(document)
        if obstacle is None:
            return next(errors, None) is not None
        return any(_blames(error, obstacle) for each in errors for error in _tree(each))

    def _documents(self, focus: Path, tries: int) -> Iterator[Any]:
        for attempt in range(tries):
            try:
                yield self._sampler.document(focus, minimal=attempt % 2 == 0)
            except Nothing:
                continue


def _tree(error: ValidationError) -> Iterator[ValidationError]:
    yield error
    for each in error.context or ():
        yield from _tree(each)


def _blames(error: ValidationError, obstacle: Obstacle) -> bool:
    where = tuple(error.absolute_path)
    there = len(where) >= len(obstacle.path) and all(
        step is None or step == at for step, at in zip(obstacle.path, where, strict=False)
    )
    exact = len(where) == len(obstacle.path)
    return there and (obstacle.keyword in BROAD or (exact and error.validator == obstacle.keyword))
