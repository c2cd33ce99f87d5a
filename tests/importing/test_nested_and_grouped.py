"""Rows that lie inside other objects, rows that are one together, elements of lists, and what stands beside rows."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.support.cli import Finished, run

NESTED = {
    "rows_under": ["/articles/*/passages/*/questions"],
    "item_id": {"from": ["qid"], "otherwise": "error"},
    "fields": [
        {"from": ["ask"], "to": "/input/messages", "as": "messages", "required": True},
        {"from": ["/../text"], "to": "/input/context", "as": "wrap"},
        {"from": ["/answers/0/text"], "to": "/expected_output/response", "as": "text"},
    ],
}
JUDGED = {
    "group": {"by": "query_id", "collect": ["doc", "grade"], "to": "judged"},
    "item_id": {"from": ["query_id"], "otherwise": "error"},
    "fields": [
        {"from": ["query"], "to": "/input/messages", "as": "messages", "required": True},
        {"from": ["answer"], "to": "/expected_output/response", "as": "text"},
        {
            "from": ["judged"],
            "to": "/expected_output/retrieval_ground_truth",
            "as": "judgements",
            "id_key": "doc",
            "grade_key": "grade",
        },
    ],
}
TURNS = {
    "group": {"by": "chat", "collect": ["role", "content"], "to": "turns"},
    "item_id": {"from": ["chat"], "otherwise": "error"},
    "fields": [{"from": ["turns"], "to": "/input/messages", "as": "messages", "answer": "expected_output"}],
}


def imported(folder: Path, mapping: dict[str, Any], source: str, *more: str) -> Finished:
    file = folder / "map.yaml"
    file.write_text(yaml.safe_dump({"mapping_version": "1.0", "name": "own", **mapping}))
    return run("import", str(folder / source), "--map", str(file), "-o", str(folder / "items.jsonl"), *more)


def items(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "items.jsonl").read_text("utf-8").splitlines()]


def squad(*questions: tuple[int, int, dict[str, Any]]) -> dict[str, Any]:
    articles: dict[int, dict[int, list[dict[str, Any]]]] = {}
    for article, passage, question in questions:
        articles.setdefault(article, {}).setdefault(passage, []).append(question)
    return {
        "articles": [
            {
                "title": f"title {article}",
                "passages": [
                    {"text": f"text {article} {passage}", "questions": found}
                    for passage, found in passages.items()
                ],
            }
            for article, passages in articles.items()
        ]
    }


places = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)


@given(places)
def test_a_nested_row_knows_what_stands_around_it(
    tmp_path_factory: pytest.TempPathFactory, at: list[tuple[int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("nested")
    questions = [
        (article, passage, {"qid": f"q{n}", "ask": f"Q{n}?", "answers": [{"text": f"A{n}"}, {"text": "B"}]})
        for n, (article, passage) in enumerate(at)
    ]
    (folder / "rows.json").write_text(json.dumps(squad(*questions)))
    done = imported(folder, NESTED, "rows.json")
    assert done.code == 0, done.out
    found = {item["item_id"]: item for item in items(folder)}
    assert len(found) == len(at)
    for n, (article, passage) in enumerate(at):
        item = found[f"q{n}"]
        assert item["input"]["context"] == [f"text {article} {passage}"]
        assert item["expected_output"]["response"] == f"A{n}"
        kept = item["metadata"]["raw_metadata"]["imported"]
        assert kept[".."] == {"..": {"title": f"title {article}"}}
        assert kept["answers"] == [{"text": f"A{n}"}, {"text": "B"}]


@pytest.mark.parametrize(
    ("fault", "text", "pointer"),
    [
        ({"qid": 7.5}, '"qid": 7.5', "/qid"),
        ({"ask": 7}, '"ask": 7', "/ask"),
        ({"answers": [{"text": 7}]}, '"text": 7', "/answers/0/text"),
        ({"answers": "A"}, '"answers": "A"', "/answers"),
    ],
)
def test_a_fault_in_a_nested_row_has_its_place(
    tmp_path: Path, fault: dict[str, Any], text: str, pointer: str
) -> None:
    question = {"qid": "q", "ask": "Q?", "answers": [{"text": "A"}]} | fault
    document = squad((0, 0, {"qid": "p", "ask": "P?"}), (0, 0, question))
    written = json.dumps(document, indent=0)
    (tmp_path / "rows.json").write_text(written)
    done = imported(tmp_path, NESTED, "rows.json")
    assert done.code == 1
    line = written[: written.index(text)].count("\n") + 1
    assert f"rows.json:{line}:{text.index(' ') + 2}: error [row 2] {pointer}: expected" in done.out or (
        f"rows.json:{line}:{text.index(' ') + 2}: error [row 2] {pointer}: an id is text" in done.out
    )
    assert not (tmp_path / "items.jsonl").exists()


def test_an_object_has_no_first_element(tmp_path: Path) -> None:
    question = {"qid": "q", "ask": "Q?", "answers": {"text": "A"}}
    (tmp_path / "rows.json").write_text(json.dumps(squad((0, 0, question))))
    assert imported(tmp_path, NESTED, "rows.json").code == 0
    (item,) = items(tmp_path)
    assert "expected_output" not in item


def test_what_stands_around_a_row_has_its_place_too(tmp_path: Path) -> None:
    document = squad((0, 0, {"qid": "p", "ask": "P?"}))
    document["articles"][0]["passages"][0]["text"] = 7
    (tmp_path / "rows.json").write_text(json.dumps(document, indent=0))
    done = imported(tmp_path, NESTED, "rows.json")
    assert done.code == 1
    assert "rows.json:7:" in done.out
    assert "/../text" in done.out


def judged(*rows: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [dict(zip(("query_id", "query", "doc", "grade"), row, strict=True)) for row in rows]


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_judgements_of_a_query_make_one_item_wherever_they_stand(tmp_path: Path, suffix: str) -> None:
    rows = judged(("a", "Q1?", "d1", 2), ("b", "Q2?", "d1", 0), ("a", "Q1?", "d2", 1), ("b", "", "d3", 2))
    source = tmp_path / f"rows.{suffix}"
    if suffix == "csv":
        with source.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = imported(tmp_path, JUDGED, source.name)
    assert done.code == 0, done.out
    assert "4 rows in, 2 items out" in done.out
    first, second = items(tmp_path)
    assert first["input"]["messages"] == [{"role": "user", "content": "Q1?"}]
    assert first["expected_output"]["retrieval_ground_truth"] == [
        {"document_id": "d1", "relevance": 2},
        {"document_id": "d2", "relevance": 1},
    ]
    assert second["expected_output"]["retrieval_ground_truth"][1] == {"document_id": "d3", "relevance": 2}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("", "Q?", "d", 1), "rows.jsonl:2:14: error [row 2] /query_id: query_id is required"),
        ((None, "Q?", "d", 1), "rows.jsonl:2:14: error [row 2] /query_id: query_id is required"),
        (("a", "another?", "d", 1), "rows.jsonl:2:28: error [row 2] /query: query is another one in row 1"),
        (
            ("a", "Q?", "d", "high"),
            "rows.jsonl:2:55: error [row 1] /judged/1/grade: expected grade, an integer",
        ),
        (("a", "Q?", None, 1), "rows.jsonl:2:41: error [row 1] /judged/1/doc: expected document id"),
    ],
)
def test_a_row_that_belongs_to_no_group_or_says_another_thing_is_refused(
    tmp_path: Path, row: tuple[Any, ...], said: str
) -> None:
    rows = judged(("a", "Q?", "d0", 1), row)
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))
    done = imported(tmp_path, JUDGED, "rows.jsonl")
    assert done.code == 1
    assert said in done.out, done.out
    assert not (tmp_path / "items.jsonl").exists()


def test_turns_make_a_conversation_whose_last_is_the_answer(tmp_path: Path) -> None:
    turns = [
        ("c", "user", "Hi"),
        ("c", "assistant", "Yes?"),
        ("c", "user", "When?"),
        ("c", "assistant", "1879"),
    ]
    rows = [dict(zip(("chat", "role", "content"), turn, strict=True)) for turn in turns]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = imported(tmp_path, TURNS, "rows.jsonl")
    assert done.code == 0, done.out
    (item,) = items(tmp_path)
    assert [message["content"] for message in item["input"]["messages"]] == ["Hi", "Yes?", "When?"]
    assert item["expected_output"]["response"] == "1879"


def test_groups_are_held_up_to_a_limit(tmp_path: Path) -> None:
    rows = judged(*(("a", "Q?", f"d{n}", 1) for n in range(500)))
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = imported(tmp_path, JUDGED, "rows.jsonl", "--limit", "held-bytes=100K")
    assert done.code == 2
    assert "--limit held-bytes=204800" in done.err


@pytest.mark.parametrize("mapping", [NESTED, JUDGED, TURNS], ids=["nested", "judged", "turns"])
def test_what_is_made_of_several_objects_is_not_written_back(tmp_path: Path, mapping: dict[str, Any]) -> None:
    (tmp_path / "rows.jsonl").write_text("")
    imported(tmp_path, mapping, "rows.jsonl")
    item = {"item_id": "a", "input": {"messages": [{"role": "user", "content": "Q?"}]}}
    (tmp_path / "in.jsonl").write_text(json.dumps(item) + "\n")
    command = ("export", str(tmp_path / "in.jsonl"), "--map", str(tmp_path / "map.yaml"))
    done = run(*command, "-o", str(tmp_path / "out.jsonl"))
    assert done.code == 2
    assert "writes none back" in done.err


@pytest.mark.parametrize("key", ["rows", "items"])
def test_what_stands_beside_the_rows_becomes_metadata_of_a_release(tmp_path: Path, key: str) -> None:
    row = {"question": "Q?", "answer": "A"}
    beside = {"license": "CC0-1.0", "source": "tickets of May", "made": {"by": 1.10}, "description": ""}
    for order in ({**beside, key: [row]}, {key: [row], **beside}):
        (tmp_path / "rows.json").write_text(json.dumps(order))
        output = tmp_path / "shop_qa_smoke_v1.0.json"
        output.unlink(missing_ok=True)
        release = ("--product", "shop", "--scope", "smoke", "--version", "1.0", "--type", "qa")
        command = ("import", str(tmp_path / "rows.json"), "--map", "golden", "-o", str(output))
        done = run(*command, *release)
        assert done.code == 0, done.out
        assert "kept    1  license -> /metadata/license" in done.out
        metadata = json.loads(output.read_text())["metadata"]
        assert metadata["license"] == "CC0-1.0"
        assert metadata["source"] == "tickets of May"
        assert metadata["imported"] == {"made": {"by": 1.1}, "description": ""}
        assert run("dataset", "check", str(output)).code == 0
        assert run(*command[:-1], str(tmp_path / "items.jsonl")).code == 1


@given(
    st.recursive(
        st.text(max_size=2) | st.integers(0, 2),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("012a"), inner, max_size=3)
        ),
    ),
    st.lists(st.sampled_from(["0", "1", "2", "01", "-", "a"]), min_size=1, max_size=3),
)
def test_a_source_reads_what_its_pointer_means(value: Any, steps: list[str]) -> None:
    from evalcontract.importing.values import MISSING, Refused, look_up
    from evalcontract.values import follow

    try:
        found = look_up({"k": value}, ("k", *steps))
    except Refused:
        found = MISSING
    try:
        _, expected = follow({"k": value}, ("k", *steps))
    except LookupError:
        expected = MISSING
    assert found == expected
