"""Each report against one result that has everything: findings with and without places, groups, unreadable files."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.checking.result import FileResult, Group, RunResult
from evalcontract.importing.result import KeyFate, Transfer
from evalcontract.reports import RUN, Look
from evalcontract.reports.text import text
from evalcontract.reports.transfer import transfer_json, transfer_text
from evalcontract.validation import Violation

ERROR = Violation(
    "wrong-type",
    "expected string, got integer 1",
    "/input/a~1b",
    "type",
    "/properties/a",
    "string",
    "integer 1",
    "write text",
    item_id="q1",
    file="data/a b.jsonl",
    line=3,
    column=7,
    contract="rag@1.0",
)
ADVICE = Violation("bom", "the file starts with a byte order mark", severity="advice", file="data/a b.jsonl")
RESULT = RunResult(
    (FileResult("data/a b.jsonl", "items", 1200, 3, 5, 1, (("rag@1.0", 1200),)),),
    (ERROR, ADVICE),
    (Group("data/a b.jsonl", "wrong-type", "/input/context/*", "error", 4),),
    (("gone.json", "gone.json: no such file"),),
)
CLEAN = RunResult((FileResult("a.json", "dataset", 2, 0, 0, 0, (("qa@1.0", 2),)),), ())


def test_text_reads_like_a_compilers() -> None:
    assert text(RESULT) == (
        "data/a b.jsonl:3:7: error [q1] /input/a~1b: expected string, got integer 1 [wrong-type]\n"
        "  hint: write text\n"
        "data/a b.jsonl: advice: the file starts with a byte order mark [bom]\n"
        "data/a b.jsonl: 4 more errors: wrong-type at /input/context/*\n"
        "error: gone.json: no such file\n"
        "\n"
        "file            items  invalid  errors  advices  checked against\n"
        "data/a b.jsonl  1,200        3       5        1  rag@1.0 (1,200 items)\n"
        "failed: 1,200 items in 1 file, 5 errors, 1 advice, 1 file not readable\n"
    )


def test_text_says_that_plain_items_may_hold_anything() -> None:
    contracts = (("rag@1.0", 7), ("evaluation_item@1.0", 2))
    result = RunResult((FileResult("a.jsonl", "items", 9, 0, 0, 0, contracts),), ())
    assert text(result).splitlines()[-2:] == [
        "note: no schema type applies to 2 items, so that input and expected_output may hold anything: "
        "declare input_schema_type in an item's metadata.raw_metadata or in the dataset's metadata, or give --type",
        "ok: 9 items in 1 file",
    ]


def test_colours_change_nothing_but_colours() -> None:
    coloured = text(RESULT, Look(colour=True))
    assert "\x1b[31merror\x1b[0m" in coloured
    for code in ("\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[1m", "\x1b[2m", "\x1b[0m"):
        coloured = coloured.replace(code, "")
    assert coloured == text(RESULT)


def test_a_clean_run_is_three_lines() -> None:
    assert text(CLEAN).splitlines()[-1] == "ok: 2 items in 1 file"
    assert len(text(CLEAN).splitlines()) == 3


def test_json_holds_everything() -> None:
    document = json.loads(RUN.write("json", RESULT))
    assert (document["ok"], document["exit_code"], document["errors"], document["advices"]) == (
        False,
        2,
        5,
        1,
    )
    assert document["violations"][0]["pointer"] == "/input/a~1b"
    assert document["violations"][0]["line"] == 3
    assert document["files"][0]["contracts"] == {"rag@1.0": 1200}
    assert document["groups"][0]["count"] == 4
    assert document["unreadable"] == [{"file": "gone.json", "reason": "gone.json: no such file"}]


def test_github_annotates_the_line() -> None:
    first, second, *_ = RUN.write("github", RESULT).splitlines()
    assert first == (
        "::error file=data/a b.jsonl,line=3,col=7,title=evalcontract wrong-type::"
        "[q1] /input/a~1b: expected string, got integer 1 (write text)"
    )
    assert second.startswith("::warning file=data/a b.jsonl,title=evalcontract bom::")


def test_junit_has_a_failure_for_each_error_and_none_for_advices() -> None:
    root = ElementTree.fromstring(RUN.write("junit", RESULT))  # noqa: S314 our own output
    suite, unreadable = root.findall("testsuite")
    assert (suite.get("failures"), len(suite.findall("testcase/failure"))) == ("2", 2)
    assert unreadable.find("testcase/error") is not None
    strict = RunResult(RESULT.files, RESULT.violations, strict=True)
    assert RUN.write("junit", strict).count("<failure") == 2


def test_sarif_points_at_the_region() -> None:
    (run,) = json.loads(RUN.write("sarif", RESULT))["runs"]
    first = run["results"][0]
    assert first["ruleId"] == run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == "wrong-type"
    (location,) = first["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "data/a%20b.jsonl"
    assert location["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 7}
    assert run["invocations"][0]["exitCode"] == 2


def test_a_line_does_not_grow_with_what_a_file_holds() -> None:
    long = "k" * 100_000
    result = RunResult((), (replace(ERROR, item_id=long, pointer=long, message=long, hint=long),))
    assert max(map(len, text(result).splitlines())) < 10_000


@pytest.mark.parametrize("name", RUN.names)
@given(hostile=st.text())
def test_no_text_from_a_file_breaks_a_report(name: str, hostile: str) -> None:
    violation = Violation(
        "code", hostile, hostile, hint=hostile, item_id=hostile or None, file=hostile or "-", line=1, column=1
    )
    result = RunResult(
        (FileResult(hostile, "items", 1, 1, 1, 0, ((hostile, 1),)),),
        (violation,),
        (Group(hostile, "code", hostile, "error", 2),),
        ((hostile, hostile),),
    )
    printed = RUN.write(name, result)
    assert "\x1b" not in printed
    if name == "junit":
        ElementTree.fromstring(printed)  # noqa: S314 our own output
    elif name in ("json", "sarif"):
        json.loads(printed)
    elif name == "github":
        assert all(line.startswith(("::error ", "ok", "failed")) for line in printed.splitlines())


def test_a_thousand_keys_of_an_import_are_shown_and_the_rest_counted() -> None:
    keys = tuple(KeyFate(f"key{number}", "kept", None, 1) for number in range(3000))
    transfer = Transfer("import", "a.csv", "golden", 1, 1, keys, (), (), (), ("b.json",), False)
    printed = transfer_text(transfer)
    assert "and 2,000 more keys: --format json lists them all\n" in printed
    assert "key999\n" in printed
    assert "key1000" not in printed
    assert "key2999" in transfer_json(transfer)
