"""`evalcontract schema lint|vectors`: what holds of a folder of contracts, and the vectors of each."""

from __future__ import annotations

from typing import Annotated

import typer

from evalcontract.cli.options import Schemas
from evalcontract.cli.output import emit
from evalcontract.cli.roles import SAYS
from evalcontract.errors import UsageError
from evalcontract.values import counted, visible


def lint(
    schemas: Schemas = None,
    profile: Annotated[
        str,
        typer.Option(
            help="strict: what code in every language needs is an error; loose: it is an advice.",
        ),
        SAYS,
    ] = "strict",
) -> None:
    """Check a folder of contracts: each finding with its line, its rule and the way out.

    Exit code: 0 clean, 1 findings, 2 wrong usage or a catalog.json that can't be read.
    """
    from evalcontract.authoring import lint_layers
    from evalcontract.evolution.versions import checkout_folder
    from evalcontract.settings import catalogue_for

    catalogue = catalogue_for(schemas or ())
    if checkout_folder(catalogue) is None:
        raise UsageError("there are no contracts of your own", hint="name their folder with --schemas")
    findings = list(lint_layers(catalogue, profile))
    for finding in findings:
        emit(f"{visible(str(finding))}\n  hint: {visible(finding.hint)}\n")
    errors = sum(not finding.advice for finding in findings)
    advices = f", {counted(len(findings) - errors, 'advice')}" if len(findings) > errors else ""
    emit(f"{'failed' if errors else 'ok'}: {counted(errors, 'finding')}{advices}\n")
    if errors:
        raise typer.Exit(1)


def vectors(
    name: Annotated[
        str, typer.Argument(help="NAME or NAME@VERSION, the version being worked on by default."), SAYS
    ],
    schemas: Schemas = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 when a vector is missing.")
    ] = False,
) -> None:
    """Write the vectors that a contract lacks: valid and invalid documents, and what is wrong with each.

    There is one for every change of the schema (a keyword dropped, a bound moved, a type widened), as far as any
    document shows it; changes that no vector notices are listed. Vectors that are there stay as they are.

    Exit code: 0 fine, 1 a vector's verdict isn't what its place says, 2 wrong usage.
    """
    from evalcontract.authoring import vectors_of
    from evalcontract.evolution.versions import checkout_folder, working_version
    from evalcontract.files import write_all
    from evalcontract.settings import catalogue_for

    catalogue = catalogue_for(schemas or ())
    ref = working_version(catalogue, name)
    if checkout_folder(catalogue) is None or ref.name not in catalogue.own_names():
        raise UsageError(
            f"{ref} is no contract of your own folder",
            hint="name the folder that has it last, with --schemas",
        )
    found = vectors_of(catalogue, ref)
    for sentence in found.wrong:
        emit(f"{visible(sentence)}\n")
    files = found.files()
    if not check and not found.wrong:
        for path in files:
            path.parent.mkdir(parents=True, exist_ok=True)
        write_all(files)
    done = "missing" if check or found.wrong else "new"
    emit(f"{ref}: {counted(len(found.old), 'vector')}, {len(found.new)} {done}, in {found.folder}\n")
    emit(f"  noticed: {found.mutants - len(found.unnoticed)} of {found.mutants} changes of the schema\n")
    for what in found.unnoticed:
        emit(f"  unnoticed: {visible(what)}\n")
    if found.wrong or (check and found.new):
        raise typer.Exit(1)


def register(app: typer.Typer) -> None:
    """Add the commands to `evalcontract schema`."""
    for command in (lint, vectors):
        app.command()(command)
