"""Positions point at the text of the value: what is parsed from there on is the value again."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from evalcontract.reading import Document, JsonText, Position, read
from tests.reading.support import (
    JSON_TEXTS,
    SPACE,
    NotStrict,
    closed,
    documents,
    events_of,
    same,
    strict_loads,
)

QUICK = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def is_strict(text: str) -> bool:
    try:
        strict_loads(text.encode())
    except NotStrict:
        return False
    return True


STRICT_TEXTS = JSON_TEXTS.filter(is_strict)


def pointers(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    yield path, value
    if isinstance(value, dict):
        for key, child in value.items():
            yield from pointers(child, path + "/" + key.replace("~", "~0").replace("/", "~1"))
    elif isinstance(value, list):
        for at, child in enumerate(value):
            yield from pointers(child, f"{path}/{at}")


def offset_of(text: str, position: Position) -> int:
    starts = [0] + [at + 1 for at, character in enumerate(text) if character == "\n"]
    return starts[position.line - 1] + position.column - 1


def value_at(text: str, position: Position) -> Any:
    return json.JSONDecoder().raw_decode(text, offset_of(text, position))[0]


def check_positions(document: Document, text: str) -> None:
    assert same(value_at(text, document.start), document.value)
    if document.raw is not None:
        assert same(json.loads(document.raw), document.value)
    for pointer, value in pointers(document.value):
        assert same(value_at(text, document.locate(pointer)), value)


@given(st.lists(STRICT_TEXTS, min_size=1, max_size=5), st.sampled_from(["\n", "\r\n", "\n\n", " \n"]))
@QUICK
def test_in_json_lines(tmp_path: Path, texts: list[str], end: str) -> None:
    lines = [" " + text.replace("\n", " ") for text in texts]
    text = end.join(lines)
    found = documents(events_of(tmp_path, "items.jsonl", text))
    assert len(found) == len(texts)
    for document in found:
        check_positions(document, text)


@given(st.lists(st.tuples(STRICT_TEXTS, SPACE, SPACE), min_size=1, max_size=5), SPACE)
@QUICK
def test_in_an_array(tmp_path: Path, parts: list[tuple[str, str, str]], space: str) -> None:
    text = space + "[" + ",".join(before + part + after for part, before, after in parts) + "]"
    found = documents(events_of(tmp_path, "items.json", text))
    assert len(found) == len(parts)
    for document in found:
        check_positions(document, text)


@given(st.lists(STRICT_TEXTS, max_size=4), STRICT_TEXTS, STRICT_TEXTS, SPACE)
@QUICK
def test_in_a_dataset(tmp_path: Path, texts: list[str], head: str, tail: str, space: str) -> None:
    items = (space + "," + space).join(texts)
    text = f'{{{space}"metadata" :{head},{space}"items":{space}[{items}] ,"note":{space}{tail}}}'
    events = events_of(tmp_path, "set.json", text)
    assert len(documents(events)) == len(texts)
    for document in documents(events):
        check_positions(document, text)
    envelope = closed(events).envelope
    assert envelope is not None
    assert same(envelope.value, {"metadata": json.loads(head), "note": json.loads(tail)})
    for pointer, value in pointers(envelope.value):
        if pointer:
            assert same(value_at(text, envelope.locate(pointer)), value)
    assert text[offset_of(text, envelope.locate("/items"))] == "["


@given(STRICT_TEXTS, SPACE)
@QUICK
def test_in_one_document(tmp_path: Path, body: str, space: str) -> None:
    text = space + body + space
    for items in (False, True):
        found = documents(events_of(tmp_path, "one.json", text, items=items))
        if items and isinstance(json.loads(body), list):
            continue
        check_positions(found[0], text)


def node_at(node: Any, tokens: list[str]) -> Any:
    """The value node at a path, in a tree that PyYAML composed."""
    for token in tokens:
        if isinstance(node, yaml.MappingNode):
            node = next(value for key, value in node.value if key.value == token)
        else:
            node = node.value[int(token)]
    return node


class Yaml12Dumper(yaml.SafeDumper):
    """PyYAML's, which writes YAML 1.1, where `0E0` and `0o7` are no numbers: those texts are quoted."""

    def represent_str(self, data: str) -> yaml.ScalarNode:
        style = '"' if data[:1] in "+-." or data[:1].isdigit() else None
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=style)


Yaml12Dumper.add_representer(str, Yaml12Dumper.represent_str)


@given(STRICT_TEXTS, st.booleans(), st.booleans())
@QUICK
@example('{"0E0": 0}', False, False)
def test_in_yaml(tmp_path: Path, body: str, flow: bool, unicode: bool) -> None:
    value = json.loads(body)
    text = yaml.dump(value, Dumper=Yaml12Dumper, allow_unicode=unicode, default_flow_style=flow)
    assume(not any(character in text for character in "\x85\u2028\u2029\ufeff"))
    (document,) = documents(events_of(tmp_path, "one.yaml", text, items=False))
    assert document.value == value
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    for pointer, _ in pointers(value):
        node = node_at(
            root, [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]
        )
        assert offset_of(text, document.locate(pointer)) == node.start_mark.index


def test_in_yaml_columns_count_characters_and_lines_end_at_newlines(tmp_path: Path) -> None:
    text = 'a: "é😀"\r\nb: {"\u2028": 1, c: 2}\r\nd:\r\n  - [x, \u0085y]\r\n'
    (document,) = documents(events_of(tmp_path, "one.yaml", text, items=False))
    assert document.locate("/a") == Position(1, 4)
    assert document.locate("/b/\u2028") == Position(2, 10)
    assert document.locate("/b/c") == Position(2, 16)
    assert document.locate("/d/0/1") == Position(4, 9)


def test_pointers_that_lead_nowhere_are_lookup_errors(tmp_path: Path) -> None:
    for name in ("one.json", "one.yaml"):
        (document,) = documents(events_of(tmp_path, name, '{"a": [1]}', items=False))
        for pointer in ("/b", "/a/1", "/a/00", "/a/0/0", "/a/-"):
            with pytest.raises(LookupError):
                document.locate(pointer)
        with pytest.raises(ValueError, match="not a JSON pointer"):
            document.locate("a")


def test_the_first_position_of_a_file_with_a_mark_is_column_1(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_bytes(b'\xef\xbb\xbf{"a":1}')
    (document,) = documents(list(read(file, items=True)))
    assert (document.start, document.locate("/a")) == (Position(1, 1), Position(1, 6))


def test_places_in_a_long_text_are_those_that_counting_from_its_start_gives() -> None:
    pieces = ["é" * 700, "東京" * 900, "plain " * 500, "\U0001f600" * 333]
    texts = [f'"{piece}{number}"' for number, piece in enumerate(pieces * 12)]
    text = "[" + ",\n ".join(texts[:20]) + ", " + ", ".join(texts[20:]) + "]"
    origin = JsonText(text.encode(), 7)
    order = list(range(len(texts)))
    random.Random(3).shuffle(order)
    for number in order:
        before = text[: text.index(texts[number])]
        line, column = before.count("\n"), len(before) - before.rfind("\n")
        assert origin.find((str(number),)) == Position(7 + line, column)


def test_an_element_has_no_other_name_than_its_number() -> None:
    origin = JsonText(b"[1, 2]", 1)
    for token in ("01", "-1", "2", "a", ""):
        with pytest.raises(LookupError):
            origin.find((token,))
