"""The emitter for Go: a module that needs nothing but the standard library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from evalcontract.codegen.model import (
    Contract,
    Model,
    Property,
    Value,
    pascal,
    refuse_taken,
    runtime,
    with_mark,
)
from evalcontract.codegen.tree import Files

_PRIMITIVES = {"string": "string", "integer": "int64", "number": "float64", "boolean": "bool", "any": "any"}
_INITIALISMS = {"id": "ID", "ids": "IDs", "url": "URL", "urls": "URLs"}
_PLACEHOLDER = b"package PACKAGE\n"


def go_package(model: Model) -> Files:
    """The files of the module, by path."""
    written = runtime(__package__, "//")
    declared = re.findall(r"^(?:type|func) (\w+)", b"\n".join(written.values()).decode(), re.MULTILINE)
    refuse_taken(model, [*declared, *_enum_names(model)], "Go")
    clause = f"package {model.package}\n"
    files = {path: text.replace(_PLACEHOLDER, clause.encode()) for path, text in written.items()}
    return {
        **files,
        **{f"bundles/{name}": content for name, content in model.bundles.items()},
        "types.go": with_mark("//", "\n".join([*_head(model), clause, *_types(model)])),
        "table.go": with_mark("//", "\n" + clause + _table(model)),
        "go.mod": with_mark("//", f"module {model.host}/{model.package}\n\ngo 1.22\n"),
    }


def _head(model: Model) -> Iterator[str]:
    yield ""
    yield f"// Package {model.package} has the contracts of {model.host}: types, verdicts and strict reading."
    yield "//"
    yield "// Properties that a contract doesn't define are kept in Extra. A property that is optional is nil when it"
    yield "// is null or left out, which mean the same; which of the two is kept when a value is decoded and encoded."


def _types(model: Model) -> Iterator[str]:
    for contract in model.contracts:
        yield from _struct(model, contract)
        for field in contract.properties:
            if field.value.enum:
                yield from _enum(contract, field)


def _struct(model: Model, contract: Contract) -> Iterator[str]:
    name, parent = contract.class_name, model.by_ref[contract.parent].class_name if contract.parent else None
    yield from _doc(f"{name}: {contract.description}\n\nContract {contract.ref}.", "")
    yield f"type {name} struct {{"
    if parent:
        yield f"\t{parent}"
        yield from ([""] if contract.properties else [])
    for number, field in enumerate(contract.properties):
        yield from [""] if number else []
        yield from _doc(field.description, "\t")
        yield f"\t{_name(field.name)} {_field_type(model, contract, field)}"
    if not parent:
        yield ""
        yield "\t// Extra holds the properties that the contract doesn't define; a number in it is a json.Number."
        yield "\tExtra map[string]any"
        yield ""
        yield "\tnulls map[string]bool"
    yield "}"
    yield ""
    yield f'func ({name}) contractName() string {{ return "{contract.ref}" }}'
    yield ""
    yield f"func (v *{name}) properties() []property {{"
    rows = [
        f'\t\t{{"{field.name}", &v.{_name(field.name)}, {"true" if field.nullable else "false"}}},'
        for field in contract.properties
    ]
    if parent and rows:
        yield from (f"\treturn append(v.{parent}.properties(), []property{{", *rows, "\t}...)")
    elif parent:
        yield f"\treturn v.{parent}.properties()"
    else:
        yield from ("\treturn []property{", *rows, "\t}")
    yield "}"
    yield ""
    yield "// UnmarshalJSON reads the properties of the contract and keeps all others."
    yield f"func (v *{name}) UnmarshalJSON(data []byte) error {{"
    yield "\treturn decodeObject(data, v.properties(), &v.Extra, &v.nulls)"
    yield "}"
    yield ""
    yield "// MarshalJSON writes everything that UnmarshalJSON reads."
    yield f"func (v {name}) MarshalJSON() ([]byte, error) {{"
    yield "\treturn encodeObject(v.properties(), v.Extra, v.nulls)"
    yield "}"
    yield ""


def _enum(contract: Contract, field: Property) -> Iterator[str]:
    name = _enum_name(contract, field)
    kind = _PRIMITIVES[field.value.kind]
    yield from _doc(
        f"{name} is a value of {contract.class_name}.{_name(field.name)}; it may be one that a later version adds.",
        "",
    )
    yield f"type {name} {kind}"
    yield ""
    yield f"// The values of {name} that this version knows."
    yield "const ("
    members = [
        (f"{name}{_member(member)}", json.dumps(member, ensure_ascii=False)) for member in field.value.enum
    ]
    width = max(len(constant) for constant, _ in members)
    yield from (f"\t{constant.ljust(width)} {name} = {value}" for constant, value in members)
    yield ")"
    yield ""


def _member(member: str | int) -> str:
    if isinstance(member, int):
        return f"Minus{-member}" if member < 0 else str(member)
    return pascal(member) or "Empty"


def _enum_names(model: Model) -> Iterator[str]:
    for contract in model.contracts:
        for field in contract.properties:
            name = _enum_name(contract, field)
            yield from (f"{name}{_member(member)}" for member in field.value.enum)
            yield from [name] if field.value.enum else []


def _enum_name(contract: Contract, field: Property) -> str:
    return contract.class_name + _name(field.name)


def _field_type(model: Model, contract: Contract, field: Property) -> str:
    written = _enum_name(contract, field) if field.value.enum else _type(model, field.value)
    is_reference = written.startswith(("[]", "map[")) or written == "any"
    return written if field.required or is_reference else f"*{written}"


def _type(model: Model, value: Value) -> str:
    if value.contract is not None:
        return model.by_ref[value.contract].class_name
    element = _type(model, value.element) if value.element else "any"
    if value.kind == "array":
        return f"[]{element}"
    return f"map[string]{element}" if value.kind == "object" else _PRIMITIVES[value.kind]


def _name(name: str) -> str:
    return "".join(_INITIALISMS.get(part, pascal(part)) for part in name.split("_"))


def _doc(text: str, indent: str) -> Iterator[str]:
    yield from (f"{indent}// {line}".rstrip() for line in re.split("\n", text))


def _table(model: Model) -> str:
    order = json.dumps(list(dict.fromkeys(type_.name for type_ in model.schema_types)))
    compact = json.dumps(json.loads(model.table), ensure_ascii=False, separators=(",", ":"))
    return f"""
import "embed"

//go:embed bundles/*.json
var bundles embed.FS

// typeOrder is the order in which the catalogue names the schema types.
var typeOrder = []string{{{order[1:-1]}}}

// tableText is what judges: each contract's keywords, the newest versions, the contracts of each schema type.
const tableText = {json.dumps(compact, ensure_ascii=False)}
"""
