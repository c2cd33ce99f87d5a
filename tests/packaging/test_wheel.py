"""The built wheel, installed into an empty environment and used from another folder."""

from __future__ import annotations

import json
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from evalcontract.codegen import TARGETS
from evalcontract.codegen.tree import BUILT
from tests.support.projects import PROJECT
from tests.support.wheels import run

USE = """
import json, sys
from importlib.resources import files
import evalcontract
from evalcontract.models import RAGInput
from evalcontract.catalog import default_catalogue, generated_root

catalogue = default_catalogue()
refs = [str(entry.ref) for entry in catalogue.entries()]
for entry in catalogue.entries():
    ref = entry.ref
    assert evalcontract.load_schema(ref.name, ref.version)["$id"] == catalogue.uri(ref)
    assert evalcontract.schema_path(str(ref)).is_file()
    for kind in ("bundles", "flat"):
        assert (generated_root() / kind / f"{ref.name}-{ref.version}.schema.json").is_file()
    example = catalogue.root / "conformance" / ref.name / ref.version / "valid" / "full.json"
    evalcontract.validate(json.loads(example.read_bytes()), str(ref))
assert len(list(evalcontract.REGISTRY)) == len(refs)
assert RAGInput(messages=[{"role": "user", "content": "x"}]).context is None
print(len(refs))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, PROJECT, cwd=folder)
    return folder


def contracts() -> int:
    catalogue = json.loads((PROJECT / "schemas" / "catalog.json").read_bytes())
    return sum(len(versions) for versions in catalogue["contracts"].values())


def test_the_wheel_works_in_an_empty_environment(built: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", "--without-pip", "env", cwd=tmp_path)
    (wheel,) = built.glob("*.whl")
    python = tmp_path / "env" / "bin" / "python"
    install = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile")
    run(*install, "--constraint", PROJECT / "constraints.txt", wheel, cwd=tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert run(python, "-c", "import evalcontract; print(evalcontract.__file__)", cwd=elsewhere).startswith(
        str(tmp_path / "env")
    )
    assert run(python, "-c", USE, cwd=elsewhere).strip() == str(contracts())
    command = tmp_path / "env" / "bin" / "evalcontract"
    example = run(command, "schema", "example", "evaluation_item", "--line", cwd=elsewhere)
    (elsewhere / "items.jsonl").write_text(example)
    assert "ok: 1 item in 1 file" in run(command, "validate", "items.jsonl", cwd=elsewhere)
    assert run(command, "--version", cwd=elsewhere).startswith("evalcontract ")
    assert run(python, "-m", "evalcontract", "--version", cwd=elsewhere).startswith("evalcontract ")
    options = [target.option for target in TARGETS if target.option != "python"]
    run(command, "schema", "generate", *(f"--{option}={option}" for option in options), cwd=elsewhere)
    for option in options:
        assert contents(elsewhere / option) == contents(PROJECT / "generated" / option), option


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and BUILT.isdisjoint(path.parts))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_wheel_works_without_being_unpacked(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    blocked = (
        "import socket, sys\nsocket.socket = socket.getaddrinfo = None\nsys.path.insert(0, sys.argv[1])\n"
    )
    told = "\nassert evalcontract.__file__.startswith(sys.argv[1])"
    done = run(sys.executable, "-c", blocked + USE + told, wheel, cwd=tmp_path)
    assert done.strip() == str(contracts())


def test_wheel_and_source_distribution_carry_the_schemas_byte_for_byte(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    (sdist,) = built.glob("*.tar.gz")
    sources = [path for path in (PROJECT / "schemas").rglob("*.json") if path.is_file()]
    assert len(sources) > contracts()
    with zipfile.ZipFile(wheel) as archive, tarfile.open(sdist) as source:
        root = source.getnames()[0].partition("/")[0]
        for path in sources:
            name = path.relative_to(PROJECT).as_posix()
            assert archive.read(f"evalcontract/_data/{name}") == path.read_bytes()
            member = source.extractfile(f"{root}/{name}")
            assert member is not None
            assert member.read() == path.read_bytes()
