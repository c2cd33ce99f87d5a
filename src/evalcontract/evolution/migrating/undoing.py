"""Operations turned round, for the way back to an older version: exactly, or refused by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evalcontract.errors import UsageError
from evalcontract.evolution.migrating.operations import ANY, Operation
from evalcontract.values import frozen, pointer, pointer_tokens

WHY_NOT = {
    "rename": "several keys may have become one",
    "drop": "what it took out is gone",
    "move": "whether the objects on its way were there before isn't known",
    "set_default": "whether the value was there before isn't known",
    "map_values": "several old values may have become one",
    "wrap_array": "whether it was an array before isn't known",
    "null_to_absent": "whether it was null or absent before isn't known",
}


def undone(operations: Sequence[Operation], where: str) -> tuple[Operation, ...]:
    """The operations that take back what these did, last first. `where` is their file.

    A rename is undone by a rename, a move to an object around by a move back, a mapping that only exchanges values
    among themselves by the reverse. Raises UsageError, naming the operation, where there is no exact inverse.
    """
    return tuple(_undone(operation, where) for operation in reversed(operations))


def _undone(operation: Operation, where: str) -> Operation:
    steps = pointer_tokens(operation.path)
    if operation.op == "rename" and ANY not in (steps[-1], operation.to):
        return replace(operation, path=pointer((*steps[:-1], operation.to)), to=steps[-1])
    if operation.op == "move" and _stays_inside(pointer_tokens(operation.to), steps):
        return replace(operation, path=operation.to, to=operation.path)
    if operation.op == "map_values":
        olds, news = ({frozen(pair[end]) for pair in operation.values} for end in (0, 1))
        if olds == news and len(news) == len(operation.values):
            return replace(operation, values=tuple((new, old) for old, new in operation.values))
    raise UsageError(
        f"{where}: {operation} can't be undone: {WHY_NOT[operation.op]}",
        hint="documents go back only where every step has an exact inverse; keep the file that was migrated",
    )


def _stays_inside(target: tuple[str, ...], source: tuple[str, ...]) -> bool:
    """Whether the target is right in an object that holds the source, so that nothing has to be made on the way."""
    around = target[:-1] == source[: len(target) - 1] and len(target) <= len(source)
    return around and target.count(ANY) == source.count(ANY) and ANY not in (target[-1], source[-1])
