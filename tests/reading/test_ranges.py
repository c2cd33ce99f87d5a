"""Ranges of a JSON Lines file give, together, what reading it in one go gives."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from evalcontract.errors import UnreadableInput
from evalcontract.reading import (
    Closed,
    Document,
    Event,
    FileNotice,
    Opened,
    Range,
    can_be_split,
    ranges,
    read,
    read_range,
    split_ranges,
)

QUICK = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

PIECES = st.sampled_from(
    [
        b"\n",
        b"\n",
        b"\r\n",
        b" ",
        b"\t\n",
        b"1",
        b'{"a":"\xe2\x80\xa8\xc2\x85"}\n',
        b'{"a":NaN}\n',
        b"[",
        b"12345",
        b'{"long":"' + b"x" * 40 + b'"}\n',
        b"\xef\xbb\xbf",
        b"\x0c",
    ]
)


def comparable(event: Event) -> Any:
    if isinstance(event, Document):
        return (event.value, event.index, event.start)
    return event


def is_about_items(event: Event) -> bool:
    if isinstance(event, FileNotice):
        return event.code != "blank-lines"
    return not isinstance(event, Opened | Closed)


@given(
    st.lists(PIECES, max_size=30).map(b"".join),
    st.integers(1, 60),
    st.sampled_from([1, 3, 8, 1000]),
    st.booleans(),
)
@example(b"\xef\xbb\xbf\n1\n", 1, 1000, False)
@example(b"\n\n\n1\n\n2", 2, 1000, False)
@QUICK
def test_ranges_give_what_the_whole_gives(
    tmp_path: Path, content: bytes, size: int, piece: int, packed: bool
) -> None:
    file = tmp_path / ("items.jsonl.gz" if packed else "items.jsonl")
    content = b'{"first":1}\n' + content
    file.write_bytes(gzip.compress(content, 1) if packed else content)
    whole = list(read(file, items=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranges, "BUFFER_BYTES", piece)
        parts = list(split_ranges(file, size))
    assert [part.start for part in parts] == [0, *(part.stop for part in parts[:-1])]
    assert parts[-1].stop == len(content)
    events = [list(read_range(file, part)) for part in parts]
    together = [comparable(event) for part in events for event in part if is_about_items(event)]
    assert together == [comparable(event) for event in whole if is_about_items(event)]
    ends = [part[-1] for part in events]
    end = whole[-1]
    assert isinstance(end, Closed)
    for count in ("documents", "faults", "blank_lines"):
        assert sum(getattr(part, count) for part in ends) == getattr(end, count)


def test_a_range_knows_its_first_line_and_index(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_bytes(b"1\n\n2\n" + b" \r\n3\n" + b"4")
    assert list(split_ranges(file, 5)) == [
        Range(0, 5, 1, 0),
        Range(5, 10, 4, 2),
        Range(10, 11, 6, 3),
    ]


def test_a_line_longer_than_a_range_is_in_one(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_bytes(b'"' + b"x" * 300_000 + b'"\n1\n')
    assert list(split_ranges(file, 10)) == [Range(0, 300_003, 1, 0), Range(300_003, 300_005, 2, 1)]


def test_only_json_lines_can_be_split(tmp_path: Path) -> None:
    for name, expected in (("a.jsonl", True), ("a.ndjson", True), ("a.json", False), ("a.jsonl.gz", True)):
        (tmp_path / name).write_bytes(b"1\n")
        assert can_be_split(tmp_path / name) is expected
    assert not can_be_split("-")
    assert not can_be_split(tmp_path / "absent.jsonl")


def test_what_is_not_utf8_is_refused_before_it_is_split(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_bytes('{"a": 1}\n'.encode("utf-16"))
    with pytest.raises(UnreadableInput, match="UTF-16"):
        next(split_ranges(file))
    with pytest.raises(UnreadableInput, match="no such file"):
        next(read_range(tmp_path / "absent.jsonl", Range(0, 1, 1, 0)))
