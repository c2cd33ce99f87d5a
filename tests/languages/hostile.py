"""Texts that strict readers take differently: the siblings of what is known to go wrong, made by rule."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.languages.protocol import BOM, JSON, Case

_NUMBERS = (
    *(
        "0",
        "-0",
        "-0.0",
        "-0e0",
        "0e0",
        "0E-0",
        "00",
        "01",
        "-01",
        "+1",
        "--1",
        "-",
        ".5",
        "-.5",
        "1.",
        "1.e1",
        "1e",
        "1e+",
    ),
    *(
        "1E400",
        "1e400",
        "-1e400",
        "1e+400",
        "1e-400",
        "-1e-400",
        "0e400",
        "0e-400",
        "0e99999999999999999999",
        "-0E+999",
    ),
    *(
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "0.0e400",
        "00e1",
        "1e0400",
        "1e00000000000000000000001",
    ),
    *("1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "17976931348623157e292"),
    *(
        "5e-324",
        "2e-324",
        "3e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "0.1e1",
        "1e22",
        "1e23",
    ),
    *("9007199254740991", "9007199254740992", "9007199254740993", "9007199254740993.0", "9007199254740992.0"),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809"),
    *(
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709551616.0",
        "1e19",
        "1e20",
        "100000000000000000000",
    ),
    *("9" * 308, "1" + "0" * 308, "9" * 309, "1" + "0" * 309, "-" + "9" * 309, "1" * 5000, "0." + "1" * 5000),
    *("0." + "0" * 400 + "1", "1" + "0" * 400 + "e-400", "0." + "0" * 400 + "1e401", "1" * 400 + "e-100"),
    *(
        "0x10",
        "0X1F",
        "0b1",
        "0o7",
        "1_000",
        "1,000",
        "1 000",
        "1e5.5",
        "1e 5",
        "- 1",
        "1-",
        "1+1",
        "1f",
        "1L",
        "1n",
    ),
    *(
        "NaN",
        "-NaN",
        "nan",
        "Infinity",
        "-Infinity",
        "+Infinity",
        "inf",
        "INF",
        "1.#INF",
        "null1",
        "truefalse",
        "True",
    ),
    *("\u0661", "\uff11", "1\u0660", "\u22121", "1\u00b2", "\u00bd"),
)
_CHARACTERS = (
    *(
        b"\xed\xa0\x80",
        b"\xed\xbf\xbf",
        b"\xed\xa0\xbd\xed\xb8\x80",
        b"\xc0\x80",
        b"\xc1\xbf",
        b"\xe0\x80\x80",
        b"\xe0\x9f\xbf",
    ),
    *(
        b"\xf0\x80\x80\x80",
        b"\xf0\x8f\xbf\xbf",
        b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80",
        b"\xf8\x88\x80\x80\x80",
        b"\xff",
    ),
    *(
        b"\x80",
        b"\xbf",
        b"\xc3",
        b"\xe2\x82",
        b"\xf0\x9f\x98",
        b"\xc3(",
        b"\xe2(\xa1",
        b"\xf0(\x8c\xbc",
        b"\xfe",
        b"\xe9",
    ),
    *(
        b"\xef\xbb\xbf",
        b"\xef\xbf\xbe",
        b"\xef\xbf\xbf",
        b"\xef\xbf\xbd",
        b"\xf4\x8f\xbf\xbf",
        b"\xc2\x85",
        b"\xe2\x80\xa8",
    ),
    *(bytes([code]) for code in (*range(0x20), 0x7F)),
    *(
        rb"\ud800",
        rb"\udc00",
        rb"\ud83d\ude00",
        rb"\uD83D\uDE00",
        rb"\ude00\ud83d",
        rb"\ud83d\ud83d\ude00",
        rb"\ud83dx",
    ),
    *(
        rb"\ud83d\n",
        rb"\ud83d\\ude00",
        rb"\ud83d\u0041",
        rb"\udbff\udfff",
        rb"\u0000",
        rb"\u",
        rb"\u0",
        rb"\u00",
        rb"\u00g0",
    ),
    *(
        rb"\u+041",
        rb"\u 041",
        rb"\u00E9",
        rb"\U0041",
        rb"\x41",
        rb"\'",
        rb"\a",
        rb"\0",
        rb"\v",
        rb"\e",
        rb"\/",
        b"\\",
        b"\\\n",
    ),
    *(b"\\\x00", b"\\\xc3\xa9", rb"\ufeff", rb"\uffff", rb"\ufffe", rb"\u{41}", rb"\N{DIGIT ONE}"),
)
_BETWEEN = (
    *(
        b" ",
        b"\t",
        b"\n",
        b"\r",
        b"\r\n",
        b"\x0b",
        b"\x0c",
        b"\x00",
        b"\x1c",
        b"\xc2\xa0",
        b"\xc2\x85",
        b"\xe2\x80\xa8",
        BOM,
    ),
    *(
        b"\xe3\x80\x80",
        b"/**/",
        b"//\n",
        b"#\n",
        b"<!---->",
        b";",
        b",",
        b",,",
        b":",
        b"::",
        b"'",
        b"`",
        b"a",
        b"\\",
        b"\\n",
    ),
)
_KEYS = (
    *(
        ('"a"', r'"\u0061"'),
        ('"A"', '"a"'),
        ('"\u00e9"', r'"\u00e9"'),
        ('"\u00e9"', r'"\u00E9"'),
        ('"\u00e9"', '"e\u0301"'),
    ),
    *(('"\U0001f600"', r'"\ud83d\ude00"'), ('""', '""'), ('"/"', r'"\/"'), ('"__proto__"', '"__proto__"')),
    *(
        ('"__proto__"', '"constructor"'),
        ('"a"', '"a "'),
        ('"0"', '"0"'),
        ('"0"', '"00"'),
        ('"\\n"', '"\\u000a"'),
    ),
    *(
        ('"\\u0000"', '"\\u0000"'),
        ('"\\u0000"', '""'),
        ('"\ufeffa"', '"a"'),
        ('"hasOwnProperty"', '"toString"'),
    ),
)
_SHAPES = (
    *(
        "",
        " ",
        "\n",
        "\r\n\t ",
        "\0",
        "{",
        "[",
        "}",
        "]",
        '"',
        "'a'",
        "`a`",
        "{]",
        "[}",
        "[1,]",
        "[,1]",
        "[,]",
        "[1,,2]",
        "{,}",
    ),
    *(
        '{"a":1,}',
        '{,"a":1}',
        '{"a"}',
        '{"a":}',
        '{"a" 1}',
        '{"a"::1}',
        '{"a":1 "b":2}',
        "{a:1}",
        "{'a':1}",
        "{1:1}",
        "{null:1}",
    ),
    *(
        "[1 2]",
        "1 2",
        "{} {}",
        "[] []",
        "null null",
        "1\n2",
        '"a""b"',
        '"a" "b"',
        "[1]]",
        "{}}",
        "{}\0",
        "[]\u2028",
        "nul",
        "nulll",
    ),
    *(
        "tru",
        "TRUE",
        "fals",
        "undefined",
        "None",
        "NULL",
        "/*x*/1",
        "1//x",
        "#x\n1",
        "[1]/**/",
        '{"a":1}#',
        "--1",
        "<a/>",
        "a: 1",
    ),
    *(
        "\ufeff",
        "\ufeff ",
        "\ufeff1",
        "\ufeff\ufeff1",
        "1\ufeff",
        "[\ufeff1]",
        '{"a":\ufeff1}',
        '"\ufeff"',
        '{"\ufeff":1}',
        " \ufeff1",
    ),
)
_SAMPLE = (
    '{"a":[1,-2.5e3,"\\ud83d\\ude00\u00e9\U0001f600"],"b":{"c":null,"d":true},"e\\u0061":false}'.encode()
)
_BYTES = (
    b"",
    b'"',
    b"\\",
    b",",
    b":",
    b"]",
    b"}",
    b"{",
    b"0",
    b"-",
    b"e",
    b".",
    b"u",
    b"\x00",
    b" ",
    b"\n",
    b"\x80",
    b"\xff",
)
_ENCODINGS = (
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "utf-32-le",
    "utf-32-be",
    "utf-7",
    "cp500",
    "utf-8-sig",
)


def readings() -> Iterator[Case]:
    """Texts for a reader alone: numbers, characters, what stands between, keys, depth, encodings."""
    for number in _NUMBERS:
        for around in ("{}", "[{}]", '{{"a": {}}}', " {} ", '[1,{},"x"]'):
            yield _named("number", around.format(number).encode())
    for character in _CHARACTERS:
        for before, after in ((b'"', b'"'), (b'{"', b'": 1}'), (b'["x', b'y", 2]'), (b'"', b""), (b"", b"")):
            yield _named("character", before + character + after)
    for between in _BETWEEN:
        for parts in (
            (b"", b"[1]"),
            (b"[1]", b""),
            (b"[", b"1]"),
            (b"[1", b",2]"),
            (b'{"a"', b":1}"),
            (b'{"a":1', b"}"),
            (b"[", b"]"),
        ):
            yield _named("between", between.join(parts))
    for one, other in _KEYS:
        for around in ("{%s:1,%s:2}", '[{"x":{%s:1,"y":0,%s:1}}]', "{%s:{%s:1}}", "[{%s:1},{%s:1}]"):
            yield _named("keys", (around % (one, other)).encode())
    for text in _SHAPES:
        yield _named("shape", text.encode())
    for encoding in _ENCODINGS:
        for text in ("1", '{"a": "\u00e9"}', ""):
            yield _named(encoding, text.encode(encoding))
    for depth in (1, 98, 99, 100, 101, 102, 127, 128, 200, 10_000):
        for opening, closing in (
            ("[", "]"),
            ('{"a":', "}"),
            ('[{"a":', "}]"),
            ('{"a":[', "]}"),
            ("[[],", "]"),
            ("[{},", "]"),
        ):
            times, rest = divmod(depth, 2 if opening[:2] in ("[{", '{"') and len(closing) == 2 else 1)
            for inner in ("", "1", "[]", "{}", '"["'):
                core = "[" * rest + (inner or "0") + "]" * rest
                yield _named(f"depth {depth}", (opening * times + core + closing * times).encode())
            yield _named(f"depth {depth}, unclosed", (opening * times).encode())
            yield _named(
                f"depth {depth}, wrongly closed", (opening * times + "0" + "}" + closing * times).encode()
            )


def near() -> Iterator[Case]:
    """A text with each byte replaced, preceded and left out, and each of its beginnings."""
    for at in range(len(_SAMPLE) + 1):
        yield _named(f"{at} bytes", _SAMPLE[:at])
        for byte in _BYTES:
            yield _named(f"byte {at} replaced", _SAMPLE[:at] + byte + _SAMPLE[at + 1 :])
            yield _named(f"before byte {at}", _SAMPLE[:at] + byte + _SAMPLE[at:])


_VALUES = (
    *(
        "0",
        "1",
        "2",
        "3",
        "-0",
        "-0.0",
        "2.0",
        "2.50",
        "2e0",
        "0.2e1",
        "20e-1",
        "1e-1",
        "-1",
        "1e400",
        "1e-400",
        "1.0",
        "0.5",
    ),
    *(
        "9007199254740991",
        "9007199254740992",
        "9007199254740991.0",
        "9007199254740993",
        "9223372036854775807",
    ),
    *(
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551616",
        "1e19",
        "1e20",
        "1e300",
        "9" * 30,
    ),
    *(
        "null",
        "true",
        "false",
        '""',
        '"1"',
        '"user"',
        '"narrator"',
        '"User"',
        '"user "',
        "[]",
        "{}",
        "[null]",
        '{"start":0,"end":1}',
    ),
    *(
        '[{"a":1}]',
        '{"a":null}',
        '{"start":1.0,"end":2e0}',
        '["a",""]',
        '"1.0"',
        '"1.0\\n"',
        '"2026-03-14"',
        '"\\u0000"',
        '["\\ud83d\\ude00"]',
    ),
)


def typed(valid: list[Case], fields: dict[str, dict[str, Any]]) -> Iterator[Case]:
    """Each property of each contract with each value, and without it; `fields` are the properties' schemas.

    A property of the type number is a double in some languages, and gets no integer that a double can't hold.
    """
    for case in valid:
        document = json.loads(case.text)
        for field, schema in fields[case.contract].items():
            rest = json.dumps({key: value for key, value in document.items() if key != field})[1:]
            yield Case(case.contract, ("{" + rest).encode(), f"without {field}")
            for value in _VALUES:
                if "number" in schema.get("type", ()) and _is_no_double(value):
                    continue
                text = f'{{"{field}": {value}' + (", " if rest != "}" else "") + rest
                yield Case(case.contract, text.encode(), f"{field} {value}")


def _is_no_double(value: str) -> bool:
    read = json.loads(value)
    return type(read) is int and float(read) != read


def _named(name: str, text: bytes) -> Case:
    return Case(JSON, text, name)
