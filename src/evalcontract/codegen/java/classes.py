"""A class for each contract, which extends its parent's, and one for each enumeration."""

from __future__ import annotations

from collections.abc import Callable

from evalcontract.codegen.java.words import accessors, constants, doc, string_literal
from evalcontract.codegen.model import Contract, Model, Property, Value

_HOMES = {
    "Boolean": "java.lang",
    "Document": "",
    "Double": "java.lang",
    "List": "java.util",
    "Long": "java.lang",
    "Map": "java.util",
    "Number": "java.lang",
    "Object": "java.lang",
    "Override": "java.lang",
    "Set": "java.util",
    "String": "java.lang",
}
_SCALARS = {"string": "String", "integer": "Long", "number": "Double", "boolean": "Boolean"}
_ELEMENTS = _SCALARS | {"integer": "Number", "number": "Number"}  # as they were written
_KEPT = {"string": "text", "integer": "integral", "number": "number", "boolean": "truth"}


def class_files(model: Model, package: str) -> dict[str, str]:
    """The sources of the package `types`, by file name."""
    writer = _JavaWriter(model, package)
    made = {"package-info.java": f"/** A class for each contract. */\npackage {package}.types;\n"}
    for contract in model.contracts:
        made[f"{contract.class_name}.java"] = writer.contract(contract)
        for found in contract.properties:
            if name := writer.enums.get((contract.ref, found.name)):
                made[f"{name}.java"] = writer.enumeration(name, contract, found)
    return made


