"""One run of datamodel-code-generator. Its options are in pyproject.toml; its output is not patched."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryDirectory

from evalcontract.errors import ContractError


class GenerationError(ContractError):
    """The code generator failed, or wrote something else than one class for each type."""


def run_codegen(schema: str, *, profile: str, expected: Collection[str], root: Path) -> str:
    """The module that a profile of the code generator makes of a schema's `$defs`.

    `expected` are the names of the classes that it must define. Raises GenerationError.
    """
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "contracts.json"), Path(folder, "module.py")
        source.write_text(schema, encoding="utf-8")
        command = [sys.executable, "-m", "datamodel_code_generator", "--profile", profile]
        done = subprocess.run(
            [*command, "--input", str(source), "--output", str(target)],
            cwd=root,  # where it looks for pyproject.toml
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0 or not target.is_file():
            last = (done.stderr or done.stdout).strip().splitlines()[-1:]
            raise GenerationError(
                f"datamodel-code-generator failed: {' '.join(last) or 'it wrote nothing'}",
                hint="install the dev extra with the pinned versions",
            )
        module = target.read_text(encoding="utf-8")
    defined = {node.name for node in ast.parse(module).body if isinstance(node, ast.ClassDef)}
    if defined != set(expected):
        odd = ", ".join(sorted(defined ^ set(expected)))
        raise GenerationError(f"one class for each type was expected, but these differ: {odd}")
    return module
