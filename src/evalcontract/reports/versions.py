"""Reports about schema versions: breaking changes, changelogs, the freeze; as text, json or workflow commands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from evalcontract.evolution.comparing.codes import Finding, place, told
from evalcontract.evolution.comparing.compare import View
from evalcontract.evolution.comparing.surface import Change
from evalcontract.evolution.versions.breaking import Judgement, compatibility, exit_code
from evalcontract.evolution.versions.freeze import Problem
from evalcontract.reports.github import command
from evalcontract.reports.wording import visible
from evalcontract.validation.describe import counted

Shorten = Callable[[str], str]
_LONGEST = 300
"""From `uri#/pointer` to what a reader knows: `rag_input/1.1.json#/pointer`."""


def breaking_text(judgements: Sequence[Judgement], shorten: Shorten, *, transitive: bool) -> str:
    """A paragraph for each comparison, then the outcome."""
    lines: list[str] = []
    for each in judgements:
        comparison = each.comparison
        lines.append(
            f"{comparison.new} against {comparison.old}: backward {comparison.backward.verdict}, "
            f"forward {comparison.forward.verdict}; {_needs(each)}"
        )
        lines += [f"  {line}" for finding in each.judged.breaking for line in _lines(finding, shorten)]
        for finding, reason in each.judged.waived:
            lines += [f"  {line}" for line in _lines(finding, shorten)]
            lines.append(f"    waived: {reason}")
        if each.judged.undecided:
            lines.append(f"  undecided: {each.judged.undecided}")
        lines += [f"  {line}" for line in each.carried]
    lines.append(_outcome(judgements, transitive=transitive))
    return "".join(f"{visible(line)}\n" for line in lines)


def breaking_json(judgements: Sequence[Judgement], shorten: Shorten, *, transitive: bool) -> str:
    """Keys: ok, exit_code, compatibility, comparisons; a witness is a list of one document, or of none."""
    document = {
        "ok": exit_code(judgements) == 0,
        "exit_code": exit_code(judgements),
        "compatibility": compatibility(judgements, transitive=transitive),
        "comparisons": [_judgement(each, shorten) for each in judgements],
    }
    return json.dumps(document, indent=2) + "\n"


def breaking_github(judgements: Sequence[Judgement], shorten: Shorten, *, transitive: bool) -> str:
    """One annotation a finding, then the outcome."""
    lines: list[str] = []
    for each in judgements:
        waived = [finding for finding, _ in each.judged.waived]
        for finding in (*each.judged.breaking, *waived):
            kind = "notice" if finding in waived else "error"
            proof = f"; for example {told(finding.witness[0], _LONGEST)}" if finding.witness else ""
            title = f"evalcontract {finding.code}"
            file = shorten(finding.new).partition("#")[0]
            lines.append(
                command(
                    kind, {"file": file, "title": title}, f"{finding.path or '/'}: {finding.sentence}{proof}"
                )
            )
        if each.judged.undecided and not each.judged.breaking:
            lines.append(command("error", {"title": "evalcontract UNDECIDED"}, each.judged.undecided))
        lines += [command("error", {"title": "evalcontract DATA"}, line) for line in each.carried]
    return "\n".join([*lines, _outcome(judgements, transitive=transitive)]) + "\n"


BREAKING = {"text": breaking_text, "json": breaking_json, "github": breaking_github}


def changelog_text(changes: Iterable[Change]) -> str:
    """One line a difference; no verdict."""
    lines = [f"{place(each.path) or '/'}: {_told(each)}" for each in changes]
    return "".join(f"{visible(line)}\n" for line in lines or ["no difference"])


def changelog_json(changes: Iterable[Change], shorten: Shorten) -> str:
    """A list of {path, what, before, after, old, new}; an empty list is absence."""
    document = [
        {
            "path": place(each.path),
            "what": each.what,
            "before": list(each.before),
            "after": list(each.after),
            "old": shorten(each.old),
            "new": shorten(each.new),
        }
        for each in changes
    ]
    return json.dumps(document, indent=2) + "\n"


def problems_text(problems: Sequence[Problem], checked: Sequence[str], folder: str) -> str:
    """One line a problem, with the way out; `folder` is where the schemas lie."""
    lines = [f"{folder}/{each.file}: {each.check}: {each.message} ({each.hint})" for each in problems]
    state = counted(len(problems), "problem") if problems else "the freeze holds"
    return "".join(f"{visible(line)}\n" for line in [*lines, f"{state}; checked: {', '.join(checked)}"])


def problems_json(problems: Sequence[Problem], checked: Sequence[str], folder: str) -> str:
    """Keys: ok, checked, problems. Files are those inside the folder of schemas."""
    document = {
        "ok": not problems,
        "checked": list(checked),
        "folder": folder,
        "problems": [asdict(each) for each in problems],
    }
    return json.dumps(document, indent=2) + "\n"


def problems_github(problems: Sequence[Problem], checked: Sequence[str], folder: str) -> str:
    """One annotation a problem."""
    lines = [
        command(
            "error", {"file": f"{folder}/{each.file}", "title": f"evalcontract {each.check}"}, each.message
        )
        for each in problems
    ]
    return "".join(f"{line}\n" for line in lines) or problems_text([], checked, folder)


PROBLEMS = {"text": problems_text, "json": problems_json, "github": problems_github}


def _needs(judgement: Judgement) -> str:
    return "no new number needed" if judgement.step == "none" else f"needs a {judgement.step} version"


def _lines(finding: Finding, shorten: Shorten) -> list[str]:
    lines = [
        f"{finding.code} at {finding.path or '/'}: {finding.sentence}",
        f"  {shorten(finding.old)} -> {shorten(finding.new)}",
    ]
    return lines + [f"  for example: {told(each, _LONGEST)}" for each in finding.witness]


def _outcome(judgements: Sequence[Judgement], *, transitive: bool) -> str:
    if not judgements:
        return "ok: nothing released to compare with"
    verdict = {0: "ok", 1: "breaking", 3: "undecided, which counts as breaking"}[exit_code(judgements)]
    proved = compatibility(judgements, transitive=transitive)
    return f"{verdict}: {counted(len(judgements), 'comparison')}, compatibility: {proved}"


def _judgement(judgement: Judgement, shorten: Shorten) -> dict[str, Any]:
    comparison = judgement.comparison
    return {
        "old": comparison.old,
        "new": comparison.new,
        "exit_code": judgement.exit_code,
        "compatibility": comparison.mode,
        "step": judgement.step,
        "backward": _view(comparison.backward, shorten),
        "forward": _view(comparison.forward, shorten),
        "surface": [_finding(each, shorten) for each in comparison.surface],
        "waived": [{**_finding(each, shorten), "reason": reason} for each, reason in judgement.judged.waived],
        "data": list(judgement.carried),
    }


def _view(view: View, shorten: Shorten) -> dict[str, Any]:
    return {
        "verdict": view.verdict,
        "reason": view.reason,
        "unsettled": view.unsettled,
        "witness": list(view.witness),
        "findings": [_finding(each, shorten) for each in view.findings],
    }


def _finding(finding: Finding, shorten: Shorten) -> dict[str, Any]:
    return {
        **asdict(finding),
        "witness": list(finding.witness),
        "old": shorten(finding.old),
        "new": shorten(finding.new),
    }


def _told(change: Change) -> str:
    before, after = (
        ", ".join(told(value, _LONGEST) for value in each) for each in (change.before, change.after)
    )
    if change.what in ("property", "required", "type", "value"):
        return f"{change.what} {after} added" if after else f"{change.what} {before} removed"
    return f"{change.what} {before or 'absent'} -> {after or 'absent'}"
