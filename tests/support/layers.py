"""Folders of contracts as an organisation has them, written for a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DIALECT = "https://json-schema.org/draft/2020-12/schema"
OURS = "https://evalcontract.example/schemas/"


def contract(title: str, properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A schema without `$id`, which `write_layer` gives it."""
    return {
        "$schema": DIALECT,
        "title": title,
        "description": f"{title}, made for a test.",
        "type": "object",
        "properties": properties,
        **more,
    }


def text(description: str, **more: Any) -> dict[str, Any]:
    """A required text."""
    return {"type": "string", "description": description, **more}


def extending(parent: str) -> list[dict[str, str]]:
    """The `allOf` of a contract that extends one of the built-in catalogue."""
    return [{"$ref": f"{OURS}{parent}/1.0.json"}]


def write_layer(
    folder: Path,
    contracts: dict[str, dict[str, Any]],
    schema_types: dict[str, Any] | None = None,
    base_uri: str = "https://acme.example/schemas/",
) -> Path:
    """Write contracts, by `name@version`, as drafts of a catalogue in a folder."""
    listed: dict[str, dict[str, Any]] = {}
    for spec, schema in contracts.items():
        name, _, version = spec.partition("@")
        listed.setdefault(name, {})[version] = {"status": "draft"}
        file = folder / name / f"{version}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        document = {"$schema": DIALECT, "$id": f"{base_uri}{name}/{version}.json"} | schema
        file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    catalog = {"base_uri": base_uri, "schema_types": schema_types or {}, "contracts": listed}
    (folder / "catalog.json").write_text(json.dumps(catalog, indent=2) + "\n", encoding="utf-8")
    return folder


def tenant_layer(folder: Path) -> Path:
    """`my_rag` 1.0: rag with a required tenant."""
    tenant = text("Who asks, by the name of an account.", minLength=1)
    return write_layer(
        folder,
        {
            "my_rag_input@1.0": contract(
                "MyRagInput", {"tenant": tenant}, required=["tenant"], allOf=extending("rag_input")
            ),
            "my_rag_expected_output@1.0": contract(
                "MyRagExpectedOutput", {}, allOf=extending("rag_expected_output")
            ),
        },
        {"my_rag": {"1.0": {"input": "my_rag_input@1.0", "expected_output": "my_rag_expected_output@1.0"}}},
    )


def every_kind_layer(folder: Path) -> Path:
    """One contract with a property of every kind that the profile allows, and two versions of another."""
    said = "A sentence that is long enough."
    number = {"minimum": -5, "maximum": 5}
    part = {"$ref": "../part/1.0.json"}
    kinds: dict[str, dict[str, Any]] = {
        "text": {"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^[a-z][.]?.?$"},
        "choice": {"type": "string", "enum": ["one", "two words", "3", "", 'a"b']},
        "grade": {"type": "integer", "enum": [-1, 0, 1]},
        "whole": {"type": "integer", **number},
        "share": {"type": "number", **number},
        "flag": {"type": "boolean"},
        "texts": {"type": "array", "items": {"type": "string", "minLength": 1}},
        "wholes": {"type": "array", "items": {"type": "integer", **number}},
        "parts": {"type": "array", "items": part, "minItems": 1, "maxItems": 3},
        "open": {"type": "object"},
        "shares": {"type": "object", "additionalProperties": {"type": "number"}},
        "named_parts": {"type": "object", "additionalProperties": part},
    }
    fields = {name: {**kind, "description": said} for name, kind in kinds.items()}
    fields |= {
        f"maybe_{name}": {**kind, "type": [kind["type"], "null"], "description": said, "default": None}
        for name, kind in kinds.items()
    }
    fields |= {
        "part": {**part, "description": said},
        "maybe_part": {"anyOf": [part, {"type": "null"}], "description": said, "default": None},
        "anything": {"description": said, "default": None},
    }
    return write_layer(
        folder,
        {
            "part@1.0": contract("Part", {"name": text(said)}, required=["name"]),
            "part@1.1": contract(
                "Part", {"name": text(said), "more": {**fields["anything"]}}, required=["name"]
            ),
            "every_kind@1.0": contract("EveryKind", fields, required=[*kinds, "part"]),
        },
    )
