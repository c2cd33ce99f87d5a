"""A catalogue that went elsewhere as texts is the catalogue that it was."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from evalcontract.catalog import Catalogue, default_catalogue, packed, schemas_root
from evalcontract.errors import CatalogError
from tests.support.layers import contract, extending, text, write_layer


def same(one: Catalogue, other: Catalogue) -> bool:
    return (
        one.labels == other.labels
        and dict(one.documents()) == dict(other.documents())
        and one.schema_types() == other.schema_types()
        and list(one.entries()) == list(other.entries())
    )


def test_the_built_in_catalogue_comes_back() -> None:
    sent = pickle.loads(pickle.dumps(packed(default_catalogue())))  # noqa: S301 what Spark does with it
    assert sent == packed(default_catalogue())
    assert same(sent.unpacked(), default_catalogue())
    assert sent.unpacked().labels == ()


def test_layers_come_back_without_their_folders(tmp_path: Path) -> None:
    write_layer(
        tmp_path, {"note@1.0": contract("Note", {"text": text("Text.")}, allOf=extending("base_input"))}
    )
    catalogue = Catalogue.load(tmp_path)
    sent = packed(catalogue)
    (tmp_path / "note" / "1.0.json").unlink()
    again = sent.unpacked()
    assert again.labels == ("built in", str(tmp_path))
    assert again.document(again.resolve("note"))["title"] == "Note"
    assert str(again.path(again.resolve("note"))) == str(tmp_path / "note" / "1.0.json")


def test_folders_in_memory_are_folders(tmp_path: Path) -> None:
    root = packed(default_catalogue()).unpacked().root
    assert root.is_dir()
    assert not root.is_file()
    assert str(root) == str(schemas_root())
    names = {child.name for child in root.iterdir()}
    assert {"catalog.json", "rag_input"} <= names
    assert (root / "catalog.json").open("rb").read() == (root / "catalog.json").read_text().encode()
    assert "$id" in (root / "rag_input" / "1.0.json").open().read()
    with pytest.raises(FileNotFoundError):
        (root / "nothing.json").read_bytes()


def test_a_file_that_is_gone_is_an_error(tmp_path: Path) -> None:
    write_layer(tmp_path, {"note@1.0": contract("Note", {"text": text("Text.")})})
    catalogue = Catalogue.load(tmp_path)
    (tmp_path / "note" / "1.0.json").unlink()
    with pytest.raises(CatalogError, match="can't be read"):
        packed(catalogue)
