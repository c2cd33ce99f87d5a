"""The package evalcontract_models: pydantic models of each major version, typed dicts, and a registry."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from evalcontract.catalog import Catalogue, ContractRef, SchemaVersion
from evalcontract.catalog.bundle import class_names, definitions
from evalcontract.errors import UnknownVersion
from tools.generate.codegen import run_codegen

_PACKAGE = "generated/python/evalcontract_models"
_BASE = Path(__file__).parent / "templates" / "base.py"
_HEADER = "# Generated from schemas/ by python -m tools.generate. Do not edit.\n"


def python_package(catalogue: Catalogue, root: Path) -> dict[str, str]:
    """The files of the package; the options of the code generator come from `root`/pyproject.toml."""
    majors = {major: _contracts_of(catalogue, major) for major in _majors(catalogue)}
    names = {major: class_names(catalogue, refs) for major, refs in majors.items()}
    newest = max(majors)
    files = {f"v{major}.py": _module(catalogue, refs, "models", root) for major, refs in majors.items()}
    files["types.py"] = _module(catalogue, majors[newest], "types", root)
    files["_base.py"] = _HEADER + _BASE.read_text(encoding="utf-8")
    files["__init__.py"] = _init(newest, sorted(names[newest][ref] for ref in majors[newest]))
    files["registry.py"] = _registry(names, majors[newest])
    files["py.typed"] = ""
    return {f"{_PACKAGE}/{name}": text for name, text in files.items()}


def _majors(catalogue: Catalogue) -> list[int]:
    """The majors in which some contract has a version that is used when none is asked for."""
    found = {SchemaVersion.parse(entry.ref.version).major for entry in catalogue.entries()}
    return [
        major
        for major in sorted(found)
        if any(SchemaVersion.parse(ref.version).major == major for ref in _contracts_of(catalogue, major))
    ]


def _contracts_of(catalogue: Catalogue, major: int) -> list[ContractRef]:
    """Every contract as it stands in a major version: its newest version that is not from a later one."""
    found = []
    for name in catalogue.names():
        try:
            found.append(ContractRef(name, catalogue.newest(name, max_major=major)))
        except UnknownVersion:  # it starts in a later major, or was withdrawn altogether
            continue
    return found


def _module(catalogue: Catalogue, refs: Iterable[ContractRef], profile: str, root: Path) -> str:
    found = definitions(catalogue, refs)
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {name: found[name] for name in sorted(found)},
    }
    return run_codegen(json.dumps(document), profile=profile, expected=found.keys(), root=root)


def _init(major: int, names: Iterable[str]) -> str:
    exported = ["ContractModel", *names]
    imports = "".join(f"    {name} as {name},\n" for name in names)
    listed = "".join(f'    "{name}",\n' for name in exported)
    return (
        f'{_HEADER}"""The contracts as pydantic models, in their newest versions."""\n\n'
        "from evalcontract_models._base import ContractModel as ContractModel\n"
        f"from evalcontract_models.v{major} import (\n{imports})\n\n__all__ = [\n{listed}]\n"
    )


def _registry(names: Mapping[int, Mapping[ContractRef, str]], newest: Iterable[ContractRef]) -> str:
    modules = ", ".join(f"v{major}" for major in names)
    last = max(names)
    models = "".join(f'    "{ref.name}": v{last}.{names[last][ref]},\n' for ref in newest)
    contracts = "".join(
        f'    v{major}.{name}: ("{ref.name}", "{ref.version}"),\n'
        for major, found in names.items()
        for ref, name in sorted(found.items(), key=lambda each: each[1])
    )
    return (
        f'{_HEADER}"""Which class stands for which contract."""\n\n'
        f"from evalcontract_models import {modules}\n"
        "from evalcontract_models._base import ContractModel\n\n"
        f"MODELS: dict[str, type[ContractModel]] = {{\n{models}}}\n"
        '"""The newest class of each contract, by its name."""\n\n'
        f"CONTRACTS: dict[type[ContractModel], tuple[str, str]] = {{\n{contracts}}}\n"
        '"""The name and version of the contract that each class was made from."""\n'
    )
