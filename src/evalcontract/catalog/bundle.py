"""One self-contained file for a contract: everything that it refers to as local `$defs`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import urljoin

from evalcontract.catalog.catalogue import Catalogue, Schema
from evalcontract.catalog.names import ContractRef, SchemaVersion
from evalcontract.errors import SchemaError

_Load = Callable[[ContractRef], Schema]


def bundle(catalogue: Catalogue, ref: ContractRef, *, base_uri: str | None = None) -> Schema:
    """The contract with everything that it refers to, under an `$id` of its own.

    `base_uri` replaces the reserved base, for a publisher who serves the file.
    """
    return _self_contained(catalogue, ref, catalogue.document, "bundles", base_uri)


def flat(catalogue: Catalogue, ref: ContractRef, *, base_uri: str | None = None) -> Schema:
    """The same with inheritance merged away: no `allOf`, each type carries all of its properties.

    Raises SchemaError when a type declares a property again that its parent has.
    """
    return _self_contained(catalogue, ref, lambda each: _merged(catalogue, each), "flat", base_uri)


def definitions(catalogue: Catalogue, refs: Iterable[ContractRef]) -> dict[str, Schema]:
    """The named contracts and all that they refer to, by class name, with local references."""
    documents = _closure(catalogue, refs, catalogue.document)
    names = _class_names(documents)
    pointers = {catalogue.uri(ref): f"#/$defs/{name}" for ref, name in names.items()}
    return {
        names[ref]: _definition(names[ref], _localised(catalogue, ref, document, pointers))
        for ref, document in documents.items()
    }


def class_names(catalogue: Catalogue, refs: Iterable[ContractRef]) -> dict[ContractRef, str]:
    """The class name of each named contract and of all that they refer to.

    It is the title. Where two versions of a contract meet, the older one has its number added (NoteV1x9),
    in letters and digits alone, which every language takes as they are.
    """
    return _class_names(_closure(catalogue, refs, catalogue.document))


def parent_of(catalogue: Catalogue, ref: ContractRef) -> ContractRef | None:
    """The contract that this one extends, if any."""
    parents = catalogue.document(ref).get("allOf", [])
    return catalogue.ref_of(urljoin(catalogue.uri(ref), parents[0]["$ref"])) if parents else None


def _self_contained(
    catalogue: Catalogue, ref: ContractRef, load: _Load, folder: str, base_uri: str | None
) -> Schema:
    documents = _closure(catalogue, [ref], load)
    names = _class_names(documents)
    pointers = {catalogue.uri(each): f"#/$defs/{name}" for each, name in names.items()}
    pointers[catalogue.uri(ref)] = "#"
    local = {each: _localised(catalogue, each, document, pointers) for each, document in documents.items()}
    root = local.pop(ref)
    base = (base_uri or catalogue.base_uri).rstrip("/")
    root["$id"] = f"{base}/{folder}/{ref.name}-{ref.version}.schema.json"
    if local:
        found = {names[each]: _definition(names[each], local[each]) for each in local}
        root["$defs"] = dict(sorted(found.items()))
    return root


def _closure(catalogue: Catalogue, refs: Iterable[ContractRef], load: _Load) -> dict[ContractRef, Schema]:
    found: dict[ContractRef, Schema] = {}
    waiting = list(refs)
    while waiting:
        ref = waiting.pop()
        if ref not in found:
            found[ref] = load(ref)
            waiting.extend(catalogue.ref_of(urljoin(catalogue.uri(ref), to)) for to in references(found[ref]))
    return found


def _merged(catalogue: Catalogue, ref: ContractRef) -> Schema:
    own = catalogue.document(ref)
    parent_ref = parent_of(catalogue, ref)
    if parent_ref is None:
        return own
    parent = _merged(catalogue, parent_ref)
    again = sorted(parent["properties"].keys() & own["properties"].keys())
    if again:
        raise SchemaError(f"{ref} declares {', '.join(again)} again", hint=f"{parent_ref} has it already")
    del own["allOf"]
    own["properties"] = parent["properties"] | own["properties"]
    required = parent.get("required", []) + own.pop("required", [])
    return own | ({"required": required} if required else {})


def _class_names(documents: dict[ContractRef, Schema]) -> dict[ContractRef, str]:
    newest: dict[str, SchemaVersion] = {}
    for ref in documents:
        version = SchemaVersion.parse(ref.version)
        newest[ref.name] = max(version, newest.get(ref.name, version))
    return {
        ref: document["title"]
        if ref.version == str(newest[ref.name])
        else f"{document['title']}V{ref.version.replace('.', 'x')}"
        for ref, document in documents.items()
    }


def _localised(catalogue: Catalogue, ref: ContractRef, document: Schema, pointers: dict[str, str]) -> Schema:
    base = catalogue.uri(ref)

    def walk(node: Any) -> Any:
        if isinstance(node, dict):
            return {
                key: pointers[urljoin(base, value)] if key == "$ref" else walk(value)
                for key, value in node.items()
            }
        return [walk(each) for each in node] if isinstance(node, list) else node

    local: Schema = walk(document)
    return local


def _definition(name: str, document: Schema) -> Schema:
    inner = {key: value for key, value in document.items() if key not in ("$schema", "$id")}
    return inner | {"title": name}


def references(node: Any) -> Iterator[str]:
    """Every `$ref` in a schema, as it is written."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for each in node:
            yield from references(each)
