"""Text for people, of every verb, shows a file's name whole and lets no workflow take it for a command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract import reports
from evalcontract.reports import PLAIN, TEXT, Formats
from evalcontract.values import no_command
from tests.support.cli import Finished, run
from tests.support.datasets import dataset, item, metadata

NAMES = [
    "::error::x.",
    "##[group]x.",
    "##vso[task.setvariable]x.",
    "a\x1b[31m\u202eb.",
    "a\n::error::b.",
    "\u200bz.",
]
MESSAGES = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
FILES: dict[str, Any] = {
    "good.json": dataset("1.0", item("a")),
    "bad.json": {"metadata": metadata(), "items": [{"x": 1}]},
    "broken.json": "{",
    "records.jsonl": {"item_id": "a", "prediction": {"response": "r"}},
    "rows.jsonl": {"question": "q", "answer": "a"},
    "others.jsonl": {"x": 1},
    "table.csv": "question,answer\nq,a\n",
    "old.json": {"type": "object", "properties": {"x": {"type": "integer"}}},
    "new.json": {"type": "object", "properties": {"x": {"type": "string"}}},
    "answer.json": {"choices": [{"message": {"context": {"citations": []}}}]},
    "messages.json": MESSAGES,
    "README.md": "text",
}
COMMANDS = """
validate good.json|validate bad.json|validate broken.json|validate table.csv|validate absent.json|validate .
validate README.md good.json|validate good.json --input-schema old.json|validate good.json --input-schema broken.json
score records.jsonl|score records.jsonl --dataset good.json|score records.jsonl --dataset bad.json
score records.jsonl --dataset good.json --compare records.jsonl|score broken.json --dataset good.json
score records.jsonl --dataset good.json --format markdown|score records.jsonl --dataset good.json -o out.txt
score records.jsonl --dataset bad.json -o out.txt
migrate good.json --to rag@1.0|migrate good.json --to rag@1.0 -o out.jsonl|migrate bad.json --to rag@1.0
migrate broken.json --to rag@1.0|migrate absent.json --to rag@1.0
normalize good.json -o out.jsonl|normalize bad.json -o out.jsonl|normalize broken.json -o out.jsonl
convert good.json out.jsonl|convert broken.json out.jsonl|convert absent.json out.jsonl|convert good.json out.parquet
import rows.jsonl --map golden -o out.jsonl|import others.jsonl --map golden -o out.jsonl
import table.csv --map golden -o out.jsonl|import rows.jsonl --map old.json -o out.jsonl
import broken.json --map golden -o out.jsonl|import others.jsonl --suggest
import rows.jsonl --map absent.json -o out.jsonl
export good.json --map golden -o out.jsonl --allow-drop|export good.json --map golden -o out.jsonl
export bad.json --map golden -o out.jsonl
response answer.json|response broken.json|response messages.json|response good.json --provider gemini
prediction messages.json --from messages --item-id a|prediction good.json --from messages --item-id a
prediction broken.json --from messages --item-id a|prediction absent.json --from messages --item-id a
dataset check good.json|dataset check bad.json|dataset check broken.json|dataset check good.json --previous good.json
dataset check absent.json|dataset stats good.json|dataset stats broken.json|dataset diff good.json bad.json
dataset diff good.json good.json|dataset card good.json|dataset next-version good.json --previous good.json
dataset name good.json|dataset path good.json
schema breaking new.json --against old.json|schema breaking old.json --against absent.json
schema diff old.json new.json|schema changelog new.json --against old.json|schema lint .|schema verify --schemas .
""".strip().replace("\n", "|").split("|")  # fmt: skip


def ran(folder: Path, prefix: str, command: str) -> Finished:
    for name, content in FILES.items():
        (folder / f"{prefix}{name}").write_text(content if isinstance(content, str) else json.dumps(content))
    known = {*FILES, "absent.json", "out.jsonl", "out.txt", "out.parquet"}
    return run(*(f"{prefix}{word}" if word in known else word for word in command.split()))


def commands_in(text: str) -> list[str]:
    return [
        line
        for line in text.split("\n")
        if line.lstrip().startswith("::") or "##[" in line or "##vso[" in line
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_name_is_a_command_or_hides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.chdir(tmp_path)
    for prefix in NAMES:
        done = ran(tmp_path, prefix, command)
        for printed in (done.out, done.err):
            assert commands_in(printed) == [], prefix
            assert all(line.isprintable() for line in printed.split("\n")), prefix
        for file in tmp_path.iterdir():
            file.unlink()


def test_text_of_every_result_goes_through_one_door(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [found for found in vars(reports).values() if isinstance(found, Formats)]
    assert len(rows) > 10
    for row in rows:
        for format_ in (TEXT, "markdown"):
            if format_ in row.names:
                monkeypatch.setattr(
                    Formats, "writer", lambda *_: lambda *_: "::error::x\n  ::debug::y\na ##[z]\n"
                )
                assert commands_in(row.write(format_, None, PLAIN)) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a::b", "a::b"),
        ("std::vector, ## heading", "std::vector, ## heading"),
        ("  ::error::x", "  \\u003a:error::x"),
        ("a ##[error]b", "a #\\u0023[error]b"),
        ("##vso[x]", "#\\u0023vso[x]"),
    ],
)
def test_only_what_would_be_a_command_is_changed(line: str, expected: str) -> None:
    assert no_command(line) == expected
