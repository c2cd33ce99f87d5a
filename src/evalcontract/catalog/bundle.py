"""One self-contained file for a contract: everything that it refers to as local `$defs`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urljoin

from evalcontract.catalog.catalogue import Catalogue, Schema
from evalcontract.catalog.keywords import references, rewritten
from evalcontract.catalog.names import ContractRef, SchemaVersion
from evalcontract.errors import SchemaError, UnknownContract, UnknownVersion
from evalcontract.values import shown

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
    return _self_contained(catalogue, ref, lambda part: _merged(catalogue, part), "flat", base_uri)


def property_names(catalogue: Catalogue, ref: ContractRef) -> tuple[str, ...]:
    """The properties of a contract, inherited ones first. Raises SchemaError as `flat` does."""
    return tuple(_merged(catalogue, ref).get("properties", ()))


def definitions(catalogue: Catalogue, refs: Iterable[ContractRef]) -> dict[str, Schema]:
    """The named contracts and all that they refer to, by class name, with local references."""
    documents = _closure(catalogue, refs, catalogue.document)
    return _Bundled(catalogue, documents).definitions()


def class_names(catalogue: Catalogue, refs: Iterable[ContractRef]) -> dict[ContractRef, str]:
    """The class name of each named contract and of all that they refer to.

    It is the title. Where two versions of a contract meet, the older one has its number added (NoteV1x9),
    in letters and digits alone, which every language takes as they are.
    """
    return _class_names(_closure(catalogue, refs, catalogue.document))


def numbered(catalogue: Catalogue, ref: ContractRef) -> str:
    """The class name of a version that isn't the newest: NoteV1x9."""
    return _numbered(catalogue.document(ref)["title"], ref)


def _numbered(title: str, ref: ContractRef) -> str:
    return f"{title}V{ref.version.replace('.', 'x')}"


def parent_of(catalogue: Catalogue, ref: ContractRef) -> ContractRef | None:
    """The contract that this one extends, if any."""
    return next(iter(catalogue.ancestors(ref)), None)


def _self_contained(
    catalogue: Catalogue, ref: ContractRef, load: _Load, folder: str, base_uri: str | None
) -> Schema:
    documents = _closure(catalogue, [ref], load)
    for part in documents:
        catalogue.ancestors(part)  # none of them may extend itself
    base = (base_uri or catalogue.layer_of(ref.name).base_uri).rstrip("/")
    uri = f"{base}/{folder}/{ref.name}-{ref.version}.schema.json"
    return _Bundled(catalogue, documents, root=ref).document(uri)


def _closure(catalogue: Catalogue, refs: Iterable[ContractRef], load: _Load) -> dict[ContractRef, Schema]:
    found: dict[ContractRef, Schema] = {}
    waiting = list(refs)
    while waiting:
        ref = waiting.pop()
        if ref not in found:
            found[ref] = load(ref)
            waiting.extend(_target(catalogue, ref, written) for written in references(found[ref]))
    return found


def _target(catalogue: Catalogue, ref: ContractRef, written: str) -> ContractRef:
    try:
        return catalogue.ref_of(urljoin(catalogue.uri(ref), written))
    except (UnknownContract, UnknownVersion) as error:
        raise SchemaError(
            f"{catalogue.path(ref)}: {ref} refers to {written}: {error.message}", hint=error.hint
        ) from error


def _merged(catalogue: Catalogue, ref: ContractRef) -> Schema:
    own: Schema = _absolute(catalogue.uri(ref), catalogue.document(ref))
    parent_ref = parent_of(catalogue, ref)
    if parent_ref is None:
        return own
    parent: Schema = _merged(catalogue, parent_ref)
    inherited, added = parent.get("properties", {}), own.get("properties", {})
    again = sorted(inherited.keys() & added.keys())
    if again:
        raise SchemaError(f"{ref} declares {', '.join(again)} again", hint=f"{parent_ref} has it already")
    own["allOf"] = own["allOf"][1:]
    if not own["allOf"]:
        del own["allOf"]
    own["properties"] = inherited | added
    required = parent.get("required", []) + own.pop("required", [])
    return own | ({"required": required} if required else {})