class _JavaWriter:
    """Writes the contracts of one model."""

    def __init__(self, model: Model, package: str) -> None:
        self._model = model
        self._package = package
        self._titles = {contract.class_name for contract in model.contracts}
        self._homes = {name: home or package for name, home in _HOMES.items()}
        self.enums = model.enum_names({*self._titles, *_HOMES})

    def contract(self, contract: Contract) -> str:
        """The class of a contract."""
        words = accessors([found.name for found in self._model.all_properties(contract)])
        parent = self._model.by_ref[contract.parent].class_name if contract.parent else self._name("Document")
        name, object_ = contract.class_name, self._name("Object")
        accessor_pairs = "".join(
            self._accessors(contract, found, words[found.name]) for found in contract.properties
        )
        names = ", ".join(f'"{found.name}"' for found in self._model.all_properties(contract))
        string, set_ = self._name("String"), self._name("Set")
        imports = [
            f"import {self._homes[used]}.{used};\n"
            for used in ("Document", "List", "Map", "Set")
            if used not in self._titles and self._uses(contract, used)
        ]
        description = doc(contract.description, more=f"The contract {contract.ref}.")
        return (
            f"package {self._package}.types;\n\n{''.join(sorted(imports))}{chr(10) if imports else ''}"
            f"{description}"
            f"public class {name} extends {parent} {{\n"
            f"    private static final {set_}<{string}> PROPERTIES = {set_}.of({names});\n\n"
            f"    /** With nothing in it. */\n    public {name}() {{}}\n\n"
            "    /**\n     * A value as this class, without loss.\n"
            "     * Whether it keeps the contract, {@link #violations} tells.\n     *\n"
            f"     * @throws {self._package}.ContractException when it has not the shape of the contract\n     */\n"
            f"    public static {name} decode({object_} value) {{\n"
            f"        return decoded(new {name}(), value);\n    }}\n\n"
            "    /**\n     * Reads strict JSON text that keeps the contract.\n     *\n"
            f"     * @throws {self._package}.ReadException when it is not strict JSON\n"
            f"     * @throws {self._package}.ContractException when it breaks the contract\n     */\n"
            f"    public static {name} read(byte[] text) {{\n        return readInto(new {name}(), text);\n    }}\n\n"
            f"{accessor_pairs}{self._plumbing(contract)}}}\n"
        )

    def enumeration(self, name: str, contract: Contract, found: Property) -> str:
        """The class of an enumeration: its named values, and any other."""
        text = found.value.kind == "string"
        held, object_, override = (
            self._name("String" if text else "Long"),
            self._name("Object"),
            self._name("Override"),
        )
        members = constants(found.value.enum)
        listed = "".join(
            f"{doc(str(member), 4)}    public static final {name} {constant} = new {name}({_literal(member)});\n\n"
            for member, constant in members.items()
        )
        known = ", ".join(f"{constant}.value" for constant in members.values())
        set_ = "Set" if "Set" not in self._titles else "java.util.Set"
        imports = "import java.util.Set;\n\n" if set_ == "Set" else ""
        string = self._name("String")
        return (
            f"package {self._package}.types;\n\n{imports}"
            f"/**\n * The values of {found.name} in {{@link {contract.class_name}}}.\n"
            " * One that this version of the contract doesn't name can be held too: a later one may name it.\n */\n"
            f"public final class {name} {{\n{listed}"
            f"    private static final {set_}<{held}> KNOWN = {set_}.of({known});\n\n"
            f"    private final {held} value;\n\n"
            f"    private {name}({held} value) {{\n        this.value = value;\n    }}\n\n"
            f"    /** The value in JSON as one of this class; null for null. */\n"
            f"    public static {name} of({held} value) {{\n"
            f"        return value == null ? null : new {name}(value);\n    }}\n\n"
            f"    /** The value in JSON. */\n    public {held} value() {{\n        return value;\n    }}\n\n"
            "    /** Whether this version of the contract names the value. */\n"
            "    public boolean isKnown() {\n        return KNOWN.contains(value);\n    }\n\n"
            f"    @{override}\n    public boolean equals({object_} other) {{\n"
            f"        return other instanceof {name} same && same.value.equals(value);\n    }}\n\n"
            f"    @{override}\n    public int hashCode() {{\n        return value.hashCode();\n    }}\n\n"
            f"    @{override}\n    public {string} toString() {{\n        return value.toString();\n    }}\n}}\n"
        )

    def _name(self, name: str) -> str:
        return f"{self._homes[name]}.{name}" if name in self._titles else name

    def _uses(self, contract: Contract, name: str) -> bool:
        if name == "Document":
            return contract.parent is None
        kinds = {found.value.kind for found in contract.properties}
        return name == "Set" or (name == "List" and "array" in kinds) or (name == "Map" and "object" in kinds)

    def _accessors(self, contract: Contract, found: Property, word: str) -> str:
        said = found.description if found.required else f"{found.description} May be null."
        type_, enum = self._type(found.value), self.enums.get((contract.ref, found.name))
        held = f'get("{found.name}")'
        match found.value.kind:
            case "integer":
                given = f"asLong({held})"
            case "number":
                given = f"asDouble({held})"
            case "any":
                given = held
            case _:
                given = f"({type_}) {held}"
        unchecked = '    @SuppressWarnings("unchecked")\n' if "<" in type_ else ""
        stored = "value"
        if enum:
            given, type_, stored = f"{enum}.of({given})", enum, "value == null ? null : value.value()"
        return (
            f"{doc(said, 4)}{unchecked}    public {type_} get{word}() {{\n        return {given};\n    }}\n\n"
            f"{doc(said, 4)}    public void set{word}({type_} value) {{\n"
            f'        put("{found.name}", {stored});\n    }}\n\n'
        )

    def _plumbing(self, contract: Contract) -> str:
        string, object_, override = self._name("String"), self._name("Object"), self._name("Override")
        set_ = self._name("Set")
        cases = "".join(
            f'            case "{found.name}" -> {self._kept(found.value)("value")};\n'
            for found in contract.properties
            if found.value.kind != "any"
        )
        otherwise = "super.kept(name, value)" if contract.parent else "value"
        return (
            f'    @{override}\n    public {string} contract() {{\n        return "{contract.ref}";\n    }}\n\n'
            f"    @{override}\n    protected {set_}<{string}> properties() {{\n        return PROPERTIES;\n    }}\n\n"
            f"    @{override}\n    protected {object_} kept({string} name, {object_} value) {{\n"
            f"        return switch (name) {{\n{cases}            default -> {otherwise};\n        }};\n    }}\n"
        )

    def _type(self, value: Value) -> str:
        if value.contract:
            return self._model.by_ref[value.contract].class_name
        inner = self._element_type(value.element) if value.element else self._name("Object")
        match value.kind:
            case "array":
                return f"{self._name('List')}<{inner}>"
            case "object":
                return f"{self._name('Map')}<{self._name('String')}, {inner}>"
            case "any":
                return inner
        return self._name(_SCALARS[value.kind])

    def _element_type(self, element: Value) -> str:
        return self._name(_ELEMENTS[element.kind]) if element.kind in _ELEMENTS else self._type(element)

    def _kept(self, value: Value) -> Callable[[str], str]:
        """How a value is brought into the form in which it is kept."""
        if value.contract:
            title = self._model.by_ref[value.contract].class_name
            return lambda held: f"document({held}, {title}::new)"
        if value.kind in ("array", "object"):
            how = "list" if value.kind == "array" else "map"
            within = self._kept(value.element)("held") if value.element else "held"
            return lambda held: f"{how}({held}, held -> {within})"
        call = _KEPT.get(value.kind)
        return lambda held: f"{call}({held})" if call else held


def _literal(member: str | int) -> str:
    return string_literal(member) if isinstance(member, str) else f"{member}L"
