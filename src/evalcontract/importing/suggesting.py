"""A proposal for a mapping, made from the keys of a file."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.errors import UnreadableInput
from evalcontract.importing.convert import convert
from evalcontract.importing.converted import ConversionRequest
from evalcontract.importing.mapping import MappedField, Mapping, load_mapping, preset_names, preset_text
from evalcontract.importing.row import Row
from evalcontract.importing.rows import read_rows
from evalcontract.importing.targets import PARTS, TargetField, known_fields
from evalcontract.importing.transforms import BY_NAME
from evalcontract.importing.values import MISSING, Refused, look_up, source_name, source_path
from evalcontract.importing.values import Path as SourcePath
from evalcontract.validation import foreign_formats
from evalcontract.values import listed, visible

_ROWS = 1000
_PLAIN = "golden"
_QUESTION = "/input/messages"
_SAME = {
    "inputs": "input",
    "vars": "input",
    "outputs": "expected_output",
    "reference_outputs": "expected_output",
}


def suggest_mapping(source: Path, catalogue: Catalogue | None = None) -> str:
    """A mapping file for a file of rows: read with `--map`, it is where a mapping of one's own begins.

    Keys that are called like a field which only the upper layers of `catalogue` have are proposed for it.
    Raises UnreadableInput when there are no rows.
    """
    plain = load_mapping(_PLAIN)
    under = dict.fromkeys(key for name in preset_names() for key in load_mapping(name).rows_under)
    rows = [
        event
        for event in islice(read_rows(source, replace(plain, rows_under=tuple(sorted(under))), {}), _ROWS)
        if isinstance(event, Row)
    ]
    if not rows:
        raise UnreadableInput(f"{source}: no rows to propose a mapping from")
    keys = {key for row in rows for key in row.value}
    likely = foreign_formats(keys)
    preset, others = (likely[0] if likely else None), likely[1:]
    mapping = load_mapping(preset) if preset else plain
    paths = _paths(rows)
    fields = [found for entry in mapping.fields if (found := _field(entry, paths, rows))]
    filled = {entry["to"] for entry in fields}
    taken = {source_path(name) for entry in fields for name in entry["from"]}
    guessed = [
        found
        for entry in plain.fields
        if str(entry.target) not in filled and (found := _by_last_step(entry, paths - taken, rows))
    ]
    fields += guessed
    taken |= {source_path(name) for entry in guessed for name in entry["from"]}
    fields += _own_fields(catalogue or default_catalogue(), paths - taken, rows)
    taken |= {source_path(name) for entry in fields for name in entry["from"]}
    deep = any(len(path) > 2 for field in mapping.fields for path in field.sources)
    if preset and (deep or not any(entry["to"] == _QUESTION for entry in fields)):
        # Its keys hold now this, now that, or lie deep: the preset tells them apart, a list of keys can't.
        return f"# These are rows of {preset}: --map {preset} reads them, by this mapping.\n{preset_text(preset)}"
    ids = [path for path in mapping.id_sources if path in paths]
    rest = sorted({source_name(path) for path in paths - taken - set(ids)})
    proposal: dict[str, Any] = {
        "mapping_version": "1.0",
        "name": "suggested",
        "description": f"Proposed from {len(rows)} rows.",
        **({"rows_under": list(mapping.rows_under)} if mapping.rows_under else {}),
        "item_id": {
            "from": list(
                map(
                    source_name,
                    [*ids, *(path for path in mapping.id_sources if path not in ids)],
                )
            ),
            "otherwise": mapping.otherwise,
        },
        "fields": fields,
        **({"keep": rest} if rest else {}),
    }
    known = f"These look like rows of {preset}{_how_sure(mapping, keys, others)}" if preset else _UNKNOWN
    return "\n".join(
        [
            f"# {known}: check each line.",
            *(
                f"# {visible(source_name(path), 80)} has no field and is kept in the metadata"
                for path in map(source_path, rest)
            ),
            *([] if any(entry["to"] == _QUESTION for entry in fields) else [_NO_QUESTION]),
            _yaml(proposal),
        ]
    )


def _yaml(proposal: dict[str, Any]) -> str:
    """The mapping as text for a terminal: where a key can't be printed as it is, all is quoted and escaped."""
    import yaml

    keys = json.dumps(proposal, ensure_ascii=False)
    readable = keys.isprintable() and "\\" not in keys
    made: str = yaml.safe_dump(
        proposal,
        sort_keys=False,
        allow_unicode=readable,
        width=100 if readable else math.inf,
        default_style=None if readable else '"',
    )
    return made


