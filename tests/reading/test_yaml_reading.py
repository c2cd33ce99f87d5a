"""YAML gives the values of YAML 1.2's core schema, and refuses what JSON can't say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from evalcontract.reading import yaml_composer
from evalcontract.reading.events import Position
from evalcontract.reading.yaml_scalars import BadScalar, plain
from evalcontract.values import MAX_DEPTH
from tests.reading.support import (
    closed,
    documents,
    events_of,
    fault_codes,
    faults,
    notices,
    opened,
    same,
    values,
)

QUICK = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("Yes", "Yes"),
        ("on", "on"),
        ("y", "y"),
        ("2024-01-31", "2024-01-31"),
        ("2024-01-31T10:00:00Z", "2024-01-31T10:00:00Z"),
        ("1_000", "1_000"),
        ("12:30:45", "12:30:45"),
        ("0b101", "0b101"),
        ("=", "="),
        ("true", True),
        ("FALSE", False),
        ("tRUE", "tRUE"),
        ("null", None),
        ("~", None),
        ("", None),
        ("0", 0),
        ("-0", 0),
        ("+12", 12),
        ("007", 7),
        ("0o14", 12),
        ("-0o14", "-0o14"),
        ("0xFf", 255),
        ("0x", "0x"),
        ("1.", 1.0),
        (".5", 0.5),
        ("-1.5e+3", -1500.0),
        ("1e3", 1000.0),
        ("685.230_15", "685.230_15"),
        ("e5", "e5"),
        (".", "."),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("٣", "٣"),
    ],
)
def test_plain_scalars(text: str, value: object) -> None:
    assert same(plain(text), value)


@pytest.mark.parametrize("text", [".inf", "-.INF", "+.Inf", ".nan", ".NaN", "1e999", "-1e400", "9" * 4301])
def test_scalars_without_a_json_value(text: str) -> None:
    with pytest.raises(BadScalar):
        plain(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "a: 'no'\nb: \"1\"\nc: |\n  x\n  y\nd: >-\n  x\n  y\n",
            {"a": "no", "b": "1", "c": "x\ny\n", "d": "x y"},
        ),
        (
            "a: !!str 12\nb: !!int '12'\nc: !!float 1\nd: !!null ''\ne: ! 12\n",
            {"a": "12", "b": 12, "c": 1.0, "d": None, "e": "12"},
        ),
        ("a: &x {k: [1]}\nb: *x\n", {"a": {"k": [1]}, "b": {"k": [1]}}),
        ("? a\n: 1\n", {"a": 1}),
        ('a: "x\u2028y\u0085z"\n', {"a": "x\u2028y\u0085z"}),
        ("a: x\u2028y # note\n", {"a": "x\u2028y"}),
        ("'1': a\n'true': b\nno: c\n", {"1": "a", "true": "b", "no": "c"}),
        ("%YAML 1.2\n---\na: 1\n...\n", {"a": 1}),
        ("a:\r\n  - b\r\n", {"a": ["b"]}),
        ('"<<": text\n', {"<<": "text"}),
    ],
)
def test_documents(tmp_path: Path, text: str, value: object) -> None:
    events = events_of(tmp_path, "one.yaml", text, items=False)
    assert fault_codes(events) == []
    assert [same(found, value) for found in values(events)] == [True]


def test_the_parser_in_pure_python_gives_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'a: [no, 1, "é\u2028"]\nb: &x {c: "\\ud800"}\nd: *x\ne: {k: 1, k: 2}\n'
    monkeypatch.setattr(yaml_composer, "_LOADER", yaml.BaseLoader)
    found = faults(events_of(tmp_path, "one.yaml", text, items=False))
    assert [(fault.code, fault.position) for fault in found] == [
        ("lone-surrogate", Position(2, 11)),
        ("duplicate-key", Position(4, 11)),
    ]
    (document,) = documents(events_of(tmp_path, "one.yaml", text.split("\n", maxsplit=1)[0], items=False))
    assert document.value == {"a": ["no", 1, "é\u2028"]}
    assert document.locate("/a/2") == Position(1, 12)


REFUSED = [
    ("a: 1\nb: 2\na: 3\n", "duplicate-key", 3, 1),
    ("x:\n  - k: 1\n    'k': 2\n", "duplicate-key", 3, 5),
    ('{a: 1, "\\x61": 2}\n', "duplicate-key", 1, 8),
    ("1: a\n", "yaml-key", 1, 1),
    ("true: a\n", "yaml-key", 1, 1),
    ("~: a\n", "yaml-key", 1, 1),
    ("? [a, b]\n: 1\n", "yaml-key", 1, 3),
    ("a: .inf\n", "not-finite", 1, 4),
    ("a: [1, .NaN]\n", "not-finite", 1, 8),
    ("a: 1e999\n", "not-finite", 1, 4),
    ("a: !!python/object:os.system x\n", "yaml-tag", 1, 4),
    ("a: !custom {b: 1}\n", "yaml-tag", 1, 4),
    ("a: !!set {b, c}\n", "yaml-tag", 1, 4),
    ("a: !!binary aGk=\n", "yaml-tag", 1, 4),
    ("a: !!int x\n", "yaml-tag", 1, 4),
    ("a: &x {b: 1}\nc:\n  <<: *x\n", "yaml-merge", 3, 3),
    ("a: &x [*x]\n", "yaml-alias", 1, 8),
    ("a: *missing\n", "syntax", 1, 4),
    ("a: [1, 2\n", "syntax", 2, 1),
    ("a: b: c\n", "syntax", 1, 5),
    ("\tb: 1\n", "syntax", 1, 1),
    ("a: \x01\n", "syntax", 1, 4),
    ("a: \ufffe\n", "syntax", 1, 4),
    ("[" * 300 + "]" * 300, "too-deep", 1, MAX_DEPTH + 1),
    ("[" * 900, "too-deep", 1, 101),
    ("- " * 100_000, "too-deep", 1, 2 * MAX_DEPTH + 1),
]


@pytest.mark.parametrize(("text", "code", "line", "column"), REFUSED)
def test_refusals(tmp_path: Path, text: str, code: str, line: int, column: int) -> None:
    events = events_of(tmp_path, "one.yaml", text, items=False)
    (fault,) = faults(events)
    assert (fault.code, fault.position) == (code, Position(line, column))
    assert values(events) == []
    assert len(fault.message) < 200
    assert fault.message.isprintable()


@pytest.mark.parametrize("times", [101, 1001, 5000, 100_000])
@pytest.mark.parametrize("opening", ["[", "- ", "{a: ", "? ", "[{a: "])
def test_any_depth_is_one_fault(tmp_path: Path, opening: str, times: int) -> None:
    """PyYAML with libyaml has a limit of its own since some version: what it says is said as ours."""
    (fault,) = faults(events_of(tmp_path, "deep.yaml", opening * times, items=False))
    assert fault.code == "too-deep"


def test_a_duplicate_key_names_both_places(tmp_path: Path) -> None:
    (fault,) = faults(events_of(tmp_path, "one.yaml", "a:\n  k: 1\n  k: 2\n", items=False))
    assert (fault.related, fault.position) == (Position(2, 3), Position(3, 3))
    assert "first at line 2, column 3" in fault.message


def test_invalid_utf8_is_refused_with_its_place(tmp_path: Path) -> None:
    (fault,) = faults(events_of(tmp_path, "one.yaml", b"a: 1\nb: \xff\n", items=False))
    assert (fault.code, fault.position) == ("invalid-utf8", Position(2, 4))


def test_aliases_that_multiply_are_bounded(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    (fault,) = faults(events_of(tmp_path, "one.yaml", "\n".join(lines), items=False))
    assert (fault.code, fault.fatal) == ("yaml-alias", True)


def test_aliases_that_nest_too_deep_are_refused(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, MAX_DEPTH + 5)]
    (fault,) = faults(events_of(tmp_path, "one.yaml", "\n".join(lines), items=False))
    assert fault.code == "too-deep"


def test_the_items_of_a_dataset_come_one_by_one(tmp_path: Path) -> None:
    text = (
        "metadata: {version: '1.0'}\nitems:\n- a: 1\n- a: 1\n  a: 2\n- b: .nan\n  c: !x 1\n- a: 3\nnote: x\n"
    )
    events = events_of(tmp_path, "set.yaml", text)
    assert opened(events).container == "dataset"
    assert values(events) == [{"a": 1}, {"a": 3}]
    assert [document.index for document in documents(events)] == [0, 3]
    assert [(fault.code, fault.index) for fault in faults(events)] == [
        ("duplicate-key", 1),
        ("not-finite", 2),
        ("yaml-tag", 2),
    ]
    envelope = closed(events).envelope
    assert envelope is not None
    assert envelope.value == {"metadata": {"version": "1.0"}, "note": "x"}
    assert envelope.locate("/metadata/version") == Position(1, 21)
    assert documents(events)[1].locate("/a") == Position(8, 6)


def test_several_documents_come_one_by_one(tmp_path: Path) -> None:
    events = events_of(tmp_path, "items.yaml", "a: 1\n---\na: 2\na: 3\n---\na: 4\n--- [\n")
    assert opened(events).container == "lines"
    assert values(events) == [{"a": 1}, {"a": 4}]
    assert fault_codes(events) == ["duplicate-key", "syntax"]
    assert not closed(events).complete


def test_big_integers_are_noticed(tmp_path: Path) -> None:
    assert notices(events_of(tmp_path, "one.yaml", "a: 9007199254740993\n")) == ["big-integer"]


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6),
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3)
    ),
    max_leaves=10,
)


def escape_unprintable(text: str) -> str:
    return "".join(
        c
        if c == "\x85" or " " <= c < "\x7f" or (c >= "\xa0" and c not in "\ufffe\uffff")
        else f"\\u{ord(c):04x}"
        for c in text
    )


@given(JSON_VALUES)
@example({"a": "\u2028\u2029\x85\ufeff\U000f0000"})
@QUICK
def test_json_is_yaml(tmp_path: Path, value: Any) -> None:
    text = escape_unprintable(json.dumps(value, ensure_ascii=False))
    (document,) = documents(events_of(tmp_path, "one.yaml", text, items=False))
    assert same(document.value, json.loads(text))
