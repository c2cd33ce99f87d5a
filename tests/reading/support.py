"""Shared by the tests of reading: shortcuts over events, generated JSON texts, and a second opinion."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from evalcontract.reading import Closed, Document, Event, Fault, FileNotice, Opened, read
from evalcontract.values import MAX_DEPTH


def events_of(tmp_path: Path, name: str, content: bytes | str, *, items: bool = True) -> list[Event]:
    file = tmp_path / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(read(file, items=items))


def comparable(events: list[Event]) -> list[Any]:
    def plain(event: Event) -> Any:
        if isinstance(event, Document):
            return (repr(event.value), event.index, event.start, event.raw)
        if isinstance(event, Opened | Closed):
            envelope = event.envelope and repr(event.envelope.value)
            return (type(event), envelope, getattr(event, "container", None) or event.documents)  # type: ignore[union-attr]
        return event

    return [plain(event) for event in events]


def documents(events: list[Event]) -> list[Document]:
    return [event for event in events if isinstance(event, Document)]


def values(events: list[Event]) -> list[Any]:
    return [document.value for document in documents(events)]


def faults(events: list[Event]) -> list[Fault]:
    return [event for event in events if isinstance(event, Fault)]


def fault_codes(events: list[Event]) -> list[str]:
    return [fault.code for fault in faults(events)]


def notices(events: list[Event]) -> list[str]:
    return [event.code for event in events if isinstance(event, FileNotice)]


def opened(events: list[Event]) -> Opened:
    (event,) = (event for event in events if isinstance(event, Opened))
    return event


def closed(events: list[Event]) -> Closed:
    assert isinstance(events[-1], Closed)
    return events[-1]


class NotStrict(Exception):
    """The second opinion: the standard library's parser, with hooks, finds the text not strict."""


def strict_loads(raw: bytes, depth: int = MAX_DEPTH) -> Any:
    """json.loads made strict by hooks and by walking over the value. Raises NotStrict."""

    def refuse(word: str) -> Any:
        raise NotStrict(word)

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(members)) < len(members):
            raise NotStrict("duplicate key")
        return dict(members)

    try:
        text = raw.decode("utf-8")
        if text.startswith("\ufeff"):
            raise NotStrict("mark")
        value = json.loads(text, parse_constant=refuse, object_pairs_hook=pairs)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise NotStrict(str(error)) from error
    for node, level in walk(value):
        number = isinstance(node, int | float) and Decimal(node)
        if level > depth or (number and not math.isfinite(float(f"{number}"))):
            raise NotStrict("depth or infinity")
    return value


def walk(value: Any) -> Iterator[tuple[Any, int]]:
    """Every node, with the number of containers it is in or is."""
    pending = [(value, 0)]
    while pending:
        node, level = pending.pop()
        if isinstance(node, dict | list):
            level += 1
            pending.extend((child, level) for child in (node.values() if isinstance(node, dict) else node))
        yield node, level


def same(left: Any, right: Any) -> bool:
    """Equal in value and in type, all the way down: 1 is not 1.0, and 0.0 is not -0.0."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float):
        return repr(left) == repr(right)
    return bool(left == right)


SPACE = st.sampled_from(["", "", "", " ", "\n", "\r\n", "\t", "  \n "])
NUMBERS = st.one_of(
    st.integers(-20, 20).map(str),
    st.integers().map(str),
    st.integers(-(10**400), 10**400).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.from_regex(r"-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?", fullmatch=True),
)
PIECES = st.one_of(
    st.text(max_size=8).map(lambda text: json.dumps(text, ensure_ascii=False)[1:-1]),
    st.text(max_size=8).map(lambda text: json.dumps(text)[1:-1]),
    st.sampled_from(
        ["\\/", "\\u00e9", "\\uD83D\\uDE00", "\u2028", "\u0085", "é", "😀", "},{", '\\"', "\ufeff"]
    ),
)
STRINGS = st.lists(PIECES, max_size=3).map(lambda pieces: '"' + "".join(pieces) + '"')
SCALARS = st.one_of(NUMBERS, STRINGS, st.sampled_from(["true", "false", "null"]))


def _spaced(draw: Any, parts: list[str], brackets: str) -> str:
    inner = ",".join(draw(SPACE) + part + draw(SPACE) for part in parts) or draw(SPACE)
    return brackets[0] + inner + brackets[1]


@st.composite
def containers(draw: Any, children: st.SearchStrategy[str]) -> str:
    parts = draw(st.lists(children, max_size=4))
    if draw(st.booleans()):
        return _spaced(draw, parts, "[]")
    return _spaced(draw, [draw(STRINGS) + draw(SPACE) + ":" + draw(SPACE) + part for part in parts], "{}")


JSON_TEXTS = st.recursive(SCALARS, containers, max_leaves=12)

GARBAGE = st.sampled_from(
    [
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b'"',
        b"\\",
        b"0",
        b"1e999",
        b"-",
        b"NaN",
        b"\n",
        b"\r",
        b"\x00",
        b"\xff",
        b"\xed\xa0\x80",
        b"\\ud800",
        b"\xef\xbb\xbf",
        b"e",
        b".",
        b"'",
        b"//",
        b"\x0c",
        b"\xc2\xa0",
        b"tru",
        b'"a":1,',
    ]
)


@st.composite
def damaged(draw: Any, texts: st.SearchStrategy[str] = JSON_TEXTS, edits: int = 2) -> bytes:
    """A JSON text with bytes cut out, put in, or cut off at the end."""
    raw = draw(texts).encode("utf-8", "surrogatepass")
    for _ in range(draw(st.integers(0, edits))):
        at = draw(st.integers(0, len(raw)))
        gone = draw(st.integers(0, 3))
        new = draw(st.one_of(GARBAGE, st.binary(max_size=2), st.just(b"")))
        raw = raw[:at] + new + raw[at + gone :]
    return raw
