"""A file checked in ranges, by one process or several, gives the report of a file read in one go."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcontract.checking import RunResult, Splitting, check_files, plan
from evalcontract.checking.findings import Findings
from evalcontract.checking.identity import digest_of_input
from evalcontract.checking.judges import Subject, judge_of
from evalcontract.checking.parallel import check_in_parts
from evalcontract.checking.parts import Merge, check_part
from evalcontract.errors import UnreadableInput
from evalcontract.reading import limited, limits_told
from evalcontract.reading.ranges import split_ranges
from evalcontract.reports.json_report import json_report

RAG = {"metadata": {"raw_metadata": {"input_schema_type": "rag", "input_schema_version": "1.0"}}}
QUESTION = {"messages": [{"role": "user", "content": "When?"}]}
ANSWER = {"response": "1879"}
LF, CRLF = b"\n", b"\r\n"


def line(**item: Any) -> bytes:
    return json.dumps(item, ensure_ascii=False).encode()


def valid(item_id: str, **more: Any) -> bytes:
    return line(item_id=item_id, input=QUESTION, expected_output=ANSWER, **more)


LINES = (
    valid("a"),
    valid("b", **RAG),
    valid("A "),
    valid("é"),
    line(input=QUESTION, expected_output=None, item_id="a", **RAG),
    line(item_id="b", input={"messages": [], "contxt": []}, expected_output={}, **RAG),
    line(input={"messages": [{"role": "bot"}], "context": ["", None]}, item_id="日本", **RAG),
    line(item_id="a", input={"n": 2**60, "messages": 3}, zzz="after", **RAG),
    line(z=[2**64], item_id="b", input={}),
    line(item_id=3, input=QUESTION),
    line(item_id="p", prediction={"response": 3}),
    b'{"item_id": "a", "item_id": "b"}',
    b'{"item_id": "a"',
    b'{"score": NaN}',
    b"[1, 2]",
    b'"text"',
    b"\xff\xfe",
    b"",
    b"  \t",
    b"\xe2\x80\xa8",
)
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": lambda content: gzip.compress(content, 1),
    ".zst": zstandard.compress,
}
FILES = st.lists(st.tuples(st.sampled_from(LINES) | st.binary(max_size=12), st.sampled_from((LF, CRLF))))


def whole(file: Path, limit: int) -> RunResult:
    return check_files([file], plan(), max_violations=limit)


def in_parts(file: Path, limit: int, range_bytes: int) -> RunResult:
    findings = Findings(limit)
    unreadable = []
    results = []
    try:
        results.append(check_in_parts(str(file), plan(), findings, Splitting(1, 0, range_bytes)))
    except UnreadableInput as error:
        unreadable.append((str(file), str(error)))
    return RunResult(tuple(results), tuple(findings.kept), findings.counted(), tuple(unreadable))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(
    lines=FILES,
    mark=st.sampled_from((b"", b"", b"\xef\xbb\xbf")),
    final_newline=st.booleans(),
    range_bytes=st.integers(4, 700),
    limit=st.sampled_from((1, 2, 3, 7, 1000)),
    packed=st.sampled_from(sorted(PACKED)),
)
def test_ranges_of_any_size_give_the_report_of_the_whole_file(
    tmp_path: Path,
    lines: list[tuple[bytes, bytes]],
    mark: bytes,
    final_newline: bool,
    range_bytes: int,
    limit: int,
    packed: str,
) -> None:
    content = b"".join(text + end for text, end in lines)
    file = tmp_path / f"items.jsonl{packed}"
    file.write_bytes(PACKED[packed](mark + (content if final_newline else content.rstrip(b"\r\n"))))
    assert json_report(in_parts(file, limit, range_bytes)) == json_report(whole(file, limit))


@pytest.fixture(scope="module", params=sorted(PACKED))
def faulty(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Some hundred lines, with faults and repeated ids on both sides of every edge of a range."""
    folder = tmp_path_factory.mktemp("faulty")
    file = folder / f"items.jsonl{request.param}"
    lines = [valid(f"item {number}", **RAG) for number in range(400)]
    for number, text in enumerate(LINES * 12):
        lines.insert(number * 3, text)
    file.write_bytes(PACKED[request.param](LF.join(lines)))
    (folder / "items.metadata.json").write_text('{"input_schema_type": "rag", "product_id": NaN}')
    return file


