"""Errors that handlers written for plain dictionary access and pydantic catch too.

pydantic's ValidationError can be derived from, but not constructed: `from_exception_data` makes an instance
of the class it is called on and passes four positional arguments to `__new__`, which has to stay as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, TypeVar

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from evalcontract.errors import ContractViolation
from evalcontract.validation import Violation
from evalcontract.values import follow, pointer_tokens


class MissingPart(ContractViolation, KeyError):
    """A live response lacks `choices`, `message` or `context`; `key` is the one."""

    def __init__(
        self, message: str, *, key: str = "", violations: tuple[object, ...] = (), hint: str | None = None
    ) -> None:
        super().__init__(message, violations=violations, hint=hint)
        self.key = key


class NoChoices(ContractViolation, IndexError):
    """A live response has an empty list of choices."""


class InvalidCitations(ContractViolation, ValidationError):
    """The context of a live response breaks its contract. `errors()` gives pydantic's view of `violations`."""

    def __init__(self, title: str, line_errors: Sequence[object], input_type: str, hide_input: bool) -> None:
        super().__init__(title)

    def __reduce__(self) -> tuple[Any, ...]:
        # Not by pydantic's own way, which in some versions can't rebuild errors of custom kinds.
        faults = [(fault["type"], fault["msg"], fault["loc"], fault["input"]) for fault in self.errors()]
        return _with_faults, (type(self), faults), self.__dict__

    @classmethod
    def of(cls, violations: tuple[Violation, ...], message: str, context: Any) -> Self:
        """The error for these violations, whose pointers start at `context`."""
        faults = [
            (_KINDS.get(fault.code, fault.code), fault.message, *_resolved(fault.pointer, context))
            for fault in violations
        ]
        error = _with_faults(cls, faults)
        ContractViolation.__init__(error, message, violations=violations)
        return error


_Fault = tuple[str, str, tuple[str | int, ...], Any]
_Kind = TypeVar("_Kind", bound=InvalidCitations)


def _with_faults(kind: type[_Kind], faults: Sequence[_Fault]) -> _Kind:
    details: list[InitErrorDetails] = [
        # The text may hold braces, which a template would take for its own.
        {"type": PydanticCustomError(code, "{text}", {"text": text}), "loc": location, "input": value}
        for code, text, location, value in faults
    ]
    return kind.from_exception_data("RAGContext", details)


_KINDS = {
    "missing-property": "missing",
    "too-short": "string_too_short",
    "too-small": "greater_than_equal",
    "too-large": "less_than_equal",
}
"""What pydantic calls the same fault."""


def _resolved(pointer: str, document: Any) -> tuple[tuple[str | int, ...], Any]:
    """The path that a pointer means in a document and the value there; for a missing key, of its owner."""
    tokens = pointer_tokens(pointer)
    try:
        return follow(document, tokens)
    except LookupError:
        path, owner = follow(document, tokens[:-1])
        return (*path, tokens[-1]), owner
