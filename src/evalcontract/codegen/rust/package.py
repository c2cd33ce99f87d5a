"""A Cargo package: types and data made from the model, beside the run-time files."""

from __future__ import annotations

from importlib.resources import files
from string import Template

from evalcontract.codegen.model import Model, refuse_taken, runtime, with_mark
from evalcontract.codegen.rust.types import types_module
from evalcontract.codegen.tree import MARK, Files

_IN_SCOPE = ("Default", "From", "Result", "ToOwned")
"""Names that every module has and that the types rely on."""


def rust_package(model: Model) -> Files:
    """The files of the package, by path."""
    refuse_taken(model, _IN_SCOPE, "Rust")
    made = runtime(__package__, "//")
    made["Cargo.toml"] = with_mark("#", _filled("Cargo.toml", model))
    made["README.md"] = f"<!-- {MARK} Do not edit. -->\n{_filled('README.md', model)}".encode()
    made["src/types.rs"] = with_mark("//", types_module(model))
    made["src/data.rs"] = with_mark("//", _data(model))
    return made | {f"bundles/{name}": content for name, content in model.bundles.items()}


def _filled(name: str, model: Model) -> str:
    text = (files(__package__) / "templates" / name).read_text(encoding="utf-8")
    first = next((contract for contract in model.contracts if contract.newest), model.contracts[0])
    return Template(text).substitute(
        package=model.package, version=model.version, host=model.host, contract=first.ref.name
    )


def _data(model: Model) -> str:
    bundles = "".join(
        f'        "{file.removesuffix(".schema.json").replace("-", "@")}" => include_str!("../bundles/{file}"),\n'
        for file in model.bundles
    )
    return (
        "//! What the contracts say: the rules that judge, and every contract as one JSON Schema.\n\n"
        f"pub(crate) const TABLE: &str = {_raw(model.table.decode())};\n\n"
        "/// A schema of the folder `bundles` by its name.\n"
        "#[rustfmt::skip]\n"
        "pub(crate) fn bundle(contract: &str) -> Option<&'static str> {\n"
        f"    Some(match contract {{\n{bundles}        _ => return None,\n    }})\n}}\n"
    )


def _raw(text: str) -> str:
    """A raw string literal with as many marks as the text needs."""
    marks = "#"
    while f'"{marks}' in text:
        marks += "#"
    return f'r{marks}"{text}"{marks}'
