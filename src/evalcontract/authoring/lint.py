"""Every rule that a folder of schemas breaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import validator_for

from evalcontract.authoring.finding import Breach, Broken, LintFinding, LintRule, findings
from evalcontract.authoring.rules import RULES
from evalcontract.authoring.schema_tree import Schemas
from evalcontract.catalog import Catalogue, schemas_root
from evalcontract.errors import CatalogError, UsageError
from evalcontract.values import shown

STRICT, LOOSE = "strict", "loose"
_NAMES = "write names in snake_case, and choose others for those that a language keeps for itself"
_WAYS_OUT = {
    "propertyNames": _NAMES,
    "additionalProperties": "take the keyword away; what a schema of the profile can't say is a rule of release",
    "unevaluatedProperties": "take the keyword away; what a schema of the profile can't say is a rule of release",
    "required": "add it",
    "minLength": "say in a sentence what it means",
    "maxLength": "say it in fewer words",
}


def profile_of(root: Path) -> Any:
    """The authoring profile of a folder: its own, else the one of this package. CatalogError when damaged."""
    own = root / "authoring.json"
    try:
        return json.loads((own if own.is_file() else schemas_root() / "authoring.json").read_bytes())
    except (OSError, ValueError) as error:
        raise CatalogError(f"authoring.json can't be read: {error}", hint="restore the file") from error


def _profile(schemas: Schemas) -> Broken:
    profile = profile_of(schemas.root)
    yield from _breaches(schemas, lambda document: Draft202012Validator(profile))


def _is_schema(schemas: Schemas) -> Broken:
    def judge(document: Any) -> Any:
        kind: Any = validator_for(document, default=Draft202012Validator)
        return kind(kind.META_SCHEMA)

    yield from _breaches(schemas, judge)


def _breaches(schemas: Schemas, judge: Any) -> Broken:
    for ref, document in schemas.documents.items():
        for whole in judge(document).iter_errors(document):
            yield Breach(schemas.where(ref), *_said(_nearest(whole)))


def _nearest(error: ValidationError) -> ValidationError:
    """What is wrong with the alternative that was most likely meant: the one that fails deepest, then least."""
    while error.context:
        branches: dict[object, list[ValidationError]] = {}
        for part in error.context:
            branches.setdefault(part.relative_schema_path[0], []).append(part)
        meant = min(branches.values(), key=lambda parts: (-max(map(_depth, parts)), len(parts)))
        error = max(meant, key=_depth)
    return error


def _depth(error: ValidationError) -> int:
    return max(
        [len(error.relative_path), *(len(error.relative_path) + _depth(part) for part in error.context or ())]
    )


def _said(found: ValidationError) -> tuple[str, tuple[str, ...], str]:
    """What is wrong, the keys that lead there, and the way out."""
    at = tuple(map(str, found.absolute_path))
    steps = [str(step) for step in found.absolute_schema_path]
    if "propertyNames" in steps and isinstance(found.instance, str):
        message = f"{found.json_path}: {shown(found.instance)} can't be the name of a property"
        return message, (*at, found.instance), _NAMES
    way_out = next((_WAYS_OUT[step] for step in reversed(steps) if step in _WAYS_OUT), "")
    return f"{found.json_path}: {found.message:.200}", at, way_out


PROFILE = LintRule(
    "profile",
    "what every validator and code generator understands alike",
    "write it as the contracts of evalcontract are written (evalcontract schema show rag_input); where no code "
    "is wanted, --profile loose takes it for an advice",
    _profile,
)
SCHEMA = LintRule("json-schema", "what is no JSON Schema judges nothing", "correct the keyword", _is_schema)


def lint(root: Path, below: Catalogue | None = None, profile: str = STRICT) -> list[LintFinding]:
    """Every breach of a rule in a folder of schemas, which holds catalog.json and lies on `below`.

    Without `below` it lies on the built-in catalogue. The profile is authoring.json in that folder, else the
    one that comes with this package. The other rules read schemas of the profile: what breaks the profile is
    reported alone. With the profile `loose` it is an advice: the rules that can be judged without it are, and a
    schema has only to be JSON Schema.
    Raises CatalogError when catalog.json or authoring.json is damaged, UsageError for another profile.
    """
    if profile not in (STRICT, LOOSE):
        raise UsageError(f"there is no profile {profile}", hint=f"known: {STRICT}, {LOOSE}")
    schemas = Schemas(root, below or Catalogue(schemas_root()))
    outside = findings(PROFILE, schemas)
    if profile == STRICT:
        return outside or list(_of(RULES, schemas))
    if unusable := findings(SCHEMA, schemas):
        return unusable
    rules = [rule for rule in RULES if not (outside and rule.of_profile)]
    return [*_of(rules, schemas), *(replace(finding, advice=True) for finding in outside)]


def lint_layers(catalogue: Catalogue, profile: str = STRICT) -> Iterator[LintFinding]:
    """The same of every layer that may be edited: not of the schemas inside an installed package.

    Paths are seen from where the folders are named.
    """
    below = Catalogue(schemas_root())
    for layer in catalogue.layers:
        if isinstance(layer.root, Path) and "_data" not in layer.root.parts:
            for finding in lint(layer.root, below, profile):
                yield replace(finding, path=str(layer.root.parent / finding.path))
        below = Catalogue(layer.root, below)


def _of(rules: Any, schemas: Schemas) -> Iterator[LintFinding]:
    for rule in rules:
        yield from findings(rule, schemas)
