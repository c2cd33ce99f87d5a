"""Texts for the languages: written by hand where a language is known to go wrong, and made at random."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.languages.protocol import Case

DEEPEST = 201

ACCEPTED = [
    b"{}",
    b" \t\r\n[ ] \n",
    b'"\\u0041\\n\\ud83d\\ude00"',
    '"é\u2028\u2029\x7f\U0001f600"'.encode(),
    b"-0",
    b"-0.0",
    b"1e5",
    b"1E+2",
    b"2.0",
    b"0.1",
    b"1e-400",
    b"5e-324",
    b"1.7976931348623157e308",
    b"9007199254740991",
    b"9007199254740993",
    b"-123456789012345678901234567890",
    b"[1, 1.0, true, null, false]",
    b'{"a": null, "b": {"c": [{}]}, "": 1, "a/b~c": 2}',
    b'{"__proto__": {"x": 1}, "constructor": 2, "toString": 3, "hasOwnProperty": 4, "extra": 5}',
    b'{"html": "<a href=\'x\'>&amp;</a>", "2": 1, "1": 2}',
    b"\xef\xbb\xbf{}",
    b"[" * DEEPEST + b"]" * DEEPEST,
    b'{"a":' * (DEEPEST - 1) + b"[]" + b"}" * (DEEPEST - 1),
]
REFUSED = [
    b"",
    b" \n",
    b"\xef\xbb\xbf",
    b"\xef\xbb\xbf\xef\xbb\xbf{}",
    b"{}\xef\xbb\xbf",
    b"[1\xef\xbb\xbf]",
    b'{"a":1,"a":1}',
    b'{"a":1,"\\u0061":2}',
    b'{"a":{"b":1,"c":2,"b":3}}',
    b"NaN",
    b"[Infinity]",
    b"[-Infinity]",
    b"1e999",
    b"-1e999",
    b"1" + b"0" * 400,
    b"1" * 5000,
    b'"\\ud800"',
    b'"\\udc00\\ud800"',
    b'"\\ud800\\u0041"',
    b'"\xed\xa0\x80"',
    b'"\xff"',
    b'"\xc0\x80"',
    b'"\xf4\x90\x80\x80"',
    b'"\xe2\x82"',
    b'"\xe2\x82',
    b'"a\nb"',
    b'"a\x00b"',
    b'"\\x41"',
    b'"\\u12"',
    b'"\\u12g4"',
    b"'a'",
    b"[1,]",
    b'{"a":1,}',
    b"[,1]",
    b"[1 2]",
    b'{"a" 1}',
    b'{"a":}',
    b"{a:1}",
    b"{1:1}",
    b"01",
    b"+1",
    b"1.",
    b".5",
    b"1e",
    b"-",
    b"0x10",
    b"1_000",
    b"tru",
    b"True",
    b"nul",
    b"undefined",
    b"{} {}",
    b"1 2",
    b"// x\n{}",
    b"[1]/**/",
    b"[",
    b'{"a"',
    b'{"a":1',
    b'"abc',
    b'"abc\\',
    b"]",
    b"\x0b{}",
    b"\xc2\xa0{}",
    b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1),
    b"[" * 100_000,
]

_ODD: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2.0,
        0.5,
        1.5,
        3,
        10**20,
        2**53,
        -(2**53),
        1e22,
        1e-7,
        1e300,
        9007199254740991.0,
    ),
    *(
        "",
        "a",
        "1.0",
        "1.0\n",
        "1.0\u2028",
        "1.\u0662",
        "user",
        "é",
        "\U0001f600",
        "x" * 90,
        "\u0085",
        'it\'s "x"',
        "\x00",
    ),
    *(
        [],
        {},
        [None],
        [1],
        ["a"],
        [[]],
        {"a": 1},
        {"extra": 1},
        {"content": "x", "role": "user"},
        {"b": None, "a": []},
    ),
]
_ODD_BYTES = (b"", b",", b'"', b"\xff", b"\\", b"0", b"}", b"\xef\xbb\xbf")


def mutated(generator: random.Random, value: Any) -> Any:
    """A copy in which one to three places are changed."""
    made = json.loads(json.dumps(value))
    for _ in range(generator.choice((1, 1, 1, 2, 3))):
        made = _changed(generator, made)
    return made


def _changed(generator: random.Random, value: Any) -> Any:
    places = list(_places(value))
    holder, key = generator.choice(places) if places and generator.random() < 0.97 else (None, None)
    if holder is None:
        return deepcopy(generator.choice(_ODD))
    action = generator.random()
    if action < 0.55:
        holder[key] = deepcopy(generator.choice(_ODD))
    elif action < 0.8:
        del holder[key]
    elif isinstance(holder, dict):
        name = generator.choice(("extra", "metadata", "items", "input", "a/b~", "__proto__", ""))
        holder[name] = deepcopy(holder[key])
    else:
        holder.insert(0, deepcopy(holder[key]))
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    pairs = (
        list(value.items())
        if isinstance(value, dict)
        else list(enumerate(value))
        if isinstance(value, list)
        else []
    )
    for key, child in pairs:
        yield value, key
        yield from _places(child)


def fuzzed(seeds: list[Case], count: int, seed: int) -> list[Case]:
    """Cases made from others: values changed, and now and then a byte of the text."""
    generator = random.Random(seed)
    cases = []
    for number in range(count):
        case = generator.choice(seeds)
        text = json.dumps(
            mutated(generator, json.loads(case.text)), ensure_ascii=generator.random() < 0.5
        ).encode()
        if generator.random() < 0.15:
            at = generator.randrange(len(text))
            text = text[:at] + generator.choice(_ODD_BYTES) + text[at + 1 :]
        cases.append(Case(case.contract, text, f"{case.name} {number}"))
    return cases