@pytest.fixture(params=["forked", "started anew"])
def started(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that are started anew hash texts differently."""
    if request.param == "forked" and sys.platform != "linux":
        pytest.skip("no process is forked here")
    for module in ("evalcontract.workers", "evalcontract.checking.parallel"):
        monkeypatch.setattr(f"{module}.can_fork", lambda: request.param == "forked")


@pytest.mark.usefixtures("started")
@pytest.mark.parametrize("limit", [5, 1000])
@pytest.mark.parametrize("jobs", [2, 3])
def test_any_number_of_processes_gives_the_same_report(faulty: Path, jobs: int, limit: int) -> None:
    splitting = Splitting(jobs, from_bytes=0, range_bytes=1500)
    result = check_files([faulty, faulty], plan(), max_violations=limit, splitting=splitting)
    assert json_report(result) == json_report(check_files([faulty, faulty], plan(), max_violations=limit))
    assert result.errors > 500


def test_a_repeated_id_is_found_in_another_range_and_placed(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_bytes(LF.join([valid("a"), b"", *(valid(f"b{number}") for number in range(20)), valid("a")]))
    result = check_files([file], plan(), splitting=Splitting(2, 0, 300))
    (repeat,) = (each for each in result.violations if each.code == "duplicate-item-id")
    assert (repeat.line, repeat.column, repeat.item_id) == (23, 13, "a")
    assert "already used by item 1 of the file" in repeat.message
    assert result.files[0].invalid == 1


@pytest.mark.parametrize("packed", [".gz", ".zst"])
@pytest.mark.parametrize("damage", ["cut off", "a long line"])
def test_a_compressed_file_that_can_not_be_cut_is_read_in_one_go(
    tmp_path: Path, packed: str, damage: str
) -> None:
    file = tmp_path / f"items.jsonl{packed}"
    asked = [f"{number} {os.urandom(20).hex()}" for number in range(3000)]
    lines = [
        line(item_id=text, input={"messages": [{"role": "user", "content": text}]})
        for text in [*asked, "long " + "x" * 5000, asked[0]]
    ]
    content = PACKED[packed](LF.join(lines))
    file.write_bytes(content[:-300] if damage == "cut off" else content)
    with limited(limits_told(["document-bytes=4000"] if damage == "a long line" else [])):
        several = check_files([file], plan(), splitting=Splitting(2, 0, 3000))
        assert json_report(several) == json_report(check_files([file], plan()))
    assert {violation.code for violation in several.violations} >= {
        "cut off": {"damaged-archive"},
        "a long line": {"too-long", "duplicate-item-id"},
    }[damage]


def test_findings_beyond_the_limit_are_still_counted(faulty: Path) -> None:
    few, many = (
        check_files([faulty], plan(), max_violations=limit, splitting=Splitting(2, 0, 1500))
        for limit in (3, 10_000)
    )
    assert (few.files, few.errors, few.advices) == (many.files, many.errors, many.advices)
    assert len(few.violations) == 3
    assert sum(group.count for group in few.groups) == len(many.violations) - 3


def test_progress_is_told_while_several_processes_work(faulty: Path) -> None:
    told: list[int] = []
    check_files(
        [faulty],
        plan(),
        splitting=Splitting(2, 0, 1500),
        progress=lambda file, items: told.append(items),
    )
    assert told == sorted(told)
    assert len(told) > 10


@pytest.mark.parametrize("name", ["items.json", "items.json.gz", "items.yaml", "-", "absent.jsonl"])
def test_only_json_lines_are_split(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    if name != "absent.jsonl":
        file.write_bytes(valid("a"))
    assert not Splitting(2, 0).concerns(name if name == "-" else str(file))


def test_small_files_and_a_single_job_are_not_split(faulty: Path) -> None:
    assert not Splitting(2).concerns(str(faulty))
    assert not Splitting(1, 0).concerns(str(faulty))
    assert Splitting(2, 0).concerns(str(faulty))


def test_a_file_of_another_encoding_is_unreadable_in_parts_too(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_bytes(valid("a").decode().encode("utf-16"))
    assert in_parts(file, 10, 10).unreadable == whole(file, 10).unreadable


DRIVER = """
import signal
import time
from pathlib import Path

import evalcontract.checking
from evalcontract.checking.run import Splitting
from evalcontract.cli import main
from evalcontract.cli.progress import Progress

update = Progress.update


def update_and_say_so(self, file, items):
    update(self, file, items)
    reached = Path(__file__).with_name("reached")
    if not reached.exists():
        reached.touch()
        time.sleep(3)  # or the run may be over before it is interrupted


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job is deaf, and what it starts
    evalcontract.checking.Splitting = lambda jobs: Splitting(jobs, from_bytes=0, range_bytes=1000)
    Progress.update = update_and_say_so
    main()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="counts processes in /proc")
def test_an_interrupt_writes_nothing_says_how_far_it_got_and_leaves_no_process(tmp_path: Path) -> None:
    driver, report = tmp_path / "driver.py", tmp_path / "report.json"
    driver.write_text(DRIVER)
    items = tmp_path / "items.jsonl"
    items.write_bytes(b"".join(valid(f"item {number}", **RAG) + LF for number in range(100_000)))
    command = [sys.executable, str(driver), "validate", str(items), "--jobs", "3", "--output", str(report)]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert _soon((tmp_path / "reached").exists)
    os.killpg(running.pid, signal.SIGINT)
    try:
        _, complaint = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130, complaint
    assert re.fullmatch(r"stopped after [0-9,]+ items of .*\ninterrupted; nothing was written\n", complaint)
    assert not report.exists()
    assert not list(tmp_path.glob(".report*"))
    assert _soon(lambda: not _processes_of(running.pid))


def _soon(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 60
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
    return holds()


def _processes_of(group: int) -> list[int]:
    """The processes of a process group."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                found.append(int(folder.name))
    return found


def test_a_file_that_changes_meanwhile_costs_places_and_no_crash(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_bytes(LF.join([valid("a")] * 3))
    merge = Merge(str(file), Findings(10))
    (where,) = split_ranges(file)
    part = check_part(str(file), where, plan(), judge_of(plan(), Subject("items")), 10, digest_of_input)
    file.write_bytes(b"[")
    merge.add(part, where)
    assert merge.finish("items").errors == 2
