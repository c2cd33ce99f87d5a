"""A Maven package: classes and data made from the model, beside the run-time files."""

from __future__ import annotations

import json
from importlib.resources import files
from string import Template

from evalcontract.codegen.java.classes import class_files
from evalcontract.codegen.java.words import java_package_name, string_literal, text_block
from evalcontract.codegen.model import Model, refuse_taken, runtime, with_mark
from evalcontract.codegen.tree import MARK, Files

_OURS = "example.evalcontract"
"""The package that the run-time files are written in."""


def java_package(model: Model) -> Files:
    """The files of the package, by path."""
    refuse_taken(model, ["SuppressWarnings"], "Java")
    package = java_package_name(model)
    folder = package.replace(".", "/")
    code, resources = f"src/main/java/{folder}", f"src/main/resources/{folder}"
    written = runtime(__package__, "//") | {
        "Data.java": with_mark("//", _data(model)),
        "Types.java": with_mark("//", _types(model)),
        "package-info.java": with_mark("//", _package_info(model)),
    }
    made = {
        f"{code}/{path}": content.replace(f"package {_OURS};".encode(), f"package {package};".encode())
        for path, content in written.items()
    }
    for name, text in class_files(model, package).items():
        made[f"{code}/types/{name}"] = with_mark("//", text)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    made["pom.xml"] = f"{head}<!-- {MARK} Do not edit. -->\n{_filled('pom.xml', model, package)}".encode()
    made["README.md"] = f"<!-- {MARK} Do not edit. -->\n{_filled('README.md', model, package)}".encode()
    bundles = {f"{resources}/bundles/{name}": content for name, content in model.bundles.items()}
    return made | bundles


def _filled(name: str, model: Model, package: str) -> str:
    text = (files(__package__) / "templates" / name).read_text(encoding="utf-8")
    group = ".".join(reversed(model.host.split(".")))
    first = next((contract for contract in model.contracts if contract.newest), model.contracts[0])
    return Template(text).substitute(
        package=package,
        group=group,
        artifact=model.package,
        version=model.version,
        host=model.host,
        contract=first.ref.name,
        type=first.class_name,
    )


def _data(model: Model) -> str:
    table = json.loads(model.table)
    newest = "".join(
        f"        {{{string_literal(name)}, {string_literal(version)}}},\n"
        for name, version in table["newest"].items()
    )
    types = "".join(
        f'        {{"{found.name}", "{found.version}", "{found.input}", "{found.expected_output}"}},\n'
        for found in model.schema_types
    )
    contracts = "".join(
        f'        CONTRACTS.put("{name}", {text_block(json.dumps(schema, indent=2, ensure_ascii=False))});\n'
        for name, schema in table["contracts"].items()
    )
    return (
        f"package {_OURS};\n\n"
        "import java.util.LinkedHashMap;\nimport java.util.Map;\n\n"
        "/** What the contracts say: the rules that judge. */\n"
        "final class Data {\n"
        f"    static final int MAX_DEPTH = {table['max_depth']};\n\n"
        f"    static final String[][] NEWEST = {{\n{newest}    }};\n\n"
        f"    static final String[][] TYPES = {{\n{types}    }};\n\n"
        "    static final Map<String, String> CONTRACTS = new LinkedHashMap<>();\n\n"
        f"    static {{\n{contracts}    }}\n\n"
        "    private Data() {}\n}\n"
    )


def _types(model: Model) -> str:
    package = java_package_name(model)
    cases = "".join(
        f'            case "{contract.ref}" -> {package}.types.{contract.class_name}.decode(value);\n'
        for contract in model.contracts
    )
    return (
        f"package {_OURS};\n\n"
        "/** The classes of the contracts by name. */\n"
        "public final class Types {\n"
        "    private Types() {}\n\n"
        "    /**\n"
        "     * A value as the class of its contract, named with or without its version.\n"
        "     *\n"
        "     * @throws ContractException when the value has not the shape of the contract\n"
        "     * @throws IllegalArgumentException when there is no such contract\n"
        "     */\n"
        "    public static Document decode(Object value, String contract) {\n"
        "        String name = Table.get().resolve(contract);\n"
        "        return switch (name == null ? contract : name) {\n"
        f"{cases}"
        '            default -> throw new IllegalArgumentException("there is no contract " + contract);\n'
        "        };\n    }\n}\n"
    )


def _package_info(model: Model) -> str:
    return (
        f"/** The contracts of {model.host}: a reader, a validator, and in {{@code types}} a class for each. */\n"
        f"package {_OURS};\n"
    )
