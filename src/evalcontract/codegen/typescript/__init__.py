"""The emitter for TypeScript: an npm package of sources, which its own build turns into ESM, CommonJS and types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from evalcontract.codegen.model import Contract, Model, Property, Value, refuse_taken, runtime, with_mark
from evalcontract.codegen.tree import MARK, Files

_PRIMITIVES = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "any": "unknown",
}
_OF_ALL = ("Contracts", "ContractName", "SchemaTypes", "ItemOf")
_OPEN = "{ [key: string]: unknown }"
_COMMON = {
    "target": "ES2022",
    "lib": ["ES2022", "DOM", "DOM.AsyncIterable"],
    "types": ["node"],
    "rootDir": "src",
    "strict": True,
    "exactOptionalPropertyTypes": True,
    "noUncheckedIndexedAccess": True,
    "noImplicitOverride": True,
    "declaration": True,
    "skipLibCheck": True,
}


def typescript_package(model: Model) -> Files:
    """The files of the package, by path."""
    written = runtime(__package__, "//")
    exported = re.findall(
        r"^export (?:class|interface|type) (\w+)", b"\n".join(written.values()).decode(), re.MULTILINE
    )
    refuse_taken(model, [*exported, *_OF_ALL], "TypeScript")
    return {
        **written,
        **{f"bundles/{name}": content for name, content in model.bundles.items()},
        "src/types.ts": with_mark("//", "\n".join(_types(model))),
        "src/table.ts": with_mark("//", _table(model)),
        "bin/cli.js": b"#!/usr/bin/env node\n" + with_mark("//", 'import "../dist/esm/cli.js";\n'),
        "README.md": _readme(model),
        "package.json": _json(_package(model)),
        "tsconfig.json": _tsconfig({"module": "NodeNext", "outDir": "dist/esm"}),
        "tsconfig.cjs.json": _tsconfig(
            {"module": "CommonJS", "moduleResolution": "Node10", "outDir": "dist/cjs"}, exclude=["src/cli*"]
        ),
    }


def _types(model: Model) -> Iterator[str]:
    yield "/** The contracts as types. Unknown properties are kept everywhere; null and absent mean the same. */"
    for contract in model.contracts:
        yield ""
        yield from _interface(model, contract)
    yield from ("", "/** Every contract by name, which is its newest version, and by name and version. */")
    yield "export interface Contracts {"
    for contract in model.contracts:
        if contract.newest:
            yield f'  "{contract.ref.name}": {contract.class_name};'
        yield f'  "{contract.ref}": {contract.class_name};'
    yield from ("}", "", "/** How a contract is named. */", "export type ContractName = keyof Contracts;")
    yield from ("", "/** What the items of each schema type hold. */", "export interface SchemaTypes {")
    for type_ in model.schema_types:
        parts = (model.by_ref[ref].class_name for ref in (type_.input, type_.expected_output))
        yield '  "{}": {{ input: {}; expected_output: {} }};'.format(f"{type_.name}@{type_.version}", *parts)
    yield "}"
    item = next(
        (found for found in model.contracts if found.newest and found.ref.name == "evaluation_item"), None
    )
    if item is not None:
        yield from ("", '/** An item of a schema type: `ItemOf<"rag@1.0">`. */')
        yield f"export type ItemOf<Type extends keyof SchemaTypes> = {item.class_name} & SchemaTypes[Type];"
    yield ""


def _interface(model: Model, contract: Contract) -> Iterator[str]:
    yield from _doc(f"{contract.description}\n\nContract `{contract.ref}`.", "")
    extends = f" extends {model.by_ref[contract.parent].class_name}" if contract.parent else ""
    yield f"export interface {contract.class_name}{extends} {{"
    for field in contract.properties:
        yield from _doc(field.description, "  ")
        yield f"  {field.name}{'' if field.required else '?'}: {_field_type(model, field)};"
    if not contract.parent:
        yield "  /** Properties that the contract doesn't define. */"
        yield "  [key: string]: unknown;"
    yield "}"


def _field_type(model: Model, field: Property) -> str:
    written = _type(model, field.value)
    return f"{written} | null" if field.nullable and written != "unknown" else written


def _type(model: Model, value: Value) -> str:
    if value.contract is not None:
        return model.by_ref[value.contract].class_name
    if value.enum:
        return " | ".join(json.dumps(member, ensure_ascii=False) for member in value.enum)
    element = _type(model, value.element) if value.element else "unknown"
    if value.kind == "array":
        return f"({element})[]" if " " in element else f"{element}[]"
    if value.kind == "object":
        return f"{{ [key: string]: {element} }}" if value.element else _OPEN
    return _PRIMITIVES[value.kind]


def _doc(text: str, indent: str) -> Iterator[str]:
    lines = text.replace("*/", "*\\/").split("\n")
    if len(lines) == 1:
        yield f"{indent}/** {lines[0]} */"
        return
    yield f"{indent}/**"
    yield from (f"{indent} * {line}".rstrip() for line in lines)
    yield f"{indent} */"


def _table(model: Model) -> str:
    """The table as a module, so that a bundler takes it along and nothing is read from a disk."""
    table = json.loads(model.table)
    contracts = table.pop("contracts")
    lines = [
        'import type { Schema } from "./validate.js";',
        "",
        "/** This package. */",
        f"export const PACKAGE = {json.dumps({'name': model.package, 'version': model.version})};",
        "",
        "/** What judges: each contract's keywords, the newest versions, the contracts of each schema type. */",
        "export const TABLE: {",
        "  readonly max_depth: number;",
        "  readonly newest: { readonly [name: string]: string };",
        "  readonly schema_types: {",
        "    readonly [name: string]: {",
        "      readonly [version: string]: { readonly input: string; readonly expected_output: string };",
        "    };",
        "  };",
        "  readonly contracts: { readonly [contract: string]: Schema };",
        "} = {",
        *(f"  {json.dumps(key)}: {json.dumps(said, ensure_ascii=False)}," for key, said in table.items()),
        '  "contracts": {',
        *(
            f"    {json.dumps(name)}: {json.dumps(said, ensure_ascii=False)},"
            for name, said in contracts.items()
        ),
        "  },",
        "};",
        "",
    ]
    return "\n".join(lines)


def _readme(model: Model) -> bytes:
    shown = next((contract for contract in model.contracts if contract.newest), model.contracts[0])
    names = {
        "PACKAGE": model.package,
        "HOST": model.host,
        "CONTRACT": str(shown.ref),
        "CLASS": shown.class_name,
    }
    text = (files(__package__) / "README.md").read_text(encoding="utf-8")
    made = re.sub("|".join(names), lambda found: names[found[0]], text)
    return f"<!-- {MARK} Do not edit. -->\n{made}".encode()


def _package(model: Model) -> dict[str, Any]:
    def entry(kind: str) -> dict[str, str]:
        return {"types": f"./dist/{kind}/index.d.ts", "default": f"./dist/{kind}/index.js"}

    return {
        "//": f"{MARK} Do not edit.",
        "name": model.package,
        "version": model.version,
        "description": f"The contracts of {model.host}: types, verdicts and strict reading",
        "license": "Apache-2.0",
        "type": "module",
        "sideEffects": False,
        "main": "./dist/cjs/index.js",
        "types": "./dist/cjs/index.d.ts",
        "exports": {
            ".": {"import": entry("esm"), "require": entry("cjs")},
            "./bundles/*": "./bundles/*",
            "./package.json": "./package.json",
        },
        "bin": {model.package: "bin/cli.js"},
        "files": ["bin", "dist", "bundles"],
        "engines": {"node": ">=20"},
        "scripts": {
            "build": "tsc && tsc -p tsconfig.cjs.json && node -e "
            '"fs.writeFileSync(\'dist/cjs/package.json\',\'{\\"type\\":\\"commonjs\\"}\')"',
            "prepack": "npm run build",
        },
        "devDependencies": {"@types/node": "20.19.43", "typescript": "5.9.3"},
    }


def _tsconfig(options: dict[str, Any], *, exclude: list[str] | None = None) -> bytes:
    document = {"compilerOptions": _COMMON | options, "include": ["src"]}
    return with_mark("//", json.dumps(document | ({"exclude": exclude} if exclude else {}), indent=2) + "\n")


def _json(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
