"""What breaks a rule in a folder of schemas, and where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from evalcontract.authoring.schema_tree import Schemas
from evalcontract.reading import JsonText


@dataclass(frozen=True, slots=True)
class LintFinding:
    """A rule that a file breaks, with the way out.

    `line` and `column` count from 1; both are 0 where the file as a whole is meant. An `advice` fails nothing.
    """

    path: str
    rule: str
    message: str
    hint: str = ""
    line: int = 0
    column: int = 0
    advice: bool = False

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        return f"{place}: {'advice: ' if self.advice else ''}{self.rule}: {self.message}"


class Breach(NamedTuple):
    """A file that breaks a rule, in words; `at` are the keys that lead to what is wrong, as far as it is there."""

    path: str
    message: str
    at: tuple[str, ...] = ()
    way_out: str = ""


Broken = Iterator[Breach]


@dataclass(frozen=True, slots=True)
class LintRule:
    """A rule over a folder of schemas; `run` yields each breach. `way_out` holds where a breach has none of its own.

    `of_profile`: it reads schemas of the profile only.
    """

    code: str
    why: str
    way_out: str
    run: Callable[[Schemas], Broken]
    of_profile: bool = False


def findings(rule: LintRule, schemas: Schemas) -> list[LintFinding]:
    """Every breach of a rule in a folder, each at its line."""
    return [
        _located(
            LintFinding(breach.path, rule.code, breach.message, breach.way_out or rule.way_out),
            schemas.root.parent / breach.path,
            breach.at,
        )
        for breach in sorted(set(rule.run(schemas)))
    ]


def _located(finding: LintFinding, file: Path, at: tuple[str, ...]) -> LintFinding:
    if not at:
        return finding
    try:
        text = JsonText(file.read_bytes().removeprefix(b"\xef\xbb\xbf"), 1)
    except OSError:
        return finding
    for depth in range(len(at), 0, -1):
        try:
            place = text.find(at[:depth], key=True)
        except (LookupError, ValueError):
            continue
        return replace(finding, line=place.line, column=place.column)
    return replace(finding, line=1, column=1)
