"""Verdicts on rows, summed up part by part: what a run over files gives, whatever the order of the parts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from evalcontract.checking import (
    MAX_VIOLATIONS,
    FileResult,
    Findings,
    Key,
    RunResult,
    kind_of_place,
    look_alike,
    nothing_checked,
    repeated,
)
from evalcontract.spark.columns import FINDING, arrow_type
from evalcontract.spark.judging import finding_of, violation_of
from evalcontract.validation import Violation

_OF_A_CODE = 100
Place = tuple[int, str, int, int]
"""Where a finding stands in the order of a summary: behind the rows come the look-alikes."""


def findings_of(row: Mapping[str, Any]) -> list[Violation]:
    """Every finding about a row in full: its own, and what shows only beside the other rows."""
    beside = beside_others(row)
    own = [violation_of(finding) for finding in row["violations"]]
    return [*([] if beside is None else [beside]), *own]


def beside_others(row: Mapping[str, Any]) -> Violation | None:
    """What is wrong with a row because of another one: an item that is there twice asks the same, too."""
    if row["key"] is not None and row["copy"] > 1:
        return repeated(_key(row["key"]), None)
    if row["asked"] is not None and row["asked_copy"] > 1:
        return replace(repeated(b"", None), item_id=row["item_id"])
    return None


def look_alike_of(row: Mapping[str, Any]) -> Violation | None:
    """The advice about the id of a row that another row's id folds to."""
    if row["folded"] is None or row["copy"] != 1 or row["other"] in (None, row["item_id"]):
        return None
    return look_alike(row["item_id"], row["other"])


def flattened(batches: Iterable[Any]) -> Iterator[Any]:
    """One row for each finding."""
    import pyarrow as pa

    for batch in batches:
        found = [
            finding_of(violation)
            for row in batch.to_pylist()
            for violation in (*findings_of(row), look_alike_of(row))
            if violation is not None
        ]
        yield pa.RecordBatch.from_struct_array(pa.array(found, arrow_type(FINDING)))


