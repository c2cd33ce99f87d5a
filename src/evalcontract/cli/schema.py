"""`evalcontract schema`: what the contracts are."""

from __future__ import annotations

import json
from typing import Annotated, Any

from evalcontract.catalog import bundle, flat, split_spec, whole_schema
from evalcontract.cli import schema_authoring, schema_generate, schema_versions
from evalcontract.cli.apps import App
from evalcontract.cli.options import Schemas, Written
from evalcontract.cli.output import emit, refuse_misnamed
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.roles import SAYS
from evalcontract.errors import UsageError
from evalcontract.settings import catalogue_for

schema_app = App("schema", help="Look at the contracts, their versions and what changed.")

Name = Annotated[str, Argument(help="NAME or NAME@VERSION, the newest version by default."), SAYS]


@schema_app.register("list")
def list_contracts(schemas: Schemas = None) -> None:
    """List every contract: name, versions with their status, and what it is."""
    from evalcontract.reports import contracts_text

    emit(contracts_text(catalogue_for(schemas or ())))


@schema_app.register()
def show(name: Name, schemas: Schemas = None, output: Written = None) -> None:
    """Print the schema of a contract as it was written."""
    refuse_misnamed(output, "json")
    catalogue = catalogue_for(schemas or ())
    emit(catalogue.path(catalogue.resolve(name)).read_text("utf-8"), output)


@schema_app.register()
def path(name: Name, schemas: Schemas = None) -> None:
    """Print where the schema file of a contract lies."""
    catalogue = catalogue_for(schemas or ())
    emit(f"{catalogue.path(catalogue.resolve(name))}\n")


@schema_app.register()
def reports() -> None:
    """Print the folder of the contracts of JSON reports, for --schemas: run_report, release_report, score_report."""
    from evalcontract.reports import contracts_folder

    emit(f"{contracts_folder()}\n")


@schema_app.register("bundle")
def print_bundle(
    name: Name,
    base_uri: Annotated[str | None, Option(help="Base of the $id, where you publish the file."), SAYS] = None,
    flattened: Annotated[bool, Option("--flat", help="Merge inheritance away.")] = False,
    schemas: Schemas = None,
    output: Written = None,
) -> None:
    """Print one self-contained schema, for any validator in any language.

    Beside contracts also of whole items and datasets: typed_item and typed_dataset follow the schema types that data
    declares, and TYPE_item and TYPE_dataset, with or without @VERSION, are of one schema type.
    """
    refuse_misnamed(output, "json")
    catalogue = catalogue_for(schemas or ())
    if base_uri is not None and not base_uri.endswith("/"):
        raise UsageError("a base URI ends with /", hint=f"write {base_uri}/")
    if split_spec(name)[0] not in catalogue.names():
        whole = whole_schema(catalogue, name, base_uri=base_uri)
        if flattened:
            raise UsageError(f"{name} has no flat form", hint="leave out --flat")
        emit(_pretty(whole), output)
        return
    make = flat if flattened else bundle
    emit(_pretty(make(catalogue, catalogue.resolve(name), base_uri=base_uri)), output)


@schema_app.register()
def example(
    name: Name,
    line: Annotated[bool, Option("--line", help="Print one line, as in a JSON Lines file.")] = False,
    schemas: Schemas = None,
) -> None:
    """Print a valid document with every property."""
    catalogue = catalogue_for(schemas or ())
    ref = catalogue.resolve(name)
    root = catalogue.layer_of(ref.name).root
    vector = root / "conformance" / ref.name / ref.version / "valid" / "full.json"
    if not vector.is_file():
        raise UsageError(f"{ref} has no example", hint="evalcontract schema vectors NAME writes one")
    document = json.loads(vector.read_bytes())
    emit(json.dumps(document, ensure_ascii=False) + "\n" if line else _pretty(document))


def _pretty(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


schema_versions.register(schema_app)  # after the commands above, as the help lists them
schema_authoring.register(schema_app)
schema_app.register()(schema_generate.generate)
schema_app.register()(schema_generate.site)
