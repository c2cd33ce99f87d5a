"""One item, with or without its prediction record, to a row of another tool; what the row can't hold is said."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from evalcontract.importing.choices import lines_of, without_choices
from evalcontract.importing.conversations import ANSWER_OPTION, answer_of
from evalcontract.importing.convert import convert
from evalcontract.importing.converted import ConversionRequest, ConvertedRow
from evalcontract.importing.mapping import MappedField, Mapping
from evalcontract.importing.objects import objects_in, written_messages
from evalcontract.importing.questions import choices_sources
from evalcontract.importing.row import Row, always
from evalcontract.importing.targets import IMPORTED, PARTS, PREDICTION, RAW_METADATA, TYPE_KEYS, TargetField
from evalcontract.importing.values import (
    MISSING,
    Form,
    Path,
    Refused,
    Several,
    cell,
    look_up,
    put,
    source_name,
    structure,
)
from evalcontract.validation import Violation
from evalcontract.values import actual, json_text, pointer


@dataclass(slots=True)
class ForeignRow:
    """The row, the fields it was made of, the fields it has no place for, and what stops it.

    `answered` are the fields, below their part, that a kept turn of a conversation says already.
    """

    row: dict[str, object] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)
    as_text: set[str] = field(default_factory=set)
    answered: set[Path] = field(default_factory=set)
    findings: list[Violation] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ItemAndRecord:
    """What becomes one row: an item, a prediction record, or both."""

    item: dict[str, Any] | None
    record: dict[str, Any] | None

    @property
    def item_id(self) -> str:
        """The id that both have."""
        return str((self.item or self.record or {})["item_id"])

    def part(self, name: str) -> dict[str, Any]:
        """The item or the record; empty when there is none."""
        return (self.item if name == "item" else self.record) or {}


def foreign_row(pair: ItemAndRecord, mapping: Mapping, form: Form) -> ForeignRow:
    """Write one row, then read it back: a row that doesn't give the same data again is refused."""
    found = ForeignRow(_imported(pair, found_in=mapping.target))
    found.kept = list(found.row)
    done: set[Path] = set()
    if not put(found.row, mapping.id_sources[0], pair.item_id):
        found.findings.append(_in_the_way(mapping.id_sources[0], "/item_id"))
    for entry in mapping.fields:
        key = (entry.target.part, *entry.target.path)
        value = _value(pair.part(entry.target.part), entry.target.path)
        if value is None or key in done:
            continue
        done.add(key)
        for name in entry.transform.beside:
            done.add((*key[:-1], name))
        _write(found, entry, _with_siblings(pair, entry, value), form)
        done |= found.answered
    if form.cells:
        _to_cells(found, mapping.split)
    found.unplaced = [pointer(key[1:]) for key in _leaf_keys(pair, mapping) if key not in done]
    if not found.findings:
        found.findings += _read_back(found.row, pair, mapping, form)
    return found


def _imported(pair: ItemAndRecord, *, found_in: str) -> dict[str, object]:
    holder = pair.item if found_in == "items" else pair.record
    kept = _value(holder or {}, IMPORTED if found_in == "items" else IMPORTED[-1:])
    return deepcopy(kept) if isinstance(kept, dict) else {}


def _with_siblings(pair: ItemAndRecord, entry: MappedField, value: object) -> object:
    if not entry.transform.beside:
        return value
    part = pair.part(entry.target.part)
    siblings = {name: _value(part, entry.target.sibling(name).path) for name in entry.transform.beside}
    return Several(value, {name: member for name, member in siblings.items() if member is not None})


def _write(found: ForeignRow, entry: MappedField, value: object, form: Form) -> None:
    source, rest = _kept_rest(found.row, entry)
    target = str(entry.target)
    if isinstance(value, list):
        value = _without_choices(found.row, entry, value, form)
    try:
        if rest and ANSWER_OPTION in entry.options:
            written = _conversation(found, entry, value, rest, form)
        else:
            written = entry.transform.write(value, entry.options, form)
    except Refused as refused:
        found.findings.append(
            _finding(
                f"{source_name(source)} can't hold this: {refused.message}",
                target + pointer(refused.below),
                refused.hint,
            )
        )
        return
    if rest:
        _take_out(found.row, source)
        if entry.transform.shares and isinstance(written, list):
            written = [*written, *rest]
    if not put(found.row, source, written):
        found.findings.append(_in_the_way(source, target))
        return
    found.written[target] = source_name(source)


def _kept_rest(row: dict[str, object], entry: MappedField) -> tuple[Path, list[Any]]:
    """The source to write, and what is kept of the list there."""
    if entry.transform.shares or ANSWER_OPTION in entry.options:
        for source in entry.sources:
            kept = _value(row, source)
            if isinstance(kept, list) and kept:
                return source, kept
    return entry.sources[0], []


