"""Comparisons and statistics of datasets, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from evalcontract.release import (
    DatasetDiff,
    DatasetName,
    DatasetStats,
    NextReleaseVersion,
    Spread,
    null_rates,
)
from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.json_text import json_text
from evalcontract.reports.tables import ENOUGH, aligned, histogram
from evalcontract.values import counted, visible

_SHOWN = 20
_PLACES = 5


def diff_text(diff: DatasetDiff, look: Look = PLAIN) -> str:
    """What was added, removed and changed, the first of each by name."""
    return "".join(f"{visible(line)}\n" for line in _diff_lines(diff))


def diff_json(diff: DatasetDiff) -> str:
    """Every field of the comparison."""
    return _pretty(asdict(diff) | {"same_items": diff.same_items})


def name_text(name: DatasetName, look: Look = PLAIN) -> str:
    """A line for the name of a release and for each of its parts."""
    return "".join(
        f"{line}\n" for line in aligned((what, visible(part)) for what, part in _name(name).items())
    )


def name_json(name: DatasetName) -> str:
    """Keys: name, product_id, schema_type, scope, version."""
    return _pretty(_name(name))


def next_version_text(found: NextReleaseVersion, look: Look = PLAIN) -> str:
    """The number alone on the first line, then why."""
    kind = {"none": "no release", "minor": "a minor release", "major": "a major release"}[found.kind]
    lines = [found.version, f"{kind} after {found.previous}: {'; '.join(found.reasons)}"]
    if found.declared is not None and found.declared != found.version:
        lines.append(f"the dataset declares {found.declared}")
    return "".join(f"{visible(line)}\n" for line in lines)


def next_version_json(found: NextReleaseVersion) -> str:
    """Keys: version, kind, reasons, previous, declared."""
    return _pretty(asdict(found))


def stats_text(stats: DatasetStats, look: Look = PLAIN) -> str:
    """Counts in a table, most frequent first."""
    return "".join(f"{visible(line)}\n" for line in _stats_lines(stats))


def stats_json(stats: DatasetStats) -> str:
    """The same counts; lengths in characters, rates from 0 to 1, paths with how many items fill them."""
    return _pretty(
        {
            "file": stats.file,
            "items": stats.items,
            "types": dict(stats.types),
            "turns": _spread(stats.turns),
            "lengths": {what: _spread(spread) for what, spread in stats.lengths.items()},
            "tools_offered": dict(stats.offered),
            "tools_called": dict(stats.called),
            "letters_by_script": dict(stats.letters),
            "items_by_script": dict(stats.scripts),
            "null_rates": dict(null_rates(stats)),
            "paths": {
                path: {"items": use.items, "filled": use.filled}
                for path, use in sorted(stats.paths.rows.items())
            },
        }
    )


def _name(name: DatasetName) -> dict[str, str]:
    return {
        "name": str(name),
        "product_id": name.product_id,
        "schema_type": name.schema_type,
        "scope": name.scope,
        "version": str(name.version),
    }


def _diff_lines(diff: DatasetDiff) -> Iterator[str]:
    yield f"{diff.before}: {counted(diff.items_before, 'item')}"
    yield f"{diff.after}: {counted(diff.items_after, 'item')}"
    for sign, what, ids in (("+", "added", diff.added), ("-", "removed", diff.removed)):
        if ids:
            yield f"{counted(len(ids), 'item')} {what}"
            yield from (f"  {sign} {item_id}" for item_id in ids[:_SHOWN])
            yield from _more(len(ids) - _SHOWN)
    if diff.changed:
        yield f"{counted(len(diff.changed), 'item')} changed"
        for change in diff.details[:_SHOWN]:
            places = ", ".join(f"{place or '(all of it)'} {how}" for place, how in change.places[:_PLACES])
            rest = len(change.places) - _PLACES
            yield f"  ~ {change.item_id}: {places}" + (f" and {rest} more" if rest > 0 else "")
        yield from _more(len(diff.changed) - _SHOWN)
    for what, keys in (("new keys", diff.keys_added), ("keys gone", diff.keys_removed)):
        if keys:
            yield f"{what}: {', '.join(keys)}"
    if diff.metadata:
        yield f"metadata: {', '.join(f'{place} {how}' for place, how in diff.metadata)}"
    if diff.unnamed or diff.repeated:
        yield f"not compared: {diff.unnamed} without an item_id, {diff.repeated} with an id that was there before"
    if diff.same_items:
        yield (
            "the items that were compared are the same"
            if diff.unnamed or diff.repeated
            else "the items are the same"
        )


def _drawn(spread: Spread) -> str:
    """A histogram from the lowest to the highest number, where there are enough that differ."""
    if spread.count < ENOUGH or spread.low == spread.high:
        return ""
    return f"  {spread.low:,} |{histogram(spread.histogram())}| {spread.high:,}"


def _stats_lines(stats: DatasetStats) -> Iterator[str]:
    yield f"{stats.file}: {counted(stats.items, 'item')}"
    yield from _counts("types", stats.types)
    yield f"messages an item: {_said(stats.turns)}{_drawn(stats.turns)}"
    for what, spread in stats.lengths.items():
        if spread.count:
            yield f"characters a {what}: {_said(spread)} over {spread.count:,}{_drawn(spread)}"
    yield from _counts("tools offered, by items", stats.offered)
    yield from _counts("tools called, by items", stats.called)
    yield from _counts("scripts, by items", stats.scripts)
    rates = list(null_rates(stats))
    if rates:
        yield "null or absent"
        yield from aligned(((path, f"{rate:.1%}") for path, rate in rates), right=(1,), indent="  ")


def _counts(title: str, counts: Counter[str]) -> Iterator[str]:
    if counts:
        named = [f"{name} {count:,}" for name, count in counts.most_common(_SHOWN)]
        rest = len(counts) - _SHOWN
        yield f"{title}: {', '.join(named)}" + (f" and {rest} more" if rest > 0 else "")


def _said(spread: Spread) -> str:
    if spread.mean is None:
        return "none"
    return f"{spread.low:,} to {spread.high:,}, median {spread.median:,}, mean {spread.mean:,.1f}"


def _spread(spread: Spread) -> dict[str, Any]:
    return {
        "count": spread.count,
        "min": spread.low,
        "median": spread.median,
        "mean": spread.mean,
        "max": spread.high,
    }


def _more(rest: int) -> Iterator[str]:
    if rest > 0:
        yield f"  and {rest:,} more"


def _pretty(document: Any) -> str:
    return json_text(document)
