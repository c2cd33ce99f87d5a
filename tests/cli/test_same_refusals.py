"""What one verb refuses no other lets pass: verbs against the rules on which they all rely."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
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


def asked(item_id: str, **output: Any) -> dict[str, Any]:
    return item(item_id) | {"expected_output": {"response": "r", "citations": [], **output}}


def cited(*citations: dict[str, Any]) -> dict[str, Any]:
    return asked("a", response="r [1]", citations=list(citations))


TURNS = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "Because."}]
ADVICES = {
    "shared-marker": [
        cited(*({"document_id": id_, "response_marker": "[1]", "quotes": ["q"]} for id_ in "de"))
    ],
    "repeated-document-id": [item("a", context=["p", "q"], document_ids=["d", "d"])],
    "blank-text": [asked("a", response=" \n")],
    "blank-text in a question": [item("a", messages=[{"role": "user", "content": " "}])],
    "blank-text in a quote": [cited({"document_id": "d", "quotes": [" "]})],
    "blank-text in another answer": [asked("a", alternative_responses=[""])],
    "same-input": [item("a", messages=TURNS[:1]), item("b", messages=TURNS[:1])],
    "look-alike-id": [item("a"), item("A")],
    "ends-with-assistant": [item("a", messages=TURNS)],
}


@pytest.mark.parametrize("rule", ADVICES)
def test_what_one_verb_advises_against_every_verb_that_judges_tells(tmp_path: Path, rule: str) -> None:
    code, document = rule.partition(" ")[0], dataset("1.0", *ADVICES[rule])
    for verb in ("validate", "check"):
        done, _ = ran(tmp_path, VERBS[verb], document)
        assert code in done.out, verb
        strict, _ = ran(tmp_path, [*VERBS[verb], "--strict"], document)
        assert strict.code == 1, verb
    assert code in ran(tmp_path, VERBS["validate"], ADVICES[rule], lines=True)[0].out
    scored, _ = ran(tmp_path, VERBS["score"], document)
    assert (scored.code, "1 advice about the data" in scored.out) == (0, True)


@pytest.mark.parametrize("verb", ["validate", "convert", "convert to Parquet"])
def test_records_that_stand_twice_are_refused(tmp_path: Path, verb: str) -> None:
    done, written = ran(tmp_path, VERBS[verb], [RECORD, RECORD], lines=True)
    assert (done.code, written) == (1, [])
    again = [RECORD | {"repetition": number} for number in (1, 2)]
    assert ran(tmp_path, VERBS[verb], again, lines=True)[0].code == 0


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("number", ["9" * 400, "-1e400"])
def test_a_number_that_no_double_holds_is_refused(tmp_path: Path, verb: str, number: str) -> None:
    file, words = tmp_path / "in.json", VERBS[verb]
    ran(tmp_path, ["validate", "IN"], dataset("1.0", item("a")))
    file.write_text(file.read_text().replace('"input": {', f'"input": {{"k": {number}, '))
    names = {"IN": str(file), "RECORDS": str(tmp_path / "records.jsonl")}
    done = run(*(names.get(word, word.replace("OUT", str(tmp_path / "OUT"))) for word in words))
    assert (done.code, list(tmp_path.glob("OUT*"))) == (1, [])
    assert number[:20] in done.out + done.err


BROKEN = {
    "a number that no double holds": '{"k": 1e400}',
    "no number": '{"k": NaN}',
    "a key twice": '{"k": 1, "k": 2}',
    "an end that is missing": '{"k": [1',
    "too deep": '{"k": ' + "[" * 200 + "]" * 200 + "}",
    "half of a character": '{"k": "\\ud800"}',
    "a control character": '{"k": "\x01"}',
    "bytes that are no UTF-8": b'{"k": "\xff"}',
    "something behind the end": '{"k": 1} x',
}
READS = VERBS | {
    "migrate": [*VERBS["migrate"], "--from", "1.0"],
    "stats": ["dataset", "stats", "IN"],
    "diff": ["dataset", "diff", "IN", "IN"],
    "card": ["dataset", "card", "IN"],
    "score of it": ["score", "IN"],
    "comparison with it": ["score", "RECORDS", "--compare", "IN"],
    "import": ["import", "IN", "--map", "golden", "-o", "OUT.jsonl"],
    "response": ["response", "IN"],
    "response of a provider": ["response", "IN", "--provider", "gemini", "-o", "OUT.json"],
    "prediction": ["prediction", "IN", "--from", "trace", "--item-id", "a", "-o", "OUT.json"],
}


@pytest.mark.parametrize("verb", READS)
@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_text_is_a_violation_for_every_verb(tmp_path: Path, verb: str, fault: str) -> None:
    text = BROKEN[fault]
    for name in ("in.json", "in.jsonl"):
        file, records = tmp_path / name, tmp_path / "records.jsonl"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        records.write_text(json.dumps(RECORD) + "\n")
        names = {"IN": str(file), "RECORDS": str(records)}
        done = run(*(names.get(word, word.replace("OUT", str(tmp_path / "OUT"))) for word in READS[verb]))
        assert (done.code, list(tmp_path.glob("OUT*"))) == (1, []), (name, done.out, done.err)
        assert f"{name}:1:" in done.out + done.err


NAMES_A_RELEASE = {
    "convert": ["convert", "IN", "OUT"],
    "normalize": ["normalize", "IN", "-o", "OUT"],
    "migrate": ["migrate", "IN", "--to", "rag@1.0", "--from", "1.0", "-o", "OUT"],
    "import": ["import", "ROWS", "--map", "golden", "-o", "OUT"],
}


@pytest.mark.parametrize("verb", NAMES_A_RELEASE)
@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_the_name_of_a_release_is_for_what_has_metadata(tmp_path: Path, verb: str, suffix: str) -> None:
    names = {word: tmp_path / file for word, file in (("IN", "in.jsonl"), ("ROWS", "rows.jsonl"))}
    names["OUT"] = tmp_path / f"helpdesk_rag_golden_v1.0{suffix}"
    names["IN"].write_text(json.dumps(item("a")) + "\n")
    names["ROWS"].write_text(json.dumps({"question": "q", "answer": "a"}) + "\n")
    done = run(*(str(names.get(word, word)) for word in NAMES_A_RELEASE[verb]))
    assert (done.code in (1, 2), names["OUT"].exists()) == (True, False)
    assert "is the name of a release" in done.err


NOT_A_NUMBER = {
    **{verb: VERBS[verb] for verb in ("convert", "normalize", "check")},
    "stats": ["dataset", "stats", "IN"],
    "diff": ["dataset", "diff", "IN", "IN"],
    "card": ["dataset", "card", "IN"],
    "import": ["import", "IN", "--map", "golden", "-o", "OUT.jsonl"],
}


@pytest.mark.parametrize("verb", NOT_A_NUMBER)
def test_a_cell_that_is_no_number_is_refused_with_its_place_and_a_way_out(tmp_path: Path, verb: str) -> None:
    file = tmp_path / "in.parquet"
    pq.write_table(pa.table({"item_id": ["a", "b"], "score": [1.0, math.nan]}), file)
    done = run(
        *(word.replace("IN", str(file)).replace("OUT", str(tmp_path / "OUT")) for word in NOT_A_NUMBER[verb])
    )
    assert (done.code, list(tmp_path.glob("OUT*"))) == (1, [])
    assert "row 2, /score: expected a finite number, got nan" in done.out + done.err
    assert (
        verb == "check" or "JSON has no NaN and no infinity: write null in the table" in done.out + done.err
    )


def test_a_number_is_the_same_with_a_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, number in (("one", 1), ("two", 1.0)):
        Path(f"{name}.json").write_text(json.dumps(dataset("1.0", item("a", k=number, m=2 * number))))
    Path("records.jsonl").write_text(json.dumps(RECORD))
    assert run("convert", "two.json", "two.parquet").code == 0
    scored = run("score", "records.jsonl", "--dataset", "one.json", "--records", "scores.jsonl")
    assert scored.code == 0
    for other in ("two.json", "two.parquet"):
        assert "the items are the same" in run("dataset", "diff", "one.json", other).out
    compared = run("score", "records.jsonl", "--dataset", "two.json", "--compare", "scores.jsonl")
    assert (compared.code, "compared with scores.jsonl" in compared.out) == (0, True)
    both = dataset("1.0", *(item(id_, k=k, messages=TURNS[:1]) for id_, k in (("a", 1), ("b", 1.0))))
    assert "same-input" in ran(tmp_path, VERBS["validate"], both)[0].out
