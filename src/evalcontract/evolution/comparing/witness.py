"""Looks for documents that one side accepts and the other refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from evalcontract.evolution.comparing.aims import NO_AIM, Aim
from evalcontract.evolution.comparing.codes import Path
from evalcontract.evolution.comparing.implied import IMPLIED
from evalcontract.evolution.comparing.keywords import ELSEWHERE
from evalcontract.evolution.comparing.obstacles import Obstacle
from evalcontract.evolution.comparing.parts import accepts
from evalcontract.evolution.comparing.sampler import Nothing, Sampler
from evalcontract.evolution.comparing.shrink import shrink
from evalcontract.evolution.comparing.sides import Side
from evalcontract.evolution.comparing.work import BUDGET, GaveUp, at_most, spend

TRIES = 40
BLIND_TRIES = 150
FIRST_SPARE = 12
"""So many documents are drawn with little besides what must be there, before others."""
TRIES_TO_SHRINK = 250
LARGE = 5_000
LARGE_TRIES = 12
"""A document of more characters is tried fewer times in a smaller form."""
PAGE = 20
"""Of a document, so many characters are handled in the time of a look at a value."""
LEAST_SHARE = 5_000
SHOWN_BY_NONE = ELSEWHERE | {"format"}
PLAIN = frozenset(("required", "enum", "const", *IMPLIED))
"""Keywords whose failure the validator reports as just that; others may show by what lies below them."""


class Search:
    """`Search(left, right)`: finds documents that `left` accepts and `right` refuses, checked and shrunk."""

    def __init__(self, left: Side, right: Side, budget: int = BUDGET) -> None:
        self._left = left
        self._right = right
        self._sampler = Sampler(left, right)
        self._budget = self._work = budget

    @property
    def spent(self) -> int:
        """How much work the search took so far."""
        return self._budget - max(0, self._work)

    def find_all(self, obstacles: Sequence[Obstacle]) -> list[tuple[Any, ...]]:
        """For each obstacle a document that shows it, as `find` gives it.

        None may take the work of the others; what is left in the end goes to those that nothing was found for.
        """
        found: list[tuple[Any, ...]] = [() for _ in obstacles]
        for _ in range(2 if len(obstacles) > 1 else 1):
            waiting = [at for at, shown in enumerate(found) if not shown]
            for done, at in enumerate(waiting):
                share = max(LEAST_SHARE, self._work // (len(waiting) - done))
                found[at] = self.find(obstacles[at], share=share)
        return found

    def find(self, obstacle: Obstacle | None = None, *, share: int | None = None) -> tuple[Any, ...]:
        """A document that shows the obstacle, or without one any that is refused; nothing if none was found.

        What only others refuse values by, such as `format`, no document shows. `share`: how much work it may take.
        """
        if obstacle is not None and obstacle.keyword in SHOWN_BY_NONE:
            return ()
        end = max(0, self._work - (self._work if share is None else share))
        places: list[Path] = [() if obstacle is None else _place(obstacle)]
        if obstacle is not None and obstacle.keyword == "propertyNames":
            places.append((*places[0], None))
        aim = NO_AIM if obstacle is None else _aim(obstacle)
        other: list[Any] = []
        for attempt in range(BLIND_TRIES if obstacle is None else TRIES):
            place = places[attempt // 2 % len(places)]
            try:
                with at_most(self._work - end) as left:
                    document = self._sampler.document(
                        place, NO_AIM if attempt % 2 else aim, spare=attempt < FIRST_SPARE
                    )
                    if self._shows(document, obstacle):
                        return (self._shrunk(document, partial(self._shows, obstacle=obstacle)),)
                    if not other and self._shows(document, obstacle, meant=False):
                        other.append(document)
            except Nothing:
                continue
            except GaveUp:
                break
            finally:
                self._work = end + left[0]
        if not other:
            return ()
        with at_most(self._work - end) as left:
            shrunk = self._shrunk(other[0], partial(self._shows, obstacle=obstacle, meant=False))
        self._work = end + left[0]
        return (shrunk,)

    def _shrunk(self, document: Any, shows: Callable[[Any], bool]) -> Any:
        tries = LARGE_TRIES if len(json.dumps(document)) > LARGE else TRIES_TO_SHRINK
        return shrink(document, shows, tries=tries)

    def _shows(self, document: Any, obstacle: Obstacle | None, *, meant: bool = True) -> bool:
        """Whether the left side accepts the document and the right refuses it, for the obstacle's reason.

        Where it is `meant`, by a value of the very branch in which the obstacle was met.
        """
        try:
            spend(1 + len(json.dumps(document)) // PAGE)
            if not self._left.root.accepts(document) or self._right.root.accepts(document):
                return False
            if obstacle is None:
                return True
            place = _place(obstacle)
            case = obstacle.trail[len(place)] if meant and len(obstacle.trail) > len(place) else ()
            return any(_blames(obstacle, value) and accepts(case, value) for value in _at(document, place))
        except GaveUp:
            return False


def _aim(obstacle: Obstacle) -> Aim:
    about = obstacle.part if obstacle.keyword in obstacle.part.keywords else None
    return Aim(obstacle.trail, obstacle.values, obstacle.keyword, about)


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
        not plain or (keyword, missing) == (error.validator, tuple(error.path))
        for error in part.errors(value)
    )
