"""The seven operations of a migration: pure edits of one document, each with a record of what it did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeAlias

from evalcontract.errors import MigrationRefused
from evalcontract.values import pointer, pointer_tokens, same_value, step_into

Steps: TypeAlias = tuple[str | int, ...]
ANY = "*"


@dataclass(frozen=True, slots=True)
class Operation:
    """One step of a migration. `path` is a JSON pointer in which `*` stands for each element or key.

    `to`: the new key of rename, the pointer that move goes to. `value`: what set_default sets. `values`: pairs of
    map_values, old and new; other values stay.
    """

    op: str
    path: str
    to: str = ""
    value: Any = None
    values: tuple[tuple[Any, Any], ...] = ()

    def __str__(self) -> str:
        return f"{self.op} {self.path}" + (f" to {self.to}" if self.to else "")


@dataclass(frozen=True, slots=True)
class Record:
    """What one operation did in one place: where, where to, and the value that went, came or changed."""

    op: str
    path: str
    to: str | None = None
    before: tuple[Any, ...] = ()
    after: tuple[Any, ...] = ()

    def __str__(self) -> str:
        target = f" to {self.to}" if self.to is not None else ""
        values = " -> ".join(f"{value!r:.60}" for value in (*self.before, *self.after))
        return f"{self.op} {self.path}{target}" + (f": {values}" if values else "")


@dataclass(frozen=True, slots=True)
class _Place:
    """A key of an object, or an index of an array, that may or may not be there yet."""

    holder: Any
    key: Any
    steps: Steps

    @property
    def exists(self) -> bool:
        return self.key in self.holder if isinstance(self.holder, dict) else 0 <= self.key < len(self.holder)

    @property
    def value(self) -> Any:
        return self.holder[self.key]

    @property
    def where(self) -> str:
        return pointer(self.steps)


def apply(
    document: Any, operations: tuple[Operation, ...]
) -> tuple[Any, tuple[tuple[Operation, Record], ...]]:
    """A copy of the document after all operations in order, and what each of them did.

    What an operation looks for and doesn't find it leaves alone. Raises MigrationRefused when one would
    overwrite something, or has to put something where there is no object.
    """
    box = {"": deepcopy(document)}
    done: list[tuple[Operation, Record]] = []
    for operation in operations:
        for place in list(_places(box, operation.path)):
            done += [(operation, record) for record in _EDITS[operation.op](box, place, operation)]
    return box[""], tuple(done)


def _places(box: dict[str, Any], path: str) -> Iterator[_Place]:
    """Every place that the path means; the last step needs not be there. Array elements come last first."""
    waiting: list[tuple[Any, tuple[str, ...], Steps]] = [(box[""], pointer_tokens(path), ())]
    while waiting:
        holder, tokens, steps = waiting.pop()
        for key in _keys(holder, tokens[0]):
            place = _Place(holder, key, (*steps, key))
            if len(tokens) == 1:
                yield place
            elif place.exists:
                waiting.append((place.value, tokens[1:], place.steps))


def _keys(holder: Any, token: str) -> list[Any]:
    if isinstance(holder, dict):
        return list(holder) if token == ANY else [token]
    if isinstance(holder, list) and token == ANY:
        return list(reversed(range(len(holder))))
    try:
        return [step_into(holder, token)]
    except LookupError:
        return []


def _rename(box: dict[str, Any], place: _Place, operation: Operation) -> Iterator[Record]:
    if place.exists and isinstance(place.holder, dict):
        target = (*place.steps[:-1], operation.to)
        if operation.to in place.holder:
            raise MigrationRefused(f"{place.where} can't be renamed: {pointer(target)} is there already")
        renamed = {operation.to if key == place.key else key: value for key, value in place.holder.items()}
        place.holder.clear()
        place.holder.update(renamed)
        yield Record("rename", place.where, pointer(target))


def _move(box: dict[str, Any], place: _Place, operation: Operation) -> Iterator[Record]:
    if not place.exists:
        return
    matched = iter(
        [
            step
            for step, token in zip(place.steps, pointer_tokens(operation.path), strict=True)
            if token == ANY
        ]
    )
    steps = tuple(next(matched) if token == ANY else token for token in pointer_tokens(operation.to))
    value = place.value
    del place.holder[place.key]
    holder = box[""]
    for at, step in enumerate(steps[:-1]):
        if isinstance(holder, dict) and step not in holder:
            holder[step] = {}
        holder = holder[step] if isinstance(holder, dict) or isinstance(step, int) else None
        if not isinstance(holder, dict | list):
            raise MigrationRefused(f"{place.where} can't be moved: {pointer(steps[: at + 1])} is no object")
    if not isinstance(holder, dict) or steps[-1] in holder:
        reason = "is there already" if isinstance(holder, dict) else "is in an array"
        raise MigrationRefused(f"{place.where} can't be moved: {pointer(steps)} {reason}")
    holder[steps[-1]] = value
    yield Record("move", place.where, pointer(steps))


def _drop(box: dict[str, Any], place: _Place, operation: Operation) -> Iterator[Record]:
    if place.exists:
        value = place.value
        del place.holder[place.key]
        yield Record("drop", place.where, before=(value,))


def _set_default(box: dict[str, Any], place: _Place, operation: Operation) -> Iterator[Record]:
    if not place.exists:
        place.holder[place.key] = deepcopy(operation.value)
        yield Record("set_default", place.where, after=(operation.value,))


def _map_values(box: dict[str, Any], place: _Place, operation: Operation) -> Iterator[Record]:
    if place.exists:
        value = place.value
        for old, new in operation.values:
            if same_value(value, old):
                place.holder[place.key] = deepcopy(new)
                yield Record("map_values", place.where, before=(value,), after=(new,))
                return


def _wrap_array(box: dict[str, Any], place: _Place, operation: Operation) -> Iterator[Record]:
    if place.exists and place.value is not None and not isinstance(place.value, list):
        place.holder[place.key] = [place.value]
        yield Record("wrap_array", place.where)


def _null_to_absent(box: dict[str, Any], place: _Place, operation: Operation) -> Iterator[Record]:
    if place.exists and place.value is None and isinstance(place.holder, dict):
        del place.holder[place.key]
        yield Record("null_to_absent", place.where)


_EDITS: dict[str, Callable[[dict[str, Any], _Place, Operation], Iterator[Record]]] = {
    "rename": _rename,
    "move": _move,
    "drop": _drop,
    "set_default": _set_default,
    "map_values": _map_values,
    "wrap_array": _wrap_array,
    "null_to_absent": _null_to_absent,
}
OPERATIONS = tuple(_EDITS)
"""The names of the operations that there are."""
