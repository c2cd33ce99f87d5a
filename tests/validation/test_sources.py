"""Schemas from files, classes and names."""

from __future__ import annotations

import json
import os
import socket
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from evalcontract.catalog import Catalogue, ContractRef, bundle, default_catalogue, flat
from evalcontract.errors import ContractError, SchemaError, UnknownContract, UnreadableInput, UsageError
from evalcontract.validation import ItemChecker, Told, closure, is_valid
from evalcontract.validation.compiled import CompiledContract
from evalcontract.validation.sources import from_document, from_file, from_text
from tests.support.vectors import cases_of

CATALOGUE = default_catalogue()
MESSAGES = [{"role": "user", "content": "When?"}]


def errors(source: Any, input_: dict[str, Any]) -> list[str]:
    checker = ItemChecker(CATALOGUE, Told(input=source))
    return [each.pointer for each in checker.check({"item_id": "a", "input": input_}).violations]


def written(folder: Path, name: str, schema: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(schema))
    return path


def test_a_name_means_a_contract() -> None:
    source = from_text(CATALOGUE, "rag_input@1.0")
    assert errors(source, {"messages": MESSAGES, "context": 3}) == ["/input/context"]


def test_a_class_means_its_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "acme_contracts.py").write_text(
        "from evalcontract.models import RAGInput\n\n\nclass AcmeInput(RAGInput):\n    tenant: str\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    source = from_text(CATALOGUE, "acme_contracts:AcmeInput")
    assert errors(source, {"messages": MESSAGES, "tenant": "north"}) == []
    assert errors(source, {"messages": MESSAGES, "context": "x"}) == ["/input/context", "/input/tenant"]


@pytest.mark.parametrize("text", ["no_such_module:Thing", "json:NoSuchName", "json:loads", "os:environ"])
def test_what_is_no_model_class_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ContractError) as caught:
        from_text(CATALOGUE, text)
    assert "\n" not in str(caught.value)


def test_a_class_whose_module_fails_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_contracts.py").write_text("raise RuntimeError('no licence')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(UsageError, match="RuntimeError: 'no licence'"):
        from_text(CATALOGUE, "broken_contracts:Thing")


def test_a_file_may_refer_to_contracts_and_to_files_beside_it(tmp_path: Path) -> None:
    written(tmp_path, "tenant.json", {"type": "string", "minLength": 2})
    own = {
        "allOf": [{"$ref": "https://evalcontract.example/schemas/rag_input/1.0.json"}],
        "properties": {"tenant": {"$ref": "tenant.json"}},
        "required": ["tenant"],
    }
    source = from_file(CATALOGUE, written(tmp_path, "input.schema.json", own))
    assert errors(source, {"messages": MESSAGES, "tenant": "no"}) == []
    assert errors(source, {"messages": MESSAGES, "tenant": "n"}) == ["/input/tenant"]


def test_an_id_on_the_web_leads_to_the_folder_and_never_to_the_web(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("validation opened a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    written(tmp_path, "message.json", {"type": "object", "required": ["text"]})
    own = {"$id": "https://x.example/s/v1.2/item.json", "properties": {"message": {"$ref": "message.json"}}}
    path = written(tmp_path, "item.schema.json", own)
    monkeypatch.chdir(os.sep)
    source = from_file(CATALOGUE, path)
    assert errors(source, {"message": {}}) == ["/input/message/text"]


@pytest.mark.parametrize(
    "to",
    ["../outside.json", "https://elsewhere.example/a.json", "absent.json", "#/$defs/a", "file:///etc/passwd"],
)
def test_a_reference_that_leads_nowhere_known_is_refused(tmp_path: Path, to: str) -> None:
    (tmp_path / "outside.json").write_text("{}")
    folder = tmp_path / "schemas"
    folder.mkdir()
    with pytest.raises(SchemaError, match="which is not known here"):
        from_file(CATALOGUE, written(folder, "input.schema.json", {"properties": {"a": {"$ref": to}}}))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[1]",
        '{"type": "strnig"}',
        '{"$schema": "http://json-schema.org/draft-03/schema#"}',
        "[" * 100_000,
    ],
)
def test_a_file_that_is_no_schema_is_refused_in_one_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "input.schema.json"
    path.write_text(content)
    with pytest.raises(ContractError) as caught:
        from_file(CATALOGUE, path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.json", '{"type": "object",\n "type": "array"}', "a.json:2:2: duplicate key"),
        ("a.json", '{"minimum": NaN}', "a.json:1:13: NaN is not JSON"),
        ("a.json", '{"minimum": 1e400}', "a.json:1:13: 1e400 is too large"),
        ("a.json", '{"not":' * 5000, "a.json:1:.*: nested deeper"),
        ("a.yaml", "type: object\ntype: array\n", "a.yaml:2:1: duplicate key"),
        ("a.yaml", "!!python/object/apply:os.getcwd []", "a.yaml:1:1: the tag"),
        ("a.yaml", "a: &a [x, x]\n" + "".join(f"{n}: &{n} [{', '.join(['*' + p] * 9)}]\n"
         for p, n in pairwise("abcdefghijk")), "aliases that stand for more"),
        ("a.json", '{"$id": "http://[bad"}', "which is not a URI"),
    ],
)  # fmt: skip
def test_a_schema_file_is_read_as_strictly_as_data(
    tmp_path: Path, name: str, content: str, place: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(SchemaError, match=place):
        from_text(CATALOGUE, str(tmp_path / name))


@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit(0)",
        "import sys; sys.exit('bye')",
        "class Model:\n    @classmethod\n    def model_json_schema(cls): raise SystemExit(0)",
        "class Type(type):\n    def __getattr__(cls, name): raise OSError\nclass Model(metaclass=Type): ...",
    ],
)
def test_a_module_that_exits_does_not_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "exits_at_once", raising=False)
    (tmp_path / "exits_at_once.py").write_text(code)
    with pytest.raises(ContractError, match=r"can't be imported|has no JSON Schema"):
        from_text(CATALOGUE, "exits_at_once:Model")
    sys.modules.pop("exits_at_once", None)


