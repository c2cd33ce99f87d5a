"""The commands of `evalcontract`."""

from __future__ import annotations

import click

from evalcontract._version import __version__
from evalcontract.cli.apps import App

app = App(
    "evalcontract",
    help="Contracts for RAG and agent evaluation data.",
    homes={
        "validate": "validate:validate",
        "score": "score:score",
        "agreement": "agreement:agreement",
        "migrate": "migrate:migrate",
        "normalize": "normalize:normalize",
        "convert": "convert:convert",
        "response": "response:response",
        "prediction": "prediction:prediction",
        "import": "importing:import_",
        "export": "importing:export",
        "presets": "importing:presets",
        "schema": "schema:schema_app",
        "dataset": "dataset:dataset_app",
    },
)
click.version_option(__version__, message="evalcontract %(version)s", help="Print the version.")(app)
