"""What only the Go module promises: its form, the bundles under another validator, and small programs."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from evalcontract.catalog import Catalogue
from evalcontract.codegen import generate
from tests.languages.conftest import driver_of
from tests.languages.documents import mutated
from tests.languages.lines import FILES, LONGEST, METADATA, comparable_lines, expected_lines
from tests.languages.protocol import DATASET, ITEM, Case, cases_of, expected, lines_of
from tests.languages.test_every_language import items_that_declare
from tests.languages.toolchains import HERE, go_module, need, run
from tests.support.layers import every_kind_layer
from tests.support.projects import PROJECT

PACK = PROJECT / "schemas" / "conformance"
EXAMPLES = PROJECT / "examples" / "pathfinder"
STATICCHECK = "honnef.co/go/tools/cmd/staticcheck@v0.8.2"
ORACLE = "github.com/santhosh-tekuri/jsonschema/v6 v6.0.3"


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The module."""
    return driver_of("go", tmp_path_factory.mktemp("built")).folder


@pytest.fixture(scope="session")
def programs(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs over the module, built."""
    folder = tmp_path_factory.mktemp("programs")
    shutil.copy(HERE / "go" / "programs" / "main.go", folder)
    go_module(folder, package, ORACLE)
    run("go", "build", "-o", "program", ".", cwd=folder, GOFLAGS="-mod=mod")
    return folder / "program"


def test_the_module_is_formatted_and_nothing_is_found_in_it(package: Path) -> None:
    assert run("gofmt", "-l", ".", cwd=package) == ""
    run("go", "vet", "./...", cwd=package)
    run("go", "run", STATICCHECK, "./...", cwd=package)


def test_contracts_of_ones_own_make_a_module_that_compiles(tmp_path: Path) -> None:
    need("go")
    layer = every_kind_layer(tmp_path / "schemas")
    generate(Catalogue.load(layer), {"go": tmp_path / "acme"})
    shutil.copy(HERE / "go" / "own" / "own_test.go", tmp_path / "acme")
    assert run("gofmt", "-l", ".", cwd=tmp_path / "acme") == ""
    run("go", "vet", "./...", cwd=tmp_path / "acme")
    run("go", "test", "./...", cwd=tmp_path / "acme")


def test_the_module_needs_nothing_but_the_standard_library(package: Path) -> None:
    assert "require" not in (package / "go.mod").read_text()


def test_another_validator_gives_the_same_verdicts_by_the_bundles(programs: Path, tmp_path: Path) -> None:
    cases = list(cases_of(PACK))
    generator = random.Random(4)
    cases += [
        Case(case.contract, json.dumps(mutated(generator, json.loads(case.text))).encode(), case.name)
        for case in cases
    ]
    verdicts = json.loads(run(programs, "oracle", cwd=tmp_path, stdin=lines_of(cases)))
    assert verdicts == [not expected(case).findings for case in cases]


def test_another_validator_judges_whole_items_and_datasets_by_the_type_that_they_declare(
    programs: Path, tmp_path: Path
) -> None:
    cases = items_that_declare()
    asked = [Case({ITEM: "typed_item", DATASET: "typed_dataset"}[case.contract], case.text) for case in cases]
    verdicts = json.loads(run(programs, "oracle", cwd=tmp_path, stdin=lines_of(asked)))
    codes = [{code for _, _, code, _ in expected(case).findings} for case in cases]
    assert verdicts == [found <= {"unknown-minor-version"} for found in codes]


def test_a_program_changes_one_field_and_nothing_else(programs: Path, tmp_path: Path) -> None:
    for source in sorted(EXAMPLES.glob("*.json")):
        run(programs, "edit", source, tmp_path / source.name, cwd=tmp_path)
        dataset, written = json.loads(source.read_bytes()), json.loads((tmp_path / source.name).read_bytes())
        dataset["items"][0]["item_id"] = "changed"
        assert written == dataset


def test_json_lines_are_judged_in_bounded_memory(programs: Path, tmp_path: Path) -> None:
    printed = run(programs, "lines", cwd=tmp_path, GOMEMLIMIT="48MiB")
    assert printed == "40000 400\n"


@pytest.mark.parametrize("metadata", [None, METADATA], ids=["alone", "in a dataset"])
@pytest.mark.parametrize("name", FILES)
def test_json_lines_are_judged_line_by_line(
    programs: Path, name: str, metadata: object, tmp_path: Path
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(FILES[name])
    arguments = [json.dumps(metadata)] if metadata else []
    printed = run(programs, "judge", path, str(LONGEST), *arguments, cwd=tmp_path)
    assert comparable_lines(printed) == list(expected_lines(path, metadata))
