"""Import, export, import: what comes out of the second import is what came out of the first."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcontract.importing import (
    ExportRequest,
    ImportRequest,
    Transfer,
    export_file,
    import_file,
    load_mapping,
    preset_names,
)
from tests.importing.sources import rows

PRESETS = [
    name
    for name in preset_names()
    if load_mapping(name).layout == "rows"
    and load_mapping(name).writable
    and not load_mapping(name).single_elements  # lists around the fields: whole files, in test_other_tools
]
FLAT = [name for name in PRESETS if all(len(path) == 1 for path in load_mapping(name).known_sources)]
few = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def tables(name: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.lists(rows(load_mapping(name)), min_size=1, max_size=3)


def said(transfer: Transfer) -> str:
    return "\n".join(map(str, transfer.findings))


def read_in(name: str, source: Path, folder: Path, *, predictions: bool) -> tuple[Path, Path | None]:
    output, records = folder / f"{source.stem}.items.jsonl", folder / f"{source.stem}.records.jsonl"
    request = ImportRequest(
        source, load_mapping(name), output, records if predictions else None, ids="row-number"
    )
    transfer = import_file(request)
    assert not transfer.failed, said(transfer)
    return output, records if predictions else None


def written_out(name: str, items: Path, records: Path | None, target: Path) -> Path:
    transfer = export_file(ExportRequest(items, load_mapping(name), target, records))
    assert not transfer.failed, said(transfer)
    return target


def lines(path: Path | None) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line] if path else []


@pytest.mark.parametrize("predictions", [False, True], ids=["items", "with-predictions"])
@pytest.mark.parametrize("name", PRESETS)
@given(data=st.data())
@few
def test_json_comes_back_the_same(name: str, predictions: bool, data: st.DataObject) -> None:
    predictions = predictions and any(each.target.part == "record" for each in load_mapping(name).fields)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = folder / "source.json"
        source.write_text(json.dumps(data.draw(tables(name))), "utf-8")
        items, records = read_in(name, source, folder, predictions=predictions)
        again = written_out(
            name, items, records, folder / data.draw(st.sampled_from(["again.json", "again.jsonl"]))
        )
        items_again, records_again = read_in(name, again, folder, predictions=predictions)
        assert lines(items_again) == lines(items)
        assert lines(records_again) == lines(records)


@pytest.mark.parametrize("name", FLAT)
@given(data=st.data())
@few
def test_csv_comes_back_the_same(name: str, data: st.DataObject) -> None:
    """Kept values are text after the first export to cells, so that it is the cells that must come back."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = folder / "source.json"
        table = data.draw(tables(name))
        for row in table:
            for key in [key for key, value in row.items() if value == ""]:
                del row[key]
        source.write_text(json.dumps(table), "utf-8")
        items, records = read_in(name, source, folder, predictions=False)
        cells = written_out(name, items, records, folder / "cells.csv")
        first, _ = read_in(name, cells, folder, predictions=False)
        again, _ = read_in(
            name, written_out(name, first, None, folder / "again.csv"), folder, predictions=False
        )
        assert lines(again) == lines(first)
        for before, after in zip(lines(items), lines(first), strict=True):
            assert after["input"] == before["input"]
            assert after.get("expected_output") == before.get("expected_output")


def test_every_field_of_every_preset_holds_another_value(tmp_path: Path) -> None:
    """One row in which no two values are equal comes back with each in its own place."""
    for name in PRESETS:
        mapping = load_mapping(name)
        texts = (f"value {number}" for number in range(10_000))
        row: dict[str, Any] = {}
        for key in sorted(
            {path[0] for path in mapping.keep} - {path[0] for path in mapping.known_sources if len(path) > 1}
        ):
            row[key] = next(texts)
        row["own key"] = {"deep": [next(texts)]}
        question = next(each for each in mapping.fields if each.required)
        node = row
        for step in question.sources[-1][:-1]:
            node = node.setdefault(step, {})
        node[question.sources[-1][-1]] = next(texts)
        source = tmp_path / f"{name}.json"
        source.write_text(json.dumps([row]), "utf-8")
        items, _ = read_in(name, source, tmp_path, predictions=False)
        again = written_out(name, items, None, tmp_path / f"{name}-again.json")
        back = json.loads(again.read_text("utf-8"))[0]
        kept = {key: value for key, value in row.items() if key != question.sources[-1][0]}
        assert {key: back[key] for key in kept} == kept
