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

from evalcontract import is_valid
from tests.support.console import blocks, environment, sandbox
from tests.support.projects import PROJECT

PAGE = (PROJECT / "docs" / "scoring.md").read_text(encoding="utf-8")
(CI,) = blocks(PAGE, "yaml")
CHECK, GATE = (step["run"] for step in yaml.safe_load(CI)["steps"])
Record = dict[str, Any]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a dataset, the answers of its service, and a baseline that the page's command made."""
    folder = sandbox(tmp_path_factory.mktemp("project"))
    examples = folder / "examples" / "pathfinder"
    shutil.copy(examples / "pathfinder_rag_retrieval_v1.0.json", folder / "dataset.json")
    shutil.copy(examples / "predictions_rag.jsonl", folder / "predictions.jsonl")
    first = GATE.replace("--compare baseline.jsonl --fail-worse answer_f1=0.02 ", "")
    assert first != GATE
    assert shell(first, folder) == (0, "ok")
    (folder / "scores.jsonl").rename(folder / "baseline.jsonl")
    return folder


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


def test_the_record_that_the_page_shows_keeps_its_contract() -> None:
    (shown,) = blocks(PAGE, "json")
    assert is_valid(json.loads(shown), "prediction_record")
