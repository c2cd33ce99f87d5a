"""The module of types: a struct for each contract, which holds its parent's as `base`."""

from __future__ import annotations

from collections.abc import Iterator

from evalcontract.catalog import ContractRef
from evalcontract.codegen.model import Contract, Model, Property, Value
from evalcontract.codegen.rust.words import doc, escaped, field_name, free_name, plain, variants

_HOMES = {
    "BTreeMap": "std::collections",
    "Box": "std::boxed",
    "Fields": "crate::contract",
    "Json": "crate::contract",
    "Map": "serde_json",
    "Option": "std::option",
    "String": "std::string",
    "Value": "serde_json",
    "Vec": "std::vec",
}
_PRELUDE = frozenset({"Box", "Option", "String", "Vec"})
_SCALARS = {"integer": "i64", "number": "f64", "boolean": "bool"}
_OTHERS = ("Other", "Unknown", "Unlisted")


def types_module(model: Model) -> str:
    """The source of the module."""
    writer = _RustWriter(model)
    body = "\n".join(part for contract in model.contracts for part in writer.contract(contract))
    return (
        "//! The contracts as types.\n//!\n"
        "//! A property that may be absent or null is an `Option`, `None` in both cases; a null that was read is\n"
        f"//! written as null again. `{writer.extra}` keeps what a contract doesn't name, in every struct.\n\n"
        f"{writer.imports()}\n\n{body}"
    )


