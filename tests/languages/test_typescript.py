"""What only the TypeScript package promises: its packaging, its types, its command, and what goes with it."""

from __future__ import annotations

import gzip
import itertools
import json
import random
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import zstandard

from evalcontract.catalog import Catalogue
from evalcontract.codegen import generate
from evalcontract.codegen.typescript.checker import COMPILED
from tests.languages.conftest import driver_of
from tests.languages.documents import mutated
from tests.languages.lines import FILES, LONGEST, METADATA, comparable_lines, expected_lines
from tests.languages.protocol import DATASET, ITEM, Case, cases_of, expected, lines_of, same_words
from tests.languages.test_every_language import items_that_declare
from tests.languages.toolchains import HERE, need, outcome, run
from tests.support.cli import run as run_python
from tests.support.layers import every_kind_layer
from tests.support.projects import PROJECT
from tools.compile_checker import compiled

EXAMPLES = PROJECT / "examples"
PACK = PROJECT / "schemas" / "conformance"
LARGEST_BUNDLE = 10 * 1024


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built package."""
    return driver_of("typescript", tmp_path_factory.mktemp("built")).folder


@pytest.fixture(scope="session")
def project(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that has installed the package as it would be published, and the tools of these tests."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(HERE / "typescript", folder, dirs_exist_ok=True)
    (packed,) = json.loads(run("npm", "pack", "--json", "--ignore-scripts", cwd=package))
    archive = package / packed["filename"]
    run("npm", "install", "--no-package-lock", "--no-audit", "--no-fund", archive, cwd=folder)
    return folder


def tool(project: Path, name: str) -> Path:
    return project / "node_modules" / ".bin" / name


def test_the_package_resolves_everywhere_and_is_published_right(package: Path, project: Path) -> None:
    (archive,) = package.glob("*.tgz")
    run(tool(project, "attw"), archive, cwd=project)
    run(tool(project, "publint"), "--strict", archive, cwd=project)


def test_contracts_of_ones_own_make_a_package_that_builds(project: Path, tmp_path: Path) -> None:
    layer = every_kind_layer(tmp_path / "schemas")
    generate(Catalogue.load(layer), {"typescript": tmp_path / "acme"})
    (tmp_path / "acme" / "node_modules").symlink_to(project / "node_modules")
    run("npm", "run", "build", cwd=tmp_path / "acme")
    script = """
