"""Every verb that reads a contract or an item knows contracts of one's own, told in any of four ways.

Which verbs there are is asked of the commands themselves: one that isn't in `LINES` needs a reason in `WITHOUT`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from evalcontract.cli import eval_dataset_main
from evalcontract.settings import VARIABLE
from tests.support.cli import Finished, run
from tests.support.commands import alias_commands, commands
from tests.support.langfuse_server import running
from tests.support.layers import contract, tenant_layer, text

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

NAME = "museum_my_rag_golden_v1.0"
TYPE = {"input_schema_type": "my_rag", "input_schema_version": "1.0"}
METADATA = {"product_id": "museum", "scope": "golden", "version": "1.0", **TYPE}
ITEM = {
    "item_id": "q1",
    "input": {"tenant": "acme", "messages": [{"role": "user", "content": "When do you open?"}]},
    "expected_output": {"response": "At nine."},
    "metadata": {"raw_metadata": TYPE},
}
MAPPING = """\
mapping_version: "1.0"
name: own
item_id: {from: [id], otherwise: error}
schema_type: my_rag
fields:
  - {from: [q], to: /input/messages, as: messages}
  - {from: [customer], to: /input/tenant, as: text}
  - {from: [a], to: /expected_output/response, as: references}
"""


@dataclass(frozen=True)
class Line:
    """Words behind a verb, and what it says and writes when it knows the layer: a text of its output or of the file."""

    words: str
    says: str
    written: str | None = None
    code: int = 0


LINES = {
    "validate": Line(f"{NAME}.json", "my_rag@1.0 (1 item)"),
    "score": Line(f"answers.jsonl --dataset {NAME}.json --metrics answer_f1", "answer_f1"),
    "migrate": Line(f"{NAME}.json --to my_rag@1.0 -o moved.json", "1 had that version", "moved.json"),
    "normalize": Line("wrapped.jsonl -o flat.jsonl", "unwrapped", "flat.jsonl"),
    "import": Line("rows.jsonl --map own.yaml -o items.jsonl", "my_rag@1.0", "items.jsonl"),
    "export": Line("plain.jsonl --map own.yaml -o out.jsonl", "layers: built in", "out.jsonl"),
    "schema list": Line("", "my_rag_input"),
    "schema show": Line("my_rag_input", '"tenant"'),
    "schema path": Line("my_rag_input", "contracts"),
    "schema bundle": Line("my_rag_input -o one.json", "", "one.json"),
    "schema example": Line("my_rag_input", '"tenant"'),
    "schema versions": Line("my_rag_input", "draft"),
    "schema breaking": Line(
        "rag_input --against my_rag_input@1.0", "my_rag_input@1.0: backward proved", code=1
    ),
    "schema diff": Line("rag_input@1.0 my_rag_input@1.0", "tenant"),
    "schema changelog": Line("my_rag_input 1.0 1.0", "my_rag_input 1.0"),
    "schema release": Line("note@1.0", "released note@1.0"),
    "schema verify": Line("", "contracts/catalog.json: FROZEN_HISTORY", code=1),
    "schema next-version": Line("my_rag_input", "1.0"),
    "schema new": Line("my_note --extends base_input", "drafted my_note@1.0", "contracts/my_note/1.0.json"),
    "schema lint": Line("", "layers: built in, "),
    "schema vectors": Line("my_rag_input", "my_rag_input@1.0: "),
    "schema generate": Line("--bundles bundles", "my_rag_input-1.0", "bundles/my_rag_item-1.0.schema.json"),
    "schema site": Line("-o site", "", "site/my_rag_input-1.0.html"),
    "schema write": Line(
        "--editor . --data **/*.json", "MyRagInput", ".evalcontract/evalcontract.schema.json"
    ),
    "dataset check": Line(f"{NAME}.json", "may go out"),
    "dataset name": Line("museum_help_golden_v1.0", "schema_type  help"),
    "dataset path": Line("museum_help_golden_v1.0 --catalog main", "/datasets/museum/"),
    "dataset publish": Line(f"{NAME}.json --volume main --dry-run", "my_rag@1.0"),
    "dataset pull": Line("museum -o pulled.jsonl", "my_rag", "pulled.jsonl"),
    "dataset card": Line(f"{NAME}.json --format markdown", r"checked against my\_rag@1.0"),
    "dataset push": Line(
        f"pushed {NAME}.json --set-schemas --dry-run", "input_schema and expected_output_schema would be set"
    ),
}
WITHOUT = {
    "schema reports": "prints where the contracts of reports lie, which are a layer themselves",
    "convert": "moves items from format to format as they are, and judges none",
    "response": "judges by rag_response, a contract of answers that are live and no item",
    "prediction": "makes records of prediction_record, which no schema type changes",
    "agreement": "compares scores of score_record, which no schema type changes",
    "presets": "prints the mappings of this package, which lead to built-in fields",
    "dataset checks": "lists the checks, which are the same for every schema type",
    "dataset diff": "compares items and keys, whatever their type",
    "dataset next-version": "counts from what dataset diff finds",
    "dataset stats": "counts what items hold and which types they declare, and judges nothing",
}
ALIAS = Line(f"--source {NAME}.json", "my_rag@1.0 (1 item)")
WAYS = ("flag", "pyproject", "evalcontract", "variable", "folder above")
"""How a layer is told; `folder above`: by the settings of a folder further up."""


def test_every_verb_uses_layers_or_says_why_not() -> None:
    verbs = {" ".join(command.words): command for command in commands()}
    assert LINES.keys() | WITHOUT.keys() == verbs.keys()
    assert LINES.keys() & WITHOUT.keys() == set()
    assert {verb for verb, command in verbs.items() if "schemas" in command.roles} == LINES.keys()
    assert all("schemas" in command.roles for command in alias_commands())


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a folder of contracts, and data of its type."""
    folder = tmp_path / "above" / "project"
    folder.mkdir(parents=True)
    layer(folder / "contracts")
    monkeypatch.chdir(folder)
    example = folder / "contracts" / "conformance" / "my_rag_input" / "1.0" / "valid"
    example.mkdir(parents=True)
    (example / "full.json").write_text(json.dumps(ITEM["input"]))
    (folder / f"{NAME}.json").write_text(json.dumps({"metadata": METADATA, "items": [ITEM]}))
    (folder / "plain.jsonl").write_text(json.dumps({**ITEM, "metadata": {"raw_metadata": TYPE}}) + "\n")
    (folder / "wrapped.jsonl").write_text(json.dumps({**ITEM, "input": {"request": ITEM["input"]}}) + "\n")
    (folder / "answers.jsonl").write_text('{"item_id": "q1", "prediction": {"response": "At nine."}}\n')
    (folder / "rows.jsonl").write_text('{"id": "q1", "q": "When?", "customer": "acme", "a": "At nine."}\n')
    (folder / "own.yaml").write_text(MAPPING)
    return folder


