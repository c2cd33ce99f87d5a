"""What docs/adapters.md shows is what happens."""

from __future__ import annotations

import doctest

from evalcontract.predictions import __all__ as builders
from evalcontract.predictions.table import BUILDERS
from evalcontract.responses.adapters import PROVIDERS
from tests.support.projects import PROJECT

PAGE = PROJECT / "docs" / "adapters.md"


def test_the_python_session_is_true() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert done.attempted > 10
    assert done.failed == 0


def test_every_provider_and_builder_is_in_a_table() -> None:
    lines = (PROJECT / "README.md").read_text(encoding="utf-8").splitlines()
    for provider in PROVIDERS:
        assert sum(f"| `{provider.name}` |" in line for line in lines) == 1
    assert {builder.function for builder in BUILDERS} == {
        name for name in builders if name.startswith("from_")
    }
    for builder in BUILDERS:
        assert sum(line.startswith(f"| {builder.source} |") for line in lines) == 1
