"""Schema histories that were published: consecutive versions get an answer that a maintainer can act on."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tests.evolution.support import breaking
from tests.support.cli import run


def test_a_required_key_in_the_branches_of_a_notebook_is_named_with_a_document(histories: Path) -> None:
    done = breaking("nbformat/4.5.json", "nbformat/4.4.json")
    assert done.code == 1
    assert "backward broken, forward broken; needs a major version" in done.out
    assert "  in #/definitions/raw_cell:\n  REQUIRED_NO_ADD at /cells/*/id" in done.out
    assert "  in #/definitions/markdown_cell:\n  REQUIRED_NO_ADD at /cells/*/id" in done.out
    assert '"cells": [{"cell_type": "raw", "metadata": {}, "source": ""}]' in done.out
    assert "note: nbformat/4.5.json was read as draft-04, rewritten into 2020-12" in done.out


def test_definitions_of_a_protocol_are_compared_by_name(histories: Path) -> None:
    done = breaking("mcp/2025-03-26.json", "mcp/2024-11-05.json")
    assert done.code == 1
    assert "mcp/2025-03-26.json#/definitions/Annotated (which is gone) against" in done.out
    tool = "mcp/2025-03-26.json#/definitions/Tool against mcp/2024-11-05.json#/definitions/Tool: "
    assert f"{tool}backward broken (all of it waived), forward proved; needs a minor version" in done.out
    assert "NEW_PROPERTY_ON_OPEN_OBJECT at /annotations" in done.out
    assert "and 4 more that say the same as before" in done.out


def test_an_added_property_of_a_data_contract_is_a_minor_change_but_for_the_default(histories: Path) -> None:
    done = breaking("odcs/v3.0.2.json", "odcs/v3.0.1.json")
    assert (
        'DEFAULT_NO_CHANGE at /apiVersion: v3.0.2.json changes the default "v3.0.1" to "v3.0.2"' in done.out
    )
    assert "NEW_PROPERTY_ON_OPEN_OBJECT at /team/*/name" in done.out


def test_a_closed_object_and_a_bound_of_a_bill_of_materials_are_named_with_short_documents(
    histories: Path,
) -> None:
    done = breaking("cyclonedx/1.4/bom.schema.json", "cyclonedx/1.3/bom.schema.json")
    assert done.code == 1
    assert "TYPE_NO_NARROW at /dependencies/*/*: 1.4/bom.schema.json does not accept keys that" in done.out
    assert '"dependencies": [{"ref": "", ' in done.out
    done = breaking("cyclonedx/1.5/bom.schema.json", "cyclonedx/1.4/bom.schema.json")
    assert "BOUND_NO_TIGHTEN at /version" in done.out
    assert 'for example: {"bomFormat": "CycloneDX", "specVersion": "", "version": 0}' in done.out
    assert "CONSTRAINT_NO_CHANGE at /licenses: 1.5/bom.schema.json accepts only what oneOf lists" in done.out


def test_the_branches_of_a_bill_of_materials_are_settled_one_by_one(histories: Path) -> None:
    done = breaking("cyclonedx/1.6/bom.schema.json", "cyclonedx/1.5/bom.schema.json")
    assert (done.code, done.err) == (0, "")
    assert "backward proved, forward broken; needs a minor version" in done.out
    assert "not settled" not in done.out
    folder = breaking("cyclonedx/1.6", "cyclonedx/1.5")
    assert (folder.code, "2 comparisons" in folder.out) == (0, True)


def test_a_facet_that_refers_to_another_document_needs_it_given(histories: Path) -> None:
    sides = [f"openlineage/{version}/dbt-node-job-facet.json" for version in ("1.50.0", "1.45.0")]
    alone = breaking(*sides)
    assert alone.code == 2
    assert (
        "refers to 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet', which is not"
        in alone.err
    )
    done = breaking(*sides, "--schemas", "openlineage/base")
    assert (done.code, done.err) == (0, "")
    assert "NEW_PROPERTY_ON_OPEN_OBJECT at /dbt_node/test_type" in done.out


def test_definitions_keep_their_names_when_a_new_dialect_keeps_them_elsewhere(histories: Path) -> None:
    newest = json.loads((histories / "mcp/2025-03-26.json").read_bytes())
    text = json.dumps(newest).replace("#/definitions/", "#/$defs/").replace('"definitions"', '"$defs"')
    (histories / "later.json").write_text(text.replace("draft-07/schema#", "draft-07/schema"))
    done = breaking("later.json", "mcp/2025-03-26.json")
    assert "which is gone" not in done.out
    assert done.out.endswith("compatibility: FULL\n")


def test_a_definition_that_is_gone_is_one_finding(histories: Path) -> None:
    done = breaking("mcp/2025-03-26.json", "mcp/2024-11-05.json", "--format", "json")
    gone = [found for found in json.loads(done.out)["comparisons"] if "which is gone" in found["new"]]
    assert [len(found["backward"]["findings"]) for found in gone] == [1]
    assert [found["surface"] for found in gone] == [[]]


VERSIONS = ("0.2.0", "0.2.1", "0.2.2", "0.3.0")


def test_the_history_of_a_schema_of_evaluation_results_is_told_step_by_step(histories: Path) -> None:
    answers = [
        breaking(f"every_eval_ever/{new}.json", f"every_eval_ever/{old}.json")
        for old, new in pairwise(VERSIONS)
    ]
    assert [done.code for done in answers] == [1, 0, 1]
    first, second, third = (done.out for done in answers)
    assert "REQUIRED_NO_ADD at /eval_library: 0.2.1.json requires 'eval_library'" in first
    assert "TYPE_NO_NARROW at /detailed_evaluation_results: 0.2.1.json accepts only object" in first
    assert "backward broken (all of it waived), forward proved; needs a minor version" in second
    assert "in #/$defs/model_info:\n  REQUIRED_NO_ADD at /model_info/additional_details:" in third
    assert (
        'ENUM_VALUE_NO_DELETE at /detailed_evaluation_results/format: 0.3.0.json does not accept "json"'
        in third
    )
    assert "REQUIRED_NO_ADD at /evaluation_results/*/metric_config/min_score" in third
    for text in (first, second, third):
        assert "not settled" not in text
        assert "not proved" not in text
        assert text.count("was read as draft-07, rewritten into 2020-12") == 2


@pytest.mark.parametrize("report_format", ["text", "markdown", "json"])
def test_what_changed_between_two_published_versions_is_told_by_property(
    histories: Path, report_format: str
) -> None:
    files = [f"every_eval_ever/{version}.json" for version in ("0.2.2", "0.3.0")]
    done = run("schema", "diff", *files, "--format", report_format)
    assert done.code == 0
    if report_format == "json":
        properties = {found["path"]: found["changes"] for found in json.loads(done.out)[0]["properties"]}
        assert [change["words"] for change in properties["/detailed_evaluation_results/format"]] == [
            "required now",
            'no longer accepts "json"',
        ]
    elif report_format == "markdown":
        assert '- `/detailed_evaluation_results/format`: required now; no longer accepts `"json"`' in done.out
    else:
        assert (
            '  /detailed_evaluation_results/format\n    required now\n    no longer accepts "json"\n'
            in done.out
        )


@pytest.mark.parametrize(
    ("name", "versions", "suffix"),
    [
        ("nbformat", ("4.4", "4.5"), ".json"),
        ("mcp", ("2024-11-05", "2025-03-26"), ".json"),
        ("cyclonedx", ("1.3", "1.4", "1.5", "1.6"), "/bom.schema.json"),
        ("odcs", ("v3.0.1", "v3.0.2"), ".json"),
        ("every_eval_ever", VERSIONS, ".json"),
    ],
)
def test_no_step_of_a_published_history_is_left_open(
    histories: Path, name: str, versions: tuple[str, ...], suffix: str
) -> None:
    for old, new in pairwise(versions):
        for one, other in ((old, new), (new, old)):
            done = breaking(f"{name}/{other}{suffix}", f"{name}/{one}{suffix}")
            assert done.code in (0, 1), (old, new)
            assert done.err == ""
            assert "not settled" not in done.out
