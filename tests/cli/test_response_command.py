"""`evalcontract response`: live answers from files and from standard input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.responses import validate_rag_response
from evalcontract.responses.adapters import PROVIDERS
from tests.responses.answers import as_events, frames
from tests.support.cli import run
from tests.support.projects import PROJECT

DATA = PROJECT / "tests" / "responses" / "data"


def answer(provider: str, name: str) -> Any:
    return json.loads((DATA / provider / f"{name}.json").read_bytes())["response"]


def written(folder: Path, name: str, document: Any) -> str:
    file = folder / name
    file.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return str(file)


def test_an_answer_of_a_provider_is_checked_and_written_as_a_rag_response(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    source = written(tmp_path, "answer.json", answer("gemini", "bytes"))
    done = run("response", source, "--provider", "gemini", "-o", str(target))
    assert (done.code, done.out) == (
        0,
        f"ok: {source} is a valid answer of gemini (sources: 1, citations: 3)\n",
    )
    assert done.err.startswith(
        "notice: /candidates/0/groundingMetadata/groundingChunks/0/web: 1 source comes"
    )
    assert "[no-passage]" in done.err
    assert len(validate_rag_response(json.loads(target.read_bytes()))) == 1


def test_notices_fail_a_strict_run(tmp_path: Path) -> None:
    source = written(tmp_path, "answer.json", answer("gemini", "bytes"))
    assert run("response", source, "--provider", "gemini", "--strict").code == 1
    clean = written(tmp_path, "clean.json", answer("azure_on_your_data", "whole"))
    assert run("response", clean, "--provider", "azure_on_your_data", "--strict").code == 0


@pytest.mark.parametrize("suffix", ["jsonl", "sse"])
def test_a_stream_is_read_from_its_chunks(tmp_path: Path, suffix: str) -> None:
    chunks = [each for each in answer("azure_on_your_data", "chunks") if isinstance(each, dict)][:-1]
    prefix, end = ("data: ", "\n\n") if suffix == "sse" else ("", "\n")
    text = "".join(f"{prefix}{json.dumps(each)}{end}" for each in chunks)
    source = written(tmp_path, f"stream.{suffix}", text)
    done = run("response", source, "--provider", "azure_on_your_data")
    assert (done.code, done.err) == (0, "")
    assert "(sources: 2, citations: 1)" in done.out


def test_documents_of_the_request_prove_the_offsets(tmp_path: Path) -> None:
    source = written(tmp_path, "answer.json", answer("anthropic", "characters"))
    case = json.loads((DATA / "anthropic" / "characters.json").read_bytes())
    right = [written(tmp_path, f"{index}.txt", text) for index, text in enumerate(case["documents"])]
    call = ["response", source, "--provider", "anthropic"]
    assert run(*call, "--document", right[0], "--document", right[1]).code == 0
    done = run(*call, "--document", right[1], "--document", right[0])
    assert done.code == 1
    assert "lie outside the text" in done.err


def test_without_a_provider_every_choice_has_to_keep_the_contract() -> None:
    document = {
        "choices": [{"message": {"context": {"citations": [{"score": 2}]}}}, {"message": {"content": "x"}}]
    }
    done = run("response", "-", stdin=json.dumps(document).encode())
    assert done.code == 1
    assert done.out.splitlines()[-1] == "failed: -, errors: 3"
    assert "/choices/0/message/context/citations/0/score: expected at most 1, got integer 2" in done.out
    fine = {"choices": [{"message": {"context": {"citations": []}}}]}
    done = run("response", "-", stdin=json.dumps(fine).encode())
    assert (done.code, done.out) == (0, "ok: - is a valid rag_response\n")


@pytest.mark.parametrize(
    ("arguments", "content", "code", "said"),
    [
        (["--provider", "azure"], "{}", 2, "there is no provider 'azure'"),
        (["--provider", "cohere"], "{}", 1, "answer.json: /message: message is required but missing"),
        (["--provider", "cohere"], '{"a": NaN}', 1, "1:7"),
        (["--provider", "cohere"], "", 1, "answer.json"),
        (["-o", "x.json"], "{}", 2, "--document and --output go with --provider"),
    ],
)
def test_mistakes_are_a_line_and_an_exit_code(
    tmp_path: Path, arguments: list[str], content: str, code: int, said: str
) -> None:
    done = run("response", written(tmp_path, "answer.json", content), *arguments)
    assert done.code == code
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_file_that_is_not_there_is_a_line() -> None:
    done = run("response", "nowhere.sse", "--provider", "azure_on_your_data")
    assert (done.code, done.err) == (2, "error: nowhere.sse: no such file or directory\n")


def test_an_answer_with_the_marks_of_one_provider_is_taken_for_its_own_and_that_is_said(
    tmp_path: Path,
) -> None:
    target = tmp_path / "out.json"
    source = written(tmp_path, "answer.json", answer("azure_on_your_data", "whole"))
    done = run("response", source, "-o", str(target))
    assert (done.code, done.out) == (
        0,
        f"ok: {source} is a valid answer of azure_on_your_data (sources: 3, citations: 3)\n",
    )
    assert done.err == (
        "note: read as an answer of azure_on_your_data; --provider rag_response insists on the contract\n"
    )
    assert len(validate_rag_response(json.loads(target.read_bytes()))) == 3
    assert run("response", source, "--provider", "rag_response").code == 1


def test_an_answer_that_keeps_the_contract_is_valid_whoever_wrote_it(tmp_path: Path) -> None:
    choice = {"message": {"context": {"citations": []}}, "content_filter_results": {}}
    document = {"object": "extensions.chat.completion", "choices": [choice], "prompt_filter_results": []}
    source = written(tmp_path, "answer.json", document)
    done = run("response", source)
    assert (done.code, done.out, done.err) == (0, f"ok: {source} is a valid rag_response\n", "")


@pytest.mark.parametrize(
    ("citation", "hint"),
    [
        (
            {"content": "text"},
            "if this is an answer of azure_on_your_data, say --provider azure_on_your_data",
        ),
        (
            {"text": "text"},
            "name whose answer it is: --provider openai_chat, azure_on_your_data, openai_responses, anthropic",
        ),
        ({"retrieved_context": "text", "score": 2}, None),
    ],
)
def test_an_answer_that_nobody_is_sure_to_have_written_gets_the_option_and_the_candidates(
    tmp_path: Path, citation: dict[str, Any], hint: str | None
) -> None:
    document = {"choices": [{"message": {"context": {"citations": [citation]}}}]}
    source = written(tmp_path, "answer.json", document)
    done = run("response", source)
    assert (done.code, done.err) == (1, "")
    assert ("hint: " in done.out) == (hint is not None)
    assert (hint or "") in done.out
    assert "hint: " not in run("response", source, "--provider", "rag_response").out


@pytest.mark.parametrize("way", ["jsonl", "sse", "stdin"])
@pytest.mark.parametrize("provider", [row.name for row in PROVIDERS])
def test_a_stream_of_any_provider_is_read_however_it_is_kept(tmp_path: Path, provider: str, way: str) -> None:
    stream = frames(provider, ["Yes", "."], {})
    lines = "".join(json.dumps(frame) + "\n" for frame in stream)
    text = as_events(stream, named=provider in ("anthropic", "cohere"))
    name = "-" if way == "stdin" else written(tmp_path, f"answer.{way}", lines if way == "jsonl" else text)
    done = run("response", name, "--provider", provider, stdin=text.encode())
    assert done.code == 0, done.err
    assert f"is a valid answer of {provider} (sources: 0, citations: 0)" in done.out
    failing = as_events([*stream[:-1], {"error": {"message": "boom"}}]).encode()
    done = run("response", "-", "--provider", provider, stdin=failing)
    assert (done.code, done.out) == (1, "")
    assert "boom" in done.err
    assert "Traceback" not in done.err


def test_an_answer_that_was_cut_off_fails_a_strict_run_and_is_written_with_its_reason(tmp_path: Path) -> None:
    message = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Se"}]}
    source = written(tmp_path, "cut.json", {**message, "stop_reason": "max_tokens"})
    target = tmp_path / "out.json"
    done = run("response", source, "-o", str(target))
    assert done.code == 0
    assert "notice: /stop_reason: the answer was cut off (max_tokens) [cut-off]" in done.err
    assert json.loads(target.read_bytes())["choices"][0]["finish_reason"] == "max_tokens"
    assert run("response", source, "--strict").code == 1
