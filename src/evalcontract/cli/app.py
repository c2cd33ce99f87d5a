"""The commands of `evalcontract`."""

from __future__ import annotations

from typing import Annotated

import typer

from evalcontract._version import __version__
from evalcontract.cli.apps import App
from evalcontract.cli.convert import convert
from evalcontract.cli.dataset import dataset_app
from evalcontract.cli.importing import export, import_, presets
from evalcontract.cli.migrate import migrate
from evalcontract.cli.normalize import normalize
from evalcontract.cli.prediction import prediction
from evalcontract.cli.response import response
from evalcontract.cli.schema import schema_app
from evalcontract.cli.score import score
from evalcontract.cli.validate import validate

app = App(
    name="evalcontract",
    help="Contracts for RAG and agent evaluation data.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"evalcontract {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Contracts for RAG and agent evaluation data."""


app.command()(validate)
app.command()(score)
app.command()(migrate)
app.command()(normalize)
app.command()(convert)
app.command()(response)
app.command()(prediction)
app.command("import")(import_)
app.command()(export)
app.command()(presets)
app.add_typer(schema_app, name="schema")
app.add_typer(dataset_app, name="dataset")
