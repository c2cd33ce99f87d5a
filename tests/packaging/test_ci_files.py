"""The action and the image: what a pull request of strangers runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.git import git
from tests.support.projects import PROJECT

ACTION: dict[str, Any] = yaml.safe_load((PROJECT / "action.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
RUN = STEPS["Validate and score"]
IMAGE = (PROJECT / "Dockerfile").read_text("utf-8")
GOOD = {"item_id": "q1", "input": {"messages": [{"role": "user", "content": "When?"}]}}
RECORD = {"item_id": "q1", "prediction": {"response": "In 1879."}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "good one.jsonl").write_text(json.dumps(GOOD) + "\n")
    (tmp_path / "data" / "bad.jsonl").write_text(json.dumps(GOOD | {"input": "text"}) + "\n")
    expected = {"response": "In 1879.", "answerable": True}
    declared = {"raw_metadata": {"input_schema_type": "qa", "input_schema_version": "1.0"}}
    (tmp_path / "set.jsonl").write_text(
        json.dumps(GOOD | {"expected_output": expected, "metadata": declared}) + "\n"
    )
    (tmp_path / "run.jsonl").write_text(json.dumps(RECORD) + "\n")
    return tmp_path


def act(folder: Path, **inputs: str) -> tuple[int, str, str, str]:
    """Run the step as a runner does: the exit code, what it prints, the summary and the outputs."""
    told = {name: described.get("default", "") for name, described in ACTION["inputs"].items()}
    told |= {name.replace("_", "-"): text for name, text in inputs.items()}
    environment = {
        variable: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda found: told[found[1]], expression)
        for variable, expression in RUN["env"].items()
    }
    summary, outputs = folder / ".summary", folder / ".outputs"
    summary.touch()
    outputs.touch()
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", RUN["run"]],
        cwd=folder,
        env=os.environ
        | environment
        | {
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_OUTPUT": str(outputs),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr, summary.read_text(), outputs.read_text()


def test_what_a_caller_writes_reaches_the_shell_as_data_only() -> None:
    for step in STEPS.values():
        assert "${{" not in step["run"]
    used = set(re.findall(r"inputs\.([a-z-]+)", json.dumps(ACTION["runs"])))
    assert used == set(ACTION["inputs"])
    assert all(described["description"] for described in ACTION["inputs"].values())


def test_the_page_shows_inputs_that_there_are() -> None:
    page = (PROJECT / "docs" / "validating.md").read_text("utf-8")
    (workflow,) = (block for block in re.findall(r"(?s)```yaml\n(.*?)```", page) if "uses: OWNER" in block)
    steps = yaml.safe_load(workflow)["jobs"]["evaluation-data"]["steps"]
    assert steps[-1]["with"].keys() <= ACTION["inputs"].keys()


def test_faults_become_annotations_a_summary_and_a_comment(folder: Path) -> None:
    code, printed, summary, outputs = act(folder, files="data\n", arguments="--strict", comment="comment.md")
    assert (code, outputs) == (1, "exit-code=1\n")
    assert "::error file=data/bad.jsonl,line=1" in printed
    assert "### Evaluation data" in summary
    assert "bad.jsonl:1:" in summary
    assert (folder / "comment.md").read_text() == summary


def test_a_clean_file_whose_name_has_a_space_passes(folder: Path) -> None:
    code, _, summary, outputs = act(folder, files="data/good one.jsonl")
    assert (code, outputs) == (0, "exit-code=0\n")
    assert "ok: 1 item" in summary


def test_only_what_has_changed_is_validated(folder: Path) -> None:
    git(folder, "init", "--quiet")
    git(folder, "add", "data")
    git(folder, "commit", "--quiet", "-m", "Add data")
    code, printed, _, _ = act(folder, files="data", changed_since="HEAD")
    assert (code, "no file to validate has changed" in printed) == (0, True)
    (folder / "data" / "good one.jsonl").write_text(json.dumps(GOOD | {"item_id": "q2"}) + "\n")
    assert act(folder, files="data", changed_since="HEAD")[0] == 0
    (folder / "data" / "bad.jsonl").write_text("{}\n")
    assert act(folder, files="data", changed_since="HEAD")[0] == 1
    assert act(folder, files="data", changed_since="0123456")[0] == 2


@pytest.mark.parametrize(("bound", "code"), [("answer_f1=0.5", 0), ("answer_f1=1.5", 2), ("no_such=1", 2)])
def test_a_run_is_scored_and_gated(folder: Path, bound: str, code: int) -> None:
    done, printed, summary, _ = act(
        folder, predictions="run.jsonl", dataset="set.jsonl", score_arguments=f"--fail-under\n{bound}"
    )
    assert done == code, printed
    assert ("answer_f1" in summary) == (code == 0)


def test_the_image_holds_the_wheel_alone_and_runs_as_nobody() -> None:
    stages = re.split(r"(?m)^FROM ", IMAGE)[1:]
    last = stages[-1]
    assert len(stages) == 2
    assert all(re.match(r"python:3\.\d+-slim( AS \w+)?\n", stage) for stage in stages)
    assert "COPY" not in last
    assert re.search(r"(?m)^USER (?!root)", last)
    assert "ADD " not in IMAGE
    kept = {line[1:] for line in (PROJECT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert {"pyproject.toml", "src", "schemas", "generated"} <= kept
    assert all((PROJECT / name).exists() for name in kept)


def _builder_is_there() -> bool:
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "info"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not _builder_is_there(), reason="no docker daemon is here, the Dockerfile was only read")
def test_the_image_is_built_and_validates(folder: Path) -> None:
    built = subprocess.run(
        ["docker", "build", "--quiet", str(PROJECT)], capture_output=True, text=True, check=True
    )
    command = [
        "docker",
        "run",
        "--rm",
        "-v",
        f"{folder}:/data",
        built.stdout.strip(),
        "validate",
        "data/bad.jsonl",
    ]
    assert subprocess.run(command, check=False).returncode == 1
