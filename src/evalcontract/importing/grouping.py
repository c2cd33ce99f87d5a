"""Several rows of a file that are one: judgements of a question, turns of a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from evalcontract.importing.row import Row, RowEvent
from evalcontract.importing.values import MISSING, Path, Refused, look_up, source_name
from evalcontract.reading import Held, Position
from evalcontract.values import pointer, pointer_tokens, same_value

_ROW_BYTES = 1000
_NOTHING = (None, "")


@dataclass(frozen=True, slots=True)
class RowGroup:
    """How rows are grouped: those with one value of `by`, whose `keys` become the objects of a list, `to`.

    All other keys say the same in each row of a group, or nothing.
    """

    by: Path
    keys: tuple[str, ...]
    to: str


@dataclass(slots=True)
class _Rows:
    """The rows of one group so far: what they have in common, the objects that they give, and where they stand."""

    first: Row
    common: dict[str, object]
    objects: list[dict[str, object]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


def grouped(events: Iterable[RowEvent], group: RowGroup, file: str) -> Iterator[RowEvent]:
    """One row for each group, in the order of their first rows, after all else.

    All rows are held. Raises UnreadableInput when they take more memory than may be held.
    """
    found: dict[object, _Rows] = {}
    held = Held(file, _ROW_BYTES)
    for event in events:
        if not isinstance(event, Row):
            yield event
            continue
        held.add(event.value)
        key = _key(event, group)
        if key is None:
            name = source_name(group.by)
            yield event.violation(
                "no-group-key",
                f"{name} is required: it says which rows belong together",
                group.by,
                expected="string or integer",
                hint="give it in every row",
            )
            continue
        common = {name: value for name, value in event.value.items() if name not in group.keys}
        rows = found.setdefault(key, _Rows(event, {}))
        if (differs := _other(rows.common, common)) is not None:
            yield event.violation(
                "rows-differ",
                f"{differs} is another one in row {rows.first.number}, which has the same {source_name(group.by)}",
                (differs,),
                hint=f"collect {differs} too, leave it out, or write the same in both",
            )
            continue
        rows.common |= {name: value for name, value in common.items() if rows.common.get(name) in _NOTHING}
        rows.objects.append({name: event.value[name] for name in group.keys if name in event.value})
        rows.rows.append(event)
    for rows in found.values():
        yield _together(rows, group)


def _other(known: dict[str, object], common: dict[str, object]) -> str | None:
    """A key of which two rows say different things."""
    for name, value in common.items():
        before = known.get(name)
        if before not in _NOTHING and value not in _NOTHING and not same_value(value, before):
            return name
    return None


def _key(row: Row, group: RowGroup) -> object:
    try:
        value = look_up(row.value, group.by)
    except Refused:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return value if value is not MISSING and isinstance(value, str) and value else None


def _together(rows: _Rows, group: RowGroup) -> Row:
    def place(at: str) -> Position | None:
        name, *below = pointer_tokens(at) or ("",)
        if name != group.to or not below:
            return rows.first.place(at)
        return rows.rows[int(below[0])].place(pointer(below[1:]))

    value = {**rows.common, group.to: rows.objects}
    return replace(rows.first, value=value, place=place, count=len(rows.rows))
