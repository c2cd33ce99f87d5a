"""Schemas and classes of one's own are checked as far as is said, and what isn't checked is said."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcontract.checking import RunResult, check_files, plan
from evalcontract.errors import SchemaError
from evalcontract.validation import iter_violations
from tests.support.cli import run

CLASSES = """
from typing import Annotated, Literal
from uuid import UUID
from pydantic import BaseModel, Field, field_validator

class Rag(BaseModel):
    kind: Literal["rag"]
    x: str
    y: str

class Qa(BaseModel):
    kind: Literal["qa"]
    z: int

class A(BaseModel):
    id: UUID
    name: str
    body: Annotated[Rag | Qa, Field(discriminator="kind")]

    @field_validator("name")
    @classmethod
    def lower(cls, value: str) -> str:
        if value != value.lower():
            raise ValueError("must be lower case")
        if value == "crash":
            raise RuntimeError("no database")
        if value == "leave":
            raise SystemExit(0)
        print("checked", value)
        return value
"""
GOOD = {
    "id": "4bf92f35-77b3-4da6-a3ce-929d0e0e4736",
    "name": "a",
    "body": {"kind": "rag", "x": "1", "y": "2"},
}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "own_classes.py").write_text(CLASSES)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "own_classes"
    sys.modules.pop("own_classes", None)


def checked(folder: Path, input_: Any, **told: Any) -> RunResult:
    file = folder / "items.jsonl"
    file.write_text(json.dumps({"item_id": "a", "input": input_}) + "\n")
    return check_files([str(file)], plan(**told))


def found(result: RunResult) -> list[tuple[str, str]]:
    return [(violation.code, violation.pointer) for violation in result.violations]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"name": "Loud"}, [("model", "/input/name")]),
        ({"id": "no uuid"}, [("model", "/input/id")]),
        ({"name": "Loud", "id": "x"}, [("model", "/input/id"), ("model", "/input/name")]),
        ({"name": 3}, [("wrong-type", "/input/name")]),
    ],
)
def test_a_class_judges_what_its_schema_lets_pass(
    tmp_path: Path, module: str, change: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    result = checked(tmp_path, GOOD | change, input_schema=f"{module}:A")
    assert sorted(found(result)) == expected
    assert all(violation.line == 1 for violation in result.violations)


def test_a_class_that_fails_is_one_line(tmp_path: Path, module: str) -> None:
    with pytest.raises(SchemaError, match="RuntimeError: 'no database'"):
        checked(tmp_path, GOOD | {"name": "crash"}, input_schema=f"{module}:A")


def test_a_class_that_exits_does_not_end_the_run(tmp_path: Path, module: str) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text(json.dumps({"item_id": "a", "input": GOOD | {"name": "leave"}}) + "\n")
    for verb in (["validate"], ["normalize", "-o", str(tmp_path / "out.jsonl")]):
        done = run(verb[0], str(file), *verb[1:], "--input-schema", f"{module}:A")
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"error: {module}:A fails on a value: SystemExit")


def test_what_a_class_prints_does_not_spoil_a_report(tmp_path: Path, module: str) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text(json.dumps({"item_id": "a", "input": GOOD}) + "\n")
    done = run("validate", str(file), "--input-schema", f"{module}:A", "--format", "json")
    assert json.loads(done.out)["ok"] is True


FORMATS = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {"at": {"type": "string", "format": "date-time"}, "format": {"type": "string"}},
}


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_formats_are_asserted_when_asked_for(tmp_path: Path, engine: str) -> None:
    schema = tmp_path / "schema.json"
    schema.write_text(json.dumps(FORMATS))
    told: dict[str, Any] = {"input_schema": str(schema), "engine": engine}
    assert found(checked(tmp_path, {"at": "yesterday"}, **told)) == []
    assert found(checked(tmp_path, {"at": "yesterday"}, formats=True, **told)) == [
        ("bad-format", "/input/at")
    ]
    assert found(checked(tmp_path, {"at": "2026-03-14T09:30:00Z"}, formats=True, **told)) == []


def test_formats_that_are_not_asserted_are_said_once(tmp_path: Path) -> None:
    schema, file = tmp_path / "schema.json", tmp_path / "items.jsonl"
    schema.write_text(json.dumps(FORMATS))
    file.write_text(
        "".join(json.dumps({"item_id": name, "input": {"at": "x", "n": name}}) + "\n" for name in "ab")
    )
    done = run("validate", str(file), "--input-schema", str(schema))
    assert done.code == 0
    assert done.err.count("note:") == 1
    assert "--formats checks them" in done.err
    assert "--formats" not in run("validate", str(file), "--input-schema", str(schema), "--formats").err
    del FORMATS["properties"]["at"]["format"]  # type: ignore[attr-defined]
    schema.write_text(json.dumps(FORMATS))
    assert run("validate", str(file), "--input-schema", str(schema)).err == ""


def branch(kind: str, *required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"kind": {"const": kind}, **properties},
        "required": ["kind", *required],
    }


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"kind": "rag", "x": "1"}, [("missing-property", "/body/y")]),
        ({"kind": "rag", "x": 1, "y": "2"}, [("wrong-type", "/body/x")]),
        ({"kind": "qa"}, [("missing-property", "/body/z")]),
        ({"kind": "other", "x": "1"}, [("not-allowed", "/body/kind")]),
        ({"kind": 3}, [("not-allowed", "/body/kind")]),
        ("text", [("wrong-type", "/body")]),
    ],
)
def test_a_union_is_judged_by_the_branch_that_the_value_names(
    keyword: str, value: Any, expected: list[tuple[str, str]]
) -> None:
    union = [branch("rag", "x", "y", x={"type": "string"}, y={"type": "string"}), branch("qa", "z")]
    schema = {"type": "object", "properties": {"body": {keyword: union}}}
    violations = list(iter_violations({"body": value}, schema))
    assert [(violation.code, violation.pointer) for violation in violations] == expected


def test_a_constant_that_names_no_branch_lists_those_that_there_are() -> None:
    schema = {"oneOf": [branch("rag"), branch("qa")]}
    (violation,) = iter_violations({"kind": "agent"}, schema)
    assert violation.expected == 'one of "rag", "qa"'
