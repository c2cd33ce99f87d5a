"""One run of datamodel-code-generator. Its options are in datamodel.toml; its output is not patched."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection, Mapping
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from evalcontract.errors import ContractError, UsageError

_GENERATOR = "datamodel_code_generator"


class GenerationError(ContractError):
    """The code generator failed, or wrote something else than one class for each type."""


def run_datamodel(schema: str, *, profile: str, expected: Collection[str], modules: Mapping[str, str]) -> str:
    """The module that a profile of the code generator makes of a schema's `$defs`.

    `expected` are the names of the classes that it must define. A reference into `module.json` becomes an
    import; `modules` holds the schemas that those modules were made from. Raises GenerationError, and UsageError when
    the code generator isn't installed.
    """
    if find_spec(_GENERATOR) is None:
        raise UsageError(
            "Python models need datamodel-code-generator", hint="pip install 'evalcontract[codegen]'"
        )
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "contracts.json"), Path(folder, "module.py")
        source.write_text(schema, encoding="utf-8")
        options = (files("evalcontract.codegen.python") / "datamodel.toml").read_bytes()
        Path(folder, "pyproject.toml").write_bytes(options)
        for module, lower in modules.items():
            Path(folder, f"{module}.json").write_text(lower, encoding="utf-8")
        imports = [f"{module}.json={module}" for module in modules]
        command = [sys.executable, "-m", _GENERATOR, "--profile", profile]
        command += ["--external-ref-mapping", *imports] if imports else []
        done = subprocess.run(
            [*command, "--input", str(source), "--output", str(target)],
            cwd=folder,  # where it looks for pyproject.toml
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0 or not target.is_file():
            last = (done.stderr or done.stdout).strip().splitlines()[-1:]
            raise GenerationError(
                f"datamodel-code-generator failed: {' '.join(last) or 'it wrote nothing'}",
                hint="install the version that evalcontract[codegen] names",
            )
        module = target.read_text(encoding="utf-8")
    defined = {node.name for node in ast.parse(module).body if isinstance(node, ast.ClassDef)}
    if defined != set(expected):
        odd = ", ".join(sorted(defined ^ set(expected)))
        raise GenerationError(f"one class for each type was expected, but these differ: {odd}")
    return module
