"""Comparisons of schemas with older versions, as text, json or workflow commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evalcontract.evolution.comparing import Compatibility, SchemaFinding, View
from evalcontract.evolution.versions import SURFACE, Judgement, compatibility, exit_code
from evalcontract.reports.examples import example
from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.github import command
from evalcontract.reports.json_text import json_text
from evalcontract.values import counted, visible

_LONGEST = 300
FEW = 5
"""So many comparisons are all told, with or without a difference."""


@dataclass(frozen=True, slots=True)
class Places:
    """From `uri#/pointer` to what a reader knows. `folder`: where the schemas lie, seen from here."""

    base_uri: str
    folder: str = "."

    def inside(self, uri: str) -> str:
        """As seen from the schemas' folder: `rag_input/1.1.json#/pointer`."""
        return uri.removeprefix(self.base_uri)

    def file(self, uri: str) -> str:
        """As seen from here, as annotations want it: `schemas/rag_input/1.1.json#/pointer`."""
        inside = self.inside(uri)
        return inside if inside == uri or self.folder == "." else f"{self.folder}/{inside}"


@dataclass(frozen=True, slots=True)
class BreakingReport:
    """Comparisons of schemas with older ones. `transitive`: with all that were released.

    `notes`: what else to say, of contracts that there is nothing to compare of.
    """

    judgements: Sequence[Judgement]
    places: Places
    transitive: bool = False
    notes: Sequence[str] = ()

    @property
    def exit_code(self) -> int:
        """0 fine, 1 breaking, 3 undecided."""
        return exit_code(self.judgements)


SAID = {
    Compatibility.COMPATIBLE: "proved",
    Compatibility.INCOMPATIBLE: "broken",
    Compatibility.UNDECIDED: "not settled",
}
"""What the verdict on a view is called in a report."""


def breaking_text(report: BreakingReport, look: Look = PLAIN) -> str:
    """A paragraph for each comparison, then the outcome."""
    lines: list[str] = []
    shown = worth_a_line(report.judgements)
    for judgement in shown:
        lines.append(_headline(judgement))
        lines += [f"  {line}" for line in open_questions(judgement)]
        lines += _findings(judgement, report.places)
        for finding, reason in judgement.judged.waived:
            lines += [f"  {line}" for line in _lines(finding, report.places)]
            lines.append(
                "    waived, but for what the data below says"
                if judgement.carried
                else f"    waived: {reason}"
            )
        if judgement.judged.undecided:
            lines.append(f"  undecided: {judgement.judged.undecided}")
        lines += [f"  {line}" for line in judgement.carried]
    if len(shown) < len(report.judgements):
        lines.append(f"and {len(report.judgements) - len(shown)} more that say the same as before")
    notes = dict.fromkeys(note for judgement in shown for note in judgement.comparison.notes)
    lines += [*(f"note: {note}" for note in notes), *report.notes, breaking_outcome(report)]
    return "".join(f"{visible(line)}\n" for line in lines)


def worth_a_line(judgements: Sequence[Judgement]) -> list[Judgement]:
    """Of many comparisons those with a difference, of few all."""
    different = [judgement for judgement in judgements if judgement.step != "none" or judgement.carried]
    return different if len(judgements) > FEW else list(judgements)


def _headline(judgement: Judgement) -> str:
    comparison = judgement.comparison
    backward, forward = views_said(judgement)
    return f"{comparison.new} against {comparison.old}: backward {backward}, forward {forward}; {_needs(judgement)}"


def views_said(judgement: Judgement) -> tuple[str, str]:
    """What became of the backward and of the forward view: proved, broken or not settled, and how far."""
    waived = [] if judgement.carried else [finding for finding, _ in judgement.judged.waived]
    comparison = judgement.comparison
    return _said(comparison.backward, waived), _said(comparison.forward, waived)


def _said(view: View, waived: Sequence[SchemaFinding]) -> str:
    if view.verdict is not Compatibility.INCOMPATIBLE:
        return SAID[view.verdict]
    if view.unsettled:
        return "broken (not all of it settled)"
    return f"broken{' (all of it waived)' if _all_in(view.findings, waived) else ''}"


def _all_in(findings: Sequence[SchemaFinding], waived: Sequence[SchemaFinding]) -> bool:
    return bool(findings) and all(finding in waived for finding in findings)


def open_questions(judgement: Judgement) -> list[str]:
    """For each view that isn't settled, or not all of it: why, where, and how much work went into it."""
    comparison = judgement.comparison
    views = {"backward": comparison.backward, "forward": comparison.forward}
    return [
        f"{name} not settled: {view.unsettled or view.reason} ({_work(view, comparison.budget)})"
        for name, view in views.items()
        if view.unsettled or view.verdict is Compatibility.UNDECIDED
    ]


def _work(view: View, budget: int) -> str:
    spent = f"{view.spent:,} steps of work, with a budget of {budget:,} for the proof and for the search"
    return f"{spent}; --budget raises it" if view.unsettled else spent


