"""The reader as its callers see it: events of small files of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcontract.errors import UnreadableInput
from evalcontract.reading import Document, FileNotice, Position, read
from tests.reading.support import closed, documents, events_of, faults, notices, opened, values


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_lines_end_at_newlines_only(tmp_path: Path, mark: bytes) -> None:
    content = mark + '{"q":"a\u2028b"}\n{"q":"c\u0085d"}\r\n\n{"q":"e"}'.encode()
    events = events_of(tmp_path, "items.jsonl", content)
    assert values(events) == [{"q": "a\u2028b"}, {"q": "c\u0085d"}, {"q": "e"}]
    assert [document.start.line for document in documents(events)] == [1, 2, 4]
    assert notices(events) == (["bom"] if mark else []) + ["blank-lines"]
    assert closed(events).blank_lines == 1
    assert not faults(events)


def test_a_form_feed_inside_a_line_does_not_end_it(tmp_path: Path) -> None:
    events = events_of(tmp_path, "items.jsonl", b'{"a":"x\x0cy"}\n{"a":2}\n')
    assert values(events) == [{"a": 2}]
    assert [(fault.code, fault.position) for fault in faults(events)] == [("syntax", Position(1, 8))]


def test_a_mark_on_a_later_line_is_a_fault_and_reading_goes_on(tmp_path: Path) -> None:
    events = events_of(tmp_path, "items.jsonl", b'{"a":1}\n\xef\xbb\xbf{"a":2}\n{"a":3}\n')
    assert values(events) == [{"a": 1}, {"a": 3}]
    (fault,) = faults(events)
    assert (fault.code, fault.position, fault.index) == ("bom-in-the-middle", Position(2, 1), 1)


def test_every_bad_line_is_reported_with_its_number(tmp_path: Path) -> None:
    events = events_of(tmp_path, "items.jsonl", '{"a":}\n{"a":1}\n[1,]\n{"a":2}\n{"b"')
    assert [fault.position.line for fault in faults(events) if fault.position] == [1, 3, 5]
    assert [document.index for document in documents(events)] == [1, 3]
    assert faults(events)[-1].code == "truncated"


def test_json_lines_named_json_are_recognised(tmp_path: Path) -> None:
    events = events_of(tmp_path, "items.json", '{"a":1}\n{"a":2}\n')
    assert opened(events).container == "lines"
    assert notices(events) == ["json-lines"]
    assert values(events) == [{"a": 1}, {"a": 2}]


def test_two_indented_documents_in_one_file_are_refused_where_the_second_begins(tmp_path: Path) -> None:
    events = events_of(tmp_path, "items.json", '{\n "a": 1\n}\n{\n "a": 2\n}\n')
    assert values(events) == [{"a": 1}]
    (fault,) = faults(events)
    assert (fault.code, fault.position, fault.fatal) == ("trailing-content", Position(4, 1), True)


DATASET = """{
  "metadata": {"product_id": "p"},
  "items": [
    {"item_id": "a", "input": {"messages": []}},
    {"item_id": "b"}
  ],
  "note": "é"
}
"""


def test_a_dataset_gives_its_envelope_and_its_items(tmp_path: Path) -> None:
    events = events_of(tmp_path, "set.json", DATASET)
    head = opened(events)
    assert head.container == "dataset"
    assert head.envelope is not None
    assert head.envelope.value == {"metadata": {"product_id": "p"}}
    assert values(events) == [{"item_id": "a", "input": {"messages": []}}, {"item_id": "b"}]
    envelope = closed(events).envelope
    assert envelope is not None
    assert envelope.value == {"metadata": {"product_id": "p"}, "note": "é"}
    assert envelope.locate("/metadata/product_id") == Position(2, 30)
    assert envelope.locate("/items") == Position(3, 12)
    assert envelope.locate("/note") == Position(7, 11)
    first, second = documents(events)
    assert (first.start, second.start) == (Position(4, 5), Position(5, 5))
    assert first.locate("/input/messages") == Position(4, 44)


def test_metadata_behind_the_items_is_known_before_them(tmp_path: Path) -> None:
    events = events_of(tmp_path, "set.json", '{"items": [{"a": 1}], "metadata": {"x": 1}}')
    envelope = opened(events).envelope
    assert envelope is not None
    assert envelope.value == {"metadata": {"x": 1}}
    assert values(events) == [{"a": 1}]


def test_without_items_a_dataset_is_one_document(tmp_path: Path) -> None:
    events = events_of(tmp_path, "set.json", DATASET, items=False)
    assert opened(events).container == "document"
    (document,) = documents(events)
    assert document.locate("/items/1/item_id") == Position(5, 17)


def test_a_bad_element_is_a_fault_and_the_next_one_is_read(tmp_path: Path) -> None:
    content = '[{"a": 1},\n {"a": 1, "b": {"c": 1, "c": 2}},\n {"a": NaN}, {"a": 1e999},\n {"a": 2}]'
    events = events_of(tmp_path, "items.json", content)
    assert values(events) == [{"a": 1}, {"a": 2}]
    duplicate, not_a_number, too_large = faults(events)
    assert (duplicate.code, duplicate.position, duplicate.related) == (
        "duplicate-key",
        Position(2, 25),
        Position(2, 17),
    )
    assert 'duplicate key "c", first at line 2, column 17' in duplicate.message
    assert (not_a_number.code, not_a_number.position) == ("not-finite", Position(3, 8))
    assert (too_large.code, too_large.position) == ("not-finite", Position(3, 20))
    assert [fault.index for fault in faults(events)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("content", "count"), [('[{"a": 1}, {"a": 2}, {"a": "cut o', 2), ('{"items": [{"a": 1}, {"b": 2}', 2)]
)
def test_what_comes_before_a_cut_is_read(tmp_path: Path, content: str, count: int) -> None:
    events = events_of(tmp_path, "items.json", content)
    assert len(values(events)) == count
    (fault,) = faults(events)
    assert (fault.code, fault.fatal) == ("truncated", True)
    assert not closed(events).complete


@pytest.mark.parametrize("name", ["items.jsonl", "items.json", "items.yaml"])
@pytest.mark.parametrize("content", ["", " \n\r\n\t", "\ufeff"])
def test_a_file_without_data_is_a_fault(tmp_path: Path, name: str, content: str) -> None:
    if name.endswith("yaml") and "\t" in content:
        content = "\n"
    events = events_of(tmp_path, name, content)
    assert [(fault.code, fault.fatal) for fault in faults(events)] == [("empty-file", True)]


@pytest.mark.parametrize("name", ["items.jsonl", "items.json", "items.yaml"])
def test_a_pointer_to_git_lfs_is_a_fault(tmp_path: Path, name: str) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 5\n"
    (fault,) = faults(events_of(tmp_path, name, pointer))
    assert fault.code == "lfs-pointer"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("name", ["items.jsonl", "items.json", "items.yaml"])
def test_other_encodings_are_refused_by_name(tmp_path: Path, name: str, encoding: str) -> None:
    with pytest.raises(UnreadableInput, match="UTF-"):
        events_of(tmp_path, name, '{"a": 1}'.encode(encoding))


def test_integers_beyond_2_to_53_are_kept_and_noticed(tmp_path: Path) -> None:
    events = events_of(tmp_path, "items.jsonl", '{"a":[9007199254740991]}\n{"a":[1,9007199254740993]}\n')
    assert values(events)[1] == {"a": [1, 9007199254740993]}
    (notice,) = (event for event in events if isinstance(event, FileNotice))
    assert (notice.code, notice.position) == ("big-integer", Position(2, 9))


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="no such file"):
        next(read(tmp_path / "absent.json", items=True))
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(UnreadableInput, match="folder"):
        next(read(tmp_path / "folder.json", items=True))
    with pytest.raises(UnreadableInput, match="absent: no such file"):
        next(read(tmp_path / "absent", items=True))
    (tmp_path / "table.csv").touch()
    with pytest.raises(UnreadableInput, match=r"suffix \.csv"):
        next(read(tmp_path / "table.csv", items=True))
    with pytest.raises(UnreadableInput, match="compressed with gzip"):
        events_of(tmp_path, "items.jsonl", b"\x1f\x8b\x08")


def test_an_indented_document_named_jsonl_is_one_fault(tmp_path: Path) -> None:
    (fault,) = faults(events_of(tmp_path, "items.jsonl", '[\n  {"a": 1},\n  {"a": 2}\n]\n'))
    assert (fault.code, fault.fatal) == ("not-json-lines", True)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.jsonl", b'{"a": "b"}\n{"a": "\\u0000"}\n{"\\u0000": 1}\n', [False, True, True]),
        ("a.json", b"[" + b'{"a": "b"},' * 5 + b'{"a": ["\\u0000"]}]', [False] * 5 + [True]),
        ("a.yaml", b'- "a\\0"\n', [True]),
    ],
)
def test_a_document_without_null_bytes_is_known_as_such(
    tmp_path: Path, name: str, content: bytes, expected: list[bool]
) -> None:
    (tmp_path / name).write_bytes(content)
    found = [each for each in read(tmp_path / name, items=True) if isinstance(each, Document)]
    for document, holds in zip(found, expected, strict=True):
        assert document.may_hold_null_bytes or not holds
    if name != "a.yaml":
        assert found[0].may_hold_null_bytes == expected[0]