def layer(folder: Path) -> None:
    """`my_rag`, the same under another name, and a contract that extends none."""
    tenant_layer(folder)
    file = folder / "catalog.json"
    catalog = json.loads(file.read_bytes())
    catalog["schema_types"]["help"] = catalog["schema_types"]["my_rag"]
    catalog["contracts"]["note"] = {"1.0": {"status": "draft"}}
    file.write_text(json.dumps(catalog))
    said = {"said": text("What it says, in a sentence.")}
    note = contract("Note", said, required=["said"]) | {"$id": f"{catalog['base_uri']}note/1.0.json"}
    (folder / "note").mkdir()
    (folder / "note" / "1.0.json").write_text(json.dumps(note))


@pytest.fixture
def server(request: pytest.FixtureRequest, work: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Langfuse server that has the data, for the verbs that ask one."""
    if not request.node.callspec.params["verb"].startswith("dataset pu"):
        yield
        return
    with running() as found:
        for name, value in found.environment().items():
            monkeypatch.setenv(name, value)
        pushed = run("dataset", "push", "museum", f"{NAME}.json", "--schemas", "contracts")
        assert pushed.code == 0, pushed.err
        yield


def told(way: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Tell of the layer in one way; the words for the command line."""
    if way == "flag":
        return ["--schemas", "contracts"]
    if way == "pyproject":
        (folder / "pyproject.toml").write_text('[tool.evalcontract]\nschemas = ["contracts"]\n')
    elif way == "evalcontract":
        (folder / "evalcontract.toml").write_text('schemas = ["contracts"]\n')
    elif way == "variable":
        monkeypatch.setenv(VARIABLE, "contracts")
    else:
        (folder.parent / "evalcontract.toml").write_text('schemas = ["project/contracts"]\n')
    return []


def works(words: list[str], line: Line, folder: Path, done: Finished) -> bool:
    """Whether a verb did what it does for data of the own type."""
    file = folder / line.written if line.written else None
    if done.code != line.code or (file and not file.is_file()):
        return False
    return line.says in done.out + done.err + (file.read_text(encoding="utf-8") if file else "")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("verb", LINES)
def test_a_verb_knows_the_layer_however_it_is_told(
    verb: str, way: str, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = LINES[verb]
    words = [*verb.split(), *line.words.split()]
    done = run(*words, *told(way, work, monkeypatch))
    assert works(words, line, work, done), done


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("verb", LINES)
def test_without_the_layer_a_verb_does_something_else(verb: str, work: Path) -> None:
    line = LINES[verb]
    words = [*verb.split(), *line.words.split()]
    assert not works(words, line, work, run(*words))


@pytest.mark.parametrize("way", WAYS)
def test_the_other_name_of_validate_knows_the_layer(
    way: str, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["validate", *ALIAS.words.split(), *told(way, work, monkeypatch)]
    assert works(words, ALIAS, work, run(*words, main=eval_dataset_main))


def test_the_option_wins_over_settings_and_settings_over_the_variable(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told("pyproject", work, monkeypatch)
    monkeypatch.setenv(VARIABLE, "there-is-no-such-folder")
    assert run("validate", f"{NAME}.json").code == 0
    shutil.copytree(work / "contracts", work / "other")
    done = run("validate", f"{NAME}.json", "--schemas", "other")
    assert "layers: built in, other" in done.out
