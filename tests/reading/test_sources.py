"""Where bytes come from: compressed files, standard input, limits, and what can't be opened."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tracemalloc
from pathlib import Path

import pytest
import zstandard

from evalcontract.errors import UnreadableInput
from evalcontract.reading import Document, Event, FileNotice, Limits, read
from tests.reading.support import closed, events_of, fault_codes, faults, notices, opened, values

LINES = b"".join(b'{"item_id": "%d", "text": "%s"}\n' % (number, b"x" * number) for number in range(2000))


def gz(data: bytes) -> bytes:
    return gzip.compress(data, 1)


def zst(data: bytes) -> bytes:
    return zstandard.compress(data)


COMPRESSIONS = pytest.mark.parametrize(("suffix", "compress"), [(".gz", gz), (".zst", zst)])


@COMPRESSIONS
def test_compressed_files_are_read_as_what_they_hold(
    tmp_path: Path, suffix: str, compress: type[bytes]
) -> None:
    plain = events_of(tmp_path, "items.jsonl", LINES)
    packed = events_of(tmp_path, "items.jsonl" + suffix, compress(LINES))
    assert values(packed) == values(plain)
    assert len(values(packed)) == 2000
    for name, content in (("one.json", b'{"a":1}'), ("one.yaml", b"a: 1\n")):
        assert values(events_of(tmp_path, name + suffix, compress(content))) == [{"a": 1}]


@COMPRESSIONS
def test_members_written_one_after_the_other_are_one_file(
    tmp_path: Path, suffix: str, compress: type[bytes]
) -> None:
    events = events_of(tmp_path, "items.jsonl" + suffix, compress(LINES[:5000]) + compress(LINES[5000:]))
    assert len(values(events)) == 2000


@COMPRESSIONS
def test_a_cut_archive_gives_what_it_holds_and_a_fault(
    tmp_path: Path, suffix: str, compress: type[bytes]
) -> None:
    noise = b"".join(b'{"r": "%s"}\n' % os.urandom(300).hex().encode() for _ in range(3000))
    packed = compress(noise)
    events = events_of(tmp_path, "items.jsonl" + suffix, packed[: len(packed) * 2 // 3])
    assert 500 < len(values(events)) < 3000
    assert fault_codes(events)[-1] == "damaged-archive"
    assert not closed(events).complete


@COMPRESSIONS
@pytest.mark.parametrize("content", [b'{"a":1}\n', b"\x1f\x8b\x08\x00junk", b"\x28\xb5\x2f\xfdjunkjunk"])
def test_what_is_no_archive_is_a_fault(
    tmp_path: Path, suffix: str, compress: type[bytes], content: bytes
) -> None:
    assert fault_codes(events_of(tmp_path, "items.jsonl" + suffix, content)) == ["damaged-archive"]


@COMPRESSIONS
def test_an_empty_archive_is_an_empty_file(tmp_path: Path, suffix: str, compress: type[bytes]) -> None:
    assert fault_codes(events_of(tmp_path, "items.json" + suffix, compress(b""))) == ["empty-file"]


@COMPRESSIONS
@pytest.mark.parametrize("name", ["bomb.jsonl", "bomb.json", "bomb.yaml"])
def test_an_archive_that_expands_without_end_is_read_in_flat_memory(
    tmp_path: Path, suffix: str, compress: type[bytes], name: str
) -> None:
    file = tmp_path / (name + suffix)
    file.write_bytes(compress(b'"' + b" " * 100_000_000 + b'"\n{"a":1}\n'))
    assert file.stat().st_size < 1_000_000
    tracemalloc.start()
    try:
        events = list(read(file, items=True, limits=Limits(document_bytes=1 << 20)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert fault_codes(events) == ["too-long"]
    assert values(events) == ([{"a": 1}] if name == "bomb.jsonl" else [])
    assert peak < 90_000_000


def test_a_line_beyond_the_limit_is_a_fault_and_the_next_is_read(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_bytes(b'{"a":1}\n"' + b"x" * 1_000_000 + b'"\n{"a":2}\n"' + b"x" * 98 + b'"\n')
    events = list(read(file, items=True, limits=Limits(document_bytes=100)))
    assert values(events) == [{"a": 1}, {"a": 2}, "x" * 98]
    (fault,) = faults(events)
    assert (fault.code, fault.position and fault.position.line, fault.index) == ("too-long", 2, 1)


def test_an_element_or_document_beyond_the_limit_is_a_fault(tmp_path: Path) -> None:
    long = b'"' + b"x" * 1_000_000 + b'"'
    for content in (b"[1, " + long + b"]", b'{"items": [1], "a": ' + long + b"}", long):
        file = tmp_path / "items.json"
        file.write_bytes(content)
        events = list(read(file, items=True, limits=Limits(document_bytes=300_000)))
        assert fault_codes(events) == ["too-long"]
        assert values(events) == ([] if content == long else [1])


class Piped(io.BytesIO):
    """Standard input that comes a few bytes at a time and can't be read twice."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(size if size is None or size < 0 else min(size, 7))

    def seekable(self) -> bool:
        return False


