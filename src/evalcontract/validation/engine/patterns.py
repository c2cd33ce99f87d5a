"""Finding the patterns of schemas in texts, in bounded time whatever the pattern and the text."""

from __future__ import annotations

from functools import lru_cache

import jsonschema_rs
import regress

from evalcontract.errors import SchemaError
from evalcontract.validation.engine.ecma import NotBounded, bounded
from evalcontract.values import shown

_SIZE_LIMIT = 1 << 26
_BACKTRACK_LIMIT = 1_000_000
_LONGEST_PATTERN = 20_000
_LONGEST_LOOKED_AROUND = 20_000


class PatternUndecided(Exception):
    """A text that is too long, or takes too many steps, for a pattern that looks around."""


class Pattern:
    """An ECMAScript pattern, flag u. Linear in the length of a text; with look-arounds, limited in steps."""

    def __init__(self, pattern: str) -> None:
        made = bounded(pattern)
        self._looks_around = made.looks_around
        self._engine = jsonschema_rs.Draft202012Validator(
            {"pattern": made.pattern},
            pattern_options=jsonschema_rs.FancyRegexOptions(_BACKTRACK_LIMIT, _SIZE_LIMIT)
            if made.looks_around
            else jsonschema_rs.RegexOptions(_SIZE_LIMIT),
        )

    def is_in(self, text: str) -> bool:
        """Whether any part of the text matches. Raises PatternUndecided."""
        if not self._looks_around:
            return self._engine.is_valid(text)
        if len(text) > _LONGEST_LOOKED_AROUND:  # each look may go to the end: the time is a square
            raise PatternUndecided
        kinds = [error.kind for error in self._engine.iter_errors(text)]
        if any(isinstance(kind, jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded) for kind in kinds):
            raise PatternUndecided
        return not kinds


@lru_cache(maxsize=512)
def compiled_pattern(pattern: str) -> Pattern:
    """The pattern, compiled once; SchemaError when it isn't one, or could take forever."""
    if len(pattern) > _LONGEST_PATTERN:
        raise SchemaError(f"a pattern of {len(pattern):,} characters", hint=f"at most {_LONGEST_PATTERN:,}")
    try:
        regress.Regex(pattern, "u")
    except regress.RegressError as error:
        raise SchemaError(f"{shown(pattern)} is not a regular expression: {shown(str(error))}") from error
    try:
        return Pattern(pattern)
    except (NotBounded, jsonschema_rs.ValidationError) as error:
        raise SchemaError(
            f"{shown(pattern)} can't be matched in bounded time",
            hint="write it without back references and inner flags, with smaller counts",
        ) from error
