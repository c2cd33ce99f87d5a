"""A number that a verb doesn't touch comes out as it was written: not as the nearest double, nor in other digits."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from decimal import Context, Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import zstandard
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.cli import run

CONTEXT = Context(prec=400, Emax=10**9, Emin=-(10**9))
ODD = [
    "1e-400",
    "0." + "1234567890" * 4,
    "1.10",
    "1E5",
    "-0.0",
    "-0",
    "1" * 300,
    "1e+5",
    "0e99999999999999999999",
]
NUMBERS = st.one_of(
    st.sampled_from(ODD),
    st.from_regex(r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,40})?([eE][-+]?[0-9]{1,2})?", fullmatch=True),
)


class Number(str):
    """A number's text, which is no string's."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and str(self) == str(other)

    __hash__ = str.__hash__


def texts(raw: str) -> Any:
    """JSON with a number's text for each number."""
    return json.loads(raw, parse_float=Number, parse_int=Number)


def texts_of_lines(raw: str) -> list[Any]:
    return [texts(line) for line in raw.splitlines()]


def metadata(number: str) -> str:
    told = '"product_id":"p","scope":"s","version":"1.0","input_schema_type":"agent","input_schema_version":"1.0"'
    return f'{{{told},"cost":{number}}}'


def item(numbers: list[str], wrapped: str = "{}") -> str:
    """An item with numbers at every depth and in every part; `wrapped` is put around its input."""
    listed = ", ".join(numbers)
    nested = "[" * 20 + listed + "]" * 20
    messages = f'[{{"role":"user","content":"q 1.10","turn":{numbers[0]}}}]'
    inside = f'{{"messages":{messages},"n":[{listed}],"deep":{{"er":{nested}}}}}'
    calls = f'[{{"name":"f","args":{{"n":{listed.split(", ")[0]},"m":[{listed}]}}}}]'
    return (
        f'{{"item_id":"a","input":{wrapped.replace("{}", inside)},'
        f'"expected_output":{{"response":"r","tool_calls":{calls}}},'
        f'"metadata":{{"raw_metadata":{{"input_schema_type":"agent","input_schema_version":"1.0","n":{numbers[-1]}}}}},'
        f'"own":{nested}}}'
    )


def as_json(folder: Path, numbers: list[str], wrapped: str = "{}") -> Path:
    file = folder / "in.json"
    file.write_text(f'{{"metadata":{metadata(numbers[0])},"items":[{item(numbers, wrapped)}]}}')
    return file


def as_gzip(folder: Path, numbers: list[str], wrapped: str = "{}") -> Path:
    file = folder / "in.json.gz"
    file.write_bytes(gzip.compress(as_json(folder, numbers, wrapped).read_bytes()))
    return file


def as_lines(folder: Path, numbers: list[str], wrapped: str = "{}") -> Path:
    file = folder / "in.jsonl"
    file.write_text(item(numbers, wrapped) + "\n")
    (folder / "in.metadata.json").write_text(metadata(numbers[0]))
    return file


def as_zstd_lines(folder: Path, numbers: list[str], wrapped: str = "{}") -> Path:
    file = folder / "in.jsonl.zst"
    file.write_bytes(zstandard.compress(as_lines(folder, numbers, wrapped).read_bytes()))
    return file


def as_yaml(folder: Path, numbers: list[str], wrapped: str = "{}") -> Path:
    file = folder / "in.yaml"
    file.write_text(as_json(folder, numbers, wrapped).read_text())  # flow style of YAML
    return file


def as_parquet(folder: Path, numbers: list[str], wrapped: str = "{}") -> Path:
    file = folder / "in.parquet"
    done = run("convert", str(as_json(folder, numbers, wrapped)), str(file))
    assert done.code == 0, done.err
    return file


Made = Callable[..., Path]
TEXTS: list[Made] = [as_json, as_gzip, as_lines, as_zstd_lines, as_yaml]
VERBS = {
    "convert": ["convert", "IN", "OUT"],
    "migrate": ["migrate", "IN", "--to", "agent@1.0", "-o", "OUT"],
    "normalize": ["normalize", "IN", "-o", "OUT"],
}


@pytest.mark.parametrize("out", ["out.json", "out.jsonl"])
@pytest.mark.parametrize("made", TEXTS)
@pytest.mark.parametrize("verb", VERBS)
@settings(max_examples=2)
@given(numbers=st.lists(NUMBERS, min_size=1, max_size=30))
@example(numbers=ODD)
def test_numbers_come_out_as_they_were_written(verb: str, made: Made, out: str, numbers: list[str]) -> None:
    wrapped = '{"request":{}}' if verb == "normalize" else "{}"
    with TemporaryDirectory() as name:
        folder = Path(name)
        file, target = made(folder, numbers, wrapped), folder / out
        done = run(*({"IN": str(file), "OUT": str(target)}.get(word, word) for word in VERBS[verb]))
        assert done.code == 0, done.out + done.err
        if out.endswith("l"):
            around, items = (
                texts((folder / "out.metadata.json").read_text()),
                texts_of_lines(target.read_text()),
            )
        else:
            whole = texts(target.read_text())
            around, items = whole["metadata"], whole["items"]
    assert around == texts(metadata(numbers[0]))
    assert items == [texts(item(numbers))]


