"""What changed between two schemas, in words and by property, without a verdict: for people and for a CHANGELOG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evalcontract.evolution.comparing import SchemaChange, place, told
from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.json_text import json_text
from evalcontract.values import visible

LONGEST = 120
ADDED, CHANGED, REMOVED = "Added", "Changed", "Removed"


@dataclass(frozen=True, slots=True)
class SchemaDiff:
    """The differences between two schemas, which are called `old` and `new`. `refused`: why there are none to see."""

    old: str
    new: str
    changes: Sequence[SchemaChange]
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class Sentences:
    """What changed at one property; `kind` is what the section of a CHANGELOG is called."""

    path: str
    kind: str
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SchemaDiffReport:
    """Differences of one or several pairs of schemas. `title`: the heading of a section of a CHANGELOG."""

    diffs: Sequence[SchemaDiff]
    title: str = ""


def diff_text(report: SchemaDiffReport, look: Look = PLAIN) -> str:
    """For each pair its properties, and below each what changed."""
    lines: list[str] = []
    for diff in report.diffs:
        lines.append(f"{diff.old} -> {diff.new}" + ("" if diff.changes else f": {_nothing(diff)}"))
        for path, changes in _by_property(diff.changes).items():
            lines += [f"  {path or '/'}", *(f"    {sentence}" for sentence in _sentences(changes, str))]
    return "".join(f"{visible(line)}\n" for line in lines)


def by_property(diff: SchemaDiff) -> list[Sentences]:
    """The properties that differ, each with its sentences."""
    return [
        Sentences(path or "/", _kind(changes), tuple(_sentences(changes, str)))
        for path, changes in _by_property(diff.changes).items()
    ]


def diff_markdown(report: SchemaDiffReport) -> str:
    """For each pair a heading and a list of properties."""
    lines: list[str] = []
    for diff in report.diffs:
        lines += [f"### {_code(diff.old)} to {_code(diff.new)}", ""]
        lines += _items(diff.changes) or [f"{visible(_nothing(diff)).capitalize()}."]
        lines.append("")
    return "\n".join(lines)


def _nothing(diff: SchemaDiff) -> str:
    return f"can't be compared: {diff.refused}" if diff.refused else "no difference"


def diff_json(report: SchemaDiffReport) -> str:
    """A list of {old, new, refused, properties: [{path, changes: [{what, before, after, words}]}]}."""
    document = [
        {
            "old": diff.old,
            "new": diff.new,
            "refused": diff.refused,
            "properties": [
                {"path": path, "changes": [_change(change) for change in changes]}
                for path, changes in _by_property(diff.changes).items()
            ],
        }
        for diff in report.diffs
    ]
    return json_text(document)


def changelog_text(report: SchemaDiffReport, look: Look = PLAIN) -> str:
    """The section of a CHANGELOG in Markdown: what was added, changed and removed."""
    changes = [change for diff in report.diffs for change in diff.changes]
    properties = _by_property(changes).values()
    lines = [f"## {visible(report.title)}", ""]
    for heading in (ADDED, CHANGED, REMOVED):
        listed = _items([change for found in properties if _kind(found) == heading for change in found])
        lines += [f"### {heading}", "", *listed, ""] if listed else []
    return "\n".join(lines if changes else [*lines, "No difference.", ""])


def _by_property(changes: Iterable[SchemaChange]) -> dict[str, list[SchemaChange]]:
    found: dict[str, list[SchemaChange]] = {}
    for change in changes:
        found.setdefault(_path(change), []).append(change)
    for path, changes_there in found.items():
        if _kind(changes_there) == REMOVED:  # what is gone is no longer required either
            found[path] = [change for change in changes_there if change.what != "required"]
    return found


def _path(change: SchemaChange) -> str:
    """The property that a change is about: what is added, removed or required is one itself."""
    own = (*change.before, *change.after)[:1] if change.what in ("property", "required") else ()
    return place((*change.path, *own))


def _kind(changes: Sequence[SchemaChange]) -> str:
    """What became of a property as a whole."""
    came_or_went = [change for change in changes if change.what == "property"]
    if not came_or_went or len({bool(change.after) for change in came_or_went}) > 1:
        return CHANGED
    return ADDED if came_or_went[0].after else REMOVED


def _items(changes: Iterable[SchemaChange]) -> list[str]:
    return [
        f"- {_code(path or '/')}: {'; '.join(_sentences(found, _code))}"
        for path, found in _by_property(changes).items()
    ]


def _sentences(changes: Iterable[SchemaChange], quote: Callable[[str], str]) -> list[str]:
    """What changed, each once: branches of a union often change alike."""
    return list(dict.fromkeys(_words(change, quote) for change in changes))


def _words(change: SchemaChange, quote: Callable[[str], str]) -> str:
    before, after = (
        ", ".join(quote(told(value, LONGEST)) for value in values) for values in (change.before, change.after)
    )
    match change.what:
        case "property":
            return "added" if change.after else "removed"
        case "required":
            return "required now" if change.after else "no longer required"
        case "type":
            return f"takes {after} too" if change.after else f"no longer takes {before}"
        case "value":
            return f"accepts {after} too" if change.after else f"no longer accepts {before}"
        case "branch":
            return f"a branch for {after} added" if change.after else f"the branch for {before} removed"
    keyword = quote(change.what)
    if not change.before:
        return f"{keyword} {after} added"
    return f"{keyword} {before} -> {after}" if change.after else f"{keyword} {before} removed"


def _code(text: str) -> str:
    return f"`{visible(text).replace('`', chr(39))}`"


def _change(change: SchemaChange) -> dict[str, Any]:
    return {
        "what": change.what,
        "before": list(change.before),
        "after": list(change.after),
        "words": _words(change, str),
    }
