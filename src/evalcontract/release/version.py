"""Versions of dataset releases: compared as numbers, a pre-release below the release it leads to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import total_ordering

from evalcontract.errors import UsageError
from evalcontract.values import shown

_NUMBER = r"(?:0|[1-9][0-9]{0,8})"
PATTERN = (
    rf"{_NUMBER}(?:\.{_NUMBER}){{1,3}}(?:-?[A-Za-z][0-9A-Za-z]{{0,19}}(?:[-.][0-9A-Za-z]{{1,20}}){{0,4}})?"
)
"""What can be read as a version; `plain` tells those that a release may carry."""

_VERSION = re.compile(PATTERN, re.ASCII)
_PARTS = re.compile(rf"({_NUMBER}(?:\.{_NUMBER})*)(.*)", re.ASCII)
_TOKEN = re.compile(r"[0-9]+|[A-Za-z]+", re.ASCII)


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class ReleaseVersion:
    """A version as it is written somewhere, with the order that its numbers give.

    1.10 is higher than 1.9; 1.2 and 1.2.0 are equal; 1.2-rc1 is lower than 1.2, and 1.2-rc10 higher than
    1.2-rc2. The contracts admit `major.minor` alone: other forms are read from names that people give, so
    that they can be compared and reported, but no release may carry one.
    """

    text: str
    numbers: tuple[int, ...] = field(repr=False)
    stage: tuple[tuple[int, int, str], ...] = field(repr=False, default=())

    @classmethod
    def parse(cls, text: str) -> ReleaseVersion:
        """Read a version; UsageError for anything else."""
        match = _PARTS.fullmatch(text) if isinstance(text, str) and _VERSION.fullmatch(text) else None
        if match is None:
            raise UsageError(
                f"{shown(text)} is not a version of a dataset", hint="write major.minor, for example 1.6"
            )
        tokens = _TOKEN.findall(match[2])
        stage = tuple((0, int(token), "") if token.isdigit() else (1, 0, token.lower()) for token in tokens)
        return cls(text, tuple(map(int, match[1].split("."))), stage)

    @property
    def major(self) -> int:
        """The first number."""
        return self.numbers[0]

    @property
    def minor(self) -> int:
        """The second number."""
        return self.numbers[1]

    @property
    def plain(self) -> bool:
        """Whether it is `major.minor`, the only form that a release may carry."""
        return len(self.numbers) == 2 and not self.stage

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, ReleaseVersion) else NotImplemented

    def __lt__(self, other: ReleaseVersion) -> bool:
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[tuple[int, ...], bool, tuple[tuple[int, int, str], ...]]:
        significant = len(self.numbers)
        while significant and self.numbers[significant - 1] == 0:
            significant -= 1
        return self.numbers[:significant], not self.stage, self.stage