def test_a_missing_file_and_an_unknown_name_say_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="no such file"):
        from_text(CATALOGUE, str(tmp_path / "absent.json"))
    with pytest.raises(UnknownContract, match="no file and no package"):
        from_text(CATALOGUE, "rag_inputt")


@pytest.mark.parametrize("make", [bundle, flat])
@pytest.mark.parametrize("name", CATALOGUE.names())
def test_bundles_and_flat_files_give_the_verdicts_of_the_vectors(make: Any, name: str) -> None:
    ref = CATALOGUE.resolve(name)
    schema = make(CATALOGUE, ref)
    source = from_document(CATALOGUE, schema)
    contract = CompiledContract(source.label, source.schema, CATALOGUE, source.own)
    cases = cases_of(ref)
    for case in cases:
        assert (next(contract.violations(case.document), None) is None) == case.valid, case.name
    for case in (cases[0], cases[-1]):
        assert is_valid(case.document, schema) == case.valid, case.name


def test_an_archived_version_resolves_to_its_own_siblings() -> None:
    archive = Catalogue(Path(__file__).parents[1] / "catalog" / "data" / "archive" / "schemas")
    document = {"notes": [{"text": "t", "author": 3}], "owner": "o"}
    found = {
        version: [
            each.pointer
            for each in CompiledContract(
                version, archive.document(ContractRef("binder", version)), archive
            ).violations(document)
        ]
        for version in archive.versions("binder")
    }
    # binder 1.0 holds notes 1.9, which know no author; binder 2.0 holds notes 1.10, where it is a string.
    assert found == {"1.0": [], "2.0": ["/notes/0/author"]}


@pytest.mark.parametrize("to", ["other.json#strict", "other.json#/$defs/a%25b"])
def test_a_reference_to_an_anchor_or_through_an_escape_means_that_part_alone(tmp_path: Path, to: str) -> None:
    part = {"$anchor": "strict", "type": "object", "required": ["tenant"]}
    written(tmp_path, "other.json", {"$defs": {"a%b": part, "a%25b": {}}})
    source = from_file(CATALOGUE, written(tmp_path, "input.schema.json", {"allOf": [{"$ref": to}]}))
    assert errors(source, {}) == ["/input/tenant"]


@pytest.mark.parametrize("inner", [{"$id": "http://["}, {"$id": 5}, {"$anchor": 5}, {"$dynamicAnchor": []}])
def test_an_identifier_that_is_none_is_refused(tmp_path: Path, inner: dict[str, Any]) -> None:
    schema = {"type": "object", "$defs": {"a": inner}, "properties": {"b": {"$ref": "#/$defs/a"}}}
    with pytest.raises(SchemaError, match=r"a\.json"):
        from_file(CATALOGUE, written(tmp_path, "a.json", schema))


def test_a_document_that_is_referred_to_many_times_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"n{number}" for number in range(50)]
    definitions = {name: {"$anchor": name, "type": "string"} for name in names}
    written(tmp_path, "other.json", {"$defs": definitions})
    properties = {name: {"$ref": f"other.json#{name}"} for name in names}
    file = written(tmp_path, "a.json", {"type": "object", "properties": properties})
    checked: list[str] = []
    check = closure.check_schema
    monkeypatch.setattr(
        closure, "check_schema", lambda schema, label: checked.append(label) or check(schema, label)
    )
    assert errors(from_file(CATALOGUE, file), {"n7": 3}) == ["/input/n7"]
    assert len(checked) == 2
