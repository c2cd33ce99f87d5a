"""What is particular to the Java package."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from evalcontract.catalog import Catalogue
from evalcontract.codegen import generate
from evalcontract.codegen.java import java_package
from evalcontract.codegen.model import model_of
from evalcontract.values import same_value
from tests.languages.awkward import awkward_schemas
from tests.languages.conftest import driver_of
from tests.languages.documents import fuzzed
from tests.languages.lines import FILES, LONGEST, METADATA, TAGGED, comparable_lines, expected_lines
from tests.languages.oracle import differing_verdicts
from tests.languages.protocol import asked, cases_of, expected
from tests.languages.toolchains import HERE, Driver, java_command, run
from tests.support.layers import every_kind_layer
from tests.support.projects import PROJECT

DATASETS = sorted((PROJECT / "examples" / "pathfinder").glob("*.json"))
PACK = PROJECT / "schemas" / "conformance"


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_of("java", tmp_path_factory.mktemp("built"))


def program(driver: Driver, name: str) -> Sequence[str | Path]:
    return [*java_command(driver.folder.parent / "java-driver"), f"driver.{name}"]


def class_path(driver: Driver) -> str:
    command = java_command(driver.folder.parent / "java-driver")
    return str(command[-1])


def written(files: dict[str, bytes], folder: Path) -> list[Path]:
    """The Java files of a package, written to a folder."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return [folder / path for path in files if path.endswith(".java")]


def compiled(driver: Driver, sources: Sequence[Path], target: Path, *, path: str = "") -> None:
    """Compiles with every warning an error, those about the documentation among them."""
    options = [
        "-Xlint:all",
        "-Xdoclint:all,-missing",
        "-Werror",
        "--release",
        "17",
        "-proc:none",
        "-d",
        target,
    ]
    run("javac", *options, "-cp", os.pathsep.join([class_path(driver), path]), *sources, cwd=target.parent)


def test_the_compiler_has_no_warning(java: Driver, tmp_path: Path) -> None:
    compiled(java, sorted(java.folder.rglob("*.java")), tmp_path / "classes")


def test_the_readme_runs(java: Driver, tmp_path: Path) -> None:
    (code,) = re.findall(
        r"```java\n(.*?)```", (java.folder / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    imports, _, body = code.partition("\n\n")
    source = tmp_path / "Readme.java"
    source.write_text(f"{imports}\nclass Readme {{ public static void main(String[] a) {{ {body} }} }}\n")
    printed = run("java", "-cp", class_path(java), source, cwd=tmp_path)
    assert "is required but missing" in printed


@pytest.mark.parametrize("jackson", ["jackson2", "jackson3"])
def test_jackson_reads_and_writes_documents_without_loss(java: Driver, jackson: str) -> None:
    cases = [case for case in cases_of(PACK) if "/valid/" in case.name]
    cases += [case for case in fuzzed(cases, 1000, seed=4) if expected(case).written]
    answers = asked([*program(java, "Driver"), jackson], cases, java.folder)
    lost = [
        case.name
        for case, answer in zip(cases, answers, strict=True)
        if not same_value(answer.written[0], expected(case).written[0])
    ]
    assert len(cases) > 400
    assert lost == []


@pytest.mark.parametrize("path", DATASETS, ids=lambda path: path.stem)
def test_one_field_is_changed_and_nothing_else(java: Driver, path: Path, tmp_path: Path) -> None:
    changed = tmp_path / path.name
    run(*program(java, "Edit"), path, changed, cwd=tmp_path)
    wanted = json.loads(path.read_bytes())
    wanted["items"][0]["item_id"] = "renamed"
    assert changed.read_text(encoding="utf-8") == json.dumps(wanted, indent=2, ensure_ascii=False) + "\n"


def test_networknt_gives_the_same_verdicts_on_the_bundles(java: Driver) -> None:
    assert differing_verdicts(program(java, "Oracle"), java.folder) == []


@pytest.mark.parametrize("metadata", [None, METADATA], ids=["alone", "in a dataset"])
@pytest.mark.parametrize("name", FILES)
def test_json_lines_are_judged_line_by_line(
    java: Driver, name: str, metadata: object, tmp_path: Path
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(FILES[name])
    arguments = [json.dumps(metadata)] if metadata else []
    printed = run(*program(java, "Lines"), path, str(LONGEST), *arguments, cwd=tmp_path)
    assert comparable_lines(printed) == list(expected_lines(path, metadata))


def test_json_lines_take_no_more_memory_than_a_line(java: Driver, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    line = json.dumps(TAGGED).encode() + b"\n"
    with path.open("wb") as file:
        file.writelines(line * 1000 for _ in range(100))
        file.write(b"[" + b"1," * 40_000_000 + b"1]\n")
    java_, *options = program(java, "Lines")
    printed = run(java_, "-Xmx16m", *options, path, str(LONGEST), cwd=tmp_path)
    assert json.loads(printed.splitlines()[-1])["fault"][:3] == ["too-long", 100_001, 1]


def test_contracts_of_ones_own_with_awkward_names_make_a_package(java: Driver, tmp_path: Path) -> None:
    files = dict(java_package(model_of(Catalogue(awkward_schemas(tmp_path)))))
    sources = written(files, tmp_path / "package")
    assert "package/src/main/java/example/acme/Json.java" in {
        str(path.relative_to(tmp_path)) for path in sources
    }
    compiled(java, sources, tmp_path / "classes")
    shutil.copy(HERE / "java" / "Awkward.java", tmp_path)
    path = os.pathsep.join([str(tmp_path / "classes"), class_path(java)])
    run("java", "-ea", "-cp", path, tmp_path / "Awkward.java", cwd=tmp_path)


def test_contracts_that_lie_on_ours_make_a_package(java: Driver, tmp_path: Path) -> None:
    generate(Catalogue.load(every_kind_layer(tmp_path / "schemas")), {"java": tmp_path / "layer"})
    sources = sorted((tmp_path / "layer").rglob("*.java"))
    assert {"PartV1x0.java", "Part.java", "EveryKind.java", "RAGInput.java"} <= {
        path.name for path in sources
    }
    compiled(java, sources, tmp_path / "classes")
