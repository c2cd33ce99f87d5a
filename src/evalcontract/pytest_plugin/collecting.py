"""The items of a marked test: read and checked as `evalcontract validate` does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evalcontract.errors import ContractError
from evalcontract.reports import RUN, TEXT
from evalcontract.scoring import Files
from evalcontract.settings import catalogue_for


def dataset_of(root: Path, marker: pytest.Mark) -> tuple[str, str | None]:
    """The file and the schema type that a marker names, the file as seen from the root of the tests."""
    named, extra = dict(marker.kwargs), marker.args[1:]
    type_ = named.pop("type", None)
    if len(marker.args) != 1 or extra or named or not isinstance(marker.args[0], str | Path):
        raise pytest.Collector.CollectError("write @pytest.mark.evaldataset(PATH, type=...), with one path")
    return str(root / marker.args[0]), type_


def items_of(root: Path, marker: pytest.Mark, arguments: Sequence[str]) -> Sequence[dict[str, Any]]:
    """The items of the marker's dataset; CollectError with all that is wrong with it."""
    if "item" not in arguments:
        raise pytest.Collector.CollectError("a test marked with evaldataset takes the argument `item`")
    try:
        return _items(*dataset_of(root, marker))
    except ContractError as error:
        hint = f"\n  hint: {error.hint}" if error.hint else ""
        raise pytest.Collector.CollectError(f"error: {error.message}{hint}") from None


@cache
def _items(file: str, schema_type: str | None) -> Sequence[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    files = Files(catalogue=catalogue_for(start=Path(file).parent))
    files.dataset(file, lambda _: None, lambda item, _: found.append(item), schema_type)
    if not files.sound:
        raise pytest.Collector.CollectError(RUN.write(TEXT, files.result()))
    return found