import { parse, stringify, validate } from "./dist/esm/index.js";
const value = parse('{"maybe_whole": 2.0, "extra": {"<": 12345678901234567890}, "part": {"name": "a"}}');
console.log(stringify(value), validate(value, "every_kind").map(({ keyword }) => keyword).join());
"""
    printed = run("node", "--input-type=module", "--eval", script, cwd=tmp_path / "acme")
    missing = ",".join(["required"] * 12)
    assert (
        printed
        == f'{{"maybe_whole":2,"extra":{{"<":12345678901234567890}},"part":{{"name":"a"}}}} {missing}\n'
    )


def test_the_package_depends_on_nothing(package: Path) -> None:
    manifest = json.loads((package / "package.json").read_bytes())
    assert {"dependencies", "peerDependencies", "optionalDependencies"}.isdisjoint(manifest)


def test_the_script_for_browsers_is_what_the_sources_compile_to(tmp_path: Path) -> None:
    need("npm")
    assert compiled(tmp_path) == COMPILED.read_text(encoding="utf-8")


def test_a_bundle_for_browsers_is_small(project: Path) -> None:
    (project / "entry.js").write_text('export * from "evalcontract";\n')
    options = ("--bundle", "--minify", "--format=esm", "--platform=browser", "--outfile=bundle.js")
    run(tool(project, "esbuild"), "entry.js", *options, cwd=project)
    assert len(gzip.compress((project / "bundle.js").read_bytes())) <= LARGEST_BUNDLE


@pytest.mark.parametrize("module", ["NodeNext", "Preserve"])
@pytest.mark.parametrize("name", ["types.ts", "types.cts"])
def test_types_are_exact(project: Path, module: str, name: str) -> None:
    (project / name).write_text((HERE / "typescript" / "types.ts").read_text())
    options = (
        "--noEmit",
        "--strict",
        "--exactOptionalPropertyTypes",
        "--target",
        "ES2022",
        "--module",
        module,
    )
    run(tool(project, "tsc"), *options, "--lib", "ES2022,DOM,DOM.AsyncIterable", name, cwd=project)


def test_both_kinds_of_modules_can_be_loaded(project: Path) -> None:
    code = "console.log(validate({}, 'message').length)"
    for prefix, kind in (("import {validate} from", "module"), ("const {validate} = require(", "commonjs")):
        closing = ");" if kind == "commonjs" else ";"
        script = f'{prefix} "evalcontract"{closing} {code}'
        assert run("node", f"--input-type={kind}", "--eval", script, cwd=project) == "2\n"


def verdicts_of_ajv(project: Path, cases: Sequence[Case]) -> list[bool]:
    package = project / "node_modules" / "evalcontract"
    found: list[bool] = json.loads(run("node", "ajv.mjs", package, cwd=project, stdin=lines_of(cases)))
    return found


def test_ajv_gives_the_same_verdicts_by_the_bundles(project: Path) -> None:
    cases = list(cases_of(PACK))
    generator = random.Random(3)
    cases += [
        Case(case.contract, json.dumps(mutated(generator, json.loads(case.text))).encode(), case.name)
        for case in cases
    ]
    wanted = [not expected(case).findings for case in cases]
    assert verdicts_of_ajv(project, cases) == wanted


def test_ajv_judges_whole_items_and_datasets_by_the_type_that_they_declare(project: Path) -> None:
    cases = items_that_declare()
    bundle = {ITEM: "typed_item", DATASET: "typed_dataset"}
    verdicts = verdicts_of_ajv(project, [replace(case, contract=bundle[case.contract]) for case in cases])
    codes = [{code for _, _, code, _ in expected(case).findings} for case in cases]
    assert verdicts == [found <= {"unknown-minor-version"} for found in codes]


def test_a_program_changes_one_field_and_nothing_else(project: Path, tmp_path: Path) -> None:
    for source in sorted((EXAMPLES / "pathfinder").glob("*.json")):
        run("node", "edit.mjs", source, tmp_path / source.name, cwd=project)
        dataset, written = json.loads(source.read_bytes()), json.loads((tmp_path / source.name).read_bytes())
        dataset["items"][0]["item_id"] = "changed"
        assert written == dataset


def test_json_lines_are_judged_in_bounded_memory(project: Path) -> None:
    assert run("node", "--max-old-space-size=48", "stream.mjs", cwd=project) == "40000 400\n"


def bad_files(folder: Path) -> list[Path]:
    """Files with everything that may be wrong with one."""
    texts = {
        "two.jsonl": b'{"item_id":"","input":{"messages":[]},"metadata":{"raw_metadata":{"input_schema_type":"rag"}}}\n'
        b'\n{"item_id":1,}\n{"item_id":"a","input":{}}\r\n{"item_id":"a","input":{}}\n',
        "dataset.json": b'{"metadata":{"product_id":"a"},"items":[{"item_id":"x"}, 3]}',
        "array.json": b'[{"item_id": "\xc3\xa9", "input": 5},\n'
        b' {"item_id": "y", "input": {}, "expected_output": "no"}]',
        "record.jsonl": b'{"item_id":"a","prediction":{"response":5}}\n{"item_id":"a","scores":{"m":{"value":"x"}}}\n'
        b'{"item_id":"a","prediction":{"response":"x"},"repetition":1}\n'
        b'{"item_id":"a","prediction":{"response":"x"},"repetition":2}\n'
        b'{"item_id":"a","prediction":{"response":"x"},"repetition":2}\n{"item_id":"a","scores":{}}\n',
        "evaluators.jsonl": b'{"item_id":"a","scores":{"m":{"evaluator":"x"},"n":{"value":1}}}\n'
        b'{"item_id":"a","scores":{"m":{"evaluator":"y"}}}\n{"item_id":"a","scores":{"m":{"evaluator":"x"}}}\n'
        b'{"item_id":"a","scores":{"m":{"evaluator":[1]}}}\n{"item_id":"a","scores":{"m":{"evaluator":"x"}},"repetition":2}\n'
        b'{"item_id":"a","scores":{"z":{"evaluator":"x"}},"repetition":2}\n',
        "with-input.jsonl": b'{"item_id":"a","input":{"messages":[]},"prediction":{"response":5}}\n'
        b'{"item_id":"b","input":null,"prediction":{"response":5}}\n{"item_id":"c","input":null,"scores":5}\n'
        b'{"item_id":"d","input":5,"scores":{}}\n{"item_id":"e","input":{},"prediction":{},"expected_output":7}\n'
        b'{"item_id":"f","input":{},"prediction":"At nine."}\n',
        "single.json": b'{"item_id":"a","input":{},\n "metadata":{"raw_metadata":{"input_schema_type":"ragg"}}}',
        "truncated.json": b'{"item_id":"a",',
        "two_marks.json": b"\xef\xbb\xbf\xef\xbb\xbf{}",
        "lines.json": b'{"item_id":"a","input":{}}\n{"item_id":"a","input":3}\n',
        "null.json": b"null",
        "latin.jsonl": b'{"item_id":"\xe9"}\n',
        "empty.jsonl": b"",
        "none.json": b'{"metadata":{},"items":[]}',
        "beside.jsonl": b'{"item_id":"a","input":{}}\n',
        "beside.metadata.json": b'{"product_id":"p","scope":"s","version":"1.0","input_schema_type":"qa",'
        b'"input_schema_version":"1.0"}',
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text)
    return sorted(folder / name for name in texts)


_COMPARED = (
    "code",
    "message",
    "pointer",
    "keyword",
    "severity",
    "contract",
    "item_id",
    "file",
    "line",
    "column",
)


def by_node(project: Path, *arguments: str | Path) -> tuple[int, str]:
    command = (tool(project, "evalcontract"), "validate", *arguments)
    return outcome(*command, cwd=project)


def test_the_command_finds_what_the_python_command_finds(project: Path, tmp_path: Path) -> None:
    files = [
        *bad_files(tmp_path),
        *sorted((EXAMPLES / "pathfinder").glob("*.json*")),
        *EXAMPLES.glob("faulty/*"),
    ]
    for file, told in itertools.product(files, ((), ("--type", "rag"), ("--type", "agent@1.0"))):
        code, printed = by_node(project, file, *told, "--format", "json")
        ours = run_python("validate", str(file), *told, "--format", "json")
        assert code == ours.code, file
        given, wanted = json.loads(printed), json.loads(ours.out)
        assert comparable(given["violations"]) == comparable(wanted["violations"]), file
        assert given["files"][0]["contracts"] == wanted["files"][0]["contracts"], file
        assert (given["ok"], given["items"], given["errors"]) == (
            wanted["ok"],
            wanted["items"],
            wanted["errors"],
        )


def comparable(violations: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """What both say of errors; advices are the Python command's alone."""
    return [
        tuple(same_words(found[key]) if key == "message" else found[key] for key in _COMPARED)
        for found in violations
        if found["severity"] == "error"
    ]


