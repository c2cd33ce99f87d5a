from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.toolchains import HERE, LANGUAGES, Driver, built

_BUILT: dict[str, Driver] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("languages")


def driver_of(name: str, target: Path) -> Driver:
    """The driver of a language, built once a run."""
    if name not in _BUILT:
        (language,) = (language for language in LANGUAGES if language.name == name)
        _BUILT[name] = built(language, target)
    return _BUILT[name]


@pytest.fixture(scope="session", params=[language.name for language in LANGUAGES])
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    """Each language in turn."""
    return driver_of(request.param, tmp_path_factory.mktemp("built"))
