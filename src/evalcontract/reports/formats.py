"""The formats of the reports: one table, a row for each kind of result.

Every format of a verb is made from the same result object, so a further one is one more entry in its row. The table
names what writes a format; it is imported when it is asked for, so that the table itself costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from evalcontract.errors import UsageError
from evalcontract.values import no_command, visible

if TYPE_CHECKING:
    from evalcontract.checking import RunResult
    from evalcontract.datasets import ConvertedFiles
    from evalcontract.exchange import PushReport
    from evalcontract.exchange.volumes import PublishReport
    from evalcontract.importing import Transfer
    from evalcontract.release import (
        DatasetCard,
        DatasetDiff,
        DatasetName,
        DatasetStats,
        NextReleaseVersion,
        ReleaseReport,
    )
    from evalcontract.reports.freeze import FreezeReport
    from evalcontract.reports.migration import MigrationReport
    from evalcontract.reports.normalizing import NormalizingReport
    from evalcontract.reports.schema_diff import SchemaDiffReport
    from evalcontract.reports.versions import BreakingReport
    from evalcontract.scoring import AgreementReport, ScoreReport

Result = TypeVar("Result")
TEXT = "text"
_BY_LINE = ("markdown", "csv", "github")
_COLOUR = re.compile(r"(\x1b\[[0-9;]*m)")


@dataclass(frozen=True, slots=True)
class Look:
    """How the text for people looks: in the colours of a terminal, with every path of a release's items."""

    colour: bool = False
    every_path: bool = False


PLAIN = Look()


@dataclass(frozen=True, slots=True, init=False)
class Formats(Generic[Result]):
    """What writes a kind of result, by format. `text` is for people and takes a Look as well."""

    writers: dict[str, str]

    def __init__(self, **writers: str) -> None:
        object.__setattr__(self, "writers", writers)

    @property
    def names(self) -> tuple[str, ...]:
        """The formats that there are, text first."""
        return tuple(self.writers)

    def known(self, name: str) -> str:
        """The name of a format; UsageError when there is none of that name."""
        if name not in self.writers:
            raise UsageError(f"there is no format {name[:40]!r}", hint=f"known: {', '.join(self.writers)}")
        return name

    def write(self, name: str, result: Result, look: Look = PLAIN) -> str:
        """The result in a format. Raises UsageError for an unknown one."""
        writer = self.writer(name)
        if name == TEXT:
            return _no_commands(_printable(writer(result, look), look.colour))
        text = _printable(writer(result)) if name in _BY_LINE else writer(result)
        return _no_commands(text) if name == "markdown" else text

    def writer(self, name: str) -> Callable[..., str]:
        """The function that writes a format. Raises UsageError for an unknown one."""
        module, _, function = self.writers[self.known(name)].partition(":")
        found: Any = getattr(import_module(f"evalcontract.reports.{module}"), function)
        return found  # type: ignore[no-any-return]


def _printable(text: str, colour: bool = False) -> str:
    """The lines of a report without a character that can't be printed, save for the colours that were asked for."""
    if all(map(str.isprintable, text.split("\n"))):
        return text
    parts = _COLOUR.split(text) if colour else [text]
    return "".join(
        part if number % 2 else "\n".join(visible(line, len(line)) for line in part.split("\n"))
        for number, part in enumerate(parts)
    )


def _no_commands(text: str) -> str:
    """The same for people, who may read it in the log of a workflow, of which lines can be commands."""
    return "\n".join(map(no_command, text.split("\n"))) if "::" in text or "##" in text else text


RUN: Formats[RunResult] = Formats(
    text="text:text",
    json="json_report:json_report",
    github="github:github",
    junit="junit:junit",
    sarif="sarif:sarif",
    html="pages.run:run_html",
)
RELEASE: Formats[ReleaseReport] = Formats(
    text="release:release_text",
    json="release:release_json",
    github="release:release_github",
    junit="release:release_junit",
    sarif="release:release_sarif",
    html="pages.release:release_html",
)
NAME: Formats[DatasetName] = Formats(text="datasets:name_text", json="datasets:name_json")
DIFF: Formats[DatasetDiff] = Formats(
    text="datasets:diff_text", json="datasets:diff_json", html="pages.release:diff_html"
)
NEXT_VERSION: Formats[NextReleaseVersion] = Formats(
    text="datasets:next_version_text", json="datasets:next_version_json"
)
STATS: Formats[DatasetStats] = Formats(text="datasets:stats_text", json="datasets:stats_json")
CARD: Formats[DatasetCard] = Formats(
    text="card:card_text", markdown="card:card_markdown", json="card:card_croissant"
)
PUBLISH: Formats[PublishReport] = Formats(text="publishing:publish_text", json="publishing:publish_json")
PUSH: Formats[PushReport] = Formats(text="exchange:push_text", json="exchange:push_json")
CONVERTED: Formats[ConvertedFiles] = Formats(
    text="converting:converted_text", json="converting:converted_json"
)
NORMALIZED: Formats[NormalizingReport] = Formats(
    text="normalizing:normalizing_text", json="normalizing:normalizing_json"
)
MIGRATED: Formats[MigrationReport] = Formats(text="migration:migration_text", json="migration:migration_json")
TRANSFER: Formats[Transfer] = Formats(
    text="transfer:transfer_text", json="transfer:transfer_json", html="pages.transfer:transfer_html"
)
AGREEMENT: Formats[AgreementReport] = Formats(
    text="agreement:agreement_text", json="agreement:agreement_json", markdown="agreement:agreement_markdown"
)
SCORES: Formats[ScoreReport] = Formats(
    text="scores:scores_text",
    json="scores_data:scores_json",
    csv="scores_data:scores_csv",
    markdown="scores_markdown:scores_markdown",
    html="pages.scores:scores_html",
)
BREAKING: Formats[BreakingReport] = Formats(
    text="versions:breaking_text",
    json="versions:breaking_json",
    github="versions:breaking_github",
    html="pages.breaking:breaking_html",
)
CHANGELOG: Formats[SchemaDiffReport] = Formats(
    text="schema_diff:changelog_text", json="schema_diff:diff_json"
)
SCHEMA_DIFF: Formats[SchemaDiffReport] = Formats(
    text="schema_diff:diff_text", markdown="schema_diff:diff_markdown", json="schema_diff:diff_json"
)
FREEZE: Formats[FreezeReport] = Formats(
    text="freeze:freeze_text", json="freeze:freeze_json", github="freeze:freeze_github"
)
