"""`check_release`: may this dataset go out as a release, and why not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from evalcontract.catalog import Catalogue
from evalcontract.checking import plan
from evalcontract.datasets import Dataset, source_of
from evalcontract.errors import UsageError
from evalcontract.reading import STDIN
from evalcontract.release.alike import SIMILAR, AlikeItems
from evalcontract.release.checks import CHECKS, ReleaseCheck, check_of
from evalcontract.release.comparison import ReleaseComparison
from evalcontract.release.finding import CheckFinding, not_applicable
from evalcontract.release.looking import checked, looked_at
from evalcontract.release.report import Outcome, PathRow, ReleaseReport
from evalcontract.release.survey import Survey

_CONTRACT = "dataset"


def check_release(
    dataset: Dataset,
    previous: Dataset | None = None,
    *,
    name: str | None = None,
    input_schema: str | None = None,
    expected_output_schema: str | None = None,
    previous_input_schema: str | None = None,
    previous_expected_output_schema: str | None = None,
    own_types: Iterable[str] = (),
    near_duplicates: float | None = None,
    disjoint_from: Dataset | None = None,
    formats: bool = False,
    waive: Mapping[str, str] | None = None,
    strict: bool = False,
    progress: Callable[[str, int], None] | None = None,
    catalogue: Catalogue | None = None,
) -> ReleaseReport:
    """Run every check on a dataset, with the release before it where there is one.

    `dataset` and `previous` are paths or parsed datasets; files are read item by item, so that memory grows
    with the ids and keys only. `name` is the release's name, by default that of its file. Schemas are given
    as a contract, a schema file or `package.module:Class`. `near_duplicates` is the share of common sequences of
    characters from which two items are said to ask nearly the same, None to leave that open; `disjoint_from` is a
    dataset, such as one that was trained on, none of whose questions may come up here. `formats` asserts the formats
    that schemas name. `waive` maps the code of a check to the reason why its failure is accepted. `strict` makes
    advices fail. `catalogue` has the schema types, by default those that are built in.

    What is wrong with the data is in the report. Raises UnreadableInput for a file that can't be read at
    all and UsageError for a waiver without a reason or of a check that there isn't.
    """
    waivers = _waivers(waive or {})
    planned = partial(
        plan, contract=_CONTRACT, own_types=tuple(own_types), formats=formats, catalogue=catalogue
    )
    new_plan = planned(input_schema=input_schema, expected_output_schema=expected_output_schema)
    source = source_of(dataset)
    alike = _alike(near_duplicates, disjoint_from)
    new = checked(source, new_plan, progress, alike)
    if previous is None:
        compared = ReleaseComparison(new_plan, new, given_name=name or source.stem)
    else:
        if previous == STDIN:
            raise UsageError("the previous release may be read twice", hint="write it to a file first")
        previous_plan = planned(
            input_schema=previous_input_schema, expected_output_schema=previous_expected_output_schema
        )
        before = looked_at(source_of(previous))
        compared = ReleaseComparison(new_plan, new, before, previous_plan, name or source.stem)
    return _report(compared, waivers, strict)


def _alike(near_duplicates: float | None, disjoint_from: Dataset | None) -> AlikeItems | None:
    if near_duplicates is None and disjoint_from is None:
        return None
    if disjoint_from == STDIN:
        raise UsageError("standard input is the dataset only", hint="name the other one")
    share = SIMILAR if near_duplicates is None else near_duplicates
    other = None if disjoint_from is None else source_of(disjoint_from)
    alike = AlikeItems(share, within=near_duplicates is not None, other=other.label if other else None)
    if other is not None:
        alike.of_the_other(other)
    return alike


def report_on(
    compared: ReleaseComparison, waive: Mapping[str, str] | None = None, *, strict: bool = False
) -> ReleaseReport:
    """Run every check on what is known of a release already; see `check_release`."""
    return _report(compared, _waivers(waive or {}), strict)


def _waivers(waive: Mapping[str, str]) -> dict[str, str]:
    for code, reason in waive.items():
        check_of(code)
        if not reason.strip():
            raise UsageError(f"the waiver of {code} gives no reason", hint="say why the failure is accepted")
    return {code: reason.strip() for code, reason in waive.items()}


def _report(compared: ReleaseComparison, waivers: Mapping[str, str], strict: bool) -> ReleaseReport:
    new, before = compared.new, compared.previous
    outcomes = tuple(_outcome(check, compared, waivers.get(check.code)) for check in CHECKS)
    return ReleaseReport(
        file=new.source.label,
        name=new.name,
        kind=compared.kind,
        previous=before.source.label if before else None,
        previous_version=str(before.version) if before and before.version else None,
        items=new.result.items if new.result else new.items,
        outcomes=outcomes,
        paths=_paths(new, before),
        gone=tuple(path for path in before.paths.rows if path not in new.paths.rows) if before else (),
        paths_left_out=new.paths.left_out or bool(before and before.paths.left_out),
        notes=tuple(_notes(compared, outcomes, waivers)),
        strict=strict,
        contracts=tuple(name for name, _ in new.result.contracts) if new.result else (),
    )


def _outcome(check: ReleaseCheck, compared: ReleaseComparison, waiver: str | None) -> Outcome:
    finding = _run(check, compared)
    waived = waiver if finding.status == "fail" else None
    return Outcome(
        check.code,
        check.name,
        check.why,
        check.severity,
        "waived" if waived else finding.status,
        finding.reason,
        finding.hint,
        finding.items,
        finding.keys,
        finding.violations,
        finding.count,
        waived,
    )


def _run(check: ReleaseCheck, compared: ReleaseComparison) -> CheckFinding:
    kind = compared.kind
    if kind in check.kinds:
        return check.run(compared)
    if kind is None:
        # Which of the two it is can't be told; what holds for both is checked all the same.
        if {"minor", "major"} <= check.kinds:
            return check.run(compared)
        return not_applicable("the versions don't say whether this is a minor or a major release")
    if kind == "new":
        return not_applicable("there is no previous release")
    return not_applicable(f"not for a {kind} release")


def _paths(new: Survey, before: Survey | None) -> tuple[PathRow, ...]:
    known = before.paths.rows if before else None
    return tuple(
        PathRow(path, use.items, use.filled, None if known is None else path in known)
        for path, use in sorted(new.paths.rows.items())
    )


def _notes(
    compared: ReleaseComparison, outcomes: tuple[Outcome, ...], waivers: Mapping[str, str]
) -> Iterable[str]:
    version = compared.new.version
    if compared.previous is None and version is not None and version.numbers > (1, 0):
        yield f"checked as a new dataset, although its version is {version}: --previous names the one before"
    yield from compared.plan.told.notes
    if compared.catalogue.labels:
        yield f"layers: {', '.join(compared.catalogue.labels)}"
    for outcome in outcomes:
        if outcome.code in waivers and outcome.status != "waived":
            yield f"the waiver of {outcome.code} was not needed"
