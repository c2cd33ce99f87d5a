"""Lines read a block at a time, and documents that a caller takes without an event."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from evalcontract.errors import UnreadableInput
from evalcontract.reading import Document, Event, Limits, lines, read
from tests.reading.support import JSON_TEXTS, closed, comparable, values

QUICK = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
LINES = (
    JSON_TEXTS.map(lambda text: text.replace("\n", " ").encode())
    | st.sampled_from(
        [b'{"a":"\\u0000"}', b"[1e999]", b"[12345678901234567890]", b'{"a":1,"a":2}', b"", b" \r"]
    )
    | st.binary(max_size=6)
)
FILES = st.lists(LINES, max_size=12).map(b"\n".join)


def events(tmp_path: Path, content: bytes, name: str = "items.jsonl", **more: Any) -> list[Event]:
    file = tmp_path / name
    file.write_bytes(content)
    return list(read(file, items=True, **more))


@given(FILES, st.sampled_from([1, 2, 5, 30]), st.sampled_from([1, 9, 1000]))
@example(b"123456789\n1234567890\n\n12345678901\n1", 5, 9)
@example(b'"12345678\n' + b" " * 12 + b"\n1", 2, 9)
@example(b" " * 12 + b"1\n" + b" " * 12, 2, 9)
@QUICK
def test_the_size_of_a_block_changes_nothing(tmp_path: Path, content: bytes, size: int, longest: int) -> None:
    limits = Limits(document_bytes=longest)
    try:
        expected = comparable(events(tmp_path, content, limits=limits))
    except UnreadableInput:  # it looks like UTF-16
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BUFFER_BYTES", size)
        assert comparable(events(tmp_path, content, limits=limits)) == expected


TOO_LARGE = re.compile("inf|[0-9]{309}")


@given(FILES, st.integers(1, 3), st.sampled_from([2, 1 << 18]))
@QUICK
def test_documents_that_are_taken_are_counted_and_leave_the_others_as_they_are(
    tmp_path: Path, content: bytes, every: int, size: int
) -> None:
    offered: dict[int, object] = {}

    def passes(value: object, index: int) -> bool:
        assert index not in offered
        offered[index] = value
        return index % every == 0 and not TOO_LARGE.search(repr(value))

    try:
        whole = events(tmp_path, content)
    except UnreadableInput:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BUFFER_BYTES", size)
        rest = events(tmp_path, content, passes=passes)
    assert closed(rest) == closed(whole)
    taken = {
        index for index, value in offered.items() if index % every == 0 and not TOO_LARGE.search(repr(value))
    }
    left = [each for each in whole if getattr(each, "index", None) not in taken]
    assert comparable(rest) == comparable(left)
    for each in whole:
        if isinstance(each, Document) and each.index in offered:
            assert repr(offered[each.index]) == repr(each.value)
        elif isinstance(each, Document):
            assert each.may_hold_null_bytes


@pytest.mark.parametrize("name", ["items.jsonl", "items.json"])
def test_what_may_hold_a_null_byte_is_not_offered(tmp_path: Path, name: str) -> None:
    offered: list[object] = []

    def passes(value: object, index: int) -> bool:
        offered.append(value)
        return True

    texts = [b'{"a":"b"}', b'{"a":"\\u0000"}', b'{"a":"c"}'] * 2
    content = b"\n".join(texts) if name == "items.jsonl" else b"[" + b",".join(texts) + b"]"
    found = values(events(tmp_path, content, name, passes=passes))
    assert {"a": "\0"} not in offered
    assert found.count({"a": "\0"}) == 2
    assert len(found) + len(offered) == 6


def test_long_arrays_offer_their_elements(tmp_path: Path) -> None:
    content = b"[" + b",".join(b'{"item_id":"%d"}' % number for number in range(10_000)) + b"]"
    found = events(tmp_path, content, "items.json", passes=lambda value, index: index % 2 == 1)
    assert next(int(value["item_id"]) for value in values(found) if int(value["item_id"]) > 20) == 22
    assert closed(found).documents == 10_000
