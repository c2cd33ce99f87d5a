"""The worker's side of a release check: items, or whole release files, in, and what is known of them out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from evalcontract.catalog import Catalogue
from evalcontract.errors import ContractError
from evalcontract.reading import Document, Fault, glance, limited, read_single
from evalcontract.release import (
    Expected,
    ReleaseReport,
    ReleaseVersion,
    SurveyPart,
    asked_by,
    check_release,
    contradiction,
    expected_of,
)
from evalcontract.spark.columns import FINDING, OUTCOME, RELEASE, SURVEYED, arrow_type
from evalcontract.spark.job import TableJob, catalogue_of
from evalcontract.spark.judging import finding_of, texts_of
from evalcontract.validation import Violation

_SLICE = 1000


def survey(batches: Iterable[Any], job: TableJob) -> Iterator[Any]:
    """What each item expects, and at the end the survey of all of them."""
    import pyarrow as pa

    part = SurveyPart()
    for batch in batches:
        for start in range(0, batch.num_rows, _SLICE):
            with limited(job.limits):
                rows = [
                    row
                    for raw in texts_of(batch.slice(start, _SLICE).column(0))
                    for row in _looked(raw, part)
                ]
            yield pa.RecordBatch.from_struct_array(pa.array(rows, arrow_type(SURVEYED)))
    state = [{"kind": "state", "name": None, "text": part.state()}]
    yield pa.RecordBatch.from_struct_array(pa.array(state, arrow_type(SURVEYED)))


def _looked(raw: bytes | None, part: SurveyPart) -> Iterator[dict[str, Any]]:
    value, fault = value_of(raw)
    if fault is not None:
        part.fault()
        return
    part.add(value)
    expected = expected_of(value) if isinstance(value, Mapping) else None
    if expected is not None and isinstance(value, Mapping):
        told = [expected.item_id, sorted(expected.answers), expected.answerable]
        yield {"kind": "expected", "name": asked_by(value).hex(), "text": json.dumps(told)}


def value_of(raw: bytes | None) -> tuple[object, str | None]:
    """The value of a text, or why it can't be read."""
    if raw is None:
        return None, "the cell is NULL"
    try:
        return glance(raw), None
    except ValueError:
        for event in read_single(raw):
            if isinstance(event, Document):
                return event.value, None
            if isinstance(event, Fault):
                return None, f"{event.message} at {event.position}"
    raise AssertionError("a text is a document or a fault")


def merged_surveys(batches: Iterable[Any]) -> Iterator[Any]:
    """The survey of surveys."""
    import pyarrow as pa

    part = SurveyPart()
    for batch in batches:
        for state in batch.column(0).to_pylist():
            part.merge(state)
    yield pa.RecordBatch.from_arrays([pa.array([part.state()], pa.string())], names=["state"])


def contradictions(batches: Iterable[Any]) -> Iterator[Any]:
    """The findings about items that ask the same: the one whose id sorts first is taken at its word."""
    import pyarrow as pa

    for batch in batches:
        found = [
            finding_of(violation) for row in batch.to_pylist() for violation in _contradicting(row["texts"])
        ]
        yield pa.RecordBatch.from_struct_array(pa.array(found, arrow_type(FINDING)))


def _contradicting(texts: Iterable[str]) -> Iterator[Violation]:
    told = sorted(json.loads(text) for text in texts)
    first, *others = (Expected(id_, frozenset(answers), answerable) for id_, answers, answerable in told)
    for other in others:
        found = contradiction(first, other)
        if found is not None:
            yield found


def identify(batches: Iterable[Any], job: TableJob) -> Iterator[Any]:
    """Which release each file is: the columns of RELEASE of the files and their texts."""
    import pyarrow as pa

    for batch in batches:
        with limited(job.limits):
            rows = [
                _identified(file, raw)
                for file, raw in zip(batch.column(1).to_pylist(), texts_of(batch.column(0)), strict=True)
            ]
        yield pa.RecordBatch.from_struct_array(pa.array(rows, arrow_type(RELEASE)))


def _identified(file: str, raw: bytes | None) -> dict[str, Any]:
    value, fault = value_of(raw)
    metadata = value.get("metadata") if isinstance(value, Mapping) else None
    row: dict[str, Any] = {
        "file": file,
        "text": None if raw is None else raw.decode("utf-8", "replace"),
        "fault": fault,
    }
    row |= {"series": None, "major": None, "minor": None}
    if isinstance(metadata, Mapping):
        try:
            version = ReleaseVersion.parse(str(metadata.get("version")))
        except ContractError:
            return row
        series = json.dumps([metadata.get("product_id"), metadata.get("scope")])
        row |= {"series": series, "major": version.major, "minor": version.minor}
    return row


def check(batches: Iterable[Any], job: TableJob, *, strict: bool) -> Iterator[Any]:
    """Every outcome of the checks of each file, beside the file before it in its series."""
    import pyarrow as pa

    for batch in batches:
        rows = [row for release in batch.to_pylist() for row in _outcomes(release, job, strict)]
        yield pa.RecordBatch.from_struct_array(pa.array(rows, arrow_type(OUTCOME)))


def _outcomes(release: Mapping[str, Any], job: TableJob, strict: bool) -> Iterator[dict[str, Any]]:
    file = release["file"]
    with limited(job.limits):
        value, _ = value_of(release["text"].encode()) if release["text"] is not None else (None, None)
        if release["fault"] is not None or not isinstance(value, Mapping):
            why = release["fault"] or "a release is an object with metadata and items"
            yield _outcome(
                file, None, release, "readable", "error", "fail", why, "evalcontract validate says more", 1
            )
            return
        before = None if release["before"] is None else value_of(release["before"].encode())[0]
        report = _checked(value, before, file, job, catalogue_of(job), strict)
    for outcome in report.outcomes:
        severity = "error" if strict else outcome.severity
        yield _outcome(
            file,
            report,
            release,
            outcome.code,
            severity,
            outcome.status,
            outcome.reason,
            outcome.hint,
            outcome.findings,
        )


def _checked(
    value: Mapping[str, Any], before: object, file: str, job: TableJob, catalogue: Catalogue, strict: bool
) -> ReleaseReport:
    return check_release(
        value,
        before if isinstance(before, Mapping) else None,
        name=PurePosixPath(file).name.partition(".json")[0],
        own_types=job.own_types,
        strict=strict,
        catalogue=catalogue,
    )


def _outcome(
    file: str,
    report: ReleaseReport | None,
    release: Mapping[str, Any],
    check: str,
    severity: str,
    status: str,
    reason: str,
    hint: str | None,
    findings: int,
) -> dict[str, Any]:
    return {
        "file": file,
        "release": None if report is None or report.name is None else str(report.name),
        "kind": None if report is None else report.kind,
        "previous": release["before_file"],
        "check": check,
        "severity": severity,
        "status": status,
        "reason": reason,
        "hint": hint,
        "findings": findings,
    }
