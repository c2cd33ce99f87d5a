"""Catalogues and repositories that a test may break."""

from __future__ import annotations

import json
import re
import shutil
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from evalcontract.catalog import Catalogue, ContractRef, file_digest
from evalcontract.catalog.keywords import references
from evalcontract.evolution.versions.release import prepare
from tests.support.cli import Finished, run
from tests.support.git import git
from tests.support.projects import PROJECT

NEXT_MAJOR = Path(__file__).parent / "data" / "next_major"
HISTORIES = Path(__file__).parent / "data" / "histories"
ON = date(2026, 1, 31)
CITATION = ContractRef("citation", "1.0")
NULLABLE = {"type": ["string", "null"], "description": "Something more to know.", "default": None}


def breaking(new: str, old: str, *arguments: str) -> Finished:
    return run("schema", "breaking", new, "--against", old, *arguments)


def schemas_with_next_major(target: Path) -> Path:
    """The project's schemas, and drafts of a second major version of rag_expected_output with its migration."""
    schemas = copy_schemas(target)
    shutil.copytree(NEXT_MAJOR, schemas, dirs_exist_ok=True)
    catalog = json.loads((schemas / "catalog.json").read_bytes())
    for name in ("citation", "retrieval_ground_truth", "rag_expected_output"):
        catalog["contracts"][name]["2.0"] = {"status": "draft"}
    output = {"expected_output": "rag_expected_output@2.0"}
    catalog["schema_types"]["rag"]["2.0"] = catalog["schema_types"]["rag"]["1.0"] | output
    write_json(schemas / "catalog.json", catalog)
    return schemas


def copy_schemas(target: Path) -> Path:
    """The project's schemas as they were before their release: every version is a draft."""
    schemas = target / "schemas"
    shutil.copytree(PROJECT / "schemas", schemas, ignore=shutil.ignore_patterns("conformance"))
    listed = (schemas / "catalog.json").read_text("utf-8")
    drafts = re.sub(r'\{\s*"status": "released"[^}]*\}', '{ "status": "draft" }', listed)
    (schemas / "catalog.json").write_text(drafts, "utf-8")
    return schemas


def write_json(path: Path, document: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2) + "\n", "utf-8")


def add_version(schemas: Path, old: ContractRef, version: str, **changes: Any) -> ContractRef:
    """A draft of a further version: the old file with other properties, under its own `$id`."""
    document = json.loads((schemas / old.name / f"{old.version}.json").read_bytes())
    document["$id"] = document["$id"].replace(f"/{old.version}.json", f"/{version}.json")
    write_json(schemas / old.name / f"{version}.json", document | changes)
    catalog = json.loads((schemas / "catalog.json").read_bytes())
    catalog["contracts"][old.name][version] = {"status": "draft"}
    write_json(schemas / "catalog.json", catalog)
    return ContractRef(old.name, version)


def properties_of(schemas: Path, ref: ContractRef) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((schemas / ref.name / f"{ref.version}.json").read_bytes())[
        "properties"
    ]
    return found


def release(schemas: Path, ref: ContractRef) -> None:
    (schemas / "catalog.json").write_bytes(prepare(Catalogue(schemas), ref, ON).catalog_text)


def release_everything(schemas: Path) -> None:
    """Release every draft, what others refer to first."""
    waiting = [entry.ref for entry in Catalogue(schemas).entries() if not entry.frozen]
    while waiting:
        catalogue, ref = Catalogue(schemas), waiting.pop(0)
        targets = [urljoin(catalogue.uri(ref), each) for each in references(catalogue.document(ref))]
        if all(catalogue.entry(catalogue.ref_of(each)).frozen for each in targets):
            release(schemas, ref)
        else:
            waiting.append(ref)


def commit_all(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def sha_is_made_to_fit(schemas: Path, ref: ContractRef) -> None:
    """What somebody does who changes the file and the catalogue together."""
    catalog = json.loads((schemas / "catalog.json").read_bytes())
    catalog["contracts"][ref.name][ref.version]["sha256"] = file_digest(
        schemas / ref.name / f"{ref.version}.json"
    )
    write_json(schemas / "catalog.json", catalog)


def release_minor(repository: Path, text: str = "A wording that is better.") -> Path:
    """Release citation 1.1 in a commit of its own; the file."""
    schemas = repository / "schemas"
    release(schemas, add_version(schemas, CITATION, "1.1", description=text))
    commit_all(repository, "Release citation 1.1")
    return schemas / "citation" / "1.1.json"


def change_with_its_hash(file: Path) -> None:
    file.write_text(file.read_text("utf-8").replace("better", "best"), "utf-8")
    sha_is_made_to_fit(file.parents[1], ContractRef("citation", file.stem))


def add_a_commit(repository: Path) -> None:
    file = repository / "README"
    file.write_text(file.read_text("utf-8") + "more work\n", "utf-8")
    commit_all(repository, "Something else")