def _findings(judgement: Judgement, places: Places) -> list[str]:
    """What breaks, by the definition that it stands in."""
    found: dict[str, list[SchemaFinding]] = {}
    for finding in judgement.judged.breaking:
        found.setdefault(_definition(finding.new), []).append(finding)
    lines: list[str] = []
    for name, findings in found.items():
        lines += [f"  in {name}:"] if len(found) > 1 and name else []
        lines += [f"  {line}" for finding in findings for line in _lines(finding, places)]
    return lines


def _definition(where: str) -> str:
    """The definition that a place in a schema lies in, nothing for the schema itself."""
    steps = where.partition("#")[2].split("/")
    return f"#/{steps[1]}/{steps[2]}" if len(steps) > 2 and steps[1] in ("$defs", "definitions") else ""


def breaking_json(report: BreakingReport) -> str:
    """Keys: ok, exit_code, compatibility, comparisons, notes; a witness is a list of one document, or of none."""
    document = {
        "ok": report.exit_code == 0,
        "exit_code": report.exit_code,
        "compatibility": compatibility(report.judgements, transitive=report.transitive),
        "comparisons": [_judgement(judgement, report.places) for judgement in report.judgements],
        "notes": list(report.notes),
    }
    return json_text(document)


def breaking_github(report: BreakingReport) -> str:
    """For each comparison what became of it, and an annotation for each finding; then the outcome."""
    lines: list[str] = []
    for judgement in report.judgements:
        lines.append(f"compared {visible(_headline(judgement))}")
        waived = [finding for finding, _ in judgement.judged.waived]
        for finding in (*judgement.judged.breaking, *waived):
            kind = "notice" if finding in waived else "error"
            proof = f"; {unproved(finding)}" if unproved(finding) else ""
            if finding.witness:
                proof = f"; for example {example(finding.witness[0], finding.path, _LONGEST)}"
            title = f"evalcontract {finding.code}"
            file = report.places.file(finding.new).partition("#")[0]
            text = f"{finding.path or '/'}: {finding.sentence}{proof}"
            lines.append(command(kind, {"file": file, "title": title}, text))
        kind = "error" if judgement.judged.undecided else "notice"
        for question in open_questions(judgement):
            text = f"{judgement.comparison.new} against {judgement.comparison.old}: {question}"
            lines.append(command(kind, {"title": "evalcontract UNDECIDED"}, text))
        lines += [command("error", {"title": "evalcontract DATA"}, line) for line in judgement.carried]
    return "\n".join([*lines, *map(visible, report.notes), visible(breaking_outcome(report))]) + "\n"


def _needs(judgement: Judgement) -> str:
    if judgement.carried:
        return f"breaks {counted(len(judgement.carried), 'value')} of the data, which needs a major version"
    return "no new number needed" if judgement.step == "none" else f"needs a {judgement.step} version"


def _lines(finding: SchemaFinding, places: Places) -> list[str]:
    lines = [
        f"{finding.code} at {finding.path or '/'}: {finding.sentence}",
        f"  {places.inside(finding.old)} -> {places.inside(finding.new)}",
    ]
    if unproved(finding):
        lines.append(f"  {unproved(finding)}")
    return lines + [
        f"  for example: {example(document, finding.path, _LONGEST)}" for document in finding.witness
    ]


def unproved(finding: SchemaFinding) -> str:
    """What is to be said of a finding that a document should show, and none was found; nothing of any other."""
    shown = finding.witness or finding.code in SURFACE
    return "" if shown else "not proved: no document was found that shows it"


def breaking_outcome(report: BreakingReport) -> str:
    """The comparisons in one line."""
    if not report.judgements:
        return "ok: nothing to compare" if report.notes else "ok: nothing released to compare with"
    verdict = {0: "ok", 1: "breaking", 3: "undecided, which counts as breaking"}[report.exit_code]
    proved = compatibility(report.judgements, transitive=report.transitive)
    return f"{verdict}: {counted(len(report.judgements), 'comparison')}, compatibility: {proved}"


def _judgement(judgement: Judgement, places: Places) -> dict[str, Any]:
    comparison = judgement.comparison
    backward, forward = views_said(judgement)
    return {
        "old": comparison.old,
        "new": comparison.new,
        "exit_code": judgement.exit_code,
        "compatibility": comparison.mode,
        "step": judgement.step,
        "backward": _view(comparison.backward, backward, places),
        "forward": _view(comparison.forward, forward, places),
        "surface": [_finding(finding, places) for finding in comparison.surface],
        "waived": [
            {**_finding(finding, places), "reason": reason} for finding, reason in judgement.judged.waived
        ],
        "data": list(judgement.carried),
        "notes": list(comparison.notes),
        "budget": comparison.budget,
    }


def _view(view: View, said: str, places: Places) -> dict[str, Any]:
    return {
        "verdict": view.verdict,
        "said": said,
        "spent": view.spent,
        "reason": view.reason,
        "unsettled": view.unsettled,
        "witness": list(view.witness),
        "findings": [_finding(finding, places) for finding in view.findings],
    }


def _finding(finding: SchemaFinding, places: Places) -> dict[str, Any]:
    return {
        **asdict(finding),
        "witness": list(finding.witness),
        "old": places.inside(finding.old),
        "new": places.inside(finding.new),
    }
