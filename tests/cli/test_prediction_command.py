"""`evalcontract prediction`: one record from messages, traces, transcripts and responses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evalcontract.validation import is_valid
from tests.support.cli import run
from tests.support.projects import PROJECT

DATA = PROJECT / "tests" / "predictions" / "data"


def source(folder: Path, kind: str, name: str) -> str:
    file = folder / f"{name}.json"
    file.write_text(json.dumps(json.loads((DATA / kind / f"{name}.json").read_bytes())["source"]))
    return str(file)


def expected(kind: str, name: str) -> Any:
    return json.loads((DATA / kind / f"{name}.expected.json").read_bytes())["record"]


@pytest.mark.parametrize(
    ("kind", "name", "options"),
    [
        ("messages", "two_turns", []),
        ("messages", "handover", ["--handoff-prefix", "transfer_to_"]),
        ("trace", "langfuse", ["--expected", "lock_state"]),
        ("trace", "otel_own_spans", ["--answer", "ask", "--retrieval", "search"]),
        ("transcript", "open_webui_one_of_two", ["--conversation-id", "chat-2"]),
        ("transcript", "copilot_studio_row", []),
    ],
)
def test_the_record_is_printed_as_one_line(tmp_path: Path, kind: str, name: str, options: list[str]) -> None:
    file = source(tmp_path, kind, name)
    done = run("prediction", file, "--from", kind, "--item-id", "item-1", "--no-source", *options)
    assert (done.code, done.out.count("\n")) == (0, 1)
    assert json.loads(done.out) == expected(kind, name)


def test_the_source_is_kept_unless_told_otherwise_and_the_record_can_go_to_a_file(tmp_path: Path) -> None:
    file, target = source(tmp_path, "messages", "two_turns"), tmp_path / "record.jsonl"
    done = run("prediction", file, "--from", "messages", "--item-id", "i", "-o", str(target))
    assert (done.code, done.out) == (0, "")
    assert "[empty-arguments]" in done.err
    record = json.loads(target.read_bytes())
    assert is_valid(record, "prediction_record")
    assert record["source_transcript"] == json.loads(Path(file).read_bytes())


def test_messages_may_stand_in_an_object_or_one_on_a_line(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "High."}]
    whole, lines = tmp_path / "whole.json", tmp_path / "lines.jsonl"
    whole.write_text(json.dumps({"model": "m", "messages": messages}))
    lines.write_text("".join(json.dumps(each) + "\n" for each in messages))
    printed = [
        run("prediction", str(file), "--from", "messages", "--item-id", "i").out for file in (whole, lines)
    ]
    assert printed[0] == printed[1]
    assert json.loads(printed[0])["prediction"]["response"] == "High."


def test_a_response_goes_through_its_provider_s_adapter(tmp_path: Path) -> None:
    file = source(tmp_path, "response", "bedrock_rag")
    call = ["prediction", file, "--from", "response", "--item-id", "item-1", "--no-source"]
    found = json.loads(run(*call, "--provider", "bedrock_rag").out)
    assert found["prediction"] == expected("response", "bedrock_rag")["prediction"]
    done = run(*call)
    assert (done.code, "--from response needs --provider" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("kind", "name", "options", "code", "said"),
    [
        ("trace", "fails_langfuse_late", [], 1, "it lacks the end of ask"),
        (
            "messages",
            "fails_unknown_call",
            [],
            1,
            "/messages/1/content/0: expected a block of a known kind",
        ),
        ("messages", "two_turns", ["--answer", "x"], 2, "--answer does not go with --from messages"),
        ("messages", "two_turns", ["--from", "logs"], 2, "there is no source 'logs'"),
    ],
)
def test_mistakes_are_a_line_and_an_exit_code(
    tmp_path: Path, kind: str, name: str, options: list[str], code: int, said: str
) -> None:
    done = run("prediction", source(tmp_path, kind, name), "--from", kind, "--item-id", "i", *options)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("kind", "name", "options", "part"),
    [
        ("trace", "fails_langfuse_generation_without_end", [], "end"),
        ("trace", "fails_otel_no_result", [], "result"),
        ("trace", "fails_otel_no_parent", [], "parent"),
        ("messages", "fails_no_answer", [], "answer"),
        ("messages", "fails_ends_with_a_result", [], "answer"),
        ("transcript", "fails_open_webui_unfinished", [], "answer"),
    ],
)
def test_a_record_is_taken_without_what_is_missing_when_that_is_allowed(
    tmp_path: Path, kind: str, name: str, options: list[str], part: str
) -> None:
    call = ["prediction", source(tmp_path, kind, name), "--from", kind, "--item-id", "i", *options]
    done = run(*call)
    assert (done.code, done.out) == (1, "")
    options = re.findall(r"--allow-missing [a-z]+", done.err)
    assert f"--allow-missing {part}" in options
    call += " ".join(options).split()
    done = run(*call)
    assert done.code == 0, done.err
    assert f"[missing-{part}]" in done.err
    assert (json.loads(done.out).get("error") is not None) == (part == "answer")
    assert run(*call, "--strict").code == 1
    done = run(*call, "--allow-missing", "luck")
    assert (done.code, "there is no part 'luck'" in done.err) == (2, True)


def test_an_answer_that_failed_is_a_record_with_an_error_when_that_is_allowed(tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    failed = {"object": "response", "status": "failed", "error": {"message": "boom"}, "output": []}
    file.write_text(json.dumps(failed))
    call = ["prediction", str(file), "--from", "response", "--provider", "openai_responses", "--item-id", "i"]
    done = run(*call)
    assert (done.code, done.out) == (1, "")
    assert "boom" in done.err
    done = run(*call, "--allow-missing", "answer")
    assert done.code == 0
    record = json.loads(done.out)
    assert record["error"] == "/status: the answer failed (failed): boom"
    assert record["prediction"]["response"] is None