class _RustWriter:
    """Writes the contracts of one model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._titles = {contract.class_name for contract in model.contracts}
        names = {found.name for contract in model.contracts for found in contract.properties}
        self.extra = free_name("extra", names)
        self._base = free_name("base", names)
        self._enums = model.enum_names({*self._titles, *_HOMES})

    def imports(self) -> str:
        """The `use` lines, of those names that no contract has taken."""
        free = sorted(set(_HOMES) - _PRELUDE - self._titles)
        local = [name for name in free if _HOMES[name] == "crate::contract"]
        others = [f"use {_HOMES[name]}::{name};" for name in free if _HOMES[name] != "crate::contract"]
        ours = ", ".join([*local, "contract", "put", "with_extra"])
        return "\n".join(["#![allow(unused_imports)]", "", *others, "", f"use crate::contract::{{{ours}}};"])

    def contract(self, contract: Contract) -> Iterator[str]:
        """The struct of a contract, what reads and writes it, and its enumerations."""
        yield self._struct(contract)
        yield from filter(None, (self._new(contract), self._deref(contract)))
        yield self._conversion(contract)
        for found in contract.properties:
            if (contract.ref, found.name) in self._enums:
                yield self._enum(contract, found)

    def _name(self, name: str) -> str:
        return f"{_HOMES[name]}::{name}" if name in self._titles else name

    def _struct(self, contract: Contract) -> str:
        default = "" if self._required(contract) else ", Default"
        fields = [
            f"{doc(found.description, 4)}    pub {field_name(found.name)}: {self._field_type(contract, found)},\n"
            for found in contract.properties
        ]
        if contract.parent:
            parent = self._model.by_ref[contract.parent].class_name
            fields.insert(0, f"    /// What every `{parent}` has.\n    pub {self._base}: {parent},\n")
        else:
            held = f"{self._name('Map')}<{self._name('String')}, {self._name('Value')}>"
            said = "Properties that the contract doesn't name, and those of its own that were read as null."
            fields.append(f"{doc(said, 4)}    pub {self.extra}: {held},\n")
        return (
            f"{doc(contract.description)}///\n/// The contract `{contract.ref}`.\n"
            f"#[derive(Debug, Clone, PartialEq{default})]\n"
            f"pub struct {contract.class_name} {{\n{''.join(fields)}}}\n"
        )

    def _new(self, contract: Contract) -> str:
        required = self._required(contract)
        if not required:
            return ""
        parameters = ", ".join(
            f"{field_name(found.name)}: {self._type(owner, found)}" for owner, found in required
        )
        own = "".join(
            f"            {field_name(found.name)},\n"
            if found.required
            else f"            {field_name(found.name)}: None,\n"
            for found in contract.properties
        )
        rest = f"            {self.extra}: {self._name('Map')}::new(),\n"
        if contract.parent:
            parent = self._model.by_ref[contract.parent]
            passed = ", ".join(field_name(found.name) for _, found in self._required(parent))
            made = f"{parent.class_name}::new({passed})" if passed else f"{parent.class_name}::default()"
            rest = f"            {self._base}: {made},\n"
        return (
            f"impl {contract.class_name} {{\n    /// With what is required.\n"
            "    #[allow(clippy::too_many_arguments)]\n"
            f"    pub fn new({parameters}) -> Self {{\n        Self {{\n{own}{rest}        }}\n    }}\n}}\n"
        )

    def _deref(self, contract: Contract) -> str:
        if not contract.parent:
            return ""
        parent = self._model.by_ref[contract.parent].class_name
        return (
            f"impl std::ops::Deref for {contract.class_name} {{\n    type Target = {parent};\n\n"
            f"    fn deref(&self) -> &{parent} {{\n        &self.{self._base}\n    }}\n}}\n\n"
            f"impl std::ops::DerefMut for {contract.class_name} {{\n"
            f"    fn deref_mut(&mut self) -> &mut {parent} {{\n        &mut self.{self._base}\n    }}\n}}\n"
        )

    def _conversion(self, contract: Contract) -> str:
        fields, json, value = self._name("Fields"), self._name("Json"), self._name("Value")
        option, members = self._name("Option"), f"{self._name('Map')}<{self._name('String')}, {value}>"
        taken = [f"            {field_name(found.name)}: {_taken(found)},\n" for found in contract.properties]
        written = [f"        {self._written(found)}\n" for found in contract.properties]
        if contract.parent:
            parent = self._model.by_ref[contract.parent].class_name
            taken.append(f"            {self._base}: {parent}::take(fields)?,\n")
            written.insert(0, f"        self.{self._base}.put(members);\n")
        else:
            taken.append(f"            {self.extra}: fields.rest(),\n")
        name = contract.class_name
        return (
            f"impl {name} {{\n"
            f"    fn take(fields: &mut {fields}) -> {option}<Self> {{\n"
            f"        Some(Self {{\n{''.join(taken)}        }})\n    }}\n\n"
            f"    fn put(&self, members: &mut {members}) {{\n{''.join(written)}    }}\n}}\n\n"
            f"impl {json} for {name} {{\n"
            f"    fn from_json(value: {value}) -> {option}<Self> {{\n"
            f"        Self::take(&mut {fields}::of(value)?)\n    }}\n\n"
            f"    fn to_json(&self) -> {value} {{\n"
            f"        let mut members = {self._name('Map')}::new();\n        self.put(&mut members);\n"
            f"        with_extra(members, &self.{self.extra})\n    }}\n}}\n\n"
            f'contract!({name}, "{contract.ref}");\n'
        )

    def _written(self, found: Property) -> str:
        name = field_name(found.name)
        if not found.required:
            return f'put(members, "{found.name}", self.{name}.as_ref(), &self.{self.extra});'
        json = f"{self._name('Json')}::to_json(&self.{name})"
        return f'members.insert("{found.name}".to_owned(), {json});'

    def _required(self, contract: Contract) -> list[tuple[Contract, Property]]:
        lineage = self._model.lineage(contract)
        return [(owner, found) for owner in lineage for found in owner.properties if found.required]

    def _field_type(self, contract: Contract, found: Property) -> str:
        stated = self._type(contract, found)
        return stated if found.required else f"{self._name('Option')}<{stated}>"

    def _type(self, contract: Contract, found: Property) -> str:
        if name := self._enums.get((contract.ref, found.name)):
            return name
        stated = self._value_type(found.value)
        target = found.value.contract
        recursive = target is not None and self._holds(target, contract.ref)
        return f"{self._name('Box')}<{stated}>" if recursive else stated

    def _value_type(self, value: Value) -> str:
        if value.contract:
            return self._model.by_ref[value.contract].class_name
        string = self._name("String")
        inner = self._value_type(value.element) if value.element else self._name("Value")
        match value.kind:
            case "array":
                return f"{self._name('Vec')}<{inner}>"
            case "object" if value.element:
                return f"{self._name('BTreeMap')}<{string}, {inner}>"
            case "object":
                return f"{self._name('Map')}<{string}, {inner}>"
            case "string":
                return string
        return _SCALARS.get(value.kind, inner)

    def _holds(self, holder: ContractRef, wanted: ContractRef) -> bool:
        """Whether a struct holds another in place, so that one of them must be boxed."""
        waiting, seen = [holder], set[ContractRef]()
        while waiting:
            ref = waiting.pop()
            if ref == wanted:
                return True
            if ref not in seen:
                seen.add(ref)
                contract = self._model.by_ref[ref]
                inside = [contract.parent, *(found.value.contract for found in contract.properties)]
                waiting += filter(None, inside)
        return False

    def _enum(self, contract: Contract, found: Property) -> str:
        name, members = self._enums[contract.ref, found.name], variants(found.value.enum)
        other = next(word for word in _OTHERS if word not in members.values())
        text = found.value.kind == "string"
        held = self._name("String") if text else "i64"
        literals = {
            member: (f'"{escaped(member)}"' if isinstance(member, str) else str(member)) for member in members
        }
        listed = "".join(f"    /// `{plain(str(member))}`\n    {word},\n" for member, word in members.items())
        into = "".join(
            f"            {literals[member]} => Self::{word},\n" for member, word in members.items()
        )
        back = "".join(
            f"            Self::{word} => {literals[member]},\n" for member, word in members.items()
        )
        given, kept, method, out = (
            ("&str", "other.to_owned()", "as_str", "&str") if text else ("i64", "other", "value", "i64")
        )
        kept_out = "other" if text else "*other"
        json, value, option = self._name("Json"), self._name("Value"), self._name("Option")
        read = f"{held}::from_json(value).map({'|held| Self::from(held.as_str())' if text else 'Self::from'})"
        write = f"{self._name('Json')}::to_json(&self.{method}(){'.to_owned()' if text else ''})"
        return (
            f"{doc(found.description)}///\n/// The values of `{plain(found.name)}` in [`{contract.class_name}`].\n"
            "#[derive(Debug, Clone, PartialEq, Eq, Hash)]\n"
            f"pub enum {name} {{\n{listed}"
            f"    /// One that this version of the contract doesn't name.\n    {other}({held}),\n}}\n\n"
            f"impl {name} {{\n    /// The value in JSON.\n    pub fn {method}(&self) -> {out} {{\n"
            f"        match self {{\n{back}            Self::{other}(other) => {kept_out},\n        }}\n    }}\n}}\n\n"
            f"impl From<{given}> for {name} {{\n    fn from(value: {given}) -> Self {{\n        match value {{\n"
            f"{into}            other => Self::{other}({kept}),\n        }}\n    }}\n}}\n\n"
            f"impl {json} for {name} {{\n"
            f"    fn from_json(value: {value}) -> {option}<Self> {{\n        {read}\n    }}\n\n"
            f"    fn to_json(&self) -> {value} {{\n        {write}\n    }}\n}}\n"
        )


def _taken(found: Property) -> str:
    how = "required" if found.required else "any" if found.value.kind == "any" else "optional"
    return f'fields.{how}("{found.name}")?'
