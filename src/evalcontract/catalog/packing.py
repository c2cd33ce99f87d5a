"""A catalogue as plain texts, so that another process, on another machine, judges by the same contracts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from io import BytesIO, TextIOWrapper
from typing import Any

from evalcontract.catalog.catalogue import Catalogue
from evalcontract.catalog.data import schemas_root
from evalcontract.errors import CatalogError

_CATALOG = "catalog.json"


@dataclass(frozen=True, slots=True)
class PackedLayer:
    """One layer: the name of its folder, None for the built-in one, and its files by their path in it."""

    label: str | None
    files: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class PackedCatalogue:
    """The layers of a catalogue, the lowest first; equal ones have equal texts, and can be sent anywhere."""

    layers: tuple[PackedLayer, ...]

    def unpacked(self) -> Catalogue:
        """The catalogue again, read from the texts alone. Raises CatalogError like `Catalogue`."""
        found: Catalogue | None = None
        for layer in self.layers:
            label = str(schemas_root()) if layer.label is None else layer.label
            found = Catalogue(_Folder(label, dict(layer.files)), found)
        if found is None:
            raise CatalogError("a catalogue has at least one layer")
        return found


def packed(catalogue: Catalogue) -> PackedCatalogue:
    """The texts of every layer of a catalogue. Raises CatalogError for a file that can't be read."""
    return PackedCatalogue(tuple(_packed_layer(catalogue, number) for number in range(len(catalogue.layers))))


def _packed_layer(catalogue: Catalogue, number: int) -> PackedLayer:
    layer = catalogue.layers[number]
    files = {_CATALOG: _bytes_of(layer.root / _CATALOG)}
    for name, versions in layer.entries.items():
        for entry in versions.values():
            files[f"{name}/{entry.ref.version}.json"] = _bytes_of(layer.path(entry.ref))
    label = str(layer.root)
    return PackedLayer(None if label == str(schemas_root()) else label, tuple(sorted(files.items())))


def _bytes_of(path: Traversable) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CatalogError(f"{path} can't be read: {error.strerror}", hint="restore the file") from error


class _Folder(Traversable):
    """A folder, or a file in it, whose bytes are in memory."""

    def __init__(self, root: str, files: Mapping[str, bytes], path: str = "") -> None:
        self._root = root
        self._files = files
        self._path = path

    def __str__(self) -> str:
        return f"{self._root}/{self._path}" if self._path else self._root

    @property
    def name(self) -> str:
        return str(self).rpartition("/")[2]

    def is_file(self) -> bool:
        return self._path in self._files

    def is_dir(self) -> bool:
        return any(file.startswith(self._below("")) for file in self._files)

    def iterdir(self) -> Iterator[_Folder]:
        start = self._below("")
        names = {file[len(start) :].partition("/")[0] for file in self._files if file.startswith(start)}
        return (self.joinpath(name) for name in sorted(names))

    def joinpath(self, *descendants: Any) -> _Folder:
        return _Folder(self._root, self._files, self._below("/".join(map(str, descendants))))

    def __truediv__(self, child: Any) -> _Folder:
        return self.joinpath(child)

    def open(self, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        stream = BytesIO(self.read_bytes())
        return stream if "b" in mode else TextIOWrapper(stream, *args, **kwargs)

    def read_bytes(self) -> bytes:
        try:
            return self._files[self._path]
        except KeyError:
            raise FileNotFoundError(2, "no such file", str(self)) from None

    def read_text(self, encoding: str | None = None) -> str:
        return self.read_bytes().decode(encoding or "utf-8")

    def _below(self, path: str) -> str:
        return f"{self._path}/{path}" if self._path else path
