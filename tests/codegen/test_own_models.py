"""Python models of contracts of one's own: they extend the published ones."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import evalcontract_models
import pytest
from pydantic import ValidationError

from evalcontract.catalog import Catalogue
from evalcontract.codegen.python import python_package
from tests.support.layers import contract, text, write_layer
from tests.support.projects import ARCHIVE

OURS = "https://evalcontract.example/schemas/"
PROSE = "A sentence that is long enough."


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Two versions of a type that extends rag, and one that refers to the older."""
    tenant = {"tenant": text(PROSE, minLength=1)}
    tags = {"type": ["array", "null"], "items": {"type": "string"}, "default": None, "description": PROSE}
    page = {"anyOf": [{"$ref": f"{OURS}citation/1.0.json"}, {"type": "null"}]}
    extends = {"allOf": [{"$ref": f"{OURS}rag_input/1.0.json"}], "required": ["tenant"]}
    return write_layer(
        tmp_path / "schemas",
        {
            "my_rag_input@1.0": contract("MyRagInput", tenant, **extends),
            "my_rag_input@1.1": contract("MyRagInput", {**tenant, "tags": tags}, **extends),
            "my_log@1.0": contract(
                "MyLog",
                {
                    "first": {"$ref": "../my_rag_input/1.0.json", "description": PROSE},
                    "cited": {**page, "description": PROSE, "default": None},
                },
                required=["first"],
            ),
        },
    )


@pytest.fixture
def models(own: Path, tmp_path: Path) -> Iterator[ModuleType]:
    for name, content in python_package(Catalogue.load(own)).items():
        (tmp_path / "acme_models").mkdir(exist_ok=True)
        (tmp_path / "acme_models" / name).write_bytes(content)
    sys.path.insert(0, str(tmp_path))
    yield importlib.import_module("acme_models")
    sys.path.remove(str(tmp_path))
    for module in [name for name in sys.modules if name.split(".")[0] == "acme_models"]:
        del sys.modules[module]


def test_own_models_extend_the_published_classes(models: ModuleType) -> None:
    assert issubclass(models.MyRagInput, evalcontract_models.RAGInput)
    made = models.MyRagInput(messages=[{"role": "user", "content": "q"}], tenant="a", more=[1])
    assert isinstance(made.messages[0], evalcontract_models.Message)
    assert made.model_dump(exclude_unset=True)["more"] == [1]
    with pytest.raises(ValidationError, match="tenant"):
        models.MyRagInput(messages=[{"role": "user", "content": "q"}])


def test_two_minors_have_two_names_and_each_its_fields(models: ModuleType) -> None:
    older = models.MyLog.model_fields["first"].annotation
    assert older.__name__ == "MyRagInputV1x0"
    assert set(models.MyRagInput.model_fields) - set(older.model_fields) == {"tags"}
    registry = importlib.import_module("acme_models.registry")
    assert {cls.__name__: "@".join(ref) for cls, ref in registry.CONTRACTS.items()} == {
        "MyLog": "my_log@1.0",
        "MyRagInput": "my_rag_input@1.1",
        "MyRagInputV1x0": "my_rag_input@1.0",
    }
    assert set(registry.MODELS) == {"my_log", "my_rag_input"}


def test_nothing_published_is_copied(own: Path) -> None:
    files = python_package(Catalogue.load(own))
    assert set(files) == {"__init__.py", "v1.py", "types.py", "registry.py", "py.typed", "pyproject.toml"}
    assert b"from evalcontract_models.v1 import Citation, RAGInput\n" in files["v1.py"]
    assert b"from evalcontract_models.types import Citation, RAGInput\n" in files["types.py"]
    assert b"class RAGInput" not in files["v1.py"] + files["types.py"]


def test_an_older_version_that_is_not_published_is_copied(tmp_path: Path) -> None:
    folder = write_layer(
        tmp_path,
        {
            "mine@1.0": contract(
                "Mine", {"more": text(PROSE)}, allOf=[{"$ref": f"{OURS}note/1.0.json"}], required=["more"]
            ),
            "other@1.0": contract(
                "Other", {"more": text(PROSE)}, allOf=[{"$ref": f"{OURS}note/1.9.json"}], required=["more"]
            ),
        },
    )
    module = python_package(Catalogue(folder, Catalogue(ARCHIVE)))["v1.py"].decode()
    assert "from evalcontract_models.v1 import NoteV1x9\n" in module
    assert "class NoteV1x0(ContractModel):" in module
    assert "class Mine(NoteV1x0):" in module
    assert "class Other(NoteV1x9):" in module
