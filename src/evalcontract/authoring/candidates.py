"""Documents that differ from a valid one in one property: among them are those that tell two contracts apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

_LONG = "A long text of many scripts: Grüße, 検索, поиск. " * 8
_OTHER_KINDS: dict[str, Any] = {
    "is-null": None,
    "is-true": True,
    "is-an-integer": 42,
    "is-a-fraction": 0.5,
    "is-minus-one": -1,
    "is-zero": 0,
    "is-one": 1,
    "is-two": 2,
    "is-two-and-a-half": 2.5,
    "is-a-number-in-text": "2",
    "is-empty-text": "",
    "is-a-space": " ",
    "is-text": "some text",
    "is-long-text-of-many-scripts": _LONG,
    "is-an-empty-array": [],
    "is-an-empty-object": {},
    "is-an-object": {"key": "value"},
    "is-an-array-of-texts": ["a", "b"],
    "holds-a-text-twice": ["a", "a"],
}
_ELEMENTS: dict[str, Any] = {
    "null": None,
    "true": True,
    "an-integer": 42,
    "a-fraction": 0.5,
    "minus-one": -1,
    "an-empty-text": "",
    "a-text": "some text",
    "a-long-text-of-many-scripts": _LONG,
    "an-array": [],
    "an-object": {},
}
_MOST_ELEMENTS = 1_000
_MOST_DIGITS = 100
_STEPS = (("is-just-below", -1), ("is-the-bound", 0), ("is-just-above", 1))
_ENDS = {"a-line-feed": "\n", "a-carriage-return": "\r", "u0085": "\u0085", "u2028": "\u2028"}


class Candidate(NamedTuple):
    """A document and what it shows, in words joined by hyphens; `field` is the property that it tries."""

    name: str
    document: Any
    field: str | None = None


def candidates(schema: dict[str, Any], base: dict[str, Any], full: dict[str, Any]) -> Iterator[Candidate]:
    """Candidates for a contract whose least document is `base`."""
    yield from (
        Candidate("unknown-fields", base | {"x_unknown": {"deep": [1, None]}}),
        Candidate("document-is-null", None),
        Candidate("document-in-an-array", [base]),
        Candidate("document-as-text", "{}"),
        Candidate("document-is-empty", {}),
    )
    for name, declared in schema.get("properties", {}).items():
        said = name.replace("_", "-")
        without = {key: value for key, value in full.items() if key != name}
        yield Candidate(f"{said}-is-absent", without, name)
        for what, value in _values(declared if isinstance(declared, dict) else {}, full.get(name)):
            yield Candidate(f"{said}-{what}", base | {name: value}, name)


def _values(declared: dict[str, Any], known: Any) -> Iterator[tuple[str, Any]]:
    yield "is-usual", known
    yield from _bounds(declared)
    for number, value in enumerate(declared.get("enum", [])):
        yield f"is-choice-{number + 1}", value
    if isinstance(known, str):
        yield "is-of-another-case", known.swapcase()
        yield from ((f"with-{what}-behind", known + end) for what, end in _ENDS.items())
        yield from ((f"is-a-letter-with-{what}-behind", known[:1] + end) for what, end in _ENDS.items())
        yield from (("with-more-before", f"!{known}"), ("with-more-behind", f"{known}!"))
        yield "in-other-digits", "".join("٣" if char in "0123456789" else char for char in known)
        yield from (
            (f"{what}-at-{at}", known[:at] + digits + known[at + 1 :])
            for at, char in enumerate(known[:_MOST_DIGITS])
            if char in "0123456789"
            for what, digits in (("in-other-digits", "٣"), ("with-another-digit", "1٣"))
        )
        yield "on-the-second-line", f"!\n{known}"
        yield "of-another-script", "é" + known[1:]
    yield from _OTHER_KINDS.items()
    if isinstance(known, int) and not isinstance(known, bool):
        yield "is-a-fraction-of-zero", float(known)
    if isinstance(known, list) and known:
        yield "holds-the-same-twice", [known[0], known[0]]
        for keyword in ("minItems", "maxItems"):
            if isinstance(bound := declared.get(keyword), int) and bound <= _MOST_ELEMENTS:
                yield from (
                    (f"{what}-{keyword.lower()}", known[:1] * (bound + step)) for what, step in _STEPS
                )
        yield from ((f"holds-{what}", [value]) for what, value in _ELEMENTS.items())
        inner = declared.get("items")
        yield from ((f"element-{what}", [value]) for what, value in _bounds(inner))
        yield from ((f"element-is-choice-{at}", [value]) for at, value in enumerate(_choices(inner)))
    yield from ((f"is-what-is-refused-{at}", value) for at, value in enumerate(_choices(declared.get("not"))))
    if isinstance(known, dict) and known:
        first, value = next(iter(known.items()))
        yield from ((f"holds-{what}-under-a-known-name", {first: held}) for what, held in _ELEMENTS.items())
        yield "has-a-long-name", {_LONG: value}
        for keyword in ("minProperties", "maxProperties"):
            if isinstance(bound := declared.get(keyword), int) and bound <= _MOST_ELEMENTS:
                names = [first, *(f"{first}{number}" for number in range(1, bound + 1))]
                yield from (
                    (f"{what}-{keyword.lower()}", dict.fromkeys(names[: bound + step], value))
                    for what, step in _STEPS
                    if bound + step >= 0
                )
    if isinstance(known, dict):
        yield from ((f"has-a-value-that-is-{what}", {"key": value}) for what, value in _ELEMENTS.items())
        inner = declared.get("additionalProperties")
        yield from ((f"value-{what}", {"key": value}) for what, value in _bounds(inner))


def _choices(declared: Any) -> list[Any]:
    if not isinstance(declared, dict):
        return []
    return [*declared.get("enum", []), *([declared["const"]] if "const" in declared else [])]


def _bounds(declared: Any) -> Iterator[tuple[str, Any]]:
    """Values at each bound, and beside it."""
    if not isinstance(declared, dict):
        return
    for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
        if isinstance(bound := declared.get(keyword), int | float):
            word = keyword.lower()
            yield from ((f"{what}-{word}", bound + step) for what, step in _STEPS)
            yield f"is-a-little-off-{word}", bound + (0.5 if word.endswith("maximum") else -0.5)
    for keyword in ("minLength", "maxLength"):
        bound = declared.get(keyword)
        if isinstance(bound, int) and 0 <= bound <= 10_000:
            yield from (
                (f"{what}-{keyword.lower()}", "é" * (bound + step))
                for what, step in _STEPS
                if bound + step >= 0
            )
