"""What editors read: one schema for every file of data, and settings that say which files it is for.

The schema gives the verdicts of `evalcontract validate` on items, datasets and records that are JSON or YAML, as far
as a schema can, and refuses misspelt keys, which is an advice there: an editor underlines both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any
from xml.sax.saxutils import quoteattr

from evalcontract.catalog import DIALECT, Catalogue, Schema, bundle, rewritten, typed_dataset, typed_item

SCHEMA_FILE = PurePosixPath(".evalcontract", "evalcontract.schema.json")
DATA_PATTERNS = ("**/datasets/**/*.json", "**/datasets/**/*.yaml", "**/datasets/**/*.yml", "**/*_v*.*.json")
"""The files of data where nobody says otherwise: those of a folder datasets, and releases by their names."""
_CLOSE = 0.8
_RECORDS = {"prediction": "prediction_record", "scores": "score_record"}
_ITEM = "EvaluationItem"
_PARTS = ("input", "expected_output")


def editor_schema(catalogue: Catalogue) -> Schema:
    """One schema for every file of data: an item or an array of items, a dataset, a prediction or score record."""
    made: dict[str, Schema] = {"item": typed_item(catalogue), "dataset": typed_dataset(catalogue)}
    for key, contract in _RECORDS.items():
        made[key] = bundle(catalogue, catalogue.resolve(contract))
    definitions: dict[str, Schema] = {}
    for prefix, document in made.items():
        definitions |= _moved(prefix, _with_misspellings(document))
    one: Schema = {"$ref": "#/$defs/item"}
    for key in (*_RECORDS, "dataset"):
        needed = "items" if key == "dataset" else key
        asked = {"type": "object", "required": [needed]}
        one = {"if": asked, "then": {"$ref": f"#/$defs/{key}"}, "else": one}
    return {
        "$schema": DIALECT,
        "$id": f"{catalogue.base_uri}bundles/editor.schema.json",
        "title": "Evaluation data",
        "description": "Items, datasets, prediction records and score records, as an editor checks them.",
        "if": {"type": "array"},
        "then": {"type": "array", "items": one},
        "else": {"type": "object"} | one,
        "$defs": definitions,
    }


def editor_files(catalogue: Catalogue, patterns: Iterable[str] = DATA_PATTERNS) -> dict[PurePosixPath, str]:
    """The files of a project, by their place in it: the schema, and settings of VS Code and of JetBrains' editors.

    VS Code's are read by yaml-language-server too. `patterns` name files of data, as these editors write them.
    """
    wanted = list(patterns)
    url = f"./{SCHEMA_FILE}"
    settings: dict[str, Any] = {
        "json.schemas": [{"fileMatch": wanted, "url": url}],
        "yaml.schemas": {url: [pattern for pattern in wanted if not pattern.endswith(".json")] or wanted},
    }
    return {
        SCHEMA_FILE: _pretty(editor_schema(catalogue)),
        PurePosixPath(".vscode", "settings.json"): _pretty(settings),
        PurePosixPath(".idea", "jsonSchemas.xml"): _for_jetbrains(wanted),
    }


def misspellings(key: str, known: Iterable[str]) -> str:
    """A pattern of the keys that are one edit away from `key`, none of `known` among them.

    Only of edits after which `validate` would still take the key for a misspelling of it.
    """
    size = len(key)
    forms: set[str] = set()
    for at in range(size):
        if 2 * (size - 1) / (2 * size - 1) >= _CLOSE:
            forms.add(re.escape(key[:at] + key[at + 1 :]))
        if (size - 1) / size >= _CLOSE:
            forms.add(f"{re.escape(key[:at])}.{re.escape(key[at + 1 :])}")
            forms.add(re.escape(key[:at] + key[at : at + 2][::-1] + key[at + 2 :]))
    if 2 * size / (2 * size + 1) >= _CLOSE:
        forms |= {f"{re.escape(key[:at])}.{re.escape(key[at:])}" for at in range(size + 1)}
    right = "|".join(map(re.escape, sorted(known)))
    return f"^(?!(?:{right})$)(?:{'|'.join(sorted(forms))})$"


def _with_misspellings(document: Schema) -> Schema:
    """The document with rules for the keys of items and of the parts that a schema type asks for."""
    definitions: Mapping[str, Schema] = document["$defs"]

    def ruled(node: Any) -> Any:
        if isinstance(node, list):
            return [ruled(part) for part in node]
        if not isinstance(node, dict):
            return node
        made: Schema = rewritten(node, ruled, frozenset())
        properties = made.get("properties", {})
        if node.get("required") == ["expected_output"] and properties.keys() == set(_PARTS):
            made["properties"] = {
                name: {"allOf": [properties[name], _no_misspelling(_keys_of(definitions, properties[name]))]}
                for name in _PARTS
            }
        return made

    made: Schema = ruled(document)
    for definition in made["$defs"].values():
        if definition.get("title") == _ITEM:
            definition["allOf"] = [
                *definition.get("allOf", ()),
                _no_misspelling(_keys_of(definitions, definition)),
            ]
    return made


def _no_misspelling(known: frozenset[str]) -> Schema:
    rules = [
        {
            "not": {"pattern": misspellings(key, known)},
            "errorMessage": f"unknown key: did you mean {key}?",
        }
        for key in sorted(known)
    ]
    return {"propertyNames": {"allOf": rules}}


def _keys_of(definitions: Mapping[str, Schema], schema: Schema) -> frozenset[str]:
    """The properties of a contract, inherited ones included."""
    keys = set(schema.get("properties", ()))
    for parent in schema.get("allOf", ()):
        keys |= _keys_of(definitions, parent)
    if "$ref" in schema:
        keys |= _keys_of(definitions, definitions[schema["$ref"].removeprefix("#/$defs/")])
    return frozenset(keys)


def _moved(prefix: str, document: Schema) -> dict[str, Schema]:
    """A self-contained schema as definitions of another one, all named by `prefix`."""

    def moved(node: Any) -> Any:
        if isinstance(node, list):
            return [moved(part) for part in node]
        if not isinstance(node, dict):
            return node
        made: Schema = rewritten(node, moved, frozenset())
        if isinstance(node.get("$ref"), str):
            made["$ref"] = node["$ref"].replace("#/$defs/", f"#/$defs/{prefix}.", 1)
        return made

    root = {key: part for key, part in document.items() if key not in ("$schema", "$id", "$defs")}
    return {prefix: moved(root)} | {
        f"{prefix}.{name}": moved(part) for name, part in document["$defs"].items()
    }


def _for_jetbrains(patterns: Iterable[str]) -> str:
    items = "".join(
        f'            <Item><option name="pattern" value="true" /><option name="path" value={quoteattr(pattern)} />'
        f'<option name="mappingKind" value="Pattern" /></Item>\n'
        for pattern in patterns
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<project version="4">
  <component name="JsonSchemaMappingsProjectConfiguration">
    <state><map><entry key="Evaluation data"><value>
      <SchemaInfo>
        <option name="name" value="Evaluation data" />
        <option name="relativePathToSchema" value="{SCHEMA_FILE}" />
        <option name="schemaVersion" value="JSON Schema version 2020-12" />
        <option name="patterns">
          <list>
{items}          </list>
        </option>
      </SchemaInfo>
    </value></entry></map></state>
  </component>
</project>
"""


def _pretty(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
