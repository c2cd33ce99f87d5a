"""Running out of memory is a line and an exit code: no traceback, no crash, no process that waits for ever."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.datasets import item

resource = pytest.importorskip("resource", reason="the system has no limits of memory")
if sys.platform != "linux":
    pytest.skip("the limit of the address space is not kept here", allow_module_level=True)

MEGABYTE = 1 << 20


def finished(folder: Path, megabytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTE, megabytes * MEGABYTE))

    command = [sys.executable, "-m", "evalcontract", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, check=False, preexec_fn=limit
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("memory")
    lines = [json.dumps(item(f"i{number}")) for number in range(4_000)]
    (made / "items.jsonl").write_text("\n".join(lines) + "\n")
    (made / "array.json").write_text("[" + ",\n".join(lines) + "]")
    records = [
        json.dumps({"item_id": f"i{number}", "prediction": {"response": "x"}}) for number in range(4_000)
    ]
    (made / "predictions.jsonl").write_text("\n".join(records) + "\n")
    values = ",".join(["{}"] * 1_900_000)
    (made / "values.jsonl").write_text(f'{{"item_id": "a", "input": {{"x": [{values}]}}}}\n')
    (made / "text.jsonl").write_text(json.dumps(item("a") | {"x": "y" * 60_000_000}) + "\n")
    return made


COMMANDS = (
    ("validate", "items.jsonl"),
    ("validate", "values.jsonl"),
    ("validate", "text.jsonl"),
    ("score", "predictions.jsonl", "--dataset", "items.jsonl", "--jobs", "2"),
    ("dataset", "check", "array.json"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("megabytes", [64, 90])
def test_too_little_memory_is_a_line(folder: Path, command: tuple[str, ...], megabytes: int) -> None:
    done = finished(folder, megabytes, *command)
    assert "Traceback" not in done.stderr
    if done.returncode == 2:
        assert done.stderr.startswith("error: there is not enough memory\n")
    else:
        assert done.returncode in (0, 1)
        assert not done.stderr


def test_a_process_that_finds_no_memory_is_told_by_the_one_that_waits_for_it(folder: Path) -> None:
    script = (
        "import sys\n"
        "from evalcontract.workers import Workers\n"
        "from evalcontract.errors import WorkerLost\n"
        "def work():\n"
        "    def one(task):\n"
        "        if task: raise MemoryError\n"
        "        return task\n"
        "    return one\n"
        "if __name__ == '__main__':\n"
        "    with Workers(1, work) as workers:\n"
        "        try:\n"
        "            list(workers.results([1] * 50))\n"
        "        except (MemoryError, WorkerLost) as error:\n"
        "            print(type(error).__name__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.stdout.strip() in ("MemoryError", "WorkerLost"), done.stderr) == (True, "")