def _how_sure(mapping: Mapping, keys: set[str], others: list[str]) -> str:
    """How many of the keys the preset knows, and what other presets have all their marks in them."""
    heads = {path[0] for path in mapping.known_sources}
    also = f", and may be rows of {listed(others)} as well" if others else ""
    return f", which knows {len(keys & heads)} of their {len(keys)} keys{also}"


_UNKNOWN = "No format was recognised by its keys"
_NO_QUESTION = "# No key looks like the question: say which one fills /input/messages."


def _paths(rows: list[Row]) -> set[SourcePath]:
    """The keys of the rows; of keys that hold objects everywhere, the keys below."""
    keys = dict.fromkeys(key for row in rows for key in row.value)
    paths: set[SourcePath] = set()
    for key in keys:
        values = [row.value[key] for row in rows if row.value.get(key) is not None]
        if values and key in _SAME and all(isinstance(value, dict) for value in values):
            paths |= {(key, inner) for value in values if isinstance(value, dict) for inner in value}
        else:
            paths.add((key,))
    return paths


def _field(field: MappedField, paths: set[SourcePath], rows: list[Row]) -> dict[str, Any] | None:
    sources = [path for path in field.sources if path in paths and _reads(field, path, rows)]
    return _declared(field, sources) if sources else None


def _by_last_step(field: MappedField, paths: set[SourcePath], rows: list[Row]) -> dict[str, Any] | None:
    """A field by the usual names of plain files, also where the key lies below inputs, outputs or the like."""
    names = [path[-1] for path in field.sources]
    part = field.target.path[0]
    fitting = [path for path in paths if path[-1] in names and (len(path) == 1 or _SAME.get(path[0]) == part)]
    sources = sorted(fitting, key=lambda path: (names.index(path[-1]), path))[:1]
    return _declared(field, sources) if sources and _reads(field, sources[0], rows) else None


def _own_fields(catalogue: Catalogue, paths: set[SourcePath], rows: list[Row]) -> Iterator[dict[str, Any]]:
    """Fields of schema types of one's own, from keys that are called like them."""
    for part in PARTS:
        known = set(known_fields(default_catalogue(), part))
        for name in (name for name in known_fields(catalogue, part) if name not in known):
            fitting = sorted(
                path for path in paths if path[-1] == name and (len(path) == 1 or _SAME.get(path[0]) == part)
            )
            for transform in ("text", "json") if fitting else ():
                field = MappedField((fitting[0],), TargetField("item", (part, name)), BY_NAME[transform], {})
                if _reads(field, fitting[0], rows):
                    yield _declared(field, fitting[:1])
                    break


def _declared(field: MappedField, sources: list[SourcePath]) -> dict[str, Any]:
    declared: dict[str, Any] = {
        "from": list(map(source_name, sources)),
        "to": str(field.target),
        "as": field.transform.name,
        **dict(field.options),
    }
    return declared | ({"required": True} if field.required else {})


def _reads(field: MappedField, path: SourcePath, rows: list[Row]) -> bool:
    """Whether the transform takes the value in most rows that have one."""
    alone = Mapping(
        "one", "", (MappedField((path,), field.target, field.transform, field.options),), (), "error"
    )
    given = [row for row in rows if _there(row, path)]
    good = sum(not convert(row, alone, ConversionRequest(predictions=True)).failed for row in given)
    return bool(given) and good * 2 > len(given)


def _there(row: Row, path: SourcePath) -> bool:
    try:
        return look_up(row.value, path) not in (MISSING, None)
    except Refused:
        return False
