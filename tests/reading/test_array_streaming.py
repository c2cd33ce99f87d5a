"""Arrays and datasets are read through a window: what comes out doesn't depend on its size."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from evalcontract.errors import UnreadableInput
from evalcontract.reading import Document, Fault, Opened, elements, read, window
from tests.reading.support import (
    JSON_TEXTS,
    SPACE,
    closed,
    comparable,
    damaged,
    events_of,
    fault_codes,
    faults,
    values,
)

QUICK = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@contextmanager
def window_of(size: int) -> Iterator[None]:
    before = window.WINDOW_BYTES
    window.WINDOW_BYTES = size
    try:
        yield
    finally:
        window.WINDOW_BYTES = before


ELEMENTS = st.one_of(
    JSON_TEXTS,
    st.integers(0, 99).map(lambda number: f'{{"item_id": "i{number}", "n": {number}}}'),
    st.sampled_from(
        ['{"a":1,"a":2}', '{"item_id": NaN}', '{"item_id": 1e999}', '["\\ud800"]', '{"b":[1,{"item_id": ']
    ),
)
ARRAYS = st.tuples(st.lists(ELEMENTS, max_size=8), SPACE, SPACE).map(
    lambda parts: "[" + parts[1] + (parts[1] + "," + parts[2]).join(parts[0]) + "]"
)
DATASETS = st.tuples(ARRAYS, JSON_TEXTS, JSON_TEXTS, SPACE).map(
    lambda parts: (
        f'{{"metadata": {parts[1]},{parts[3]}"items"{parts[3]}:{parts[0]},"note":{parts[2]}}}{parts[3]}'
    )
)


@given(damaged(st.one_of(ARRAYS, DATASETS), edits=1), st.sampled_from([1, 2, 7, 30, 100]))
@example(b'[{"a":1},{"a":{"a":1},"b":[{"a":1},{"a":1}]},{"a":1},{"a":1}]', 30)
@example(b"[1,,2]", 1)
@example(b'{"items": [1', 1)
@QUICK
def test_the_size_of_the_window_changes_nothing(tmp_path: Path, raw: bytes, size: int) -> None:
    try:
        large = comparable(events_of(tmp_path, "set.json", raw))
    except UnreadableInput:  # the damage made it look like UTF-16
        return
    with window_of(size):
        assert comparable(events_of(tmp_path, "set.json", raw)) == large


@given(st.lists(JSON_TEXTS.map(lambda text: text.replace("\n", " ")), min_size=2, max_size=6))
@QUICK
def test_elements_get_the_verdicts_that_lines_get(tmp_path: Path, texts: list[str]) -> None:
    lines = events_of(tmp_path, "items.jsonl", "\n".join(texts))
    array = events_of(tmp_path, "items.json", "[" + ",".join(texts) + "]")
    assert list(map(repr, values(array))) == list(map(repr, values(lines)))
    assert fault_codes(array) == fault_codes(lines)


def item(number: int) -> dict[str, Any]:
    return {"item_id": f"i{number}", "input": {"messages": [{"item_id": "x"}, {"item_id": "y é"}]}}


@pytest.mark.parametrize("indent", [None, 2])
def test_a_long_array_with_faults_gives_every_good_element(tmp_path: Path, indent: int | None) -> None:
    texts = [json.dumps(item(number), indent=indent, ensure_ascii=False) for number in range(3000)]
    for number in range(0, 3000, 97):
        texts[number] = texts[number].replace('"y é"', "NaN")
    events = events_of(tmp_path, "set.json", '{"metadata": {}, "items": [' + ",\n".join(texts) + "]}")
    assert values(events) == [item(number) for number in range(3000) if number % 97]
    assert [fault.index for fault in faults(events)] == list(range(0, 3000, 97))
    text = (tmp_path / "set.json").read_text(encoding="utf-8").split("\n")
    for fault in faults(events):
        assert fault.position
        assert text[fault.position.line - 1][fault.position.column - 1 :].startswith("NaN")


def test_the_clean_part_of_an_array_is_parsed_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces: list[int] = []
    parse_list: Callable[[bytes, int], list[tuple[object, bool]] | None] = elements.parse_list

    def counting(text: bytes, around: int) -> list[tuple[object, bool]] | None:
        parsed = parse_list(text, around)
        pieces.append(len(parsed or ()))
        return parsed

    monkeypatch.setattr(elements, "parse_list", counting)
    text = json.dumps([item(number) for number in range(3000)])
    assert len(values(events_of(tmp_path, "items.json", text))) == 3000
    assert sum(pieces) > 2900
    assert len(pieces) < 3 * len(text) // window.WINDOW_BYTES + 3


def test_memory_is_flat_for_a_long_array(tmp_path: Path) -> None:
    file = tmp_path / "items.json"
    text = json.dumps(item(1) | {"content": "é" * 2000}, ensure_ascii=False).encode()
    with file.open("wb") as out:
        out.write(b'{"items": [')
        for _ in range(2000):
            out.write(text + b", ")
        out.write(text + b'], "metadata": {"a": 1}}')
    tracemalloc.start()
    try:
        count = sum(1 for event in read(file, items=True) if isinstance(event, Document))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 2001
    assert file.stat().st_size > 8_000_000
    assert peak < 4_000_000


def test_a_missing_quote_stops_reading_before_all_is_held(tmp_path: Path) -> None:
    file = tmp_path / "items.json"
    file.write_text('[{"a": "x}, ' + ", ".join([json.dumps(item(1))] * 150_000) + "]")
    tracemalloc.start()
    try:
        events = list(read(file, items=True))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < file.stat().st_size
    (fault,) = faults(events)
    assert (fault.code, fault.fatal, fault.position and fault.position.line) == ("syntax", True, 1)
    assert not closed(events).complete


@pytest.mark.parametrize(
    ("content", "code", "column"),
    [
        ('[{"a":1} {"a":2}]', "syntax", 10),
        ('[{"a":1}, ]', "syntax", 9),
        ('[{"a":1}, {"a":2}', "truncated", 18),
        ('[{"a":1}]]', "trailing-content", 10),
        ('[{"a":1}]\ufeff[{"a":2}]', "bom-in-the-middle", 10),
        ('{"a":1 "b":2}', "syntax", 8),
        ('{"a":1,}', "syntax", 7),
        ('{"a":1,"a":2}', "duplicate-key", 8),
        ('{"items":[],"items":[]}', "duplicate-key", 13),
        ('{"items":[],"x":{"a":1,"a":2}}', "duplicate-key", 24),
        ('{"items":[] "x":1}', "syntax", 13),
        ('{"items":[],}', "syntax", 12),
        ('{"items":[],x:1}', "syntax", 13),
        ('{"items":[],"x" 1}', "syntax", 17),
        ('{"items":[],"\\ud800":1}', "lone-surrogate", 14),
        ('{"items":[], "x": 1e999}', "not-finite", 19),
        ("{a:1}", "syntax", 2),
        ('{"a', "truncated", 2),
    ],
)
def test_faults_between_elements_and_properties(tmp_path: Path, content: str, code: str, column: int) -> None:
    (fault,) = faults(events_of(tmp_path, "set.json", content))
    assert fault.position is not None
    assert (fault.code, fault.position.column) == (code, column)


def test_what_follows_a_fault_in_an_envelope_is_read(tmp_path: Path) -> None:
    events = events_of(tmp_path, "set.json", '{"metadata": {"a": NaN}, "items": [1, 2], "note": 3}')
    assert fault_codes(events) == ["not-finite"]
    assert values(events) == [1, 2]
    envelope = closed(events).envelope
    assert envelope is not None
    assert envelope.value == {"note": 3}


def test_items_that_are_no_array_make_it_a_document(tmp_path: Path) -> None:
    for text in ('{"items": {"a": 1}}', '{"items": null}', '{"metadata": {}}'):
        events = events_of(tmp_path, "set.json", text)
        assert values(events) == [json.loads(text)]
        assert [event.container for event in events if isinstance(event, Opened)] == ["document"]


def test_only_faults_and_no_document_come_from_a_broken_document(tmp_path: Path) -> None:
    events = events_of(tmp_path, "one.json", '{"a": 1, "b": [1, NaN], "c": {"d": 1, "d": 2}}')
    assert fault_codes(events) == ["not-finite", "duplicate-key"]
    assert not any(isinstance(event, Document) for event in events)
    assert isinstance(next(event for event in events if isinstance(event, Fault)), Fault)


def test_elements_far_larger_than_the_window_are_read(tmp_path: Path) -> None:
    large = {"item_id": "é", "context": ["ü" * 400_000, {"a": ["\\" * 900_000]}]}
    text = json.dumps([1, large, {"b": 2}, large], ensure_ascii=False)
    events = events_of(tmp_path, "items.json", text)
    assert fault_codes(events) == []
    assert values(events) == [1, large, {"b": 2}, large]
