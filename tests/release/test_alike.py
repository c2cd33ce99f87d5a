"""Items that ask nearly the same: all that a comparison of each with each finds, and bounded work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.release import check_release
from evalcontract.release.alike import asked_text
from tests.support.cli import run

DECLARED = {"metadata": {"raw_metadata": {"input_schema_type": "qa", "input_schema_version": "1.0"}}}


def item(item_id: str, *texts: str) -> dict[str, Any]:
    messages = [
        {"role": "user" if number % 2 == 0 else "assistant", "content": text}
        for number, text in enumerate(texts)
    ]
    return {
        "item_id": item_id,
        "input": {"messages": messages},
        "expected_output": {"response": f"answer {item_id}"},
        **DECLARED,
    }


def dataset(*texts: str) -> dict[str, Any]:
    metadata = {"product_id": "p", "scope": "s", "version": "1.0", "input_schema_type": "qa"}
    items = [item(f"i{number}", text) for number, text in enumerate(texts)]
    return {"metadata": metadata | {"input_schema_version": "1.0"}, "items": items}


def alike(data: dict[str, Any], code: str = "near-duplicate", **more: Any) -> dict[str, str]:
    report = check_release(data, **more)
    (outcome,) = (found for found in report.outcomes if found.code == "items-unremarkable")
    return {
        str(violation.item_id): violation.message
        for violation in outcome.violations
        if violation.code == code
    }


WORDS = st.lists(st.sampled_from(["fare", "museum", "ticket", "opens", "late", "東京", "Größe"]), max_size=8)


@given(st.lists(WORDS.map(" ".join), min_size=1, max_size=12), st.sampled_from([0.6, 0.85, 1.0]))
def test_each_item_is_compared_with_each_before_it(texts: list[str], share: float) -> None:
    sequences = [set(asked.sequences) if (asked := asked_text(item("i", text))) else set() for text in texts]
    expected = {
        f"i{number}"
        for number, ours in enumerate(sequences)
        if ours
        and any(len(ours & before) >= share * len(ours | before) for before in sequences[:number] if before)
    }
    assert alike(dataset(*texts), near_duplicates=share).keys() == expected


def test_case_space_and_punctuation_make_no_difference() -> None:
    data = dataset(
        "How long is a pass valid?", "how  long is a PASS valid", "How long is a pass valid for?", "Who?"
    )
    found = alike(data, near_duplicates=0.8)
    assert found["i1"] == "asks the same as item 'i0'"
    assert found["i2"].startswith("asks nearly the same (8")
    assert found.keys() == {"i1", "i2"}


def test_without_the_option_nothing_is_looked_for() -> None:
    assert alike(dataset("Who asks?", "Who asks")) == {}


def test_a_dataset_is_disjoint_from_another(tmp_path: Path) -> None:
    train = tmp_path / "train.jsonl"
    train.write_text(
        "".join(json.dumps(found) + "\n" for found in dataset("Who built it?", "When?")["items"])
    )
    data = dataset("who built it", "Where does it stand?", "Where does it stand")
    found = alike(data, "in-other-dataset", disjoint_from=str(train))
    assert found == {"i0": f"asks the same as item 'i0' of {train}"}
    assert alike(data, disjoint_from=str(train)) == {}


def test_a_conversation_is_compared_as_a_whole() -> None:
    data = dataset("x")
    data["items"] = [
        item("a", "I am in Lima.", "What can I do?", "Where do I eat?"),
        item("b", "I am in Cusco, high up in the hills.", "What can I do?", "Where do I eat?"),
        item("c", "I am in Lima", "What can I do", "Where do I eat"),
    ]
    assert alike(data, near_duplicates=0.85).keys() == {"c"}


def test_many_texts_that_share_all_that_is_rare_take_bounded_work() -> None:
    texts = [f"{'the same beginning of all of them ' * 3}{number}" for number in range(3000)]
    assert len(alike(dataset(*texts), near_duplicates=0.85)) > 50  # so many findings are kept


def test_a_finding_has_its_place_and_fails_a_strict_check(tmp_path: Path) -> None:
    file = tmp_path / "p_qa_s_v1.0.json"
    file.write_text(json.dumps(dataset("Who asks?", "Who asks"), indent=1))
    line = next(n for n, text in enumerate(file.read_text().splitlines(), 1) if '"Who asks"' in text) - 4
    done = run("dataset", "check", str(file), "--near-duplicates", "0.85")
    assert done.code == 0
    assert "near-duplicate" in done.out
    assert f"{file.name}:{line + 1}:" in done.out or f"{file.name}:{line}:" in done.out
    assert run("dataset", "check", str(file), "--near-duplicates", "0.85", "--strict").code == 1


@pytest.mark.parametrize("share", ["0.5", "1.1", "nan", "-1"])
def test_a_share_that_is_none_is_refused(tmp_path: Path, share: str) -> None:
    file = tmp_path / "items.json"
    file.write_text(json.dumps(dataset("x")))
    done = run("dataset", "check", str(file), f"--near-duplicates={share}")
    assert done.code == 2
    assert "0.85 is usual" in done.err


def test_what_is_asked_is_held_up_to_a_limit(tmp_path: Path) -> None:
    file = tmp_path / "items.json"
    file.write_text(json.dumps(dataset(*map(str, range(50)))))
    done = run("dataset", "check", str(file), "--near-duplicates", "0.85", "--limit", "held-bytes=100K")
    assert done.code == 2
    assert "--limit held-bytes=" in done.err
