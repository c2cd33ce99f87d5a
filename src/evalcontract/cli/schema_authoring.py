"""`evalcontract schema new|lint|vectors|write`: drafts, what holds of a folder of contracts, vectors, and editors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from click.exceptions import Exit

from evalcontract.cli.apps import App
from evalcontract.cli.options import Limit, Schemas
from evalcontract.cli.output import emit, say
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.roles import READS_DATA, SAYS, WRITES_FOLDER
from evalcontract.errors import UsageError
from evalcontract.values import counted, visible


def new(
    name: Annotated[
        str, Argument(help="NAME of a contract or a schema type, or NAME@VERSION of one that is there."), SAYS
    ],
    extends: Annotated[str | None, Option(help="Contract or schema type that it goes on from."), SAYS] = None,
    field: Annotated[
        list[str] | None,
        Option(
            metavar="'NAME: KIND - what it means'",
            help="A property: string, integer, number, boolean, object, any or a contract; [] behind the kind for a "
            "list, ? where it may be absent. May be repeated.",
        ),
        SAYS,
    ] = None,
    data: Annotated[
        Path | None,
        Option(
            "--from",
            help="Items, or documents of the contract, to propose properties from (extra authoring).",
        ),
        READS_DATA,
    ] = None,
    limit: Limit = None,
    base_uri: Annotated[
        str | None, Option(help="What the $id of your schemas begins with, for a new folder."), SAYS
    ] = None,
    schemas: Schemas = None,
) -> None:
    """Draft a contract, a schema type, or a new version of one, with its catalogue entry and first vectors.

    Written into the last folder of --schemas, which is begun when it has no catalog.json. What a draft can't know
    is listed.
    """
    from evalcontract.authoring import draft, field_from_words, fields_from_data
    from evalcontract.catalog import Catalogue
    from evalcontract.files import write_all
    from evalcontract.settings import folders_for

    folders = folders_for(schemas or ())
    if not folders:
        raise UsageError(
            "there is no folder for contracts of your own", hint="name one with --schemas FOLDER"
        )
    fields, left_out = fields_from_data(data) if data is not None else ({}, [])
    fields[""] = [*fields.get("", ()), *map(field_from_words, field or ())]
    folder = folders[-1]
    made = draft(folder, Catalogue.load(*folders[:-1]), name, fields, extends, base_uri)
    for path in made.files:
        path.parent.mkdir(parents=True, exist_ok=True)
    write_all(made.files)
    for ref in made.refs:
        say(f"drafted {ref}: {folder / ref.name / ref.version}.json")
    vectors = sum("conformance" in path.relative_to(folder).parts[:1] for path in made.files)
    say(f"  with {counted(vectors, 'file')} of vectors, entered in {folder / 'catalog.json'}")
    for sentence in [*made.unknown, *left_out]:
        say(f"  to settle: {visible(sentence)}")


def lint(
    schemas: Schemas = None,
    profile: Annotated[
        str,
        Option(help="strict: what code in every language needs is an error; loose: it is an advice."),
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
        say(str(finding), f"  hint: {finding.hint}")
    errors = sum(not finding.advice for finding in findings)
    if catalogue.labels:
        say(f"layers: {', '.join(catalogue.labels)}")
    advices = f", {counted(len(findings) - errors, 'advice')}" if len(findings) > errors else ""
    say(f"{'failed' if errors else 'ok'}: {counted(errors, 'finding')}{advices}")
    if errors:
        raise Exit(1)


def vectors(
    name: Annotated[
        str, Argument(help="NAME or NAME@VERSION, the version being worked on by default."), SAYS
    ],
    schemas: Schemas = None,
    check: Annotated[
        bool, Option("--check", help="Write nothing; exit with 1 when a vector is missing.")
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
        say(sentence)
    files = found.files()
    if not check and not found.wrong:
        for path in files:
            path.parent.mkdir(parents=True, exist_ok=True)
        write_all(files)
    done = "missing" if check or found.wrong else "new"
    say(f"{ref}: {counted(len(found.old), 'vector')}, {len(found.new)} {done}, in {found.folder}")
    say(f"  noticed: {found.mutants - len(found.unnoticed)} of {found.mutants} changes of the schema")
    for what in found.unnoticed:
        say(f"  unnoticed: {visible(what)}")
    if found.wrong or (check and found.new):
        raise Exit(1)


def write(
    editor: Annotated[
        str, Option(help="The project's folder, in which editors look for settings."), WRITES_FOLDER
    ],
    data: Annotated[
        list[str] | None,
        Option(metavar="PATTERN", help="Files of data, such as **/evals/**/*.json; may be repeated."),
        SAYS,
    ] = None,
    schemas: Schemas = None,
) -> None:
    """Write a schema of evaluation data, and settings by which editors check files and complete keys as one types.

    For VS Code, yaml-language-server and JetBrains' editors. Settings that are there already are left as they are;
    what to add to them is printed.
    """
    from evalcontract.authoring import DATA_PATTERNS, SCHEMA_FILE, editor_files
    from evalcontract.files import write_all
    from evalcontract.settings import catalogue_for

    if not editor:
        raise UsageError("an empty name is no folder", hint="name the folder of the project, or .")
    if any(not pattern for pattern in data or ()):
        raise UsageError("an empty pattern names no file", hint="write one such as **/evals/**/*.json")
    files = editor_files(catalogue_for(schemas or ()), data or DATA_PATTERNS)
    outputs: dict[Path, bytes] = {}
    for name, text in files.items():
        path = Path(editor) / name
        if name == SCHEMA_FILE or not path.exists():
            outputs[path] = text.encode()
            say(str(path))
        elif path.read_bytes() != text.encode():
            emit(f"{path} is there already; it needs:\n{text}")
    for path in outputs:
        path.parent.mkdir(parents=True, exist_ok=True)
    write_all(outputs)


def register(app: App) -> None:
    """Add the commands to `evalcontract schema`."""
    for command in (new, lint, vectors, write):
        app.register()(command)
