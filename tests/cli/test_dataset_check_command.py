"""`evalcontract dataset check|checks|name|path` from the outside: exit codes, streams, formats."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from evalcontract.release import CHECKS
from tests.support.cli import run
from tests.support.datasets import dataset, item, write

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "pathfinder"
V1_0, V1_1, V2_0 = (str(FOLDER / f"pathfinder_rag_retrieval_v{each}.json") for each in ("1.0", "1.1", "2.0"))
MINOR = (V1_1, "--previous", V1_0)
WAIVED = (*MINOR, "--waive", "keys-unchanged", "--reason", "locale is optional, no consumer reads it")


def test_a_first_release_may_go_out() -> None:
    done = run("dataset", "check", V1_0)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1].startswith("ok: pathfinder_rag_retrieval_v1.0 may go out; 7 passed")


def test_a_minor_release_with_a_new_key_may_not_and_the_report_says_why() -> None:
    done = run("dataset", "check", *MINOR)
    assert done.code == 1
    assert "fail    keys-unchanged         new: input.locale" in done.out
    assert "items: nachtlinien-de" in done.out
    assert "hint: release it as a major, or take the change back" in done.out
    assert "may not go out: keys-unchanged; " in done.out.splitlines()[-1]


def test_a_major_release_with_a_new_key_may_go_out() -> None:
    assert run("dataset", "check", V2_0, "--previous", V1_1).code == 0


def test_a_waived_failure_is_shown_with_its_reason_in_the_last_line() -> None:
    done = run("dataset", "check", *WAIVED)
    assert done.code == 0
    assert "waived: keys-unchanged (locale is optional, no consumer reads it)" in done.out.splitlines()[-1]


@pytest.mark.parametrize(
    "options",
    [
        ("--waive", "keys-unchanged"),
        ("--reason", "because"),
        ("--waive", "keys-unchanged", "--reason", " "),
        ("--waive", "no-such-check", "--reason", "because"),
        ("--format", "pdf"),
        ("--input-schema", "no_such_contract"),
    ],
)
def test_wrong_usage_exits_with_2_and_one_sentence(options: tuple[str, ...]) -> None:
    done = run("dataset", "check", V1_0, *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")


def test_a_missing_previous_release_exits_with_2(tmp_path: Path) -> None:
    done = run("dataset", "check", V1_0, "--previous", str(tmp_path / "absent.json"))
    assert (done.code, "no such file" in done.err) == (2, True)


def test_the_json_report_holds_every_check(tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    done = run("dataset", "check", *MINOR, "--format", "json", "--output", str(out))
    report = json.loads(out.read_bytes())
    assert (done.code, done.out, report["ok"], report["kind"]) == (1, "", False, "minor")
    assert [each["code"] for each in report["checks"]] == [each.code for each in CHECKS]
    assert {each["path"] for each in report["paths"] if each["before"] is False} == {"input.locale"}


def test_the_other_formats_tell_the_failure_too() -> None:
    github = run("dataset", "check", *MINOR, "--format", "github")
    assert "::error file=" in github.out
    assert "title=evalcontract keys-unchanged" in github.out
    xml = run("dataset", "check", *MINOR, "--format", "junit").out
    suite = ElementTree.fromstring(xml)  # noqa: S314 - our own output
    assert [each.get("type") for each in suite.iter("failure")] == ["keys-unchanged"]
    log = json.loads(run("dataset", "check", *MINOR, "--format", "sarif").out)
    assert [each["ruleId"] for each in log["runs"][0]["results"]] == ["keys-unchanged"]


def test_findings_in_items_come_with_file_line_and_item(tmp_path: Path) -> None:
    file = write(tmp_path, dataset("1.0", item("a"), item("a")))
    done = run("dataset", "check", str(file))
    assert f"{file}:1:" in done.out
    assert "[duplicate-item-id]" in done.out


def test_all_paths_are_shown_when_asked_for() -> None:
    assert "input.messages[].role" not in run("dataset", "check", V1_0).out
    rows = [line.split() for line in run("dataset", "check", V1_0, "--paths").out.splitlines()]
    assert ["input.messages[].role", "12", "of", "12"] in rows


def test_control_characters_of_a_file_do_not_reach_the_terminal(tmp_path: Path) -> None:
    file = write(tmp_path, dataset("1.0", item("a\x1b[31m"), item("a\x1b[31m")))
    assert "\x1b" not in run("dataset", "check", str(file), "--paths").out


def test_the_checks_are_listed() -> None:
    out = run("dataset", "checks").out
    for check in CHECKS:
        assert check.code in out
        assert check.name in out


def test_the_name_of_a_file_comes_from_its_metadata(tmp_path: Path) -> None:
    file = write(tmp_path, dataset("1.10"), "export")
    done = run("dataset", "name", str(file), "--format", "json")
    assert json.loads(done.out) == {
        "name": "pathfinder_rag_retrieval_v1.10",
        "product_id": "pathfinder",
        "schema_type": "rag",
        "scope": "retrieval",
        "version": "1.10",
    }


def test_an_ambiguous_name_needs_more(tmp_path: Path) -> None:
    done = run("dataset", "name", "pathfinder_rag_agent_support_v1.0")
    assert (done.code, "3 ways" in done.err) == (2, True)
    done = run("dataset", "name", "pathfinder_rag_agent_support_v1.0", "--type", "rag_agent")
    assert (done.code, "scope        support" in done.out) == (0, True)


def test_the_path_in_a_volume() -> None:
    wanted = "/Volumes/main/semantic_evaluation/datasets/pathfinder/pathfinder_rag_retrieval_v1.0.json\n"
    assert run("dataset", "path", V1_0, "--catalog", "main").out == wanted
    assert run("dataset", "path", Path(V1_0).stem, "--catalog", "main").out == wanted
    assert run("dataset", "path", V1_0, "--catalog", "../etc").code == 2


def test_a_file_without_metadata_has_no_name(tmp_path: Path) -> None:
    file = tmp_path / "items.json"
    file.write_text("[]")
    done = run("dataset", "name", str(file))
    assert (done.code, "does not say what the dataset is called" in done.err) == (2, True)


@pytest.mark.parametrize("invalid", [1, 3])
def test_each_violation_stands_once_in_the_report(tmp_path: Path, invalid: int) -> None:
    document = dataset("1.0", *(item(f"item-{number}") for number in range(4)))
    for each in document["items"][:invalid]:
        each["expected_output"]["response"] = 7
    done = run("dataset", "check", str(write(tmp_path, document)))
    assert done.code == 1
    assert done.out.count("expected string, got integer 7") == invalid
    assert done.out.count("item-0") == 1


def test_a_report_that_leaves_violations_out_lists_the_items_and_says_where_all_of_them_are(
    tmp_path: Path,
) -> None:
    document = dataset("1.0", *(item(f"item-{number}") for number in range(14)))
    for each in document["items"]:
        each["expected_output"]["response"] = 7
    done = run("dataset", "check", str(write(tmp_path, document)))
    assert "fields-present         14 findings\n" in done.out
    assert done.out.count("expected string, got integer 7") == 10
    assert "and 4 more\n          items: item-0, item-1" in done.out
    assert "hint: evalcontract validate gives each with its line" in done.out
