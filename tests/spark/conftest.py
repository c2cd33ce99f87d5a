from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.spark.engines import ENGINES, session

_JVM = [pytest.param(engine, marks=pytest.mark.spark) for engine in ENGINES if engine != "sail"]


@pytest.fixture(scope="session", params=["sail", *_JVM])
def spark(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session of each engine in turn; those with a JVM by `make test-spark` alone."""
    with session(request.param, tmp_path_factory.mktemp("warehouse")) as made:
        made.engine = request.param
        yield made
