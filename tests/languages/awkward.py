"""Contracts of one's own whose names and texts are trouble in some language, all within the rules."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from evalcontract.authoring import lint
from evalcontract.validation.engine.patterns import compiled_pattern
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
    patterns = random_patterns(random.Random(5))
    fields = {
        f"p{at}": {"type": ["string", "null"], "pattern": pattern, "default": None}
        for at, pattern in enumerate(patterns)
    }
    documents["patterns"] = _contract("Patterns", fields, [])
    (folder / "patterns.json").write_text(json.dumps(judged_texts(patterns)), encoding="utf-8")
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


def random_patterns(generator: random.Random, count: int = 150) -> list[str]:
    """Patterns of every form that the profile allows."""
    made = (f"^{_pattern(generator, 3)}$" for _ in range(2 * count))
    return [pattern for pattern in made if len(pattern) <= 200][:count]


def judged_texts(patterns: list[str]) -> list[dict[str, Any]]:
    """Documents of the contract `patterns`, with the pointers of the texts that don't match."""
    generator = random.Random(6)
    judged = []
    for _ in range(100):
        texts = {f"p{at}": _text(generator) for at in range(len(patterns))}
        wrong = [
            f"/p{at}"
            for at, pattern in enumerate(patterns)
            if not compiled_pattern(pattern).is_in(texts[f"p{at}"])
        ]
        judged.append({"document": texts, "pointers": wrong})
    refused = sum(len(found["pointers"]) for found in judged)
    assert 0.3 < refused / len(judged) / len(patterns) < 0.9
    return judged


def _text(generator: random.Random) -> str:
    return "".join(generator.choices("aabbc.-]\n\u2028\u0085é\U0001f600", k=generator.randrange(5)))


def _pattern(generator: random.Random, depth: int) -> str:
    parts = []
    for _ in range(generator.randint(1, 3)):
        group = generator.random() < 0.4 and depth > 0
        atom = f"({_pattern(generator, depth - 1)})" if group else generator.choice(_ATOMS)
        parts.append(atom if atom in "^$" else atom + generator.choice(_COUNTS))
    alternative = depth > 0 and generator.random() < 0.3
    return "".join(parts) + (f"|{_pattern(generator, depth - 1)}" if alternative else "")


_ATOMS = (
    *("a", "b", "é", "\U0001f600", ".", r"\.", r"\n", "-", "^", "$"),
    *(
        "[ab]",
        "[^a]",
        "[a-c.]",
        r"[\]\-.]",
        r"[^\n]",
        "[é-\U0001f600]",
        "[-a]",
        "[a-]",
        "[.$^|(]",
        "[^[b&&b]",
    ),
)
_COUNTS = ("", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{0}", "{1,3}?")


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
