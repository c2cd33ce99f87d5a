"""Small files that unpack or parse to much: every verb ends in a line, with its exit code, in bounded memory."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard

from tests.support.cli import run

resource = pytest.importorskip("resource", reason="the system has no limits of memory")
if sys.platform != "linux":
    pytest.skip("the limit of the address space is not kept here", allow_module_level=True)

MEGABYTE = 1 << 20
MOST_MEMORY = 1_500 * MEGABYTE
MOST_SECONDS = 200
"""Many times what any takes on an idle machine; without bounds, some took ten minutes and more."""

Pieces = Callable[[], Iterator[bytes]]


def repeated(piece: bytes, times: int, begin: bytes = b"", end: bytes = b"") -> Pieces:
    def pieces() -> Iterator[bytes]:
        yield begin
        for _ in range(times):
            yield piece
        yield end

    return pieces


OBJECTS = b"{}," * (MEGABYTE // 3)
CONTENTS: dict[str, Pieces] = {
    "line feeds": repeated(b"\n" * MEGABYTE, 1_000),
    "spaces": repeated(b" " * MEGABYTE, 1_000),
    "objects in an array": repeated(OBJECTS, 30, b"[", b"{}]"),
    "objects in an item": repeated(OBJECTS, 30, b'{"item_id": "a", "input": {"x": [', b"{}]}}"),
    "scalars": repeated(b"1," * 500_000, 2, b"[", b"1]"),
    "scalars in an item": repeated(b"1," * 500_000, 6, b'{"item_id": "a", "input": {"x": [', b"1]}}"),
    "one text": repeated(b"a" * MEGABYTE, 1_000, b'{"item_id": "', b'"}'),
    "nested": repeated(b"[" * MEGABYTE, 10),
    "keys": repeated(b'"a":1,' * (MEGABYTE // 6), 30, b"{", b'"a":1}'),
    "digits": repeated(b"9" * MEGABYTE, 30, b'{"item_id": "a", "input": ', b"}"),
}
PACKED = {".gz": gzip.open, ".zst": zstandard.open, "": open}
VERBS = {
    "validate": ["validate", "IN", "--jobs", "2"],
    "import": ["import", "IN", "--map", "golden", "-o", "out.jsonl"],
    "convert": ["convert", "IN", "out.jsonl"],
    "convert to Parquet": ["convert", "IN", "out.parquet"],
    "score": ["score", "records.jsonl", "--dataset", "IN", "--jobs", "1"],
    "score of it": ["score", "IN", "--jobs", "1"],
    "check": ["dataset", "check", "IN"],
    "stats": ["dataset", "stats", "IN"],
    "normalize": ["normalize", "IN", "-o", "out.jsonl"],
    "migrate": ["migrate", "IN", "--to", "rag@1.0", "--from", "1.0", "-o", "out.jsonl"],
    "export": ["export", "IN", "--map", "golden", "-o", "out.jsonl"],
    "response": ["response", "IN"],
    "prediction": ["prediction", "IN", "--from", "messages", "--item-id", "a"],
}
FEW = {"line feeds": ["validate", "import", "migrate"], "scalars in an item": ["validate", "score", "check"]}
ALL = [
    (content, suffix, packed)
    for content in CONTENTS
    for suffix in (".json", ".jsonl")
    for packed in PACKED
    if packed or content not in ("line feeds", "spaces", "one text")  # which are a gigabyte
]


def ends_in_a_line(folder: Path, file: str, verb: str) -> None:
    (folder / "records.jsonl").write_text('{"item_id": "a", "prediction": {"response": "r"}}\n')

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))

    words = [file if word == "IN" else word for word in VERBS[verb]]
    done = subprocess.run(
        [sys.executable, "-m", "evalcontract", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=MOST_SECONDS,
        check=False,
        preexec_fn=limit,
    )
    assert done.returncode in (1, 2), done.stdout[:500] + done.stderr[:500]
    assert "Traceback" not in done.stderr
    if "one_text" in file:  # a document may have 256 MB, which take more than there is here
        assert "not enough memory" not in done.stderr or done.returncode == 2
    else:
        assert "not enough memory" not in done.stderr
    assert done.stdout or done.stderr.startswith("error: ")
    assert not list(folder.glob("out*"))


def unpacks_to(folder: Path, content: str, suffix: str, packed: str) -> str:
    name = f"{content.replace(' ', '_')}{suffix}{packed}"
    with PACKED[packed](folder / name, "wb") as file:
        for piece in CONTENTS[content]():
            file.write(piece)
    return name


@pytest.mark.parametrize("content", FEW)
def test_a_bomb_is_a_line(tmp_path: Path, content: str) -> None:
    file = unpacks_to(tmp_path, content, ".jsonl", ".zst")
    for verb in FEW[content]:
        ends_in_a_line(tmp_path, file, verb)


@pytest.mark.long
@pytest.mark.parametrize(("content", "suffix", "packed"), ALL)
@pytest.mark.parametrize("verb", VERBS)
def test_every_bomb_is_a_line_for_every_verb(
    tmp_path: Path, content: str, verb: str, suffix: str, packed: str
) -> None:
    file = unpacks_to(tmp_path, content, suffix, packed)
    ends_in_a_line(tmp_path, file, verb)
    (tmp_path / file).unlink()


@pytest.mark.parametrize("verb", VERBS)
def test_an_archive_is_no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records.jsonl").write_text('{"item_id": "a", "prediction": {"response": "r"}}\n')
    for name, code in (("x.jsonl.zip", 2), ("x.jsonl", 1)):
        with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("x.jsonl", b"\n" * MEGABYTE)
        done = run(*(name if word == "IN" else word for word in VERBS[verb]))
        assert done.code == code
        assert sorted(Path().glob("out*")) == []
        assert "no format" in done.err if code == 2 else "UTF-8" in done.out + done.err
