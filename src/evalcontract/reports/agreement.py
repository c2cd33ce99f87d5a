"""Reports of how far evaluators agree: tables for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.json_text import json_text
from evalcontract.reports.scores_markdown import cell, table
from evalcontract.reports.tables import aligned
from evalcontract.scoring import AgreementReport
from evalcontract.values import listed, visible

Table = tuple[str, list[tuple[str, ...]]]
_NONE = "-"


def agreement_text(report: AgreementReport, look: Look = PLAIN) -> str:
    """A table of metrics, one of pairs and, with a reference, one of judges."""
    lines = [heading(report)]
    for title, rows in tables(report):
        lines += ["", *([title] if title else []), *aligned(rows, right=range(2, len(rows[0])))]
    lines += [f"note: {text}" for text in remarks(report)]
    return "".join(f"{visible(line, len(line))}\n" for line in lines)


def agreement_markdown(report: AgreementReport) -> str:
    """The same as tables of Markdown."""
    lines = [f"**{cell(heading(report))}**", ""]
    for title, rows in tables(report):
        lines += [f"{cell(title)}:", ""] if title else []
        lines += table(rows)
    lines += [f"- {cell(text)}" for text in remarks(report)]
    return "\n".join(lines) + "\n"


def agreement_json(report: AgreementReport) -> str:
    """Keys: files, metrics, alone. Numbers are not rounded; null is not defined."""
    return json_text(asdict(report))


def heading(report: AgreementReport) -> str:
    """What was read."""
    return f"agreement of evaluators in {listed(report.files, 5)}"


def tables(report: AgreementReport) -> Iterator[Table]:
    """Each table with its title; the first has none."""
    yield (
        "",
        [
            ("metric", "evaluators", "rated by several", "alpha"),
            *(
                (found.metric, listed(found.evaluators, 5), f"{found.units:,}", _number(found.alpha))
                for found in report.metrics
            ),
        ],
    )
    yield (
        "pairs",
        [
            ("metric", "evaluators", "both rated", "the same", "kappa"),
            *(
                (
                    found.metric,
                    f"{pair.first}, {pair.second}",
                    f"{pair.n:,}",
                    _number(pair.same),
                    _number(pair.kappa),
                )
                for found in report.metrics
                for pair in found.pairs
            ),
        ],
    )
    judges = [
        (found.metric, judge.judge, f"{judge.n:,}", _number(judge.precision), _number(judge.recall))
        for found in report.metrics
        for judge in found.judges
    ]
    if judges:
        first = next(judge for found in report.metrics for judge in found.judges)
        title = f"held against {first.reference}, positive from {first.threshold:g}"
        yield title, [("metric", "judge", "both rated", "precision", "recall"), *judges]


def remarks(report: AgreementReport) -> Iterator[str]:
    """What is to be said beside the numbers."""
    yield "alpha is Krippendorff's, of labels where each score has one, else of values; kappa is Cohen's"
    if report.alone:
        yield f"one evaluator only: {listed(report.alone, 10)}"


def _number(value: float | None) -> str:
    return _NONE if value is None else f"{value:.3f}"
