"""BEIR and TREC: judgements with the queries beside them, and runs."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcontract.importing import ExportRequest, ImportRequest, export_file, import_file, load_mapping
from tests.support.cli import Finished, run

QUERIES = (
    '{"_id": "q1", "text": "What is it?", "metadata": {"year": 2001}}\n'
    '{"_id": "q2", "text": "Who?", "metadata": {}}\n'
)
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td 2\t0\n"
TREC = "q1 0 d1 1\nq1 0 d2 0\nq2 Q0 d1 2\n"
RUN = "q1 Q0 d2 2 1.5 bm25\nq1 Q0 d1 1 3 bm25\nq2 Q0 d9 1 0.25 bm25\n"


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def imported(
    folder: Path, preset: str, text: str, queries: str | None, *options: str, suffix: str = ".jsonl"
) -> Finished:
    (folder / "qrels.txt").write_text(text, "utf-8")
    if queries is not None:
        (folder / f"queries{suffix}").write_text(queries, "utf-8")
        options = ("--queries", str(folder / f"queries{suffix}"), *options)
    return run(
        "import", str(folder / "qrels.txt"), "--map", preset, "-o", str(folder / "items.jsonl"), *options
    )


def test_beir_judgements_become_items(tmp_path: Path) -> None:
    done = imported(tmp_path, "beir", QRELS, QUERIES)
    assert done.code == 0, done.out
    assert lines(tmp_path / "items.jsonl") == [
        {
            "item_id": "q1",
            "input": {"messages": [{"role": "user", "content": "What is it?"}]},
            "expected_output": {
                "retrieval_ground_truth": [
                    {"document_id": "d1", "relevance": 2},
                    {"document_id": "d 2", "relevance": 0},
                ]
            },
            "metadata": {"raw_metadata": {"imported": {"metadata": {"year": 2001}}}},
        }
    ]
    assert "1 queries have no judgement and are left out" in done.out
    assert "1 of 1 items have no reference answer and declare no schema type" in done.out
    assert run("validate", str(tmp_path / "items.jsonl")).code == 0


def test_judged_documents_are_looked_up_in_the_corpus(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "title": "t", "text": "x"}\n')
    done = imported(tmp_path, "beir", QRELS, QUERIES, "--corpus", str(tmp_path / "corpus.jsonl"))
    assert done.code == 1
    assert '"d 2", judged for the query "q1", is not in' in done.out


def test_trec_judgements_take_queries_of_either_kind(tmp_path: Path) -> None:
    assert imported(tmp_path, "trec-qrels", TREC, "q1\tWhat?\nq2\tWho?\n", suffix=".tsv").code == 0
    first, second = lines(tmp_path / "items.jsonl")
    assert first["input"]["messages"][0]["content"] == "What?"
    assert second["expected_output"]["retrieval_ground_truth"] == [{"document_id": "d1", "relevance": 2}]
    assert imported(tmp_path, "trec-qrels", TREC, QUERIES).code == 0


@pytest.mark.parametrize(
    ("preset", "text", "said"),
    [
        ("trec-qrels", "q1 0 d1 3\n", "expected grade 0, 1 or 2, got integer 3"),
        ("trec-qrels", "q1 0 d1 high\n", 'the grade is "high", expected an integer'),
        ("trec-qrels", "q1 0 d1\n", "a line is query id, iteration, document id, grade"),
        ("trec-qrels", "q1 0 d1 1\nq1 0 d1 2\n", '"d1" is judged twice for the query "q1"'),
        ("trec-qrels", "q9 0 d1 1\n", 'the query "q9" has no text in'),
        ("beir", "q1 d1 1\n", "a line is query id, document id, grade, parted by tabs"),
        ("trec-qrels", "", "0 rows read"),
    ],
)
def test_bad_judgements(tmp_path: Path, preset: str, text: str, said: str) -> None:
    done = imported(tmp_path, preset, text, QUERIES)
    assert done.code == 1
    assert said in done.out
    assert not (tmp_path / "items.jsonl").exists()


def test_other_grades_are_declared_in_a_mapping(tmp_path: Path) -> None:
    mapping = tmp_path / "own.yaml"
    mapping.write_text(
        run("presets", "trec-qrels").out.replace(
            "as: judgements,", 'as: judgements, grades: {"3": 2, "-1": 0},'
        )
    )
    assert imported(tmp_path, str(mapping), "q1 0 d1 3\nq1 0 d2 -1\n", QUERIES).code == 0
    judged = lines(tmp_path / "items.jsonl")[0]["expected_output"]["retrieval_ground_truth"]
    assert [each["relevance"] for each in judged] == [2, 0]


def test_judgements_without_queries_are_wrong_usage(tmp_path: Path) -> None:
    done = imported(tmp_path, "trec-qrels", TREC, None)
    assert done.code == 2
    assert "give the file of queries with --queries" in done.err


def test_a_run_becomes_prediction_records_in_the_order_of_ranks(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_text(RUN)
    done = run(
        "import", str(tmp_path / "run.txt"), "--map", "trec-run", "-o", str(tmp_path / "records.jsonl")
    )
    assert done.code == 0, done.out
    assert lines(tmp_path / "records.jsonl")[0] == {
        "item_id": "q1",
        "prediction": {
            "retrieved_documents": [{"document_id": "d1", "score": 3}, {"document_id": "d2", "score": 1.5}]
        },
        "imported": {"tag": "bm25"},
    }
    assert run("validate", str(tmp_path / "records.jsonl"), "--contract", "prediction_record").code == 0
    done = run(
        "export", str(tmp_path / "records.jsonl"), "--map", "trec-run", "-o", str(tmp_path / "again.txt")
    )
    assert done.code == 0, done.out
    assert (tmp_path / "again.txt").read_text() == (
        "q1 Q0 d1 1 3 bm25\nq1 Q0 d2 2 1.5 bm25\nq2 Q0 d9 1 0.25 bm25\n"
    )


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("q1 Q0 d1 1 1.0 a\nq1 Q0 d2 1 0.5 a\n", 1, "share a rank"),
        ("q1 Q0 d1 1 1.0 a\nq1 Q0 d2 2 0.5 b\n", 1, "has lines of 2 runs"),
        ("q1 Q0 d1 1 NaN a\n", 1, "a rank and a score that are numbers"),
        ("q1 Q0 d1 1 0.5 a\nq1 Q0 d2 2 0.9 a\n", 0, "trec_eval ignores the ranks"),
    ],
)
def test_odd_runs(tmp_path: Path, text: str, code: int, said: str) -> None:
    (tmp_path / "run.txt").write_text(text)
    done = run(
        "import", str(tmp_path / "run.txt"), "--map", "trec-run", "-o", str(tmp_path / "records.jsonl")
    )
    assert done.code == code
    assert said in done.out


def test_ids_with_spaces_have_no_place_in_a_line_of_trec(tmp_path: Path) -> None:
    imported(tmp_path, "beir", QRELS, QUERIES)
    arguments = ("export", str(tmp_path / "items.jsonl"), "-o", str(tmp_path / "out.tsv"), "--allow-drop")
    done = run(*arguments, "--map", "trec-qrels")
    assert done.code == 1
    assert '"d 2" can\'t stand in a line of text' in done.out
    assert run(*arguments, "--map", "beir").code == 0


def test_texts_of_queries_are_not_dropped_in_silence(tmp_path: Path) -> None:
    imported(tmp_path, "beir", QRELS, QUERIES)
    done = run("export", str(tmp_path / "items.jsonl"), "--map", "beir", "-o", str(tmp_path / "out.tsv"))
    assert done.code == 1
    assert "beir has no place for text" in done.out
    assert "write the texts with --queries" in done.out


WORD = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=8)
TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=20)


@pytest.mark.parametrize("preset", ["beir", "trec-qrels"])
@given(
    judged=st.dictionaries(
        WORD,
        st.tuples(TEXT, st.dictionaries(WORD, st.integers(0, 2), min_size=1, max_size=4)),
        min_size=1,
        max_size=3,
    )
)
@settings(max_examples=25, deadline=None)
def test_judgements_come_back_the_same(preset: str, judged: dict[str, tuple[str, dict[str, int]]]) -> None:
    mapping = load_mapping(preset)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        queries, qrels = folder / "q.jsonl", folder / "qrels.tsv"
        queries.write_text(
            "".join(
                json.dumps({"_id": key, "text": text, "lang": text}) + "\n"
                for key, (text, _) in judged.items()
            )
        )
        rows = [(key, doc, grade) for key, (_, grades) in judged.items() for doc, grade in grades.items()]
        form = "{}\t{}\t{}\n" if preset == "beir" else "{} 0 {} {}\n"
        qrels.write_text("".join(form.format(*row) for row in rows), "utf-8")

        def items(source: Path, texts: Path, name: str) -> list[Any]:
            output = folder / name
            done = import_file(ImportRequest(source, mapping, output, beside=(("queries", texts),)))
            assert not done.failed, done.findings
            return lines(output)

        first = items(qrels, queries, "first.jsonl")
        request = ExportRequest(
            folder / "first.jsonl", mapping, folder / "out.tsv", queries=folder / "outq.jsonl"
        )
        done = export_file(request)
        assert not done.failed, done.findings
        assert items(folder / "out.tsv", folder / "outq.jsonl", "second.jsonl") == first


@given(
    ranked=st.dictionaries(
        WORD,
        st.lists(
            st.tuples(WORD, st.integers(-9, 9) | st.floats(-1e6, 1e6)),
            min_size=1,
            max_size=4,
            unique_by=lambda each: each[0],
        ),
        min_size=1,
        max_size=3,
    )
)
@settings(max_examples=25, deadline=None)
def test_runs_come_back_the_same(ranked: dict[str, list[tuple[str, float]]]) -> None:
    mapping = load_mapping("trec-run")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "run.txt").write_text(
            "".join(
                f"{query} Q0 {document} {rank} {score} tag\n"
                for query, documents in ranked.items()
                for rank, (document, score) in enumerate(documents)
            ),
            "utf-8",
        )
        first = import_file(ImportRequest(folder / "run.txt", mapping, folder / "first.jsonl"))
        assert not first.failed, first.findings
        done = export_file(ExportRequest(folder / "first.jsonl", mapping, folder / "again.txt"))
        assert not done.failed, done.findings
        import_file(ImportRequest(folder / "again.txt", mapping, folder / "second.jsonl"))
        assert lines(folder / "second.jsonl") == lines(folder / "first.jsonl")
