"""What counts as strict JSON: one table of refusals, and agreement of three parsers on everything else."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings

from evalcontract.reading.events import Position
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.scanner import scan
from evalcontract.reading.strict import is_only_cut_off, parse
from evalcontract.values import MAX_DEPTH
from tests.reading.support import JSON_TEXTS, NUMBERS, NotStrict, damaged, same, strict_loads

REFUSED = [
    ("NaN", "not-finite", 1, 1),
    ('{"score": NaN}', "not-finite", 1, 11),
    ('{"score":1e999}', "not-finite", 1, 10),
    ('{"score": -1E+0999}', "not-finite", 1, 11),
    ('{"score":-Infinity}', "not-finite", 1, 10),
    ("[Infinity]", "not-finite", 1, 2),
    ("[" + "9" * 400 + ".0]", "not-finite", 1, 2),
    ("9" * 400, "not-finite", 1, 1),
    ("9" * 5000, "not-finite", 1, 1),
    ("[1, -2" + "0" * 308 + "]", "not-finite", 1, 5),
    ('{"item_id":"a","item_id":"b"}', "duplicate-key", 1, 16),
    ('{"x":{"é":1,\n "\\u00e9":2}}', "duplicate-key", 2, 2),
    ('{"a":1, "\\u0061":2}', "duplicate-key", 1, 9),
    ('[{"":1,"":2}]', "duplicate-key", 1, 8),
    ('"é\\ud800"', "lone-surrogate", 1, 3),
    ('"\\udc00\\ud800"', "lone-surrogate", 1, 2),
    ('{"\\udfff":1}', "lone-surrogate", 1, 3),
    ('"a\tb"', "syntax", 1, 3),
    ('"a\nb"', "syntax", 1, 3),
    ('"\\x"', "syntax", 1, 2),
    ('"\\u12g4"', "syntax", 1, 2),
    ("[1,]", "syntax", 1, 3),
    ('{"a":1 ,\n}', "syntax", 1, 8),
    ("[1 2]", "syntax", 1, 4),
    ("[,1]", "syntax", 1, 2),
    ('{"a" 1}', "syntax", 1, 6),
    ("{a:1}", "syntax", 1, 2),
    ("{'a':1}", "syntax", 1, 2),
    ("[01]", "syntax", 1, 2),
    ("[+1]", "syntax", 1, 2),
    ("[.5]", "syntax", 1, 2),
    ("[1.e5]", "syntax", 1, 2),
    ("[-]", "syntax", 1, 2),
    ("[0x10]", "syntax", 1, 2),
    ("[1_000]", "syntax", 1, 2),
    ("[True]", "syntax", 1, 2),
    ("[1] // note", "trailing-content", 1, 5),
    ("{} {}", "trailing-content", 1, 4),
    ("\ufeff{}", "bom-in-the-middle", 1, 1),
    ("{}\ufeff", "bom-in-the-middle", 1, 3),
    ("[1,\ufeff2]", "bom-in-the-middle", 1, 4),
    ("\x0c1", "syntax", 1, 1),
    ("\u00a01", "syntax", 1, 1),
    ("", "truncated", 1, 1),
    ("[1,\n", "truncated", 2, 1),
    ('{"a', "truncated", 1, 2),
    ('{"a":', "truncated", 1, 6),
    ('["\\u00', "truncated", 1, 2),
    ('["\\ud83d', "truncated", 1, 2),
    ('["\\ud83d\\', "truncated", 1, 2),
    ('["\\ud83d\\ude', "truncated", 1, 2),
    ('["\\ud83d"', "lone-surrogate", 1, 3),
    ('["\\ud83d\\n"', "lone-surrogate", 1, 3),
    ('["\\ud83d\\u0041"]', "lone-surrogate", 1, 3),
    ("[-", "truncated", 1, 2),
    ("[1.", "truncated", 1, 2),
    ("[1e+", "truncated", 1, 2),
    ("[tr", "truncated", 1, 2),
    (b'["\xc3\xa9\xff"]', "invalid-utf8", 1, 4),
    (b'["\xed\xa0\x80"]', "invalid-utf8", 1, 3),
    (b'["\xc0\x80"]', "invalid-utf8", 1, 3),
    (b'["\xe2\x80', "truncated", 1, 3),
    ("[" * (MAX_DEPTH + 1), "too-deep", 1, MAX_DEPTH + 1),
    ('{"a":' * (MAX_DEPTH + 1), "too-deep", 1, 5 * MAX_DEPTH + 1),
    ("[" * 1_000_000, "too-deep", 1, MAX_DEPTH + 1),
]


@pytest.mark.parametrize(("text", "code", "line", "column"), REFUSED)
def test_a_refusal_names_what_is_wrong_and_where(
    text: str | bytes, code: str, line: int, column: int
) -> None:
    raw = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(Refusal) as caught:
        parse(raw)
    assert (caught.value.code, caught.value.position) == (code, Position(line, column))
    assert len(caught.value.message) < 160
    assert caught.value.message.isprintable()


def test_a_duplicate_key_names_both_places() -> None:
    with pytest.raises(Refusal) as caught:
        parse(b'{"a": {"k": 1,\n  "k": 2}}')
    assert (caught.value.related, caught.value.position) == (Position(1, 8), Position(2, 3))


def test_a_long_key_is_shortened() -> None:
    key = b'"' + b"k" * 10_000 + b'":1'
    with pytest.raises(Refusal) as caught:
        parse(b"{" + key + b"," + key + b"}")
    assert len(caught.value.message) < 120


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_the_depth_limit_is_the_same_for_both_parsers(opening: str) -> None:
    closing = "]" if opening == "[" else "}"
    deepest = (opening * (MAX_DEPTH - 1) + "[]" + closing * (MAX_DEPTH - 1)).encode()
    assert same(parse(deepest)[0], scan(deepest))
    filled = deepest.replace(b"[]", b"[1]")
    assert same(parse(filled)[0], scan(filled))
    with pytest.raises(Refusal, match="nested deeper"):
        parse((opening * MAX_DEPTH + "[]" + closing * MAX_DEPTH).encode())


@pytest.mark.parametrize(
    ("text", "big"),
    [
        ("9007199254740991", False),
        ("-9007199254740991", False),
        ("9007199254740992", True),
        ('{"a":[1,{"b":-9007199254740992}]}', True),
        ("1e300", False),
        ("123456789012345678901234567890", True),
    ],
)
def test_big_integers_are_kept_and_told(text: str, big: bool) -> None:
    value, told = parse(text.encode())
    assert told is big
    assert same(value, scan(text.encode()))


@pytest.mark.parametrize("text", ['[{"a": "x', '["é', '{"a', '{"a": [1, 2', "[tru", '[{"a": 1}, ', '["\\'])
def test_the_beginning_of_json_is_no_mistake(text: str) -> None:
    raw = text.encode()
    assert is_only_cut_off(raw)
    assert is_only_cut_off(raw[:-1])


@pytest.mark.parametrize(
    "text", ['[{"a": "x}, {"b": 1', "[1 2, 3", '{"a" 1', "[NaN, 1", "[tru, 1", "[01, 1", '["\\x']
)
def test_what_is_wrong_already_is_seen_before_the_end(text: str) -> None:
    assert not is_only_cut_off(text.encode())


def agree(raw: bytes) -> None:
    try:
        expected = strict_loads(raw)
    except NotStrict:
        for parser in (parse, scan):
            with pytest.raises(Refusal) as caught:
                parser(raw)
            position = caught.value.position
            lines = raw.decode("utf-8", "replace").split("\n")
            assert 1 <= position.line <= len(lines)
            assert 1 <= position.column <= len(lines[position.line - 1]) + 1
    else:
        assert same(parse(raw)[0], expected)
        assert same(scan(raw), expected)


@given(JSON_TEXTS)
@settings(max_examples=500, deadline=None)
def test_three_parsers_agree_on_json(text: str) -> None:
    agree(text.encode())


@given(NUMBERS)
@settings(max_examples=1000, deadline=None)
@example("2.2250738585072011e-308")
@example("1.7976931348623158e308")
@example("1.7976931348623159e308")
@example("-0")
@example("-0.0")
@example("0e999999999999")
@example("5e-324")
@example("2e-324")
def test_three_parsers_agree_on_numbers(text: str) -> None:
    agree(text.encode())


@given(damaged())
@settings(max_examples=1500, deadline=None)
def test_three_parsers_agree_on_damaged_json(raw: bytes) -> None:
    agree(raw)


@pytest.mark.long
@given(damaged(edits=4))
@settings(max_examples=100_000, deadline=None)
def test_three_parsers_agree_on_very_many_damaged_texts(raw: bytes) -> None:
    agree(raw)
