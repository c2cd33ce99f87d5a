"""Datasets from one format to another and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcontract.datasets import convert, source_of
from evalcontract.datasets.contents import Contents
from evalcontract.datasets.convert import ConvertedFiles
from evalcontract.errors import ContractViolation, UnreadableInput, UsageError
from evalcontract.release import check_release
from tests.support.datasets import dataset, item, metadata, write, write_lines

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "pathfinder"
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=10,
)
ITEMS = st.lists(
    st.fixed_dictionaries({"item_id": TEXT}, optional={"input": JSON, "metadata": JSON, "x": JSON}),
    max_size=4,
    unique_by=lambda one: one["item_id"],  # type: ignore[index]
)
TARGETS = ["json", "jsonl", "parquet"]


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    with path.open("wb") as file:
        yield file


def converted(source: Path | dict[str, Any], target: Path, **options: Any) -> ConvertedFiles:
    return convert(source_of(source), target, opened, **options)


def contents(source: Path) -> tuple[Any, list[Any]]:
    """What stands around the items, and the items."""
    found = Contents(source_of(source))
    items = [document.value for document in found.items()]
    return found.envelope, items


def exact(value: Any) -> Any:
    """A value that compares unequal when a type or a null differs, not when a number is written 1 or 1.0."""
    if isinstance(value, dict):
        return {"object": {key: exact(child) for key, child in value.items()}}
    if isinstance(value, list):
        return [exact(child) for child in value]
    return (isinstance(value, bool), value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(items=ITEMS, around=st.none() | st.dictionaries(TEXT, JSON, max_size=2))
@pytest.mark.parametrize("through", TARGETS)
def test_every_format_gives_back_what_was_put_in(
    tmp_path: Path, through: str, items: list[Any], around: dict[str, Any] | None
) -> None:
    for old in tmp_path.iterdir():
        old.unlink()
    metadata = {"metadata": around} if around is not None else None
    source = tmp_path / "a.json"
    source.write_text(
        json.dumps(items if metadata is None else metadata | {"items": items}), encoding="utf-8"
    )
    middle, back = tmp_path / f"b.{through}", tmp_path / "c.json"
    assert converted(source, middle).items == len(items)
    if not items and through == "jsonl":
        return  # an empty file is refused when it is read
    converted(middle, back)
    assert exact(list(contents(back))) == exact(list(contents(source)))


def test_absent_null_empty_zero_and_false_stay_apart_in_every_format(tmp_path: Path) -> None:
    items = [
        item("absent"),
        item("null", a=None, b=None, c=None, d=None, e=None),
        item("empty", a="", b=0, c=False, d=[], e={}),
        item("full", a="x", b=1, c=True, d=[None], e={"f": None}),
    ]
    source = write(tmp_path, dataset("1.0", *items), "a")
    for target in TARGETS:
        converted(source, tmp_path / f"b.{target}")
        assert exact(contents(tmp_path / f"b.{target}")[1]) == exact(items)


@pytest.mark.parametrize("example", sorted(each.name for each in EXAMPLES.glob("pathfinder_*.json")))
def test_the_examples_survive_a_tour_of_the_formats(tmp_path: Path, example: str) -> None:
    source = EXAMPLES / example
    stem = source.stem
    converted(source, tmp_path / f"{stem}.parquet")
    converted(tmp_path / f"{stem}.parquet", tmp_path / f"{stem}.jsonl")
    converted(tmp_path / f"{stem}.jsonl", tmp_path / f"{stem}.json")
    assert json.loads((tmp_path / f"{stem}.json").read_bytes()) == json.loads(source.read_bytes())
    assert check_release(tmp_path / f"{stem}.parquet").ok


def test_the_columns_of_a_parquet_file_are_nested(tmp_path: Path) -> None:
    target = tmp_path / "b.parquet"
    converted(write(tmp_path, dataset("1.0"), "a"), target)
    schema = pq.read_schema(target)
    assert schema.field("item_id").type == pa.string()
    messages = schema.field("input").type.field("messages").type
    assert messages.value_type.field("role").type == pa.string()
    around = pq.read_metadata(target).metadata[b"evalcontract:dataset"]
    assert json.loads(around) == {"metadata": metadata()}


def test_values_without_a_single_type_are_kept_as_text_and_said(tmp_path: Path) -> None:
    items = [item("a", v=1, w=1, big=2**70), item("b", v="1", w=0.5, big=1)]
    source = write(tmp_path, dataset("1.0", *items), "a")
    done = converted(source, tmp_path / "b.parquet")
    assert done.notes == (
        "kept as JSON text, having no single type: input.big, input.v",
        "whole numbers come back with a point (1 as 1.0): input.w",
    )
    assert contents(tmp_path / "b.parquet")[1] == items


def test_an_object_with_too_many_keys_is_one_text_column(tmp_path: Path) -> None:
    items = [item(f"i{n}", args={f"key{n}_{m}": m for m in range(30)}) for n in range(10)]
    target = tmp_path / "b.parquet"
    converted(write(tmp_path, dataset("1.0", *items), "a"), target)
    assert pq.read_schema(target).field("input").type.field("args").type == pa.string()
    assert contents(target)[1] == items


def test_a_parquet_file_from_elsewhere_is_read_and_the_loss_is_said(tmp_path: Path) -> None:
    source = tmp_path / "foreign.parquet"
    pq.write_table(pa.Table.from_pylist([{"item_id": "a", "input": {"q": "x", "r": None}}]), source)
    done = converted(source, tmp_path / "b.jsonl")
    assert contents(tmp_path / "b.jsonl")[1] == [{"item_id": "a", "input": {"q": "x"}}]
    assert "doesn't tell nulls from absent keys" in done.notes[0]


def test_a_parquet_value_that_json_lacks_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "foreign.parquet"
    pq.write_table(pa.table({"item_id": ["a"], "x": pa.array([float("nan")])}), source)
    with pytest.raises(ContractViolation, match="/x: expected a finite number"):
        converted(source, tmp_path / "b.json")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"no parquet at all", b"PAR1" + b"\0" * 100 + b"PAR1"])
def test_what_is_no_parquet_file_is_unreadable(tmp_path: Path, content: bytes) -> None:
    source = tmp_path / "a.parquet"
    source.write_bytes(content)
    with pytest.raises(UnreadableInput, match="can't be read as Parquet"):
        converted(source, tmp_path / "b.json")


def test_a_damaged_layout_is_unreadable(tmp_path: Path) -> None:
    table = pa.table({"item_id": ["a"]})
    for layout in (b"{", b'{"version": 99, "json": []}', b"[]", b'{"version": 1}'):
        source = tmp_path / "a.parquet"
        pq.write_table(table.replace_schema_metadata({b"evalcontract:layout": layout}), source)
        with pytest.raises(UnreadableInput):
            converted(source, tmp_path / "b.json")


def test_a_datasets_own_keys_are_not_lost_silently(tmp_path: Path) -> None:
    source = write(tmp_path, dataset("1.0") | {"curator": "team"}, "a")
    with pytest.raises(ContractViolation, match="curator"):
        converted(source, tmp_path / "b.jsonl")
    done = converted(source, tmp_path / "b.jsonl", allow_loss=True)
    assert done.notes == ("left out, JSON Lines have no place for it: curator",)
    converted(source, tmp_path / "c.parquet")
    assert contents(tmp_path / "c.parquet")[0] == {"metadata": metadata(), "curator": "team"}


def test_what_tells_an_editor_the_schema_is_carried_through_and_stops_no_conversion(tmp_path: Path) -> None:
    named = {"$schema": "https://evalcontract.example/schemas/dataset/1.0.json"} | dataset(
        "1.0", {"$schema": "an item"} | item("a")
    )
    named["metadata"] = {"$schema": "metadata"} | named["metadata"]
    source = write(tmp_path, named, "a")
    converted(source, tmp_path / "b.parquet")
    converted(tmp_path / "b.parquet", tmp_path / "b.json")
    assert json.loads((tmp_path / "b.json").read_text()) == named
    done = converted(source, tmp_path / "c.jsonl")
    assert done.notes == ("left out, JSON Lines have no place for it: $schema",)
    converted(tmp_path / "c.jsonl", tmp_path / "c.json")
    assert json.loads((tmp_path / "c.json").read_text()) == {
        key: value for key, value in named.items() if key != "$schema"
    }


def test_metadata_behind_the_items_is_kept(tmp_path: Path) -> None:
    source = tmp_path / "a.json"
    whole = {"items": [item("a")], "metadata": metadata(), "curator": "team"}
    source.write_text(json.dumps(whole))
    converted(source, tmp_path / "b.json")
    assert json.loads((tmp_path / "b.json").read_bytes()) == whole


def test_the_metadata_of_json_lines_lies_beside_them(tmp_path: Path) -> None:
    done = converted(write(tmp_path, dataset("1.0"), "a"), tmp_path / "b.jsonl")
    assert done.files == (tmp_path / "b.jsonl", tmp_path / "b.metadata.json")
    assert json.loads((tmp_path / "b.metadata.json").read_bytes()) == metadata()
    assert len((tmp_path / "b.jsonl").read_text().splitlines()) == 2


def test_metadata_of_another_dataset_is_not_taken_over(tmp_path: Path) -> None:
    (tmp_path / "b.metadata.json").write_text("{}")
    source = write_lines(tmp_path / "a.jsonl", [item("a")])
    with pytest.raises(UsageError, match="would be taken for the metadata"):
        converted(source, tmp_path / "b.jsonl")


@pytest.mark.parametrize("kind", TARGETS)
def test_metadata_beside_columns_of_items_go_with_them(tmp_path: Path, kind: str) -> None:
    source, beside = tmp_path / "a.parquet", metadata("2.0")
    pq.write_table(pa.Table.from_pylist([item("a"), item("b")]), source)
    (tmp_path / "a.metadata.json").write_text(json.dumps(beside))
    converted(source, tmp_path / f"b.{kind}")
    envelope, items = contents(tmp_path / f"b.{kind}")
    assert envelope["metadata"] == beside
    assert [one["item_id"] for one in items] == ["a", "b"]


@pytest.mark.parametrize("kind", ["json", "parquet"])
def test_metadata_beside_lines_and_a_dataset_of_one_name_are_those_of_the_lines(
    tmp_path: Path, kind: str
) -> None:
    write(tmp_path, dataset("1.0"), "d")
    lines = write_lines(tmp_path / "d.jsonl", [item("c")])
    (tmp_path / "d.metadata.json").write_text(json.dumps(metadata("2.0")))
    converted(tmp_path / "d.json", tmp_path / f"of_the_dataset.{kind}")
    converted(lines, tmp_path / f"of_the_lines.{kind}")
    versions = [
        contents(tmp_path / f"{name}.{kind}")[0]["metadata"]["version"]
        for name in ("of_the_dataset", "of_the_lines")
    ]
    assert versions == ["1.0", "2.0"]


def test_half_a_dataset_is_not_written(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", [item("a")])
    source.write_text(source.read_text() + '{"item_id": NaN}\n{"a": 1, "a": 2}\n')
    with pytest.raises(ContractViolation) as caught:
        converted(source, tmp_path / "b.json")
    assert len(caught.value.violations) == 2
    assert f"{source}:2: " in caught.value.message


def test_only_objects_have_columns(tmp_path: Path) -> None:
    with pytest.raises(ContractViolation, match="item 2 of"):
        converted(write_lines(tmp_path / "a.jsonl", [item("a"), 5]), tmp_path / "b.parquet")


@pytest.mark.parametrize("name", ["b.csv", "b", "b.json.gz", "b.yaml"])
def test_a_format_that_is_not_written_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="names no format that is written"):
        converted(write(tmp_path, dataset("1.0")), tmp_path / name)


def test_a_file_is_not_written_over_itself(tmp_path: Path) -> None:
    source = write(tmp_path, dataset("1.0"), "a")
    with pytest.raises(UsageError, match="is read and would be written"):
        converted(source, source)
