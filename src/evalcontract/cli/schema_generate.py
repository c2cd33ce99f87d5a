"""`evalcontract schema generate|site`: code, self-contained schemas and pages from contracts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from click.exceptions import Exit

from evalcontract.cli.options import Schemas
from evalcontract.cli.output import say
from evalcontract.cli.parameters import Option
from evalcontract.cli.roles import WRITES_FOLDER
from evalcontract.errors import UsageError
from evalcontract.values import counted

_CHECK = "Write nothing; exit with 1 when a file would change."


def _folder(what: str) -> Option:
    option: Option = Option(help=f"Folder for the {what}.")
    return option


def generate(
    schemas: Schemas = None,
    bundles: Annotated[Path | None, _folder("self-contained schemas"), WRITES_FOLDER] = None,
    flat: Annotated[Path | None, _folder("self-contained schemas without inheritance"), WRITES_FOLDER] = None,
    python: Annotated[Path | None, _folder("package of pydantic models"), WRITES_FOLDER] = None,
    typescript: Annotated[Path | None, _folder("npm package of types and a validator"), WRITES_FOLDER] = None,
    go: Annotated[Path | None, _folder("Go module of types and a validator"), WRITES_FOLDER] = None,
    java: Annotated[Path | None, _folder("Maven package of types and a validator"), WRITES_FOLDER] = None,
    rust: Annotated[Path | None, _folder("Cargo package of types and a validator"), WRITES_FOLDER] = None,
    check: Annotated[bool, Option("--check", help=_CHECK)] = False,
) -> None:
    """Write what is derived from contracts, each kind into a folder of its own.

    Without --schemas and settings, from the built-in contracts.

    Exit code: 0 fine, 1 out of date, 2 wrong usage or schemas that break a rule.
    """
    from evalcontract.codegen import generate as bring_up_to_date
    from evalcontract.settings import catalogue_for

    options = {
        "bundles": bundles,
        "flat": flat,
        "python": python,
        "typescript": typescript,
        "go": go,
        "java": java,
        "rust": rust,
    }
    folders = {name: folder for name, folder in options.items() if folder is not None}
    if not folders:
        raise UsageError("nothing was asked for", hint=f"name a folder: --{', --'.join(options)}")
    changes = bring_up_to_date(catalogue_for(schemas or ()), folders, check=check)
    say(*map(str, changes))
    if check and changes:
        raise Exit(1)


def site(
    output: Annotated[Path, Option("--output", "-o", help="Folder for the pages."), WRITES_FOLDER],
    schemas: Schemas = None,
) -> None:
    """Write the contracts as static pages that need no server: what each is, what changed, a check in the browser.

    Begin with index.html in the folder. Files of an earlier run that are no longer made are removed.
    """
    from evalcontract.codegen import bring_up_to_date
    from evalcontract.reports.site import site_files
    from evalcontract.settings import catalogue_for

    files = site_files(catalogue_for(schemas or ()))
    changes = bring_up_to_date(output, files)
    begin = output / "index.html"
    say(f"{counted(len(files), 'file')} in {output}, {len(changes):,} changed; begin with {begin}")
