"""Compare generated files with a tree, and bring the tree up to date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

OWNED = "generated"
"""The folder in which every file is generated; any other file in it is a stray."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A file that is not what the generator would write."""

    path: str
    kind: Literal["edited", "missing", "stray"]

    def __str__(self) -> str:
        return f"{self.path}: {self.kind}"


def differences(root: Path, outputs: Mapping[str, bytes]) -> list[Difference]:
    """Every file under `root` that differs from `outputs` (by path from the root), sorted by path."""
    found = [
        Difference(path, "edited" if (root / path).exists() else "missing")
        for path, content in outputs.items()
        if not _holds(root / path, content)
    ]
    strays = (Difference(path, "stray") for path in _owned_files(root) if path not in outputs)
    return sorted([*found, *strays], key=lambda each: each.path)


def write(root: Path, outputs: Mapping[str, bytes], found: Iterable[Difference]) -> None:
    """Undo the differences: write what is edited or missing, remove what is stray."""
    for difference in found:
        path = root / difference.path
        if difference.kind == "stray":
            path.unlink()
            _remove_empty_folders(path.parent, root / OWNED)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(outputs[difference.path])


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


def _owned_files(root: Path) -> Iterator[str]:
    for path in (root / OWNED).rglob("*"):
        inside = path.relative_to(root)
        if (path.is_symlink() or not path.is_dir()) and "__pycache__" not in inside.parts:
            yield inside.as_posix()


def _remove_empty_folders(folder: Path, top: Path) -> None:
    while folder != top and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
