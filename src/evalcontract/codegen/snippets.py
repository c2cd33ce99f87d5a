"""The code of one contract in each language: how a value is checked, and its type as it stands in the package."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from evalcontract.catalog import ContractRef, default_catalogue
from evalcontract.codegen.go import go_package
from evalcontract.codegen.java import java_package
from evalcontract.codegen.java.words import java_package_name
from evalcontract.codegen.model import Contract, Model
from evalcontract.codegen.rust import rust_package
from evalcontract.codegen.tree import Files
from evalcontract.codegen.typescript import typescript_package
from evalcontract.errors import ContractError

_COMMENTS = ("/**", " *", "///", "// ", "//", "#[")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A contract in one language. `declaration`: its type, None where the package has none of its own."""

    language: str
    use: str
    declaration: str | None = None


@dataclass(frozen=True, slots=True)
class _Language:
    name: str
    package: Callable[[Model], Files]
    use: Callable[[Model, Contract], str]
    declaration: Callable[[Model, Files, Contract], str]


def snippets(model: Model) -> Mapping[ContractRef, tuple[Snippet, ...]]:
    """For each contract its code by language. A language that can't express the catalogue is left out."""
    packages: list[tuple[_Language, Files]] = []
    for language in _LANGUAGES:
        with suppress(ContractError):
            packages.append((language, language.package(model)))
    return {
        contract.ref: (
            Snippet("Python", _python(contract)),
            *(
                Snippet(
                    language.name,
                    language.use(model, contract),
                    language.declaration(model, files, contract),
                )
                for language, files in packages
            ),
        )
        for contract in model.contracts
    }


def _python(contract: Contract) -> str:
    if contract.ref.name in default_catalogue().names():
        return (
            "from evalcontract import iter_violations\n\n"
            f'for violation in iter_violations(document, "{contract.ref}"):\n    print(violation)\n'
        )
    return (
        "from evalcontract import iter_violations\nfrom evalcontract.catalog import Catalogue\n\n"
        'catalogue = Catalogue.load("contracts")  # the folder of catalog.json\n'
        f'for violation in iter_violations(document, "{contract.ref}", catalogue=catalogue):\n'
        "    print(violation)\n"
    )


def _typescript(model: Model, contract: Contract) -> str:
    return (
        f'import {{ decode, parse, type {contract.class_name} }} from "{model.package}";\n\n'
        f"// A ReadError or a ContractError says what is wrong.\n"
        f'const value: {contract.class_name} = decode(parse(text), "{contract.ref}");\n'
    )


def _go(model: Model, contract: Contract) -> str:
    return (
        f'import contracts "{model.host}/{model.package}"\n\n'
        "// A *ReadError or a *ContractError says what is wrong.\n"
        f"value, err := contracts.Decode[contracts.{contract.class_name}](data)\n"
    )


def _java(model: Model, contract: Contract) -> str:
    name = contract.class_name
    return (
        f"import {java_package_name(model)}.types.{name};\n\n"
        "// A ReadException or a ContractException says what is wrong.\n"
        f"{name} value = {name}.read(bytes);\n"
    )


def _rust(model: Model, contract: Contract) -> str:
    return (
        f"use {model.package}::types::{contract.class_name};\n"
        f"use {model.package}::Contract;\n\n"
        f"// Error::Refused or Error::Invalid says what is wrong.\n"
        f"let value = {contract.class_name}::from_slice(&bytes)?;\n"
    )


def _in_file(path: str, opening: str) -> Callable[[Model, Files, Contract], str]:
    """The block in a file whose first line begins so, with the comment above it."""

    def found(_: Model, files: Files, contract: Contract) -> str:
        lines = files[path].decode().split("\n")
        return "\n".join(_block(lines, opening.format(contract.class_name))) + "\n"

    return found


def _block(lines: list[str], opening: str) -> Iterator[str]:
    at = next(number for number, line in enumerate(lines) if line.startswith(opening))
    start = at
    while start and lines[start - 1].startswith(_COMMENTS):
        start -= 1
    yield from lines[start : lines.index("}", at) + 1]


def _java_class(model: Model, files: Files, contract: Contract) -> str:
    folder = java_package_name(model).replace(".", "/")
    text = files[f"src/main/java/{folder}/types/{contract.class_name}.java"].decode()
    return text.partition("\n")[2]  # the first line says that it is generated


_LANGUAGES = (
    _Language(
        "TypeScript", typescript_package, _typescript, _in_file("src/types.ts", "export interface {} ")
    ),
    _Language("Go", go_package, _go, _in_file("types.go", "type {} struct ")),
    _Language("Java", java_package, _java, _java_class),
    _Language("Rust", rust_package, _rust, _in_file("src/types.rs", "pub struct {} ")),
)