def _absolute(base: str, node: Any) -> Any:
    """A schema whose references are whole addresses, so that it may stand in another document."""
    if isinstance(node, list):
        return [_absolute(base, part) for part in node]
    if not isinstance(node, dict):
        return node
    made = rewritten(node, lambda part: _absolute(base, part), frozenset())
    return made | ({"$ref": urljoin(base, node["$ref"])} if isinstance(node.get("$ref"), str) else {})


def _class_names(documents: Mapping[ContractRef, Schema]) -> dict[ContractRef, str]:
    newest: dict[str, SchemaVersion] = {}
    for ref in documents:
        version = SchemaVersion.parse(ref.version)
        newest[ref.name] = max(version, newest.get(ref.name, version))
    return {
        ref: document["title"] if ref.version == str(newest[ref.name]) else _numbered(document["title"], ref)
        for ref, document in documents.items()
    }


class _Bundled:
    """Contracts written as one document: each of them, and each of their own `$defs`, is one of its `$defs`.

    The contract `root` is the document itself.
    """

    def __init__(
        self, catalogue: Catalogue, documents: Mapping[ContractRef, Schema], root: ContractRef | None = None
    ) -> None:
        self._catalogue = catalogue
        self._documents = documents
        self._root = root
        self._names = _class_names(documents)
        self._local = self._names_of_local_definitions()

    def document(self, uri: str) -> Schema:
        """The root with everything else in its `$defs`."""
        assert self._root is not None
        made = self._written(self._root)
        made["$id"] = uri
        others = self.definitions()
        if others:
            made["$defs"] = dict(sorted(others.items()))
        return made

    def definitions(self) -> dict[str, Schema]:
        """Every contract but the root, and every local definition, by name."""
        found = {}
        for ref, document in self._documents.items():
            if ref != self._root:
                found[self._names[ref]] = _definition(self._names[ref], self._written(ref))
            for key, schema in document.get("$defs", {}).items():
                found[self._local[ref, key]] = self._localised(ref, schema)
        return found

    def _written(self, ref: ContractRef) -> Schema:
        document = self._documents[ref]
        made: Schema = self._localised(ref, {key: document[key] for key in document if key != "$defs"})
        return made

    def _localised(self, ref: ContractRef, node: Any) -> Any:
        if isinstance(node, list):
            return [self._localised(ref, part) for part in node]
        if not isinstance(node, dict):
            return node
        made = rewritten(node, lambda part: self._localised(ref, part), frozenset())
        return made | (
            {"$ref": self._pointer(ref, node["$ref"])} if isinstance(node.get("$ref"), str) else {}
        )

    def _pointer(self, ref: ContractRef, written: str) -> str:
        target = _target(self._catalogue, ref, written)
        _, _, fragment = urljoin(self._catalogue.uri(ref), written).partition("#")
        steps = fragment.split("/")
        if steps[0]:
            raise SchemaError(
                f"{ref} refers to the anchor {shown(fragment)}", hint="refer to #/$defs/NAME instead"
            )
        if steps[1:2] == ["$defs"] and (target, steps[2]) in self._local:
            return "/".join(["#/$defs", self._local[target, steps[2]], *steps[3:]])
        start = "#" if target == self._root else f"#/$defs/{self._names[target]}"
        return "/".join([start, *steps[1:]])

    def _names_of_local_definitions(self) -> dict[tuple[ContractRef, str], str]:
        taken = {name for ref, name in self._names.items() if ref != self._root}
        found: dict[tuple[ContractRef, str], str] = {}
        for ref in sorted(self._documents, key=lambda ref: (ref != self._root, ref.name, ref.version)):
            for key in self._documents[ref].get("$defs", {}):
                name = key if key not in taken else f"{self._names[ref]}{key[:1].upper()}{key[1:]}"
                found[ref, key] = name
                taken.add(name)
        return found


def _definition(name: str, document: Schema) -> Schema:
    inner = {key: value for key, value in document.items() if key not in ("$schema", "$id")}
    return inner | {"title": name}