@given(numbers=st.lists(NUMBERS, min_size=1, max_size=4))
@example(numbers=ODD)
@settings(max_examples=10)
def test_parquet_keeps_every_number_by_value(numbers: list[str]) -> None:
    """A column of doubles has no digits of its own: there a number keeps its value, and the double's usual text."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        file, target = as_parquet(folder, numbers), folder / "out.json"
        assert run("convert", str(file), str(target)).code == 0
        written = target.read_text()
    assert values(written) == values(f'{{"metadata":{metadata(numbers[0])},"items":[{item(numbers)}]}}')


def values(raw: str) -> Any:
    return json.loads(raw, parse_float=value, parse_int=value)


def value(text: str) -> tuple[str, ...]:
    """What tells a number from every other: Python's decimals know no exponent of twenty digits."""
    mantissa = text.lower().partition("e")[0]
    return ("0",) if not mantissa.strip("-0.") else ("number", str(Decimal(text).normalize(CONTEXT)))


@settings(max_examples=5)
@given(numbers=st.lists(NUMBERS, min_size=1, max_size=5))
@example(numbers=ODD)
def test_an_import_of_json_and_the_export_keep_numbers(numbers: list[str]) -> None:
    listed = ", ".join(numbers)
    row = (
        f'{{"question":"q","answer":"a","own":[{listed}],"tool_calls":[{{"name":"f","args":{{"n":{numbers[0]}}}}}],'
        f'"metadata":{{"x":{{"y":[[{listed}]]}}}}}}'
    )
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in.jsonl").write_text(row + "\n")
        made = run("import", str(folder / "in.jsonl"), "--map", "golden", "-o", str(folder / "items.jsonl"))
        assert made.code == 0, made.out + made.err
        (imported,) = texts_of_lines((folder / "items.jsonl").read_text())
        back = run("export", str(folder / "items.jsonl"), "--map", "golden", "-o", str(folder / "back.jsonl"))
        assert back.code == 0, back.out + back.err
        (exported,) = texts_of_lines((folder / "back.jsonl").read_text())
        table = run("export", str(folder / "items.jsonl"), "--map", "golden", "-o", str(folder / "back.csv"))
        cells = (folder / "back.csv").read_text() if table.code == 0 else table.out + table.err
    kept = imported["metadata"]["raw_metadata"]["imported"]
    assert kept["own"] == texts(f"[{listed}]")
    assert kept["metadata"] == texts(f'{{"x":{{"y":[[{listed}]]}}}}')
    assert exported["own"] == texts(f"[{listed}]")
    assert f"[{listed}]" in cells


@pytest.mark.parametrize("text", ODD)
def test_arguments_in_text_keep_their_numbers(tmp_path: Path, text: str) -> None:
    call = {"type": "function", "id": "1", "function": {"name": "f", "arguments": f'{{"n": [{text}]}}'}}
    said = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": f'{{"rows": [{text}]}}'},
        {"role": "assistant", "content": "done"},
    ]
    file = tmp_path / "m.json"
    file.write_text(json.dumps(said))
    done = run("prediction", str(file), "--from", "messages", "--item-id", "a")
    assert done.code == 0, done.err
    (made,) = texts(done.out)["prediction"]["tool_calls"]
    assert made["args"] == {"n": [Number(text)]}
    assert made["output"] in ({"rows": [Number(text)]}, f'{{"rows": [{text}]}}')


@pytest.mark.parametrize("text", ["+1.5", ".5", "1.", "007.50", "+.5e3", "-.5", "-0", "-00"])
def test_spellings_of_yaml_become_the_same_number_of_json(tmp_path: Path, text: str) -> None:
    (tmp_path / "in.yaml").write_text(f"- item_id: a\n  input:\n    n: {text}\n")
    assert run("convert", str(tmp_path / "in.yaml"), str(tmp_path / "out.jsonl")).code == 0
    (found,) = texts_of_lines((tmp_path / "out.jsonl").read_text())
    assert Decimal(found["input"]["n"]) == Decimal(text)
    assert found["input"]["n"].startswith("-") == text.startswith("-")


@pytest.mark.parametrize("text", ["1e400", "-1e999", "9" * 310])
@pytest.mark.parametrize("verb", VERBS)
def test_what_no_double_can_hold_is_refused(tmp_path: Path, verb: str, text: str) -> None:
    file, target = as_json(tmp_path, [text]), tmp_path / "out.json"
    done = run(*({"IN": str(file), "OUT": str(target)}.get(word, word) for word in VERBS[verb]))
    assert done.code in (1, 2)
    assert "too large for a number" in done.err
    assert not target.exists()
