"""From the errors of `jsonschema` to violations: stable codes, our texts, the branch that was meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from jsonschema import ValidationError

from evalcontract.validation.describe import expected_type, short_list
from evalcontract.validation.hints import MISSPELT, hint_for
from evalcontract.validation.violation import Violation
from evalcontract.values import actual, pointer, short, shown


def violations_of(errors: Iterable[ValidationError], briefly: bool = False) -> Iterator[Violation]:
    """The violations that a validator's errors mean, each place and keyword once.

    With `briefly` only code, pointer and keyword are given, and the hint about a misspelt key.
    """
    tell = _brief_violation if briefly else _violation
    seen: set[tuple[str, str | None]] = set()
    for error in errors:
        for leaf in _leaves(error):
            violation = tell(leaf)
            key = (violation.pointer, violation.keyword)
            if key not in seen:
                seen.add(key)
                yield violation


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """The errors of the branch that was meant, where alternatives differ by type alone."""
    if error.validator not in ("anyOf", "oneOf") or not error.context:
        yield error
        return
    branches: dict[Any, list[ValidationError]] = {}
    for cause in error.context:
        if cause.schema_path:  # the branch `false` has none, and is never meant
            branches.setdefault(cause.schema_path[0], []).append(cause)
    fitting = [found for found in branches.values() if not _is_wrong_type(found)]
    named = [found for found in fitting if not _named_otherwise(found)]
    meant = fitting if len(fitting) == 1 else named
    if len(meant) == 1:
        for cause in meant[0]:
            yield from _leaves(cause)
    elif fitting and not named and (nameless := _names_no_branch(fitting)) is not None:
        yield nameless
    else:
        yield error


def _is_wrong_type(errors: list[ValidationError]) -> bool:
    return any(error.validator in ("type", "const", "enum") and not error.path for error in errors)


def _named_otherwise(errors: list[ValidationError]) -> ValidationError | None:
    """The error that says that a property names another branch: it is a constant of this one."""
    named = (error for error in errors if error.validator in ("const", "enum") and len(error.path) == 1)
    return next(named, None)


def _names_no_branch(branches: list[list[ValidationError]]) -> ValidationError | None:
    """One error for a property that tells branches apart and names none of them."""
    found = [_named_otherwise(errors) for errors in branches]
    places = {tuple(error.path) for error in found if error is not None}
    if len(places) != 1 or not all(found):
        return None
    names: list[Any] = []
    for error in filter(None, found):
        value: Any = error.validator_value
        names += value if error.validator == "enum" else [value]
    first = found[0]
    assert first is not None
    return ValidationError(
        first.message,
        validator="enum",
        path=first.path,
        instance=first.instance,
        validator_value=names,
        schema=first.schema,
        schema_path=first.schema_path,
        parent=first.parent,
    )


def _violation(error: ValidationError) -> Violation:
    keyword = _keyword(error)
    code, expected_of, text = _CATALOGUE.get(keyword, _OTHER)
    expected = expected_of(error)
    got = actual(error.instance)
    name = str(error.absolute_path[-1]) if error.absolute_path else "the document"
    return Violation(
        code=code,
        message=text.format(expected=expected, actual=got, name=shown(name).strip("'\"")),
        pointer=pointer(error.absolute_path),
        keyword=keyword,
        schema_pointer=pointer(error.absolute_schema_path),
        expected=expected,
        actual="nothing" if keyword == "required" else got,
        hint=hint_for(error),
    )


def _brief_violation(error: ValidationError) -> Violation:
    keyword = _keyword(error)
    return Violation(
        code=_CATALOGUE.get(keyword, _OTHER)[0],
        message="",
        pointer=pointer(error.absolute_path),
        keyword=keyword,
        hint=hint_for(error) if keyword in MISSPELT else None,
    )


def _keyword(error: ValidationError) -> str:
    if (
        error.validator in ("anyOf", "oneOf")
        and error.context
        and all(cause.validator == "type" for cause in error.context)
    ):
        return "type"  # every alternative asks for another type: to the reader that is one rule
    return str(error.validator) if error.validator else "false"


def _type(error: ValidationError) -> str:
    return expected_type(_schema(error)) if error.validator == "type" else _alternatives(error)


def _schema(error: ValidationError) -> dict[str, Any]:
    return error.schema if isinstance(error.schema, dict) else {}


def _value(error: ValidationError) -> Any:
    return error.validator_value


def _alternatives(error: ValidationError) -> str:
    types: list[str] = []
    for branch in _value(error):
        if isinstance(branch, dict):
            types.append("object" if "$ref" in branch else expected_type(branch))
    return short_list("", list(dict.fromkeys(types))).replace(", ", " or ")


def _one_of(error: ValidationError) -> str:
    return short_list("one of ", [short(value, 30) for value in _value(error)])


def _count(word: str, thing: str) -> Callable[[ValidationError], str]:
    def say(error: ValidationError) -> str:
        number = error.validator_value
        return f"{word} {number} {thing}" if number == 1 else f"{word} {number} {thing}s"

    return say


def _bound(word: str) -> Callable[[ValidationError], str]:
    return lambda error: f"{word} {short(error.validator_value)}"


def _required_type(error: ValidationError) -> str:
    wanted = _schema(error).get("properties", {}).get(error.absolute_path[-1])
    return expected_type(wanted) if isinstance(wanted, dict) and "type" in wanted else "a value"


def _rule(error: ValidationError) -> str:
    return short_list("", [f"{error.validator}: {short(error.validator_value, 60)}"])


_Row = tuple[str, Callable[[ValidationError], str], str]
_EXPECTED = "expected {expected}, got {actual}"
_OTHER: _Row = ("rule-broken", _rule, "breaks the rule {expected}, got {actual}")
_CATALOGUE: dict[str, _Row] = {
    "type": ("wrong-type", _type, _EXPECTED),
    "required": ("missing-property", _required_type, "{name} is required but missing, expected {expected}"),
    "enum": ("not-allowed", _one_of, _EXPECTED),
    "const": ("not-allowed", lambda error: short(error.validator_value), _EXPECTED),
    "minLength": ("too-short", _count("at least", "character"), _EXPECTED),
    "maxLength": ("too-long", _count("at most", "character"), _EXPECTED),
    "minItems": ("too-few-items", _count("at least", "item"), _EXPECTED),
    "maxItems": ("too-many-items", _count("at most", "item"), _EXPECTED),
    "minProperties": ("too-few-keys", _count("at least", "key"), _EXPECTED),
    "maxProperties": ("too-many-keys", _count("at most", "key"), _EXPECTED),
    "minimum": ("too-small", _bound("at least"), _EXPECTED),
    "maximum": ("too-large", _bound("at most"), _EXPECTED),
    "exclusiveMinimum": ("too-small", _bound("more than"), _EXPECTED),
    "exclusiveMaximum": ("too-large", _bound("less than"), _EXPECTED),
    "multipleOf": ("not-a-multiple", _bound("a multiple of"), _EXPECTED),
    "pattern": ("pattern-mismatch", lambda error: f"text matching {error.validator_value}", _EXPECTED),
    "uniqueItems": ("repeated-item", lambda _: "items that all differ", _EXPECTED),
    "additionalProperties": ("unknown-key", lambda _: "no other keys", _EXPECTED),
    "unevaluatedProperties": ("unknown-key", lambda _: "no other keys", _EXPECTED),
    "anyOf": ("no-alternative", _alternatives, _EXPECTED),
    "oneOf": ("no-alternative", _alternatives, _EXPECTED),
    "false": ("not-allowed", lambda _: "nothing", "{name} is not allowed here"),
}
