"""Compile the TypeScript package and its worker to the one script that checks files in a browser.

`schema site` needs no toolchain: it adds the table of its contracts to this script. Needs npm; run it after a
change to the run-time files of the TypeScript package: `python -m tools.compile_checker`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from evalcontract.catalog import default_catalogue
from evalcontract.codegen.model import model_of
from evalcontract.codegen.typescript import typescript_package
from evalcontract.codegen.typescript.checker import COMPILED, FOLDER, sources_digest
from evalcontract.files import write_whole

_OPTIONS = ("--outDir", "out", "--declaration", "false")
_WORKER, _TABLE = "worker", "./table.js"


def compiled(folder: Path) -> str:
    """The script; `folder` is empty, and gets the package and the compiler."""
    for path, content in typescript_package(model_of(default_catalogue())).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    (folder / "src" / f"{_WORKER}.ts").write_bytes((FOLDER / f"{_WORKER}.ts").read_bytes())
    for command in (
        ("npm", "install", "--no-package-lock", "--no-audit", "--no-fund"),
        ("npx", "tsc", "-p", "tsconfig.cjs.json", *_OPTIONS, "--removeComments"),
    ):
        subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)
    return "".join(_script(folder / "out"))


def _script(out: Path) -> Iterator[str]:
    yield f"// Made by python -m tools.compile_checker from sources of sha256 {sources_digest()}. Do not edit.\n"
    yield "const modules = {\n"
    for name in _needed(out):
        body = (out / f"{name}.js").read_text(encoding="utf-8").rstrip()
        yield f'"./{name}.js": (exports, require) => {{\n{body}\n}},\n'
    yield f'"{_TABLE}": (exports) => (exports.TABLE = TABLE),\n'
    yield "};\n"
    yield "const loaded = {};\n"
    yield "function load(name) {\n"
    yield "  if (!(name in loaded)) modules[name]((loaded[name] = {}), load);\n"
    yield "  return loaded[name];\n"
    yield "}\n"
    yield f'load("./{_WORKER}.js");\n'


def _needed(out: Path) -> list[str]:
    """The modules that the worker needs, but the table."""
    found: list[str] = []
    waiting = [_WORKER]
    while waiting:
        name = waiting.pop()
        if name in found or f"./{name}.js" == _TABLE:
            continue
        found.append(name)
        text = (out / f"{name}.js").read_text(encoding="utf-8")
        waiting += [part.partition(".js")[0] for part in text.split('require("./')[1:]]
    return sorted(found)


def main() -> None:
    """Write the script beside its sources."""
    with tempfile.TemporaryDirectory() as folder:
        write_whole(COMPILED, compiled(Path(folder)).encode())


if __name__ == "__main__":
    main()
