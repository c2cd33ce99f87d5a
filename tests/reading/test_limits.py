"""Work is bounded by what comes out of a file, whatever went in, and each bound can be raised."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcontract.checking import Splitting, check_files
from evalcontract.cli.roles import READS_DATA, READS_FILES, Bounds
from evalcontract.errors import UsageError
from evalcontract.reading import Document, Event, Fault, Limits, current_limits, limited, limits_told, read
from evalcontract.reading.limits import LIMIT_NAMES, OPTION, refuse_too_many_values
from evalcontract.reading.refusals import Refusal
from tests.support.cli import run
from tests.support.commands import commands

SMALL = Limits(document_bytes=4000, document_values=100, blank_bytes=1000, documents=50)
VALUES = ",".join(["{}"] * 101)


def events(folder: Path, name: str, content: str) -> list[Event]:
    file = folder / name
    raw = content.encode()
    file.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    return list(read(file, items=True, limits=SMALL))


def faults(folder: Path, name: str, content: str) -> list[tuple[str, str]]:
    found = [event for event in events(folder, name, content) if isinstance(event, Fault)]
    return [(fault.code, fault.hint or "") for fault in found]


@pytest.mark.parametrize(
    ("name", "content", "code", "option"),
    [
        ("a.jsonl", f"[{VALUES}]\n", "too-many-values", "document-values=200"),
        ("a.json", f"[[{VALUES}]]", "too-many-values", "document-values=200"),
        ("a.json", f'{{"x": [{VALUES}]}}', "too-many-values", "document-values=200"),
        ("a.json", f'{{"items": [{{"x": [{VALUES}]}}]}}', "too-many-values", "document-values=200"),
        ("a.yaml", f"[{VALUES}]", "too-many-values", "document-values=200"),
        ("a.jsonl", f'"{"x" * 4001}"\n', "too-long", "document-bytes=8000"),
        ("a.json", f'"{"x" * 4001}', "too-long", "document-bytes=8000"),
        ("a.json", f'["{"x" * 400_000}"]', "too-long", "document-bytes=8000"),
        ("a.yaml", "x" * 4001, "too-long", "document-bytes=8000"),
        ("a.jsonl.gz", "\n" * 1001, "too-blank", "blank-bytes=2000"),
        ("a.jsonl", "1\n" + "  \n" * 400, "too-blank", "blank-bytes=2000"),
        ("a.json.gz", " " * 1001 + "[1]", "too-blank", "blank-bytes=2000"),
        ("a.json", "[1," + "\n" * 2000 + "2]", "too-blank", "blank-bytes=2000"),
        ("a.jsonl", "1\n" * 51, "too-many-documents", "documents=100"),
        ("a.json.gz", f"[{','.join('1' * 51)}]", "too-many-documents", "documents=100"),
        ("a.json", f"[{','.join(['{}'] * 5000)}]", "too-many-documents", "documents=100"),
    ],
)
def test_what_is_too_much_is_one_fault_that_names_the_option(
    tmp_path: Path, name: str, content: str, code: str, option: str
) -> None:
    ((found, hint),) = faults(tmp_path, name, content)
    assert (found, hint.endswith(f"{OPTION} {option}")) == (code, True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", f"[{','.join(['{}'] * 99)}]\n"),
        ("a.jsonl", json.dumps(["," * 3000]) + "\n"),
        ("a.json", json.dumps([{"k": ["[{,"] * 40}] * 40, indent=2)),
        ("a.jsonl", "1\n\n" * 50),
        ("a.json", f"[{','.join('1' * 50)}]"),
        ("a.jsonl.gz", "\n" * 999 + "1\n"),
    ],
)
def test_what_is_just_enough_is_read(tmp_path: Path, name: str, content: str) -> None:
    assert not faults(tmp_path, name, content)


def test_documents_before_the_bound_are_read(tmp_path: Path) -> None:
    for name, content in (("a.jsonl", "1\n" * 60), ("a.json", f"[{','.join('1' * 60)}]")):
        found = events(tmp_path, name, content)
        assert sum(isinstance(event, Document) for event in found) == 50


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(',[]{}:" ab', max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(",[]{}", max_size=2), inner, max_size=4)
    ),
    max_leaves=30,
)


def size(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(size, inner))


@settings(max_examples=300)
@given(JSON, st.sampled_from([None, 1]), st.integers(1, 40))
def test_values_are_counted_as_they_are(value: object, indent: int | None, most: int) -> None:
    text = json.dumps(value, indent=indent).encode()
    refused = False
    try:
        refuse_too_many_values(text, Limits(document_values=most))
    except Refusal:
        refused = True
    assert refused == (size(value) > most)


def test_limits_are_told_by_name() -> None:
    told = limits_told(["document-bytes=1G", "documents=7", "blank-bytes=2k"])
    assert told == Limits(document_bytes=1 << 30, documents=7, blank_bytes=2048)
    for wrong in ("bytes=1", "documents", "documents=0", "documents=-1", "documents=1T", "documents=1.5"):
        with pytest.raises(UsageError):
            limits_told([wrong])


def test_limits_hold_for_a_block() -> None:
    with limited(SMALL):
        assert current_limits() == SMALL
    assert current_limits() == Limits()


def test_every_command_that_reads_data_takes_the_option() -> None:
    for command in commands():
        if {READS_DATA, READS_FILES} & set(command.roles.values()):
            assert any(isinstance(role, Bounds) for role in command.roles.values()), command.words


@pytest.mark.parametrize("name", [name for name in LIMIT_NAMES if name != "held-bytes"])
def test_the_option_holds_for_a_command(tmp_path: Path, name: str) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"a": ["b"]}\n\n\n{"a": ["b"]}\n')
    done = run("validate", str(file), OPTION, f"{name}=1")
    assert "[too-" in done.out
    assert f"{OPTION} {name}=2" in done.out
    assert "[too-" not in run("validate", str(file), OPTION, f"{name}=1K").out


REFUSED = [
    ["validate", "IN"],
    ["normalize", "IN", "-o", "OUT"],
    ["migrate", "IN", "--to", "rag@1.0", "--from", "1.0"],
    ["import", "IN", "--map", "golden", "-o", "OUT"],
    ["export", "IN", "--map", "golden", "-o", "OUT"],
    ["dataset", "check", "IN"],
]
HELD = [words for words in REFUSED if words[0] in ("migrate", "export")]


@pytest.mark.parametrize("words", REFUSED, ids=lambda words: " ".join(words[:2]))
@pytest.mark.parametrize("name", ["in.json.gz", "in.jsonl"])
def test_reading_stops_where_all_is_wrong(tmp_path: Path, words: list[str], name: str) -> None:
    """A few bytes of gzip hold millions of `{}`: each takes its time to be refused."""
    lines = name.endswith("l")
    content = b"{}\n" * 2000 if lines else b"[" + b",".join([b"{}"] * 2000) + b"]"
    file, out = tmp_path / name, tmp_path / "out.jsonl"
    file.write_bytes(content if lines else gzip.compress(content))
    told = [{"IN": str(file), "OUT": str(out)}.get(word, word) for word in words]
    done = run(*told, OPTION, "invalid-documents=50")
    said = done.out + done.err
    assert done.code == 1
    assert "more than 50 documents break their contract" in said
    assert f"{OPTION} invalid-documents=100" in said
    assert not out.exists()
    assert "more than" not in run(*told, OPTION, "invalid-documents=5000").err


@pytest.mark.parametrize("words", HELD, ids=lambda words: words[0])
def test_what_is_held_at_once_is_bounded(tmp_path: Path, words: list[str]) -> None:
    row = '{"item_id":"a","input":{"messages":[{"role":"user","content":"q"}]},"question":"q"}'
    file, out = tmp_path / "in.json.gz", tmp_path / "out.jsonl"
    file.write_bytes(gzip.compress(f"[{','.join([row] * 500)}]".encode()))
    told = [{"IN": str(file), "OUT": str(out)}.get(word, word) for word in words]
    done = run(*told, OPTION, "held-bytes=100K")
    assert done.code == 2
    assert f"{OPTION} held-bytes=204800" in done.err
    assert not out.exists()


def test_what_an_import_reads_from_standard_input_is_held_and_bounded(tmp_path: Path) -> None:
    rows, out = b'{"item_id":"a","question":"q"}\n' * 500, tmp_path / "out.jsonl"
    done = run("import", "-", "--map", "golden", "-o", str(out), OPTION, "held-bytes=100K", stdin=rows)
    assert done.code == 2
    assert f"{OPTION} held-bytes=204800" in done.err
    assert not out.exists()


def test_as_much_is_read_by_several_processes_where_all_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("{}\n" * 5000)
    with limited(Limits(invalid_documents=700)):
        one = check_files([file])
        several = check_files([file], splitting=Splitting(2, from_bytes=0, range_bytes=3000))
    assert one == several
    assert one.files[0].items == 701
    assert not one.files[0].complete
