"""The page of a comparison of schema versions: the two places side by side, and the document that proves it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from evalcontract.errors import ContractError
from evalcontract.evolution import Judgement
from evalcontract.evolution.comparing import SchemaFinding
from evalcontract.reports.pages.page import page
from evalcontract.reports.versions import (
    BreakingReport,
    Places,
    breaking_outcome,
    open_questions,
    unproved,
    views_said,
    worth_a_line,
)
from evalcontract.values import follow, pointer_tokens

_LARGEST_SCHEMA = 1 << 22


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A place in one of two schemas, and what stands there where that could be read."""

    version: str
    place: str
    text: str | None


@dataclass(frozen=True, slots=True)
class Broken:
    """A finding with its two sides; `waived` is the reason why it is accepted, `unproved` that nothing shows it."""

    finding: SchemaFinding
    old: ShownSide
    new: ShownSide
    proof: str | None
    waived: str | None = None
    unproved: str = ""


@dataclass(frozen=True, slots=True)
class ComparedVersions:
    """A comparison in words: its two views, what they leave open, and what is broken or waived."""

    judgement: Judgement
    backward: str
    forward: str
    questions: Sequence[str]
    broken: Sequence[Broken]


def breaking_html(report: BreakingReport) -> str:
    """Each comparison: what was proved, what breaks, the two schemas side by side, and the proof."""
    comparisons = [compared(judgement, report.places) for judgement in worth_a_line(report.judgements)]
    return page(
        "breaking",
        report=report,
        outcome=breaking_outcome(report),
        comparisons=comparisons,
        left_out=len(report.judgements) - len(comparisons),
    )


def compared(judgement: Judgement, places: Places) -> ComparedVersions:
    """One comparison as a page shows it; `places` says where the two schemas can be read."""
    return ComparedVersions(
        judgement,
        *views_said(judgement),
        open_questions(judgement),
        [
            *_broken(judgement.judged.breaking, places),
            *(
                found
                for finding, reason in judgement.judged.waived
                for found in _broken([finding], places, reason)
            ),
        ],
    )


def _broken(findings: Sequence[SchemaFinding], places: Places, waived: str | None = None) -> list[Broken]:
    return [
        Broken(
            finding,
            _side(finding.old, places),
            _side(finding.new, places),
            _pretty(finding.witness[0]) if finding.witness else None,
            waived,
            unproved(finding).capitalize(),
        )
        for finding in findings
    ]


def _side(uri: str, places: Places) -> ShownSide:
    file, _, pointer = uri.partition("#")
    inside = places.inside(file)
    text = None
    schema = _schema(places.file(file))
    if schema is not None:
        with suppress(LookupError, ContractError):  # the place is where something is missing
            text = _pretty(follow(schema, pointer_tokens(pointer))[1])
    return ShownSide(inside, f"#{pointer}", text)


@lru_cache(maxsize=64)
def _schema(file: str) -> Any:
    path = Path(file)
    try:
        return json.loads(path.read_bytes()) if path.stat().st_size <= _LARGEST_SCHEMA else None
    except (OSError, ValueError, RecursionError):
        return None


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
