"""What a schema of one's own asks beyond JSON Schema's assertions: formats, and the class that it came from."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

from evalcontract.catalog import keywords_in
from evalcontract.errors import SchemaError
from evalcontract.validation.violation import Violation
from evalcontract.values import actual, pointer, shown

if TYPE_CHECKING:
    from evalcontract.validation.sources import SchemaSource

_MOST_OF_A_CLASS = 100


def uses_formats(source: SchemaSource) -> bool:
    """Whether a schema, or one that it refers to, has the keyword `format`."""
    return any("format" in keywords_in(document) for document in source.own.values())


def notes_of(name: str, source: SchemaSource, formats: bool) -> Iterator[str]:
    """What has to be said of how far an own schema is checked."""
    for note in source.notes:
        yield f"{name}: {note}"
    if not formats and uses_formats(source):
        yield f"{name}: the formats of {source.label} are not checked; --formats checks them"


class OwnChecks:
    """Checks of one part of an item that go beyond its schema; made for a value that keeps the schema."""

    def __init__(self, source: SchemaSource, documents: Mapping[str, Any], formats: bool) -> None:
        self._model = source.model
        self._label = source.label
        self._formats = (
            self._format_validator(source, documents) if formats and uses_formats(source) else None
        )

    def __bool__(self) -> bool:
        return self._model is not None or self._formats is not None

    def violations(self, value: Any, path: tuple[str, ...]) -> Iterator[Violation]:
        """Values that break a format, then what the class says; pointers begin with `path`."""
        if self._formats is not None:
            for error in self._formats.iter_errors(value):
                if error.kind.name == "format":
                    yield self._bad_format(value, tuple(error.instance_path), path, error.kind.format)
        if self._model is not None:
            yield from self._said_by_class(value, path)

    def _bad_format(self, value: Any, inside: tuple[Any, ...], path: tuple[str, ...], name: str) -> Violation:
        found = value
        for step in inside:
            found = found[step]
        return Violation(
            "bad-format",
            f"expected a text of the format {name}, got {actual(found)}",
            pointer((*path, *inside)),
            keyword="format",
            expected=name,
            actual=actual(found),
            contract=self._label,
        )

    def _said_by_class(self, value: Any, path: tuple[str, ...]) -> Iterator[Violation]:
        from pydantic import ValidationError

        assert self._model is not None
        try:  # a validator of the user's class may raise anything, and print
            with redirect_stdout(sys.stderr):
                self._model.model_validate(value)
        except ValidationError as error:
            for fault in error.errors(include_url=False, include_input=False)[:_MOST_OF_A_CLASS]:
                place = _in_document(value, fault["loc"])
                yield Violation(
                    "model",
                    f"{self._label} refuses it: {shown(fault['msg'], 200)[1:-1]}",
                    pointer((*path, *place)),
                    hint="the schema of the class allows it; a validator of the class doesn't",
                    contract=self._label,
                )
        except (Exception, SystemExit) as error:
            raise SchemaError(
                f"{self._label} fails on a value: {type(error).__name__}: {shown(str(error), 160)}",
                hint="validators raise ValueError for values that they refuse",
            ) from error

    @staticmethod
    def _format_validator(source: SchemaSource, documents: Mapping[str, Any]) -> Any:
        import jsonschema_rs

        registry = jsonschema_rs.Registry([*documents.items(), *source.own.items()])
        return jsonschema_rs.validator_for(
            source.schema, registry=registry, validate_formats=True, offline=True
        )


def _in_document(value: Any, location: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """The steps of a location that the value has: names of union members and functions are none."""
    steps: list[int | str] = []
    for step in location:
        key = isinstance(value, Mapping) and step in value
        index = isinstance(value, list) and isinstance(step, int) and step < len(value)
        if key or index:
            value = value[step]
            steps.append(step)
    return tuple(steps)