class Summary:
    """Counts of rows, the first findings in full, and how many of the others there are by code and place."""

    def __init__(self, most: int = MAX_VIOLATIONS) -> None:
        self._most = most
        self.counts: Counter[str] = Counter()
        self.contracts: Counter[str] = Counter()
        self._kept: list[tuple[Place, dict[str, Any]]] = []
        self._groups: Counter[tuple[str, str, str]] = Counter()
        self._settle_at = 2 * most

    def add(self, row: Mapping[str, Any]) -> None:
        """Take one row."""
        found = findings_of(row)
        beside = beside_others(row)
        advised = beside is not None and beside.severity == "advice"
        errors = row["errors"] + (beside is not None and not advised)
        self.counts.update(
            rows=1,
            invalid=bool(errors),
            errors=errors,
            advices=row["advices"] + advised,
        )
        if row["contract"] is not None:
            self.contracts[row["contract"]] += 1
        for number, violation in enumerate(found):
            self._keep((0, row["rank"], row["copy"], number), violation)
        for group in row["more"]:
            self._groups[group["code"], group["place"], group["severity"]] += group["count"]
        alike = look_alike_of(row)
        if alike is not None:
            self.counts["advices"] += 1
            self._keep((1, row["rank"], 0, 0), alike)

    def add_clean(self, counts: Iterable[Mapping[str, Any]]) -> None:
        """Take so many rows about which there is nothing to say, by the contract that they keep."""
        for row in counts:
            self.counts["rows"] += row["counts"]
            self.contracts[row["values"]] += row["counts"]

    def merge(self, state: str) -> None:
        """Take what another one counted."""
        told = json.loads(state)
        self.counts.update(told["counts"])
        self.contracts.update(told["contracts"])
        for code, place, severity, count in told["groups"]:
            self._groups[code, place, severity] += count
        self._kept += [(tuple(place), finding) for place, finding in told["kept"]]
        self._settle()

    def state(self) -> str:
        """All of it as JSON text."""
        self._settle()
        return json.dumps(
            {
                "counts": dict(self.counts),
                "contracts": dict(self.contracts),
                "groups": [[*group, count] for group, count in self._groups.items()],
                "kept": self._kept,
            }
        )

    def result(self, label: str, kind: str, layers: tuple[str, ...]) -> RunResult:
        """What a run over one file would give."""
        self._settle()
        findings = Findings(self._most)
        for (code, place, severity), count in self._groups.items():
            findings.groups[label, code, place, severity] += count
        findings.add(self.violations(label))
        counts = self.counts
        file = FileResult(
            label,
            kind,
            counts["rows"],
            counts["invalid"],
            counts["errors"] + (not counts["rows"]),
            counts["advices"],
            tuple(sorted(self.contracts.items(), key=lambda found: (-found[1], found[0]))),
        )
        return RunResult((file,), tuple(findings.kept), findings.counted(), layers=layers)

    def violations(self, label: str) -> tuple[Violation, ...]:
        """What is kept in full: the first findings, and behind them the first of each code."""
        if not self.counts["rows"]:
            return (nothing_checked(label),)
        self._settle()
        return tuple(replace(violation_of(finding), file=label) for _, finding in self._kept)

    def counted(self) -> tuple[tuple[str, str, str, int], ...]:
        """The others: code, kind of place, severity and their number."""
        self._settle()
        return tuple((*group, count) for group, count in sorted(self._groups.items()))

    def _keep(self, place: Place, violation: Violation) -> None:
        self._kept.append((place, finding_of(violation)))
        if len(self._kept) > self._settle_at:
            self._settle()
            self._settle_at = 2 * len(self._kept) + self._most

    def _settle(self) -> None:
        """Keep the first findings, and the first of each code, and count the others."""
        self._kept.sort(key=lambda kept: kept[0])
        of_code: Counter[str] = Counter()
        kept = []
        for number, (place, finding) in enumerate(self._kept):
            of_code[finding["code"]] += 1
            if number < self._most or of_code[finding["code"]] <= _OF_A_CODE:
                kept.append((place, finding))
            else:
                self._groups[_group(finding)] += 1
        self._kept = kept


def _group(finding: Mapping[str, Any]) -> tuple[str, str, str]:
    return finding["code"], kind_of_place(finding["pointer"]), finding["severity"]


def summed(batches: Iterable[Any]) -> Iterator[Any]:
    """The summary of a part of the rows."""
    summary = Summary()
    for batch in batches:
        spoken_of = _has_findings(batch)
        summary.add_clean(batch.filter(_not(spoken_of)).column("contract").value_counts().to_pylist())
        for row in batch.filter(spoken_of).to_pylist():
            summary.add(row)
    yield _as_batch(summary)


def _has_findings(batch: Any) -> Any:
    """Which rows there is something to say about: most tables have few of them."""
    import pyarrow.compute as pc

    other = pc.fill_null(pc.not_equal(batch.column("other"), batch.column("item_id")), False)
    found = [pc.greater(batch.column(name), 0) for name in ("errors", "advices")]
    found += [pc.greater(batch.column(name), 1) for name in ("copy", "asked_copy")]
    for one in found:
        other = pc.or_(other, one)
    return other


def _not(mask: Any) -> Any:
    import pyarrow.compute as pc

    return pc.invert(mask)


def merged(batches: Iterable[Any]) -> Iterator[Any]:
    """The summary of summaries."""
    summary = Summary()
    for batch in batches:
        for state in batch.column(0).to_pylist():
            summary.merge(state)
    yield _as_batch(summary)


def _as_batch(summary: Summary) -> Any:
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([pa.array([summary.state()], pa.string())], names=["state"])


def _key(text: str) -> Key:
    key = json.loads(text)
    return tuple(key) if isinstance(key, list) else str(key)
