"""Layers on one another: which take whose place, what they may not share or lack, and how reports name them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from evalcontract.catalog.data import schemas_root
from evalcontract.catalog.layer import Layer
from evalcontract.errors import CatalogError


def stacked(top: Layer, under: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """A layer in the place of another edition of it, else on all of them; CatalogError when two share a name."""
    editions = [layer.base_uri == top.base_uri for layer in under]
    layers = tuple(top if same else layer for layer, same in zip(under, editions, strict=True))
    if not any(editions):
        layers = (*under, top)
    _refuse_shared("contract", ((name, layer) for layer in layers for name in layer.entries))
    _refuse_shared("schema type", ((name, layer) for layer in layers for name in layer.types))
    return layers


def _refuse_shared(kind: str, named: Iterable[tuple[str, Layer]]) -> None:
    homes: dict[str, Layer] = {}
    for name, layer in named:
        if name in homes:
            raise CatalogError(
                f"two layers have the {kind} {name}: {homes[name].root} and {layer.root}",
                hint=f"rename the one in {layer.root}",
            )
        homes[name] = layer


def refuse_missing_contracts(layers: tuple[Layer, ...]) -> None:
    """Raise CatalogError when a schema type names a contract that no layer has."""
    entries = {name: versions for layer in layers for name, versions in layer.entries.items()}
    for layer in layers:
        for type_ in (type_ for versions in layer.types.values() for type_ in versions.values()):
            for ref in (type_.input, type_.expected_output):
                if ref.version not in entries.get(ref.name, {}):
                    raise CatalogError(
                        f"{layer.root / 'catalog.json'}: the schema type {type_.name}@{type_.version} "
                        f"names {ref}, which no layer has",
                        hint="add the contract, or name a version that there is",
                    )


def labels_of(layers: tuple[Layer, ...]) -> tuple[str, ...]:
    """The layers as reports name them, the lowest first; empty where there is the built-in one alone."""
    built_in = str(schemas_root())
    roots = [str(layer.root) for layer in layers]
    if roots == [built_in]:
        return ()
    return tuple("built in" if root == built_in else _as_seen_from_here(root) for root in roots)


def _as_seen_from_here(root: str) -> str:
    """A folder below the current one by its way from there, any other as it is."""
    path, here = Path(root), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) and path != here else root
