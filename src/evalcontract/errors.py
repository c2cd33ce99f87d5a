"""One tree of errors: whatever goes wrong on purpose is a ContractError.

A message is one sentence that says what is wrong; `hint` says the way out.
"""

from __future__ import annotations

INTERRUPTED = 130
"""What a command exits with when it was interrupted, as shells have it."""


class ContractError(Exception):
    """Anything evalcontract refuses to do, with the way out in `hint` where one is known."""

    exit_code = 2

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class UsageError(ContractError):
    """The call itself is wrong: an option, a name or a combination that makes no sense."""


class NotAPointer(UsageError, ValueError):
    """Text that is said to be a JSON pointer (RFC 6901) and isn't one."""


class UnknownContract(UsageError, LookupError):
    """No contract of that name is in the catalogue."""


class UnknownVersion(UsageError, LookupError):
    """The contract exists, but not in that version."""


class SchemaError(ContractError):
    """A schema that can't be used: not JSON Schema, a dangling reference, a class that isn't a model."""


class CatalogError(ContractError):
    """The catalogue is damaged, or a released schema file is not what was released."""


class HistoryError(ContractError):
    """What git is asked for isn't there: no repository, a shallow clone, an unknown commit."""


class MappingError(UsageError):
    """A mapping that can't be used: unknown, not in its format, or leading to a field that doesn't exist."""


class UnreadableInput(ContractError):
    """The input can't be read at all: missing, a folder without matching files, not text."""


class MigrationRefused(ContractError):
    """A document that can't be moved to the new version without guessing or losing something."""

    exit_code = 1


class WorkerLost(ContractError):
    """A process that did a part of the work is gone; nothing of its part is known."""


class ContractViolation(ContractError, ValueError):
    """A document breaks its contract; `violations` lists every way in which it does.

    `details` are lines at the end of the message.
    """

    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        violations: tuple[object, ...] = (),
        details: tuple[str, ...] = (),
        hint: str | None = None,
    ) -> None:
        super().__init__("\n  ".join([message, *details]), hint=hint)
        self.violations = violations
        self.details = details


class UnfitSchemas(ContractViolation):
    """Schemas that break rules of authoring, so that nothing can be made of them; `details` are the findings."""

    exit_code = 2


class UnexpectedShape(ContractViolation):
    """Data from outside (a provider's answer, a trace, a transcript) is not of the shape it is said to be."""


class OffsetMismatch(UnexpectedShape):
    """The offsets in a provider's answer do not lead to the text that the provider says is there."""


class NoAnswer(ContractViolation):
    """A provider says that it has no answer (failed, cancelled, still running), or its stream ends early."""


class IncompleteTrace(ContractError):
    """A trace or transcript lacks what a prediction needs; `missing` names each part. It may still arrive."""

    exit_code = 1

    def __init__(self, message: str, *, missing: tuple[str, ...] = (), hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.missing = missing


class MetricValueError(UsageError, ValueError):
    """A metric was given a value it can't measure: k < 1, a grade of 7, a null id, a NaN score."""


class MetricTypeError(UsageError, TypeError):
    """A metric was given the wrong type: contexts that are no strings, arguments that are no object."""


class RagValueError(UsageError, ValueError):
    """A retrieval-augmented call was given a value it can't use: k <= 0, an empty id, a NaN score."""


class RagTypeError(UsageError, TypeError):
    """A retrieval-augmented call was given the wrong type: an id that is a number, a counter of words."""


class ModelUnavailable(ContractError):
    """The chat model could not be reached, or went on failing after all retries."""


class ModelRejected(ContractError):
    """The chat model's endpoint refused the request itself: a wrong key, model name or parameter."""
