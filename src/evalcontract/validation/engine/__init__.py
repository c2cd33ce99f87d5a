"""Engines that decide whether a document keeps a schema: `jsonschema`, and a compiled one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.lazy import lazily

if TYPE_CHECKING:
    from evalcontract.validation.engine.evaluated import additional_keys
    from evalcontract.validation.engine.patterns import PatternUndecided, compiled_pattern
    from evalcontract.validation.engine.reference import reference_validator

__all__ = [
    "PatternUndecided",
    "additional_keys",
    "compiled_pattern",
    "reference_validator",
]

__getattr__ = lazily(
    __name__,
    {
        "evaluated": "additional_keys",
        "patterns": "PatternUndecided compiled_pattern",
        "reference": "reference_validator",
    },
)
