"""Whatever bytes a file holds, a run ends with a verdict that every report can show."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcontract.checking import RunResult, check_files, plan
from evalcontract.checking.plan import Plan
from evalcontract.reports import RUN
from tests.support.examples import FAULTS, PATHFINDER, RELEASES, release

PLANS = {
    "by item": plan(),
    "dataset": plan(contract="dataset"),
    "told": plan(schema_type="rag_agent"),
    "documents": plan(contract="rag_response"),
    "reference": plan(engine="reference"),
}
SMALL = [
    json.dumps({**release(name), "items": release(name)["items"][:2]}, ensure_ascii=False).encode()
    for name in RELEASES
]
SEEDS = [
    *SMALL,
    b"\n".join(FAULTS.read_bytes().split(b"\n")[:6]),
    b"\n".join((PATHFINDER / "mixed_items.jsonl").read_bytes().split(b"\n")[:3]),
    b"\n".join((PATHFINDER / "predictions_rag.jsonl").read_bytes().split(b"\n")[:2]),
    b"metadata: {product_id: acme}\nitems:\n- &a {item_id: no, input: 0x1}\n- *a\n",
]
PIECES = (
    b'"', b"\\", b"\\u0000", b"\\ud800", b"{", b"}", b"[", b"]", b",", b":", b"\n", b"\r\n", b"\x00", b"\xff",
    b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"NaN", b"1e999", b"-0", b"1" * 40, b"null", b"[" * 300, b'{"a":' * 250,
    b'"item_id":', b'"input":', b'"metadata":', b'"items":[', b"&a ", b"*a", b"- ", b"!!int ", b"<<: ", b"---\n",
)  # fmt: skip
SUFFIXES = (".json", ".jsonl", ".yaml", ".jsonl.gz", ".json.zst", ".metadata.json")


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A real file with pieces cut out, put in, repeated or overwritten."""
    content = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        stop = min(len(content), start + draw(st.sampled_from((0, 0, 1, 2, 10, 100, len(content)))))
        put = draw(st.sampled_from((*PIECES, b"", content[start : stop + 20])) | st.binary(max_size=8))
        content = content[:start] + put + content[stop:]
    return content


FILES = st.tuples(
    st.binary(max_size=200) | damaged() | st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join),
    st.sampled_from(SUFFIXES),
    st.booleans(),
)


def assert_judged(folder: Path, content: bytes, suffix: str, packed: bool, made: Plan) -> None:
    """Check one file that holds these bytes, compressed first where the suffix says so."""
    if packed and suffix.endswith(".gz"):
        content = gzip.compress(content, 1)
    if packed and suffix.endswith(".zst"):
        content = zstandard.compress(content)
    file = folder / f"fuzz{suffix}"
    file.write_bytes(content)
    try:
        result = check_files([file], made, max_violations=20, strict=True)
    finally:
        file.unlink()
    assert_sound(result)


def assert_sound(result: RunResult) -> None:
    """A result adds up, and every report shows it."""
    assert len(result.files) + len(result.unreadable) == 1
    assert result.errors + result.advices == len(result.violations) + sum(
        each.count for each in result.groups
    )
    for file in result.files:
        assert 0 <= file.invalid <= file.items
        assert file.items or file.errors
        assert file.complete or file.errors
    for name in RUN.names:
        RUN.write(name, result).encode()


@pytest.mark.parametrize("name", PLANS)
def test_any_bytes_get_a_verdict(tmp_path: Path, name: str) -> None:
    @settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
    @given(FILES)
    def fuzz(file: tuple[bytes, str, bool]) -> None:
        assert_judged(tmp_path, *file, PLANS[name])

    fuzz()


@pytest.mark.long
@pytest.mark.parametrize("name", PLANS)
def test_twenty_thousand_files_a_plan_get_a_verdict(tmp_path: Path, name: str) -> None:
    @settings(max_examples=20_000, deadline=None, suppress_health_check=list(HealthCheck))
    @given(FILES)
    def fuzz(file: tuple[bytes, str, bool]) -> None:
        assert_judged(tmp_path, *file, PLANS[name])

    fuzz()