def from_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes, **options: str) -> list[Event]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Piped(content)))
    return list(read("-", items=True, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "container"),
    [
        (b'{"a":1}\n{"a":2}\n', "lines"),
        (b'[{"a":1},{"a":2}]', "array"),
        (b'{"items":[{"a":1},{"a":2}],"metadata":{}}', "dataset"),
        (b'\xef\xbb\xbf{"a":1}\n', "document"),
    ],
)
def test_standard_input_is_recognised(
    monkeypatch: pytest.MonkeyPatch, content: bytes, container: str
) -> None:
    events = from_stdin(monkeypatch, content)
    assert opened(events).container == container
    assert opened(events).file == "<stdin>"
    assert values(events)[0] == {"a": 1}


def test_lines_on_standard_input_are_no_mistake_in_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert notices(from_stdin(monkeypatch, b"{}\n{}\n")) == []


def test_standard_input_takes_the_format_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert values(from_stdin(monkeypatch, b"- a: no\n", format="yaml")) == [{"a": "no"}]
    assert values(from_stdin(monkeypatch, b'{"a":1}\n', format="lines")) == [{"a": 1}]


def test_standard_input_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    from_stdin(monkeypatch, b"[]")
    assert not sys.stdin.buffer.closed


def test_compressed_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnreadableInput, match="gzip"):
        from_stdin(monkeypatch, gz(LINES))
    with pytest.raises(UnreadableInput, match="zstd"):
        from_stdin(monkeypatch, zst(LINES))


def test_no_standard_input_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UnreadableInput, match="no standard input"):
        next(read("-", items=True))


def test_a_name_that_no_file_can_have_is_refused() -> None:
    for name in ("a\0b.json", "x" * 5000 + ".json"):
        with pytest.raises(UnreadableInput) as caught:
            next(read(name, items=True))
        assert len(caught.value.message) < 200


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes")
def test_a_named_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    writer = os.fork()
    if not writer:
        pipe.write_bytes(b'{"items": [1, 2], "metadata": {"late": true}}')
        os._exit(0)
    events = list(read(pipe, items=True))
    os.waitpid(writer, 0)
    assert values(events) == [1, 2]
    head, whole = opened(events).envelope, closed(events).envelope
    assert head is not None
    assert head.value == {}
    assert whole is not None
    assert whole.value == {"metadata": {"late": True}}


def test_memory_is_flat_for_many_lines(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_bytes(b'{"item_id": "a", "text": "%s"}\n' % (b"x" * 2000) * 10_000)
    tracemalloc.start()
    try:
        count = sum(1 for event in read(file, items=True) if isinstance(event, Document))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 10_000
    assert peak < 3_000_000


def test_a_notice_is_no_fault(tmp_path: Path) -> None:
    events = events_of(tmp_path, "items.jsonl", b"\xef\xbb\xbf1\n\n")
    assert closed(events).faults == 0
    assert sum(isinstance(event, FileNotice) for event in events) == 2
