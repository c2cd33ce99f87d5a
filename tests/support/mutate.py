"""Documents that are almost right: seeded mutations of JSON documents, for differential tests.

The same seed gives the same mutants on every machine. Mutants are JSON: finite numbers, string keys and
no lone surrogates, so that every engine can be given the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

Path = tuple[str | int, ...]

LARGEST_SAFE_INTEGER = 2**53 - 1
ONE_AND_ITS_LOOKALIKES = (True, 1, 1.0, "1", "1.0", [1], "true")
TWO_AND_ITS_LOOKALIKES = (2, 2.0, "2", " 2", "２", [2])
ZERO_AND_ITS_LOOKALIKES: Sequence[Any] = (False, 0, 0.0, -0.0, "0", "", None, [], {})
NUMBERS = (-1, 0, 0.5, 1, 1.0000000000000002, 1.5, 2, 3, 1e-300, 5e-324, 1e300, -1e300, 7.0, 100)
BIG_INTEGERS = (LARGEST_SAFE_INTEGER, 2**53, 2**63, -(2**63) - 1, 2**64, 10**30, -(10**40))
BIG_NUMBERS_WITHOUT_FRACTION = (float(2**53), 1e16, 1e22, -1e30)
NUMBER_LIKE = ("0", "-0", "42", "4.2", "1e3", "0x10", "٣", "1_000", "NaN", "𝟚")
VERSION_LIKE = ("1.0", "1.0\n", "\n1.0", "01.0", "1.", "1.0.0", "v1.0", "１.０", "1.0 ", "999999999999.0")
WORDS = ("null", "true", "[]", "{}", '["a"]', "['a','b']", "a|b", "user", "User", "user ", "system", "tool")
UNICODE = ("é", "e\u0301", "東京", "सत्य", "👩\u200d👩\u200d👧", "\u0000", "\u2028", "\u0085", "\ufeff")
STRINGS = ("", " ", "\n", *NUMBER_LIKE, *VERSION_LIKE, *WORDS, *UNICODE, "a" * 5000)
OTHER_TYPES: Sequence[Any] = (
    None,
    True,
    False,
    0,
    1,
    -1.5,
    "text",
    "",
    [],
    [None],
    ["text"],
    {},
    {"text": "text"},
)
UNKNOWN_KEYS = ("", "id", "extra", "__proto__", "constructor", "$ref", "a/b", "m~n", "ключ", "items", "0")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed document, and the changes that made it, first one first."""

    document: Any
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words that a contract knows: they make mutants that come close to its rules."""

    names: tuple[str, ...]
    values: tuple[Any, ...]


def vocabulary_of(schemas: Iterable[dict[str, Any]]) -> Vocabulary:
    """The property names of some schemas, and the values on and beside each of their limits."""
    names: dict[str, None] = {}
    values: list[Any] = []
    for schema in schemas:
        for name, declared in schema["properties"].items():
            names[name] = None
            values += declared.get("enum", [])
            limits = [declared[keyword] for keyword in ("minimum", "maximum") if keyword in declared]
            values += [limit + step for limit in limits for step in (-1, 0, 1)]
    return Vocabulary(tuple(names), tuple(values))


def mutants(
    documents: Sequence[Any], schemas: Iterable[dict[str, Any]], *, seed: int, count: int
) -> Iterator[Mutant]:
    """`count` mutants of the given documents, which stay as they are.

    `schemas` are the contract and everything that it refers to. Half of the mutants are one step away
    from a given document, the others two or three.
    """
    random = Random(seed)
    vocabulary = vocabulary_of(schemas)
    for _ in range(count):
        document = deepcopy(random.choice(documents))
        steps: list[str] = []
        for _ in range(random.choice((1, 1, 2, 3))):
            mutate = random.choice(MUTATORS)
            document = mutate(random, document, vocabulary)
            steps.append(mutate.__name__)
        yield Mutant(document, tuple(steps))


def paths(document: Any) -> list[Path]:
    """The path of every value in a document, that of the document itself first."""
    found: list[Path] = [()]
    for path in found:
        value = at(document, path)
        if isinstance(value, dict):
            found += [(*path, key) for key in value]
        elif isinstance(value, list):
            found += [(*path, index) for index in range(len(value))]
    return found


def at(document: Any, path: Path) -> Any:
    """The value at a path."""
    for step in path:
        document = document[step]
    return document


def put(document: Any, path: Path, value: Any) -> Any:
    """The document with another value at a path; the document itself is changed."""
    if not path:
        return value
    at(document, path[:-1])[path[-1]] = value
    return document


def drop_value(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    path = random.choice(paths(document))
    if path:
        del at(document, path[:-1])[path[-1]]
    return document


def null_value(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    return put(document, random.choice(paths(document)), None)


def change_type(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    return put(document, random.choice(paths(document)), deepcopy(random.choice(OTHER_TYPES)))


def swap_for_lookalike(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    family = random.choice((ONE_AND_ITS_LOOKALIKES, TWO_AND_ITS_LOOKALIKES, ZERO_AND_ITS_LOOKALIKES))
    return _put_at_scalar(random, document, deepcopy(random.choice(family)))


def set_number(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    pool = random.choice((NUMBERS, BIG_INTEGERS, BIG_NUMBERS_WITHOUT_FRACTION))
    return _put_at_scalar(random, document, random.choice(pool))


def set_string(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    return _put_at_scalar(random, document, random.choice(STRINGS))


def set_limit(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    return _put_at_scalar(random, document, random.choice(vocabulary.values or NUMBERS))


def rewrite_number(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    """The same number as an integer, with a fraction of zero, or as text."""
    numbers = [path for path in paths(document) if type(at(document, path)) in (int, float)]
    if not numbers:
        return document
    path = random.choice(numbers)
    value = at(document, path)
    return put(document, path, random.choice((float(value), int(value), str(value), value + 0.5)))


def resize_array(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    arrays = [path for path in paths(document) if isinstance(at(document, path), list)]
    if not arrays:
        return document
    path = random.choice(arrays)
    items = at(document, path)
    one = random.choice(items) if items else random.choice(OTHER_TYPES)
    longer = [deepcopy(each) for each in items for _ in range(2)]
    shapes: Sequence[Any] = (
        [],
        [deepcopy(one)],
        longer,
        items[::-1],
        [*items, deepcopy(one)],
        [deepcopy(one)] * 40,
    )
    return put(document, path, random.choice(shapes))


def add_declared_key(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    """A property of the contract, in whichever object, with whichever value."""
    arrays: Sequence[Any] = ([{}], [[]], ["a", "b"], [{"document_id": "d"}])
    value = random.choice(random.choice((OTHER_TYPES, STRINGS, NUMBERS, arrays)))
    return _put_key(random, document, random.choice(vocabulary.names), deepcopy(value))


def add_unknown_key(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    return _put_key(random, document, random.choice(UNKNOWN_KEYS), deepcopy(random.choice(OTHER_TYPES)))


def misspell_key(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    keys = [path for path in paths(document) if path and isinstance(path[-1], str)]
    if not keys:
        return document
    *parent, key = random.choice(keys)
    owner, name = at(document, tuple(parent)), str(key)
    wrong = (name.capitalize(), name + "s", name.replace("_", ""), name[1:], f" {name}", f"{name}\u200b")
    owner[random.choice(wrong)] = owner.pop(key)
    return document


def move_value(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    """A copy of one part of the document in the place of another."""
    everywhere = paths(document)
    return put(document, random.choice(everywhere), deepcopy(at(document, random.choice(everywhere))))


def wrap_value(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    path = random.choice(paths(document))
    value = at(document, path)
    deep: Any = value
    for _ in range(30):
        deep = [deep]
    name = random.choice(vocabulary.names)
    return put(document, path, random.choice(([value], {name: value}, {"request": value}, deep)))


def unwrap_value(random: Random, document: Any, vocabulary: Vocabulary) -> Any:
    path = random.choice(paths(document))
    value = at(document, path)
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return put(document, path, random.choice(inner)) if inner else document


Mutator = Callable[[Random, Any, Vocabulary], Any]
MUTATORS: tuple[Mutator, ...] = (
    drop_value,
    null_value,
    change_type,
    swap_for_lookalike,
    set_number,
    set_string,
    set_limit,
    rewrite_number,
    resize_array,
    add_declared_key,
    add_unknown_key,
    misspell_key,
    move_value,
    wrap_value,
    unwrap_value,
)


def _put_at_scalar(random: Random, document: Any, value: Any) -> Any:
    """Put a value in the place of one that is neither an object nor an array, if there is any."""
    scalars = [path for path in paths(document) if not isinstance(at(document, path), dict | list)]
    return put(document, random.choice(scalars or paths(document)), value)


def _put_key(random: Random, document: Any, key: str, value: Any) -> Any:
    objects = [path for path in paths(document) if isinstance(at(document, path), dict)]
    if objects:
        at(document, random.choice(objects))[key] = value
    return document
