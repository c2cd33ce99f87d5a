"""The check in a browser: the TypeScript package as one script, with the table of a catalogue's contracts in it."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from evalcontract.codegen.model import Model

FOLDER = Path(__file__).parent / "browser"
COMPILED = FOLDER / "worker.js"


def checker_script(model: Model) -> str:
    """The script of a worker that judges files by the contracts of a catalogue, as `evalcontract validate` does.

    It gets `{files: [{name, content: Blob}], contract: name or null}`, and gives `{report}`, the JSON of the command,
    after messages that say how far it is. It may stand in an element of a page: nothing in it ends one.
    """
    table = json.dumps(json.loads(model.table), ensure_ascii=True).replace("<", "\\u003c")
    return f'"use strict";\nconst TABLE = {table};\n{COMPILED.read_text(encoding="utf-8")}'


def sources_digest() -> str:
    """SHA-256 of all that the script is compiled from, in hexadecimal: a script of other sources is out of date."""
    runtime = sorted((Path(__file__).parent / "runtime" / "src").glob("*.ts"))
    digest = sha256()
    for source in [*runtime, FOLDER / "worker.ts"]:
        if not source.name.startswith("cli"):
            digest.update(source.read_bytes() + b"\0")
    return digest.hexdigest()
