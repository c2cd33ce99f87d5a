"""Texts for the languages: written by hand where a language is known to go wrong, and made at random."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.languages.protocol import Case

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
