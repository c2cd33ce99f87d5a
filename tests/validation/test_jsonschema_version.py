"""Why the version of jsonschema has an upper bound.

A keyword of ours that follows references (`unevaluatedProperties`, and `$ref` where schemas are compared) has to
know what a reference means where it stands. jsonschema tells that by the private `_resolver` of a validator only,
and takes it back by the private `_resolver` of `evolve`. A release may change either; so none is taken
before this test has passed on it.
"""

from __future__ import annotations

import tomllib
from importlib.metadata import version

from jsonschema import Draft202012Validator
from packaging.requirements import Requirement

from tests.support.projects import PROJECT

SCHEMA = {"$defs": {"a": {"type": "integer"}}, "$ref": "#/$defs/a"}


def test_a_validator_tells_what_a_reference_means_where_it_stands() -> None:
    validator = Draft202012Validator(SCHEMA)
    found = validator._resolver.lookup("#/$defs/a")
    assert found.contents is SCHEMA["$defs"]["a"]
    there = validator.evolve(schema=found.contents, _resolver=found.resolver)
    assert there.is_valid(1)
    assert not there.is_valid("1")


def test_no_release_is_taken_that_was_not_tried() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (needed,) = (need for need in map(Requirement, project["dependencies"]) if need.name == "jsonschema")
    assert needed.specifier.contains(version("jsonschema"))
    pins = (PROJECT / "constraints.txt").read_text(encoding="utf-8").split()
    (tried,) = (pin.partition("==")[2] for pin in pins if pin.startswith("jsonschema=="))
    major, minor, *_ = map(int, tried.split("."))
    assert needed.specifier.contains(tried)
    assert not needed.specifier.contains(f"{major}.{minor + 1}.0")
    assert not needed.specifier.contains(f"{major + 1}.0")
