from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.spark.engines import ENGINES, session

_OF_SAIL = "ignore:Exception ignored in. None:pytest.PytestUnraisableExceptionWarning"
"""A thread of Sail 0.7 that ends the stream of a Python function may be asked to wait for itself, and says so then; the
results are whole by that time."""
_JVM = [pytest.param(engine, marks=pytest.mark.spark) for engine in ENGINES if engine != "sail"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "sail" in item.name and item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.filterwarnings(_OF_SAIL))


@pytest.fixture(scope="session", params=["sail", *_JVM])
def spark(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session of each engine in turn; those with a JVM by `make test-spark` alone."""
    with session(request.param, tmp_path_factory.mktemp("warehouse")) as made:
        made.engine = request.param
        yield made
