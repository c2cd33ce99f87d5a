"""What docs/adapters.md shows is what happens."""

from __future__ import annotations

import doctest
from dataclasses import dataclass

import pytest

from evalcontract.predictions import __all__ as builders
from evalcontract.predictions.table import BUILDERS
from evalcontract.responses.adapters import PROVIDERS
from tests.support.fixtures import load
from tests.support.langfuse_server import running
from tests.support.projects import PROJECT

TRACES = PROJECT / "tests" / "predictions" / "data" / "trace"
PAGE = PROJECT / "docs" / "adapters.md"


@dataclass
class Served:
    """A service whose run the server of the test has recorded."""

    trace_id: str

    async def ask(self, question: str) -> str:
        return self.trace_id


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_the_python_session_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = load(TRACES / "langfuse_langgraph.json")["source"]["observations"]
    steps = [
        {**step, "name": "opening_hours" if step["type"] == "TOOL" else step["name"]} for step in recorded
    ]
    served = Served(steps[0]["traceId"])
    with running() as server:
        server.arrivals = [steps[1:], steps]
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        done = doctest.testfile(
            str(PAGE),
            module_relative=False,
            encoding="utf-8",
            globs={"ask_service": served.ask, "served": served, "__name__": "page"},
        )
    assert done.attempted > 10
    assert done.failed == 0


def test_every_provider_and_builder_is_in_a_table() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    for provider in PROVIDERS:
        assert sum(f"| `{provider.name}` |" in line for line in lines) == 1
    assert {builder.function for builder in BUILDERS} == {
        name for name in builders if name.startswith("from_")
    }
    for builder in BUILDERS:
        assert sum(line.startswith(f"| {builder.source} |") for line in lines) == 1
