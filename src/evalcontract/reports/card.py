"""A dataset's card: Markdown with the YAML header that Hugging Face reads, and Croissant 1.0 in JSON-LD."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from evalcontract.errors import UsageError
from evalcontract.release import DatasetCard, null_rates
from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.json_text import json_text
from evalcontract.values import LINES_SUFFIXES, PARQUET_SUFFIX, counted, visible

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_MORE = "n>1M"
_LICENCE = re.compile(r"[A-Za-z0-9.+-]{1,100}")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")
_ENCODINGS = {
    ".json": "application/json",
    **dict.fromkeys(LINES_SUFFIXES, "application/jsonlines"),
    PARQUET_SUFFIX: "application/x-parquet",
}
_TERMS = (
    *(
        "citeAs",
        "column",
        "equivalentProperty",
        "extract",
        "field",
        "fileProperty",
        "fileObject",
        "fileSet",
        "format",
    ),
    *(
        "includes",
        "isLiveDataset",
        "jsonPath",
        "key",
        "md5",
        "parentField",
        "path",
        "recordSet",
        "references",
        "regex",
    ),
    *("repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
)
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    **{term: f"cr:{term}" for term in _TERMS},
}
"""The context that Croissant 1.0 prescribes."""


def card_text(card: DatasetCard, look: Look = PLAIN) -> str:
    """The same as in Markdown."""
    return card_markdown(card)


def card_markdown(card: DatasetCard) -> str:
    """The README of a dataset."""
    header = yaml.safe_dump(_header(card), sort_keys=False, allow_unicode=True)
    return f"---\n{header}---\n\n" + "\n".join(_body(card)) + "\n"


def card_croissant(card: DatasetCard) -> str:
    """Croissant metadata: the file with its sha256, and a record set of the items.

    Raises UsageError for a file in a format that Croissant has no name for, or that is compressed.
    """
    encoding = _ENCODINGS.get(card.file.suffix.lower())
    if encoding is None:
        raise UsageError(
            f"Croissant can't describe {card.file.name}",
            hint=f"evalcontract convert writes it as one of {', '.join(_ENCODINGS)}",
        )
    version = card.said("version") or "0.0"
    described: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": card.title,
        "description": card.said("description") or f"{card.title}, {counted(card.stats.items, 'item')}",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "version": f"{version}.0",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": "data",
                "name": "data",
                "contentUrl": card.file.name,
                "encodingFormat": encoding,
                "sha256": card.sha256,
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "items",
                "name": "items",
                "field": [
                    _field(name, place, what, columns=_is_table(card)) for name, place, what in _fields(card)
                ],
            }
        ],
    }
    licence, created = card.said("license"), card.said("created_at")
    if licence is not None:
        described["license"] = licence
    if created is not None:
        described["datePublished"] = created
    return json_text(described) + "\n"


def _header(card: DatasetCard) -> dict[str, object]:
    items = card.stats.items
    header: dict[str, object] = {"pretty_name": _one_line(card.title)}
    licence = card.said("license")
    if licence is not None:
        named = _LICENCE.fullmatch(licence) is not None
        header |= (
            {"license": licence.lower()}
            if named
            else {"license": "other", "license_name": _one_line(licence)}
        )
    header["size_categories"] = [next((name for most, name in _SIZES if items < most), _MORE)]
    header["task_categories"] = ["question-answering"]
    header["tags"] = ["evaluation", *(type_ for type_ in card.stats.types if " " not in type_)]
    if _is_table(card):
        header["configs"] = [{"config_name": "default", "data_files": card.file.name}]
    return header


def _body(card: DatasetCard) -> Iterator[str]:
    stats, report = card.stats, card.report
    yield f"# {_escaped(card.title)}\n"
    if described := card.said("description"):
        yield f"{_escaped(described)}\n"
    yield f"{counted(stats.items, 'item')}, checked by evalcontract.\n"
    yield from _table(("", ""), ((name, value) for name, value in _facts(card) if value))
    yield "\n## Checks of the release\n"
    rows = ((outcome.code, outcome.status, outcome.reason) for outcome in report.outcomes)
    yield from _table(("check", "outcome", "why"), rows)
    yield f"\nIt {'may' if report.ok else 'may not'} go out as a new dataset.\n"
    yield "## Fields\n"
    filled = ((path, f"{1 - rate:.0%}") for path, rate in null_rates(stats))
    yield from _table(("field", "given in"), filled)
    yield "\n## Lengths\n"
    characters = ((f"characters of a {what}", spread) for what, spread in stats.lengths.items())
    spreads = (("messages an item", stats.turns), *characters)
    yield from _table(
        ("", "lowest", "median", "mean", "highest"),
        (
            (what, one.low, one.median, f"{one.mean:.1f}", one.high)
            for what, one in spreads
            if one.mean is not None
        ),
    )


def _facts(card: DatasetCard) -> Iterator[tuple[str, str]]:
    stats = card.stats
    yield "file", card.file.name
    yield "sha256", card.sha256
    for key in ("product_id", "scope", "version", "license", "created_at"):
        yield key, card.said(key) or ""
    yield "schema types", ", ".join(f"{type_} ({count:,})" for type_, count in stats.types.most_common())
    yield "scripts", ", ".join(f"{script} ({count:,})" for script, count in stats.scripts.most_common())
    yield "tools called", ", ".join(f"{tool} ({count:,})" for tool, count in stats.called.most_common())


def _table(head: tuple[str, ...], rows: Iterator[tuple[object, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(_escaped(str(cell)) for cell in row)} |"


def _escaped(text: str) -> str:
    """Text of the data as Markdown shows it: on one line, and no markup."""
    return _SPECIAL.sub(r"\\\1", _one_line(text))


def _one_line(text: str) -> str:
    return visible(" ".join(text.split()))


def _is_table(card: DatasetCard) -> bool:
    """Whether a row of the file is an item."""
    return card.file.suffix.lower() in (*LINES_SUFFIXES, PARQUET_SUFFIX)


def _fields(card: DatasetCard) -> Iterator[tuple[str, str, str]]:
    """Name, place and meaning of what every item has. Of tables, Croissant's readers take whole columns only."""
    yield "item_id", "item_id", "Identifier of the item, unique within its dataset."
    declared = card.said("input_schema_type") is not None and card.report.ok
    if declared and not _is_table(card):
        yield "question", "input.messages[0].content", "The first message of the conversation."
        yield "response", "expected_output.response", "The reference answer; empty where none was written."


def _field(name: str, place: str, what: str, *, columns: bool) -> dict[str, object]:
    return {
        "@type": "cr:Field",
        "@id": f"items/{name}",
        "name": name,
        "description": what,
        "dataType": "sc:Text",
        "source": {
            "fileObject": {"@id": "data"},
            "extract": {"column": place} if columns else {"jsonPath": f"$.items[*].{place}"},
        },
    }
