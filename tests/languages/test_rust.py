"""What is particular to the Rust package."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from evalcontract.catalog import Catalogue
from evalcontract.codegen import generate
from evalcontract.codegen.model import model_of
from evalcontract.codegen.rust import rust_package
from evalcontract.values import same_value
from tests.languages.awkward import awkward_schemas
from tests.languages.conftest import driver_of
from tests.languages.lines import FILES, LONGEST, METADATA, TAGGED, comparable_lines, expected_lines
from tests.languages.oracle import differing_verdicts
from tests.languages.protocol import asked, cases_of, expected
from tests.languages.toolchains import CARGO, HERE, Driver, need, run
from tests.support.layers import every_kind_layer
from tests.support.projects import PROJECT

DATASETS = sorted((PROJECT / "examples" / "pathfinder").glob("*.json"))
PACK = PROJECT / "schemas" / "conformance"


@pytest.fixture(scope="module")
def rust(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_of("rust", tmp_path_factory.mktemp("built"))


def beside(driver: Driver) -> Path:
    return driver.folder.parent / "rust-driver"


def test_clippy_the_formatter_and_the_docs_have_nothing_to_say(rust: Driver) -> None:
    need("cargo-clippy", "rustfmt")
    run("cargo", "clippy", "--quiet", "--", "-D", "warnings", cwd=rust.folder, **CARGO)
    run("cargo", "fmt", "--check", cwd=rust.folder)
    run("cargo", "doc", "--quiet", "--no-deps", cwd=rust.folder, RUSTDOCFLAGS="-D warnings", **CARGO)


def test_the_readme_runs(rust: Driver) -> None:
    done = run("cargo", "test", "--quiet", "--doc", cwd=rust.folder, **CARGO)
    assert "1 passed" in done


def test_without_exact_numbers_verdicts_are_the_same(rust: Driver) -> None:
    cases = [case for case in cases_of(PACK) if "thirty-digits" not in case.name]
    run("cargo", "build", "--quiet", "--no-default-features", "--bin", "driver", cwd=beside(rust), **CARGO)
    try:
        answers = asked(rust.command, cases, rust.folder)
    finally:
        run("cargo", "build", "--quiet", "--bin", "driver", cwd=beside(rust), **CARGO)
    for case, answer in zip(cases, answers, strict=True):
        faults = {finding[:3] for finding in answer.findings}
        assert faults == {finding[:3] for finding in expected(case).findings}, case.name


@pytest.mark.parametrize("path", DATASETS, ids=lambda path: path.stem)
def test_one_field_is_changed_and_nothing_else(rust: Driver, path: Path, tmp_path: Path) -> None:
    changed = tmp_path / path.name
    run(Path(rust.command[0]).with_name("edit"), path, changed, cwd=tmp_path)
    wanted = json.loads(path.read_bytes())
    wanted["items"][0]["item_id"] = "renamed"
    assert same_value(json.loads(changed.read_bytes()), wanted)
    assert list(json.loads(changed.read_bytes())["items"][0]) == list(wanted["items"][0])


def test_the_crate_jsonschema_gives_the_same_verdicts_on_the_bundles(rust: Driver) -> None:
    run("cargo", "build", "--quiet", "--bin", "oracle", "--features", "oracle", cwd=beside(rust), **CARGO)
    assert differing_verdicts([Path(rust.command[0]).with_name("oracle")], rust.folder) == []


@pytest.mark.parametrize("metadata", [None, METADATA], ids=["alone", "in a dataset"])
@pytest.mark.parametrize("name", FILES)
def test_json_lines_are_judged_line_by_line(
    rust: Driver, name: str, metadata: object, tmp_path: Path
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(FILES[name])
    arguments = [json.dumps(metadata)] if metadata else []
    printed = run(Path(rust.command[0]).with_name("lines"), path, str(LONGEST), *arguments, cwd=tmp_path)
    assert comparable_lines(printed) == list(expected_lines(path, metadata))


def test_json_lines_take_no_more_memory_than_a_line(rust: Driver, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    line = json.dumps(TAGGED).encode() + b"\n"
    with path.open("wb") as file:
        file.writelines(line * 1000 for _ in range(300))
        file.write(b"[" + b"1," * 40_000_000 + b"1]\n")
    assert path.stat().st_size > 120_000_000
    program = Path(rust.command[0]).with_name("lines")
    limited = f"ulimit -v 60000; '{program}' '{path}' {LONGEST} | tail -n 1"
    assert json.loads(run("sh", "-c", limited, cwd=tmp_path))["fault"][:3] == ["too-long", 300_001, 1]


def test_contracts_of_ones_own_with_awkward_names_make_a_package(rust: Driver, tmp_path: Path) -> None:
    package = tmp_path / "awkward"
    for path, content in rust_package(model_of(Catalogue(awkward_schemas(tmp_path)))).items():
        (package / path).parent.mkdir(parents=True, exist_ok=True)
        (package / path).write_bytes(content)
    (package / "tests").mkdir()
    shutil.copy(HERE / "rust" / "awkward.rs", package / "tests")
    shutil.copy(tmp_path / "patterns.json", package)
    run("cargo", "clippy", "--quiet", "--all-targets", "--", "-D", "warnings", cwd=package, **CARGO)
    run("cargo", "doc", "--quiet", "--no-deps", cwd=package, RUSTDOCFLAGS="-D warnings", **CARGO)
    assert "1 passed" in run("cargo", "test", "--quiet", "--test", "awkward", cwd=package, **CARGO)


def test_contracts_that_lie_on_ours_make_a_package(rust: Driver, tmp_path: Path) -> None:
    package = tmp_path / "layer"
    generate(Catalogue.load(every_kind_layer(tmp_path / "schemas")), {"rust": package})
    types = (package / "src" / "types.rs").read_text(encoding="utf-8")
    assert all(f"pub struct {name} {{" in types for name in ("PartV1x0", "Part", "EveryKind", "RAGInput"))
    run("cargo", "clippy", "--quiet", "--", "-D", "warnings", cwd=package, **CARGO)
