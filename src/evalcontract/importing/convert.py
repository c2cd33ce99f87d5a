"""One row to contract data: fields read, the rest kept, nothing lost in silence."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

from evalcontract.importing.mapping import Field, Mapping
from evalcontract.importing.row import Row
from evalcontract.importing.targets import Target
from evalcontract.importing.values import MISSING, Form, Path, Refused, look_up, put, source_name, without
from evalcontract.validation import Violation, close_key, did_you_mean


@dataclass(slots=True)
class Converted:
    """What a row gave: the parts of an item and of a record, what is kept, and what is wrong.

    `used` tells for each filled field which source it came from. `item` has no id and no metadata yet,
    unless the mapping fills raw_metadata.
    """

    row: Row
    item: dict[str, object] = field(default_factory=dict)
    record: dict[str, object] = field(default_factory=dict)
    item_id: str | None = None
    id_source: Path | None = None
    used: dict[Target, Path] = field(default_factory=dict)
    kept: dict[str, object] = field(default_factory=dict)
    dropped: set[Path] = field(default_factory=set)
    findings: list[Violation] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether something in the row is wrong."""
        return any(finding.severity == "error" for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the caller asks of a conversion: prediction records too, keys kept without a question."""

    predictions: bool = False
    delimiter: str | None = None
    keep: frozenset[Path] = frozenset()


def convert(row: Row, mapping: Mapping, wanted: Wanted) -> Converted:
    """Read one row. Everything that is wrong about it is in `findings`; nothing is raised.

    An empty cell means that nothing is given.
    """
    found = Converted(row)
    taken: set[Path] = set()
    rests: list[tuple[Path, object]] = []
    _read_id(found, mapping, taken)
    for entry in mapping.fields:
        if entry.target.part == "record" and not (wanted.predictions or mapping.target == "predictions"):
            continue
        source = _read_field(found, entry, wanted, taken, rests)
        if source is None and entry.target not in found.used:
            _fill_in(found, entry)
    for target, value in mapping.constants:
        put(found.item if target.part == "item" else found.record, target.path, deepcopy(value))
    found.dropped = {path for path in mapping.drop if _is_there(row.value, path)}
    left = without(row.value, taken | found.dropped)
    found.kept = deepcopy({key: value for key, value in left.items() if not (row.cells and value == "")})
    for path, rest in rests:
        put(found.kept, path, rest)
    _misspelt(found, mapping, wanted)
    return found


def _read_id(found: Converted, mapping: Mapping, taken: set[Path]) -> None:
    values = _values(found, mapping.id_sources, taken)
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
        found.findings.append(_twice(found.row, [value for value, _ in values], "item_id"))
    found.item_id, found.id_source = value, path


def _read_field(
    found: Converted, entry: Field, wanted: Wanted, taken: set[Path], rests: list[tuple[Path, object]]
) -> Path | None:
    row = found.row
    values = _values(found, entry.sources, taken)
    if not values:
        return None
    path, value = values[0]
    if len(values) > 1 or entry.target in found.used:
        names = [found.used[entry.target]] if entry.target in found.used else []
        found.findings.append(_twice(row, [*names, *(name for name, _ in values)], str(entry.target)))
        return path

    def notice(message: str, below: Path) -> None:
        found.findings.append(row.violation("odd-value", message, (*path, *below), severity="advice"))

    form = Form(row.cells, wanted.delimiter, notice)
    try:
        read = entry.transform.read(value, entry.options, form)
    except Refused as refused:
        found.findings.append(_refusal(row, path, refused))
        found.used[entry.target] = path
        return path
    if entry.transform.shares:
        assert isinstance(read, tuple)
        read, rest = read
        if rest:
            rests.append((path, rest))
    if read is None:
        return None
    found.used[entry.target] = path
    put(found.item if entry.target.part == "item" else found.record, entry.target.path, read)
    return path


def _values(found: Converted, sources: tuple[Path, ...], taken: set[Path]) -> list[tuple[Path, object]]:
    """The sources that hold something: null and, in cells, empty text mean that nothing is given."""
    values = []
    for path in sources:
        try:
            value = look_up(found.row.value, path)
        except Refused as refused:
            finding = _refusal(found.row, (), refused)
            if finding not in found.findings:
                found.findings.append(finding)
            continue
        if value is MISSING:
            continue
        taken.add(path)
        if value is not None and not (found.row.cells and value == ""):
            values.append((path, value))
    return values


def _fill_in(found: Converted, entry: Field) -> None:
    if entry.default is not None:
        put(
            found.item if entry.target.part == "item" else found.record,
            entry.target.path,
            deepcopy(entry.default),
        )
    elif entry.required:
        names = " or ".join(source_name(path) for path in entry.sources)
        close = [
            did_you_mean(key, guess)
            for key in found.row.value
            if (guess := close_key(key, [path[0] for path in entry.sources if len(path) == 1]))
        ]
        hint = (
            close[0] if close else "the keys of the row: " + ", ".join(map(str, list(found.row.value)[:20]))
        )
        found.findings.append(
            found.row.violation(
                "missing-key",
                f"{names} is required, for {entry.target}",
                expected="a value",
                actual="nothing",
                hint=hint,
            )
        )


def _refusal(row: Row, path: Path, refused: Refused) -> Violation:
    return row.violation(
        "wrong-type",
        refused.message,
        (*path, *refused.below),
        expected=refused.expected,
        actual=refused.actual,
        hint=refused.hint,
    )


def _twice(row: Row, paths: list[Path], target: str) -> Violation:
    names = " and ".join(source_name(path) for path in paths)
    return row.violation(
        "two-sources",
        f"{names} both fill {target}",
        paths[-1],
        hint="keep one of them, or map them to different fields in a mapping of your own",
    )


def _is_there(row: dict[str, object], path: Path) -> bool:
    try:
        return look_up(row, path) is not MISSING
    except Refused:
        return False


def _misspelt(found: Converted, mapping: Mapping, wanted: Wanted) -> None:
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
