"""What one verb refuses no other lets pass: verbs against the rules on which they all rely."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import run
from tests.support.datasets import dataset, item

RECORD = {"item_id": "a", "prediction": {"response": "r"}}
TWICE = {
    "retrieval_ground_truth": [{"document_id": "d", "relevance": 1}, {"document_id": "d", "relevance": 2}]
}
JUDGED = item("a") | {"expected_output": {"response": "r", **TWICE}}
VERBS = {
    "validate": ["validate", "IN"],
    "convert": ["convert", "IN", "OUT.jsonl"],
    "convert to Parquet": ["convert", "IN", "OUT.parquet"],
    "normalize": ["normalize", "IN", "-o", "OUT.jsonl"],
    "migrate": ["migrate", "IN", "--to", "rag@1.0", "-o", "OUT.jsonl"],
    "export": ["export", "IN", "--map", "golden", "-o", "OUT.jsonl", "--allow-drop"],
    "check": ["dataset", "check", "IN"],
    "score": ["score", "RECORDS", "--dataset", "IN"],
}
ITEMS = {
    "duplicate-item-id": dataset("1.0", item("a"), item("b"), item("a")),
    "duplicate-judgement": dataset("1.0", JUDGED),
}
KEEPS_CONTENT = {"convert", "convert to Parquet"}
"""These take items as they are: what is wrong inside of one stays its own, and validate's to say."""


def ran(folder: Path, words: list[str], document: Any, lines: bool = False) -> Any:
    file, records = folder / ("in.jsonl" if lines else "in.json"), folder / "records.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in document) if lines else json.dumps(document))
    records.write_text(json.dumps(RECORD) + "\n")
    names = {"IN": str(file), "RECORDS": str(records)}
    done = run(*(names.get(word, word.replace("OUT", str(folder / "OUT"))) for word in words))
    return done, sorted(found.name for found in folder.glob("OUT*"))


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("rule", ITEMS)
def test_no_verb_lets_pass_what_another_refuses(tmp_path: Path, verb: str, rule: str) -> None:
    if rule == "duplicate-judgement" and verb in KEEPS_CONTENT:
        done, _ = ran(tmp_path, VERBS[verb], ITEMS[rule])
        assert done.code == 0
        assert run("validate", str(tmp_path / "in.json")).code == 1
        return
    done, written = ran(tmp_path, VERBS[verb], ITEMS[rule])
    assert done.code == 1, done.out + done.err
    if verb != "normalize" or rule == "duplicate-item-id":  # which writes what is not valid, and says so
        assert written == []


@pytest.mark.parametrize("verb", ["validate", "convert", "convert to Parquet"])
def test_records_that_stand_twice_are_refused(tmp_path: Path, verb: str) -> None:
    done, written = ran(tmp_path, VERBS[verb], [RECORD, RECORD], lines=True)
    assert (done.code, written) == (1, [])
    again = [RECORD | {"repetition": number} for number in (1, 2)]
    assert ran(tmp_path, VERBS[verb], again, lines=True)[0].code == 0