@pytest.mark.parametrize("contract", ["message", "prediction_record@1.0", "dataset", "evaluation_item@1.0"])
def test_the_command_finds_the_same_where_a_contract_is_told(
    project: Path, tmp_path: Path, contract: str
) -> None:
    messages = tmp_path / "messages.json"
    messages.write_text('[{"role": "user", "content": "Hi"}, {"role": "nobody", "content": 3}]')
    predictions = EXAMPLES / "pathfinder" / "predictions_rag.jsonl"
    dataset = EXAMPLES / "pathfinder" / "pathfinder_smoke_v1.0.json"
    for file in (messages, predictions, dataset):
        code, printed = by_node(project, file, "--format", "json", "--contract", contract)
        ours = run_python("validate", str(file), "--format", "json", "--contract", contract)
        assert code == ours.code, file
        given, wanted = json.loads(printed), json.loads(ours.out)
        assert comparable(given["violations"]) == comparable(wanted["violations"]), file
        for key in ("kind", "items", "errors", "contracts"):
            assert given["files"][0][key] == wanted["files"][0][key], (file, key)


def test_the_text_of_clean_files_is_that_of_the_python_command(project: Path) -> None:
    files = [str(file) for file in sorted((EXAMPLES / "pathfinder").glob("*.json"))]
    assert by_node(project, *files) == (0, run_python("validate", *files).out)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "no file is named"),
        (("nowhere.json",), "nowhere.json: no such file or folder"),
        (("types.ts",), "types.ts: the suffix names no format that is read"),
        (("--contract", "ragg", "-"), "there is no contract ragg"),
        (("--type", "ragg", "-"), "there is no schema type 'ragg'"),
        (("--type", "rag@1.7", "-"), "there is no schema type 'rag@1.7'"),
        (("--type=", "-"), "there is no schema type ''"),
        (("--type", "rag", "--contract=message", "-"), "--contract message checks whole documents"),
        (("--format", "xml", "-"), "there is no format 'xml'"),
        (("--strict", "-"), "there is no option '--strict'"),
    ],
)
def test_wrong_usage_is_a_line_and_exit_code_2(project: Path, arguments: tuple[str, ...], says: str) -> None:
    code, printed = by_node(project, *arguments)
    assert (code, printed.splitlines()[0][: len(says) + 7]) == (2, f"error: {says}")
    assert printed.splitlines()[1].startswith("  hint: ")


