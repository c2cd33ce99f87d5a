"""The JSON reports keep their published contracts, and the contracts name every key of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from evalcontract import iter_violations
from evalcontract.authoring import LOOSE, lint
from evalcontract.catalog import Catalogue, ContractRef
from evalcontract.reports import RELEASE, RUN, SCORES, Formats
from evalcontract.reports.published import contracts_folder
from tests.support.cli import run
from tests.support.page_results import pages
from tests.support.projects import PROJECT
from tests.support.results import any_of

CATALOGUE = Catalogue.load(contracts_folder())
REPORTS: dict[str, Formats[Any]] = {"run": RUN, "release": RELEASE, "scores": SCORES}
NAMES = {"run": "run_report", "release": "release_report", "scores": "score_report"}
EXAMPLES = PROJECT / "examples" / "pathfinder"


def last(name: str) -> ContractRef:
    """The version that is being worked on, else the one released last."""
    return ContractRef(name, CATALOGUE.versions(name)[-1])


def unnamed(name: str, document: Any) -> Iterator[str]:
    """The keys of a document that its contract, or one that it refers to, doesn't name."""
    properties = CATALOGUE.document(last(name))["properties"]
    for key, value in document.items():
        if key not in properties:
            yield f"{name}.{key}"
            continue
        schema = properties[key]
        inside = schema.get("items", schema)
        target = inside.get("$ref") or next((part.get("$ref") for part in inside.get("anyOf", ())), None)
        if target is not None:
            for part in value if isinstance(value, list) else [value]:
                yield from unnamed(target.split("/")[1], part) if isinstance(part, dict) else ()


def keeps(kind: str, text: str) -> None:
    document = json.loads(text)
    contract = str(last(NAMES[kind]))
    assert [str(found) for found in iter_violations(document, contract, catalogue=CATALOGUE)] == []
    assert list(unnamed(NAMES[kind], document)) == [], (
        f"a released report never changes: draft {NAMES[kind]} anew"
    )


@pytest.mark.parametrize("kind", REPORTS)
@settings(max_examples=15, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_report_keeps_its_contract_whatever_is_in_it(kind: str, data: st.DataObject) -> None:
    result = next(iter(get_type_hints(REPORTS[kind].writer("json")).values()))
    keeps(kind, REPORTS[kind].write("json", data.draw(any_of(result))))


@pytest.mark.parametrize("kind", REPORTS)
def test_a_full_report_has_every_key_of_its_contract(kind: str) -> None:
    written = json.loads(REPORTS[kind].write("json", pages("text")[kind][1]))
    keeps(kind, json.dumps(written))
    assert set(written) == set(CATALOGUE.document(last(NAMES[kind]))["properties"])


def test_reports_of_real_runs_keep_their_contracts() -> None:
    faulty = str(PROJECT / "examples" / "faulty" / "instructive_faults.jsonl")
    keeps("run", run("validate", faulty, str(EXAMPLES), "--format", "json").out)
    new, old = (str(EXAMPLES / f"pathfinder_rag_retrieval_v{version}.json") for version in ("1.1", "1.0"))
    keeps("release", run("dataset", "check", new, "--previous", old, "--format", "json").out)
    predictions = str(EXAMPLES / "predictions_rag.jsonl")
    compared = ("--compare", predictions, "--fail-under", "answer_f1=0.1")
    keeps("scores", run("score", predictions, "--dataset", old, *compared, "--format", "json").out)


def test_the_contracts_are_well_formed() -> None:
    assert [str(found) for found in lint(contracts_folder(), profile=LOOSE) if not found.advice] == []


def test_a_report_is_checked_by_the_command_that_says_where_the_contracts_are(tmp_path: Path) -> None:
    folder = run("schema", "reports").out.strip()
    report = tmp_path / "report.json"
    run("validate", str(EXAMPLES / "mixed_items.jsonl"), "-o", str(report))
    done = run("validate", str(report), "--contract", "run_report", "--schemas", folder)
    assert (done.code, "run_report@1.0 (1 item)" in done.out) == (0, True)
    report.write_text('{"ok": "yes"}')
    assert run("validate", str(report), "--contract", "run_report", "--schemas", folder).code == 1
