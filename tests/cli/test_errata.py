"""Every command that judges data says what is known to be wrong with the contracts that judged it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from evalcontract.catalog import default_catalogue
from evalcontract.checking import Splitting
from evalcontract.cli import eval_dataset_main
from tests.support.cli import run
from tests.support.datasets import dataset, item

RELEASE = "acme_qa_faq_1.0.json"
RECORD = {"item_id": "a", "prediction": {"response": "1879"}}
ANSWER = {"choices": [{"message": {"content": "1879", "role": "assistant"}, "finish_reason": "stop"}]}
LIVE = {"choices": [{"message": {"context": {"citations": []}}}]}
ROWS = "question,answer\nWhen?,1879\n"


@pytest.fixture
def erring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of data, the working directory; every contract has an erratum."""
    catalogue = default_catalogue()
    for name in catalogue.names():
        versions = catalogue._home[name].entries[name]
        for version, entry in list(versions.items()):
            monkeypatch.setitem(versions, version, replace(entry, errata=("too lax",)))  # type: ignore[arg-type]
    monkeypatch.chdir(tmp_path)
    Path("items.jsonl").write_text(json.dumps(item("a")) + "\n")
    Path("answers.jsonl").write_text(json.dumps(RECORD) + "\n")
    Path("answer.json").write_text(json.dumps(ANSWER))
    Path("live.json").write_text(json.dumps(LIVE))
    Path("citation.json").write_text('{"document_id": "a"}')
    Path("rows.csv").write_text(ROWS)
    Path(RELEASE).write_text(json.dumps(dataset(item("a"))))
    return tmp_path


@pytest.mark.parametrize(
    ("line", "contracts"),
    [
        ("validate items.jsonl", ["evaluation_item"]),
        ("validate items.jsonl --type rag", ["evaluation_item", "rag_input", "citation"]),
        ("validate citation.json --contract citation", ["citation", "text_span"]),
        (f"dataset check {RELEASE}", ["dataset_metadata", "evaluation_item"]),
        ("score answers.jsonl --dataset items.jsonl", ["evaluation_item", "prediction_record", "prediction"]),
        ("normalize items.jsonl -o flat.jsonl --type qa", ["evaluation_item", "base_input"]),
        ("import rows.csv --map golden -o new.jsonl", ["evaluation_item", "base_expected_output"]),
        ("prediction answer.json --from response --provider openai_chat --item-id a", ["prediction_record"]),
        ("response live.json", ["rag_response", "rag_context"]),
        ("migrate citation.json --to citation@1.0 --from 1.0", ["citation"]),
    ],
)
def test_a_command_says_the_errata_of_the_contracts_that_judged(
    erring: Path, line: str, contracts: list[str]
) -> None:
    for _ in range(2):  # what is kept from one command doesn't silence the next
        done = run(*line.split())
        assert done.code in (0, 1), done.err
        for contract in contracts:
            assert done.err.count(f"note: {contract}@1.0 has an erratum: too lax\n") == 1, done.err
            assert "erratum" not in done.out


def test_the_other_program_says_them_too(erring: Path) -> None:
    done = run("validate", "--source", "items.jsonl", main=eval_dataset_main)
    assert "note: evaluation_item@1.0 has an erratum: too lax\n" in done.err


def test_several_processes_say_what_one_says(erring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = run("validate", "items.jsonl", "--type", "rag").err
    several = partial(Splitting, from_bytes=0, range_bytes=10)
    monkeypatch.setattr("evalcontract.checking.Splitting", several)
    together = run("validate", "items.jsonl", "--type", "rag", "--jobs", "2").err
    assert sorted(together.split("\n")) == sorted(alone.split("\n"))
    assert "note: rag_input@1.0 has an erratum" in alone


def test_what_judges_nothing_says_nothing(erring: Path) -> None:
    for line in ("schema list", "presets", "convert items.jsonl other.json", "schema bundle citation"):
        assert "erratum" not in run(*line.split()).err