def test_a_contract_is_told_and_packed_files_are_read(project: Path, tmp_path: Path) -> None:
    record = EXAMPLES / "pathfinder" / "predictions_rag.jsonl"
    packed = tmp_path / "predictions.jsonl.gz"
    packed.write_bytes(gzip.compress(record.read_bytes()))
    assert by_node(project, "--contract", "prediction_record", packed)[0] == 0
    assert by_node(project, "--contract=message@1.0", packed)[0] == 1
    packed.write_bytes(packed.read_bytes()[:-9])
    assert "damaged-archive" in by_node(project, "--contract", "prediction_record", packed)[1]
    whole = tmp_path / "items.json.gz"
    whole.write_bytes(b"not packed")
    code, printed = by_node(project, whole)
    assert (code, "damaged-archive" in printed) == (1, True)
    (tmp_path / "folder.jsonl.gz").mkdir()
    (tmp_path / "folder.jsonl.gz" / "a.jsonl").touch()
    assert by_node(project, tmp_path / "folder.jsonl.gz")[0] == 1


def test_zstd_is_read_where_node_can_and_yaml_is_left_to_the_python_command(
    project: Path, tmp_path: Path
) -> None:
    record = (EXAMPLES / "pathfinder" / "predictions_rag.jsonl").read_bytes()
    whole = (EXAMPLES / "pathfinder" / "pathfinder_smoke_v1.0.json").read_bytes()
    lines, document, cut = (tmp_path / name for name in ("a.jsonl.zst", "b.json.zst", "c.jsonl.zst"))
    lines.write_bytes(zstandard.compress(record))
    document.write_bytes(zstandard.compress(whole))
    cut.write_bytes(lines.read_bytes()[:-9])
    if "true" in run("node", "-p", "'createZstdDecompress' in require('zlib')", cwd=project):
        assert by_node(project, lines, document)[0] == 0
        frames = b"".join(map(zstandard.compress, record.splitlines(keepends=True)))
        lines.write_bytes(b"\x50\x2a\x4d\x18\x02\0\0\0hi" + frames)
        assert "ok: 12 items" in by_node(project, lines)[1]
        for damaged in (frames[:-1], frames[:-200], frames + b"more", frames + b"\x28", b"\x28\xb5\x2f\xfd"):
            cut.write_bytes(damaged)
            code, printed = by_node(project, cut)
            assert (code, "damaged-archive" in printed) == (1, True)
    else:
        assert by_node(project, lines) == (
            2,
            f"error: {lines}: this Node can't unpack zstd\n"
            "  hint: use Node 22.15 or newer, or pack the file with gzip\n",
        )
    notes = tmp_path / "items.yaml"
    notes.write_text("- item_id: a\n")
    code, printed = by_node(project, notes)
    assert (code, printed.splitlines()[0]) == (2, f"error: {notes}: YAML is not read here")


@pytest.mark.parametrize("metadata", [None, METADATA], ids=["alone", "in a dataset"])
@pytest.mark.parametrize("name", FILES)
def test_json_lines_are_judged_line_by_line(
    project: Path, name: str, metadata: object, tmp_path: Path
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(FILES[name])
    arguments = [json.dumps(metadata)] if metadata else []
    printed = run("node", "judge.mjs", path, str(LONGEST), *arguments, cwd=project)
    assert comparable_lines(printed) == list(expected_lines(path, metadata))
