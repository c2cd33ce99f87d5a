"""`evalcontract schema versions|breaking|diff|changelog|next-version|release|verify`."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from click.exceptions import Exit

from evalcontract.catalog import Catalogue
from evalcontract.cli.apps import App
from evalcontract.cli.options import BreakingFormat, Limit, PlainFormat, Report, SchemaDiffFormat, Schemas
from evalcontract.cli.output import emit, finish, format_for, say
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.roles import READS_FILE, READS_FILES, READS_SCHEMA, SAYS
from evalcontract.errors import UsageError
from evalcontract.files import write_whole
from evalcontract.reports import BREAKING, CHANGELOG, FREEZE, SCHEMA_DIFF
from evalcontract.values import visible

if TYPE_CHECKING:
    from evalcontract.evolution import Judgement
    from evalcontract.reports import Places

Name = Annotated[str, Argument(help="NAME or NAME@VERSION, the version being worked on by default."), SAYS]
Waivers = Annotated[
    Path | None, Option(help="JSON file of [{code, pointer, reason}] for what can't be decided."), READS_FILE
]


def versions(name: Name, schemas: Schemas = None) -> None:
    """List the versions of a contract: status, date, hash, errata."""
    from evalcontract.reports import versions_text
    from evalcontract.settings import catalogue_for

    emit(versions_text(catalogue_for(schemas or ()), name))


def breaking(
    name: Annotated[
        str | None,
        Argument(help="NAME[@VERSION], a schema file or package.module:Class; without it, every contract."),
        READS_SCHEMA,
    ] = None,
    against: Annotated[
        str,
        Option(
            help="all (released versions of the same major), VERSION, NAME@VERSION, a git commit, a file or a class."
        ),
        READS_SCHEMA,
    ] = "all",
    mode: Annotated[str, Option(help="backward, forward or full."), SAYS] = "backward",
    keys_from: Annotated[
        list[str] | None,
        Option(help="Datasets that settle whether a new key was in use with other values."),
        READS_FILES,
    ] = None,
    schemas: Schemas = None,
    waivers: Waivers = None,
    budget: Annotated[
        int, Option(min=1_000, max=1_000_000_000, help="Steps of work for each proof and each search.")
    ] = 250_000,
    limit: Limit = None,
    report_format: BreakingFormat = None,
    output: Report = None,
) -> None:
    """Say whether a schema breaks its released versions, with a document as proof.

    Exit code: 0 fine, 1 breaking, 2 wrong usage, 3 undecided.
    """
    from evalcontract.evolution import compare_schemas, read_waivers
    from evalcontract.evolution.versions import ALL, mode_named, uncompared
    from evalcontract.reports import BreakingReport
    from evalcontract.settings import catalogue_for

    format_ = format_for(BREAKING, report_format, output)
    wanted = mode_named(mode)
    catalogue = catalogue_for(schemas or (), loose=name is not None)
    accepted = read_waivers(waivers, catalogue.base_uri)
    found: list[Judgement] = []
    notes: list[str] = []
    for contract in [name] if name is not None else catalogue.own_names():
        found += compare_schemas(
            contract,
            against,
            mode=wanted,
            catalogue=catalogue,
            waivers=accepted,
            keys_from=keys_from or (),
            budget=budget,
        )
        notes += uncompared(catalogue, contract, against)
    report = BreakingReport(found, _places(catalogue), transitive=against == ALL, notes=notes)
    emit(BREAKING.write(format_, report), output)
    finish(report.exit_code, output)


def diff(
    old: Annotated[
        str,
        Argument(
            help="The older schema: NAME@VERSION, a file, FILE#/$defs/NAME, a folder, COMMIT:PATH, WHEEL:PATH, a class."
        ),
        READS_SCHEMA,
    ],
    new: Annotated[str, Argument(help="The newer one, likewise."), READS_SCHEMA],
    schemas: Schemas = None,
    report_format: SchemaDiffFormat = None,
    output: Report = None,
) -> None:
    """Say in words what changed between two schemas, by property and without a verdict."""
    from evalcontract.evolution.comparing import changes
    from evalcontract.evolution.versions import two_schemas
    from evalcontract.reports import SchemaDiff, SchemaDiffReport
    from evalcontract.settings import catalogue_for

    format_ = format_for(SCHEMA_DIFF, report_format, output)
    sides = two_schemas(catalogue_for(schemas or (), loose=True), old, new)
    diffs = [
        SchemaDiff(older.label, newer.label, () if refused else changes(older, newer), refused)
        for older, newer in sides
        for refused in (older.refused or newer.refused,)
    ]
    emit(SCHEMA_DIFF.write(format_, SchemaDiffReport(diffs)), output)


def changelog(
    name: Annotated[str, Argument(help="The contract."), SAYS],
    old: Annotated[str, Argument(help="The older version."), SAYS],
    new: Annotated[str, Argument(help="The newer version."), SAYS],
    schemas: Schemas = None,
    report_format: PlainFormat = None,
    output: Report = None,
) -> None:
    """Write the section of a CHANGELOG, in Markdown: what a version added, changed and removed."""
    from evalcontract.evolution.comparing import changes
    from evalcontract.evolution.versions import side_of
    from evalcontract.reports import SchemaDiff, SchemaDiffReport
    from evalcontract.settings import catalogue_for

    format_ = format_for(CHANGELOG, report_format, output)
    catalogue = catalogue_for(schemas or ())
    sides = [side_of(catalogue, catalogue.resolve(name, version)) for version in (old, new)]
    found = SchemaDiff(sides[0].label, sides[1].label, changes(*sides))
    emit(CHANGELOG.write(format_, SchemaDiffReport([found], f"{name} {new}")), output)


def next_version(name: Name, schemas: Schemas = None, waivers: Waivers = None) -> None:
    """Say the smallest legal number of a schema and why.

    Exit code: 0 the schema has a legal number, 1 it doesn't.
    """
    from evalcontract.evolution.versions import next_version as numbered_next
    from evalcontract.evolution.versions import read_waivers, working_version
    from evalcontract.settings import catalogue_for

    catalogue = catalogue_for(schemas or ())
    ref = working_version(catalogue, name)
    found = numbered_next(catalogue, ref, read_waivers(waivers, catalogue.base_uri))
    compared = ", ".join(comparison.old for comparison in found.comparisons) or "nothing released"
    say(f"{found.smallest} ({found.step}; compared with {compared})")
    for reason in found.reasons:
        say(f"  {reason}")
    if not catalogue.entry(ref).frozen and not found.legal:
        say(f"{ref} can't have that number, but {' or '.join(found.allowed)}")
        raise Exit(1)


def release(
    name: Name,
    schemas: Schemas = None,
    on: Annotated[str | None, Option(help="Date of the release, today by default."), SAYS] = None,
    waivers: Waivers = None,
) -> None:
    """Freeze a draft: enter its hash and date in catalog.json. It can never be changed again."""
    from evalcontract.evolution.versions import checkout_folder, prepare, read_waivers, working_version
    from evalcontract.settings import catalogue_for, folders_for

    catalogue = catalogue_for(schemas or ())
    folder = checkout_folder(catalogue)
    if folder is None:
        raise UsageError(
            "the schemas of an installed package can't be released", hint="run this in a checkout"
        )
    if not folders_for(schemas or ()) and not Path.cwd().is_relative_to(folder.parent):
        raise UsageError(
            f"{folder} is not of this checkout", hint=f"run this there, or say --schemas {folder}"
        )
    found = prepare(
        catalogue, working_version(catalogue, name), _date(on), read_waivers(waivers, catalogue.base_uri)
    )
    write_whole(folder / "catalog.json", found.catalog_text)
    say(f"released {found.ref}, sha256 {found.sha256}")
    for advice in found.advices:
        say(f"advice: {visible(advice)}")


def verify(
    schemas: Schemas = None,
    base: Annotated[str | None, Option(help="A commit whose releases must be here as well."), SAYS] = None,
    wheel: Annotated[Path | None, Option(help="A built wheel to look into as well."), READS_FILE] = None,
    report_format: BreakingFormat = None,
    output: Report = None,
) -> None:
    """Check that released schemas are what was released: bytes, git history and, if given, a built wheel.

    Exit code: 0 the freeze holds, 1 it doesn't. A checkout without history fails.
    """
    from evalcontract.evolution.versions import Grounds, checkout_folder, verify
    from evalcontract.reports import FreezeReport
    from evalcontract.settings import catalogue_for

    format_ = format_for(FREEZE, report_format, output)
    catalogue = catalogue_for(schemas or ())
    grounds = Grounds(catalogue, checkout_folder(catalogue), base, wheel)
    report = FreezeReport(verify(grounds), _places(catalogue).folder)
    emit(FREEZE.write(format_, report), output)
    finish(report.exit_code, output)


def register(app: App) -> None:
    """Add the commands to `evalcontract schema`."""
    for command in (versions, breaking, diff, changelog, release, verify):
        app.register()(command)
    app.register("next-version")(next_version)


def _date(text: str | None) -> date:
    try:
        return date.fromisoformat(text) if text else date.today()
    except ValueError as error:
        raise UsageError(f"{text!r} is not a date", hint="write it as 2026-01-31") from error


def _places(catalogue: Catalogue) -> Places:
    from evalcontract.reports import Places

    return Places(catalogue.base_uri, os.path.relpath(str(catalogue.root)))
