"""The rules: what a change can break, each with a stable code and one sentence of why, and what broke one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from evalcontract.evolution.comparing.values import COUNTS, NUMBER_KEYWORDS
from evalcontract.values import cut, pointer

Path: TypeAlias = tuple[str | int | None, ...]
"""Where in a document: a key, an array index, None for any other key or element."""

MAX_TOLD = 60


class BreakCode(StrEnum):
    """Stable names of the rules; reports and waivers use them."""

    PROPERTY_NO_DELETE = "PROPERTY_NO_DELETE"
    REQUIRED_NO_ADD = "REQUIRED_NO_ADD"
    TYPE_NO_NARROW = "TYPE_NO_NARROW"
    ENUM_VALUE_NO_DELETE = "ENUM_VALUE_NO_DELETE"
    BOUND_NO_TIGHTEN = "BOUND_NO_TIGHTEN"
    PATTERN_NO_CHANGE = "PATTERN_NO_CHANGE"
    DEFAULT_NO_CHANGE = "DEFAULT_NO_CHANGE"
    NEW_PROPERTY_ON_OPEN_OBJECT = "NEW_PROPERTY_ON_OPEN_OBJECT"
    CONSTRAINT_NO_CHANGE = "CONSTRAINT_NO_CHANGE"


@dataclass(frozen=True, slots=True)
class BreakRule:
    """A rule as the documentation tables print it; `keywords` are those whose tightening it is about."""

    code: BreakCode
    why: str
    keywords: tuple[str, ...] = ()


RULES = (
    BreakRule(
        BreakCode.PROPERTY_NO_DELETE, "Data still validates without the property, but its readers break."
    ),
    BreakRule(
        BreakCode.REQUIRED_NO_ADD, "Old documents lack the key; a default changes nothing.", ("required",)
    ),
    BreakRule(BreakCode.TYPE_NO_NARROW, "Old documents hold values of the type that went.", ("type",)),
    BreakRule(BreakCode.ENUM_VALUE_NO_DELETE, "Old documents hold the value that went.", ("enum", "const")),
    BreakRule(
        BreakCode.BOUND_NO_TIGHTEN,
        "Old documents lie outside the new bound.",
        (
            *NUMBER_KEYWORDS,
            *(keyword for pair in COUNTS.values() for keyword in pair),
            "minContains",
            "maxContains",
        ),
    ),
    BreakRule(
        BreakCode.PATTERN_NO_CHANGE,
        "Old documents hold texts that the new pattern refuses.",
        ("pattern",),
    ),
    BreakRule(BreakCode.DEFAULT_NO_CHANGE, "The same document now means something else to its readers."),
    BreakRule(
        BreakCode.NEW_PROPERTY_ON_OPEN_OBJECT,
        "Old documents may carry the key with another type; allowed in a minor version, settled by data.",
    ),
    BreakRule(
        BreakCode.CONSTRAINT_NO_CHANGE,
        "Any other keyword that refuses what was accepted, or can't be compared.",
    ),
)

WAIVED_IN_A_MINOR = frozenset({BreakCode.NEW_PROPERTY_ON_OPEN_OBJECT})
"""What a minor version may have though it is formally a break."""

_BY_KEYWORD = {keyword: rule.code for rule in RULES for keyword in rule.keywords}


def code_of(keyword: str | None) -> BreakCode:
    """The rule that a right-hand `keyword` breaks when it doesn't follow from the left."""
    return _BY_KEYWORD.get(keyword or "type", BreakCode.CONSTRAINT_NO_CHANGE)


@dataclass(frozen=True, slots=True)
class SchemaFinding:
    """One rule broken. `path` is where in a document, `*` for any; `old` and `new` where in the two schemas.

    `witness` holds the document that shows it, or nothing where none was found or none is needed.
    """

    code: BreakCode
    path: str
    old: str
    new: str
    sentence: str
    witness: tuple[Any, ...] = ()


def told(value: Any, limit: int = MAX_TOLD) -> str:
    """A JSON value in a sentence, cut where it is long."""
    return cut(json.dumps(value, ensure_ascii=False), limit)


def place(path: Path) -> str:
    """A place in a document as a JSON pointer, with `*` for any key or element."""
    return pointer("*" if step is None else step for step in path)