def _conversation(
    found: ForeignRow, entry: MappedField, value: object, turn: list[Any], form: Form
) -> object:
    """The messages and the turn that answers them, whose fields need no place of their own then."""
    part = str(entry.options[ANSWER_OPTION])
    answer = answer_of(turn, part)
    holder = "record" if part == PREDICTION else "item"
    found.answered |= {(holder, part, name) for name in answer.fields}
    found.answered |= {("item", "input", name) for name in answer.inputs}
    found.written |= {f"/{part}/{name}": source_name(entry.sources[0]) for name in answer.fields}
    return cell([*written_messages(objects_in(value, "array of messages"), entry.options), *turn], form)


def _without_choices(
    row: dict[str, object], entry: MappedField, messages: list[Any], form: Form
) -> list[Any]:
    for path in choices_sources(entry):
        try:
            lines = lines_of(structure(_value(row, path), form))
        except Refused:
            continue
        if lines is not None:
            return without_choices(messages, lines)
    return messages


def _take_out(row: dict[str, object], path: Path) -> None:
    holder = look_up(row, path[:-1]) if path[:-1] else row
    assert isinstance(holder, dict)
    del holder[path[-1]]


def _in_the_way(source: Path, target: str) -> Violation:
    name = source_name(source)
    return _finding(
        f"{name} is kept in the metadata and made of {target} too",
        target,
        f"remove {name} from what was imported",
    )


def _to_cells(found: ForeignRow, split: frozenset[str]) -> None:
    for key, value in found.row.items():
        if value is None:
            found.row[key] = ""
        elif value == "" and key in found.kept:
            found.findings.append(
                _finding(
                    f"{key} is empty text, an empty cell means that nothing is given",
                    "",
                    "write .json or .jsonl",
                )
            )
        elif isinstance(value, dict) and key in split:
            found.findings.append(
                _finding(f"{key} holds keys of its own, a CSV has columns only", "", "write .json or .jsonl")
            )
        elif not isinstance(value, str):
            found.row[key] = json_text(value)
            found.as_text.add(key)


def _read_back(
    row: dict[str, object], pair: ItemAndRecord, mapping: Mapping, form: Form
) -> Iterator[Violation]:
    wanted = ConversionRequest(pair.record is not None, form.delimiter, frozenset((key,) for key in row))
    again = convert(Row(row, 1, "", always(None), form.cells), mapping, wanted)
    if again.failed:
        for found in again.findings:
            if found.severity == "error":
                yield _finding(f"the row would not be read again: {found.message}", "", found.hint)
        return
    if again.item_id != pair.item_id:
        yield _finding(f"the row would be read with the item_id {actual(again.item_id)}", "/item_id", None)
    for target, entry in _targets(mapping, again):
        part = again.item if target.part == "item" else again.record
        if target.part == "record" and pair.record is None:
            continue
        before = _value(pair.part(target.part), target.path)
        after = _value(part, target.path)
        if _given(before) != _given(after) and not (before is None and entry and after == entry.default):
            source = entry.sources[0] if entry else again.used[target]
            yield _finding(
                f"{source_name(source)} can't hold this: it would be read as {actual(after)}",
                str(target),
                "the other format says less than the contract",
            )


def _targets(mapping: Mapping, again: ConvertedRow) -> list[tuple[TargetField, MappedField | None]]:
    """Every field that the mapping has, and those that reading filled beside them."""
    declared: dict[TargetField, MappedField | None] = dict.fromkeys(again.used)
    return list((declared | {entry.target: entry for entry in mapping.fields}).items())


def _given(value: object) -> object:
    """The value without nulls in objects: absent and null both mean not provided."""
    if isinstance(value, dict):
        return {key: _given(member) for key, member in value.items() if member is not None}
    if isinstance(value, list):
        return [_given(element) for element in value]
    return value


def _leaf_keys(pair: ItemAndRecord, mapping: Mapping) -> Iterator[Path]:
    """The fields with a value, part first, but for those that the mapping states itself."""
    placed = {("item", *RAW_METADATA, key) for key in (*TYPE_KEYS, IMPORTED[-1])}
    if mapping.target == "predictions":
        placed.add(("record", IMPORTED[-1]))
    constants = {("item", *target.path): value for target, value in mapping.constants}
    for part in ("item", "record"):
        for path, value in _leaves(pair.part(part), part):
            key = (part, *path)
            if key not in placed and not (key in constants and constants[key] == value):
                yield key


def _leaves(document: dict[str, Any], part: str) -> Iterator[tuple[Path, object]]:
    split = (
        (*((name,) for name in PARTS), ("metadata",), RAW_METADATA)
        if part == "item"
        else (
            ("prediction",),
            ("measurements",),
        )
    )
    waiting: list[tuple[Path, object]] = [
        ((key,), value) for key, value in document.items() if key != "item_id"
    ]
    while waiting:
        path, value = waiting.pop(0)
        if value is None:
            continue
        if path in split and isinstance(value, dict):
            waiting.extend(((*path, key), inner) for key, inner in value.items())
        else:
            yield path, value


def _value(document: dict[str, Any], path: Path) -> object:
    try:
        found = look_up(document, path)
    except Refused:
        return None
    return None if found is MISSING else found


def _finding(message: str, at: str, hint: str | None) -> Violation:
    return Violation("cannot-hold", message, at, hint=hint)
