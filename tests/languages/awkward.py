"""Contracts of one's own whose names and texts are trouble in some language, all within the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evalcontract.authoring import lint
from tests.support.projects import PROJECT

BASE = "https://acme.example/schemas/"
DESCRIPTION = (
    'Has [^1] a footnote, <b>marks</b> & "quotes", */ an end, \\u0041 an escape, https://acme.example/a_b.'
)


def awkward_schemas(folder: Path) -> Path:
    """A folder of schemas that keep the rules of `lint`."""
    root = folder / "schemas"
    documents = {
        "string": _contract(
            "String",
            {
                "value": {"type": "string", "pattern": "^([a-c]{1,3}|[^&[\\]x-z]+\\.)*$"},
                "base": {"type": ["integer", "null"], "minimum": 0, "maximum": 9, "default": None},
                "name": {"type": ["string", "null"], "default": None, "maxLength": 4},
                "get_value": {"type": ["boolean", "null"], "default": None},
            },
            ["value"],
        ),
        "option": _contract(
            "Option",
            {
                "next": {"anyOf": [{"$ref": "../option/1.0.json"}, {"type": "null"}], "default": None},
                "children": {
                    "type": ["array", "null"],
                    "items": {"$ref": "../option/1.0.json"},
                    "default": None,
                },
                "vec": {
                    "type": ["object", "null"],
                    "additionalProperties": {"$ref": "../value/1.0.json"},
                    "default": None,
                },
                "members": {"$ref": "../string/1.0.json"},
                "anything": {"default": None},
            },
            ["members"],
        ),
        "value": _contract(
            "Value",
            {
                "kept": {"type": "string", "enum": ["Self", "other", "a b", "a-b", "3", '"', "é"]},
                "level": {"type": "integer", "enum": [-1, 0, 10]},
                "object_of": {
                    "type": ["object", "null"],
                    "additionalProperties": {"type": "number"},
                    "default": None,
                },
            },
            ["kept", "level"],
            parent="string",
        ),
        "list": _contract("List", {"entries": {"type": "array", "items": {"type": "integer"}}}, ["entries"]),
        "object": _contract("Object", {"note": {"type": ["object", "null"], "default": None}}, []),
    }
    for name, document in documents.items():
        (root / name).mkdir(parents=True)
        whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"{BASE}{name}/1.0.json"}
        _write(root / name / "1.0.json", whole | document)
    _write(
        root / "catalog.json",
        {
            "base_uri": BASE,
            "package": {"name": "acme", "version": "2.1.0"},
            "schema_types": {},
            "contracts": {name: {"1.0": {"status": "draft"}} for name in documents},
        },
    )
    profile = json.loads((PROJECT / "schemas" / "authoring.json").read_bytes())
    profile["properties"]["$id"]["pattern"] = "^https://acme"
    _write(root / "authoring.json", profile)
    assert [str(finding) for finding in lint(root)] == []
    return root


def _contract(
    title: str, properties: dict[str, Any], required: list[str], parent: str | None = None
) -> dict[str, Any]:
    return {
        "title": title,
        "description": f"- {DESCRIPTION}",
        "type": "object",
        **({"allOf": [{"$ref": f"../{parent}/1.0.json"}]} if parent else {}),
        "properties": {name: {"description": DESCRIPTION} | said for name, said in properties.items()},
        **({"required": required} if required else {}),
    }


def _write(path: Path, document: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False), encoding="utf-8")
