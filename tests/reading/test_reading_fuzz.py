"""Whatever the bytes: events that are consistent, or UnreadableInput; nothing else comes out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcontract.errors import UnreadableInput
from evalcontract.reading import Closed, Document, Fault, FileNotice, Limits, Opened, Position, read
from tests.reading.support import GARBAGE, JSON_TEXTS, damaged

FILES = ["a.json", "a.jsonl", "a.yaml"]
LIMITS = Limits(document_bytes=2000)

YAML_PIECES = st.sampled_from(
    [
        b"a: ",
        b"- ",
        b"\n",
        b"\n  ",
        b"&x ",
        b"*x",
        b"!!str ",
        b"!t ",
        b"---\n",
        b"...\n",
        b"%YAML 1.1\n",
        b"? ",
        b"| \n",
        b">-\n",
        b"<<: ",
        b"'",
        b'"',
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b"#",
        b"\t",
        b".inf",
        b"1e999",
        b"\xc2\x85",
        b"\xe2\x80\xa8",
        b"no",
        b"items:\n",
        b"\xff\xfe",
        b"\\ud800",
        b"0x",
        b"~",
    ]
)
ANYTHING = st.one_of(
    st.binary(max_size=60),
    st.lists(GARBAGE, max_size=15).map(b"".join),
    st.lists(YAML_PIECES, max_size=15).map(b"".join),
    damaged(),
    st.lists(damaged(), max_size=5).map(b"\n".join),
    st.lists(damaged(JSON_TEXTS), max_size=4).map(
        lambda parts: b'{"metadata":{},"items":[' + b",".join(parts) + b"]}"
    ),
)


def check(file: Path, raw: bytes, *, items: bool) -> None:
    file.write_bytes(raw)
    try:
        events = list(read(file, items=items, limits=LIMITS))
    except UnreadableInput:
        return
    lines = raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").split("\n")

    def is_inside(position: Position) -> bool:
        return 1 <= position.line <= len(lines) and 1 <= position.column <= len(lines[position.line - 1]) + 1

    end = events.pop()
    assert isinstance(end, Closed)
    assert sum(isinstance(event, Document) for event in events) == end.documents
    assert sum(isinstance(event, Fault) for event in events) == end.faults
    assert end.documents or end.faults or end.envelope or raw.strip().endswith(b"]")
    last = -1
    fatal = 0
    for event in events:
        if isinstance(event, Opened):
            assert last == -1
        elif isinstance(event, Document):
            assert event.index > last
            last = event.index
            assert is_inside(event.start)
            assert event.locate("") == event.start
        else:
            assert event.message.isprintable()
            assert len(event.message) < 250
            assert event.position is None or is_inside(event.position)
            if isinstance(event, Fault):
                fatal += event.fatal
                assert event.related is None or event.position is None or event.related < event.position
            else:
                assert isinstance(event, FileNotice)
    assert fatal <= 1
    assert end.complete is not bool(fatal)


SLOW_FIXTURE = [HealthCheck.function_scoped_fixture]
Fuzz = Callable[[Path, str, bytes, bool], None]


def fuzz(examples: int) -> Fuzz:
    @given(st.sampled_from(FILES), ANYTHING, st.booleans())
    @settings(max_examples=examples, deadline=None, suppress_health_check=SLOW_FIXTURE)
    def run(tmp_path: Path, name: str, raw: bytes, items: bool) -> None:
        check(tmp_path / name, raw, items=items)

    return run


test_any_bytes_give_consistent_events = fuzz(1500)
test_very_many_bytes_give_consistent_events = pytest.mark.long(fuzz(100_000))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "raw",
    [
        b"[" * 60_000,
        b'{"a":' * 60_000,
        b'[{"a":' * 100_000,
        b"[" * 60_000 + b"]" * 60_000,
        b"[" + b"[]," * 60_000 + b"[]]",
        b'"' + b"\\n" * 500_000,
        b'["' + b"\\ud83d\\ude00" * 100_000 + b'", NaN]',
        b"1" * 1_000_000,
        b"1" * 1_000_000 + b".0",
        b"-" * 1_000_000,
        b" " * 1_000_000,
        b"\n" * 60_000,
        b"{}\n" * 20_000,
        b"[" + b"1," * 60_000 + b"1]",
        b'{"a":"' + b"," * 1_000_000 + b'"}',
        b"\xff" * 60_000,
        b"\x00" * 2,
        b"? " * 20_000,
        b"&a " * 10_000,
        b"- " * 20_000,
        b"a:\n" * 20_000,
    ],
    ids=lambda raw: repr(raw[:8]) + f"x{len(raw)}",
)
def test_long_and_deep_input_is_read_in_linear_time(tmp_path: Path, name: str, raw: bytes) -> None:
    file = tmp_path / name
    file.write_bytes(raw)
    try:
        events = list(read(file, items=True))
    except UnreadableInput:
        return
    assert isinstance(events[-1], Closed)
