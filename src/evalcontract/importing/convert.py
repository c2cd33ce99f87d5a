"""One row to contract data: fields read, the rest kept, nothing lost in silence."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy

from evalcontract.importing.choices import CHOICES_OPTION
from evalcontract.importing.conversations import ANSWER_OPTION
from evalcontract.importing.converted import ConversionRequest, ConvertedRow, fill, refusal, twice
from evalcontract.importing.mapping import MappedField, Mapping
from evalcontract.importing.questions import answered, shown_choices
from evalcontract.importing.row import Row
from evalcontract.importing.values import (
    MISSING,
    Form,
    Path,
    Refused,
    Several,
    look_up,
    parted,
    put,
    source_name,
    structure,
    without,
)
from evalcontract.validation import close_key, did_you_mean, foreign_format


def convert(row: Row, mapping: Mapping, wanted: ConversionRequest) -> ConvertedRow:
    """Read one row. Everything that is wrong about it is in `findings`; nothing is raised.

    An empty cell means that nothing is given.
    """
    found = ConvertedRow(row)
    taken: set[Path] = set()
    rests: list[tuple[Path, object]] = []
    _read_id(found, mapping, taken)
    _refuse_longer_lists(found, mapping)
    records = wanted.predictions or mapping.target == "predictions"
    for entry in mapping.fields:
        if entry.target.part == "record" and not records:
            continue
        source = _read_field(found, entry, mapping, wanted, taken, rests)
        if source is None and entry.target not in found.used:
            _fill_in(found, entry, mapping.name)
    for target, value in mapping.constants:
        put(found.item if target.part == "item" else found.record, target.path, deepcopy(value))
    found.dropped = {path for path in mapping.drop if _is_there(row.value, path)}
    left = without(row.value, taken | found.dropped)
    found.kept = deepcopy(_kept(left, mapping, wanted) if row.cells else left)
    found.empty = [key for key, value in left.items() if row.cells and value == ""]
    for path, rest in rests:
        put(found.kept, path, rest)
    _misspelt(found, mapping, wanted)
    return found


def _kept(left: dict[str, object], mapping: Mapping, wanted: ConversionRequest) -> dict[str, object]:
    """What is kept of cells: empty ones are not, and a list that a field would read is kept as a list."""
    form = Form(cells=True, delimiter=wanted.delimiter)
    lists = {path for entry in mapping.fields if entry.transform.lists for path in entry.sources}
    kept = {key: value for key, value in left.items() if value != ""}
    for key, value in kept.items():
        if (key,) in lists:
            with suppress(Refused):
                kept[key] = parted(value, form)
    return kept


def _read_id(found: ConvertedRow, mapping: Mapping, taken: set[Path]) -> None:
    values = _values(found, mapping.id_sources, mapping, taken)
    if not values:
        return
    path, value = values[0]
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value:
        found.findings.append(
            found.row.violation(
                "wrong-type", "an id is text or an integer, and not empty", path, expected="string"
            )
        )
        return
    if len(values) > 1:
        found.findings.append(twice(found.row, [value for value, _ in values], "item_id"))
    found.item_id, found.id_source = value, path


def _refuse_longer_lists(found: ConvertedRow, mapping: Mapping) -> None:
    """A finding for each list that has more elements than the one that fields read."""
    for path in mapping.single_elements:
        with suppress(Refused):  # what is in the way is told of by the fields that read through it
            value = look_up(found.row.value, path)
            if isinstance(value, list) and len(value) > 1:
                refused = Refused(
                    "one element",
                    value,
                    message=f"{len(value)} elements, one allowed",
                    hint="give each a row of its own, or say with a mapping of your own which of them is read",
                )
                found.findings.append(refusal(found.row, path, refused))


def _read_field(
    found: ConvertedRow,
    entry: MappedField,
    mapping: Mapping,
    wanted: ConversionRequest,
    taken: set[Path],
    rests: list[tuple[Path, object]],
) -> Path | None:
    row = found.row
    values = _values(found, entry.sources, mapping, taken)
    if not values:
        return None
    path, value = values[0]
    if len(values) > 1 or entry.target in found.used:
        names = [found.used[entry.target]] if entry.target in found.used else []
        found.findings.append(twice(row, [*names, *(name for name, _ in values)], str(entry.target)))
        return path

    def notice(message: str, below: Path) -> None:
        found.findings.append(row.violation("odd-value", message, (*path, *below), severity="advice"))

    form = Form(row.cells, wanted.delimiter, notice)
    try:
        read = entry.transform.read(value, entry.options, form)
        if ANSWER_OPTION in entry.options and isinstance(read, list) and len(read) > 1:
            records = wanted.predictions or mapping.target == "predictions"
            read = answered(found, entry, path, structure(value, form), read, rests, records=records)
    except Refused as refused:
        found.findings.append(refusal(row, path, refused))
        found.used[entry.target] = path
        return path
    if isinstance(read, Several):
        if read.rest:
            rests.append((path, list(read.rest)))
        for name, member in read.beside.items():
            fill(found, entry.target.sibling(name), member, path)
        read = read.value
    if CHOICES_OPTION in entry.options and isinstance(read, list):
        read = shown_choices(found, entry, read, form)
    if read is None:
        taken.discard(path)  # what fills no field is kept
        return None
    fill(found, entry.target, read, path)
    return path


def _values(
    found: ConvertedRow, sources: tuple[Path, ...], mapping: Mapping, taken: set[Path]
) -> list[tuple[Path, object]]:
    """The sources that hold something: null and, in cells, empty text mean that nothing is given.

    Where a mapping knows a key and keys below it, the key is read unless it holds an object.
    """
    values = []
    row = found.row.value
    for path in sources:
        if path[0] not in row:
            continue
        try:
            value = look_up(row, path)
        except Refused as refused:
            if refused.below in mapping.forked:
                continue
            finding = refusal(found.row, (), refused)
            if finding not in found.findings:
                found.findings.append(finding)
            continue
        if value is MISSING or value is None or (found.row.cells and value == ""):
            continue
        if isinstance(value, dict) and path in mapping.forked:
            continue
        taken.add(path)
        values.append((path, value))
    return values


def _fill_in(found: ConvertedRow, entry: MappedField, preset: str) -> None:
    if entry.default is not None:
        put(
            found.item if entry.target.part == "item" else found.record,
            entry.target.path,
            deepcopy(entry.default),
        )
    elif entry.required:
        names = " or ".join(source_name(path) for path in entry.sources)
        found.findings.append(
            found.row.violation(
                "missing-key",
                f"{names} is required, for {entry.target}",
                expected="a value",
                actual="nothing",
                hint=_where_else(found.row.value, entry, preset),
            )
        )


def _where_else(row: dict[str, object], entry: MappedField, preset: str) -> str:
    """Where a row may have what a field is made of: as another tool's, in an object, under a key that is alike."""
    looks_like = foreign_format(row)
    if looks_like is not None and looks_like != preset:
        return f"this looks like a row of {looks_like}: --map {looks_like}"
    for holder in dict.fromkeys(path[0] for path in entry.sources):
        inside = row.get(holder) if isinstance(holder, str) else None
        if isinstance(inside, dict) and inside:
            reached = source_name((holder, next(iter(inside))))
            return f"{_keys(holder, inside)}; a mapping of your own reaches them, as {reached}"
    known = [path[0] for path in entry.sources if len(path) == 1]
    close = (did_you_mean(key, guess) for key in row if (guess := close_key(key, known)))
    return next(close, _keys("the row", row))


def _keys(what: object, row: dict[str, object]) -> str:
    return f"the keys of {what}: {', '.join(map(str, list(row)[:20]))}"


def _is_there(row: dict[str, object], path: Path) -> bool:
    try:
        return look_up(row, path) is not MISSING
    except Refused:
        return False


def _misspelt(found: ConvertedRow, mapping: Mapping, wanted: ConversionRequest) -> None:
    filled = {path for target, path in found.used.items()}
    for key in found.kept:
        if (key,) in mapping.known_sources or (key,) in wanted.keep:
            continue
        absent = [
            entry.sources
            for entry in mapping.fields
            if not any(path in filled for path in entry.sources) and entry.target not in found.used
        ]
        known = [path[0] for sources in absent for path in sources if len(path) == 1]
        guess = close_key(key, known)
        if guess:
            found.findings.append(
                found.row.violation(
                    "unknown-key",
                    did_you_mean(key, guess),
                    (key,),
                    hint=f"rename it, or keep it as it is: --keep {key}",
                )
            )
