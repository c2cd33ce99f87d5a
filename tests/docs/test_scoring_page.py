"""The steps for CI on the page about scoring do what the page says: they pass a good run and fail worse ones."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.console import blocks, environment, sandbox
from tests.support.projects import PROJECT

PAGE = (PROJECT / "docs" / "scoring.md").read_text(encoding="utf-8")
(CI,) = blocks(PAGE, "yaml")
STEPS = [step["run"] for step in yaml.safe_load(CI)["jobs"]["evaluation"]["steps"] if "name" in step]
ANSWER, CHECK, GATE = STEPS
(DATASET,) = blocks(PAGE, "json")
(SETTINGS,) = blocks(PAGE, "toml")
ANSWER_ALL, SUITE = (text for text in blocks(PAGE, "python") if "from my_service import ask" in text)
SERVICE = """
PASSAGES = [("hours", "The library opens at nine on weekdays."), ("gebuehren", "Jeder Tag kostet 50 Cent.")]


def ask(messages):
    id_, text = PASSAGES["Buch" in messages[-1]["content"]]
    return text, [(id_, text)], [id_]
"""
Record = dict[str, Any]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a dataset, the answers of its service, and a baseline that the page's command made."""
    folder = sandbox(tmp_path_factory.mktemp("project"))
    examples = folder / "examples" / "pathfinder"
    shutil.copy(examples / "pathfinder_rag_retrieval_v1.0.json", folder / "dataset.json")
    shutil.copy(examples / "predictions_rag.jsonl", folder / "predictions.jsonl")
    keep_as_baseline(folder)
    return folder


def keep_as_baseline(folder: Path) -> None:
    """Make the first baseline as the page says."""
    first = GATE.replace("--compare baseline.jsonl --fail-worse answer_f1=0.02 ", "")
    assert first != GATE
    assert shell(first, folder) == (0, "ok")
    (folder / "scores.jsonl").rename(folder / "baseline.jsonl")


def shell(command: str, folder: Path) -> tuple[int, str]:
    """The exit code, and the first word of the last line."""
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    last = (done.stderr.strip() or "ok").splitlines()[-1]
    return done.returncode, last.partition(":")[0]


def test_a_run_like_the_deployed_one_passes_and_writes_its_page_and_scores(project: Path) -> None:
    assert shell(CHECK, project)[0] == 0
    assert shell(GATE, project) == (0, "ok")
    assert (project / "scores.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert len((project / "scores.jsonl").read_text(encoding="utf-8").splitlines()) == 12


def blanked(record: Record) -> None:
    record["prediction"]["response"] = ""


def unrecorded(record: Record) -> None:
    record["prediction"]["retrieved_documents"] = None


def slow(record: Record) -> None:
    record["measurements"]["latency_ms"] = 9000


def worse(record: Record) -> None:
    record["prediction"]["response"] = "Please ask at a service point."


@pytest.mark.parametrize("spoil", [blanked, unrecorded, slow, worse])
def test_worse_runs_fail(project: Path, tmp_path: Path, spoil: Callable[[Record], None]) -> None:
    for name in ("dataset.json", "baseline.jsonl"):
        shutil.copy(project / name, tmp_path)
    lines = (project / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    for record in records:
        spoil(record)
    (tmp_path / "predictions.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    assert shell(GATE, tmp_path) == (1, "failed")


@pytest.fixture
def empty_repository(tmp_path: Path) -> Path:
    """What the page says to write, and a service."""
    files = {"dataset.json": DATASET, "answer_all.py": ANSWER_ALL, "my_service.py": SERVICE}
    files |= {"test_answers.py": SUITE, "pyproject.toml": SETTINGS}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_from_an_empty_repository_the_page_leads_to_a_gate(empty_repository: Path) -> None:
    assert shell(ANSWER, empty_repository)[0] == 0
    keep_as_baseline(empty_repository)
    assert [shell(step, empty_repository)[0] for step in (CHECK, GATE)] == [0, 0]
    service = empty_repository / "my_service.py"
    service.write_text(SERVICE.replace("return text", "return ''"), encoding="utf-8")
    assert shell(ANSWER, empty_repository)[0] == 0
    assert shell(GATE, empty_repository) == (1, "failed")
    service.write_text(SERVICE.replace("    return", "    raise TimeoutError\n    return"), encoding="utf-8")
    assert shell(ANSWER, empty_repository)[0] == 0
    assert shell(GATE, empty_repository) == (1, "failed")


@pytest.mark.parametrize("options", ["", "-n 2"])
def test_the_suite_of_the_page_gates_as_well(empty_repository: Path, options: str) -> None:
    command = f"python -m pytest -q -p no:cacheprovider {options}"
    assert shell(command, empty_repository)[0] == 0
    assert sorted(path.name for path in (empty_repository / "eval-results").iterdir()) == [
        "dataset.predictions.jsonl",
        "dataset.scores.jsonl",
    ]
    service = empty_repository / "my_service.py"
    service.write_text(SERVICE.replace("return text", "return 'No.'"), encoding="utf-8")
    assert shell(command, empty_repository)[0] == 1
