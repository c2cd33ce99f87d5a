"""Releases published by the real SDK of Databricks to a workspace on the loopback interface."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcontract.errors import UsageError
from evalcontract.exchange.volumes import target_of
from evalcontract.release import DatasetName
from tests.support.cli import run
from tests.support.databricks_server import CUT, HALF, LOST, FakeWorkspace, running
from tests.support.datasets import dataset, item, write

pytestmark = [
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # the SDK leaves its sessions to the collector
]

RELEASE = "pathfinder_rag_retrieval_v1.0"
PATH = f"/Volumes/main/semantic_evaluation/datasets/pathfinder/{RELEASE}.json"
TABLE = ("--table", "main.evaluation.releases", "--warehouse", "w1")


@pytest.fixture
def workspace(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeWorkspace]:
    with running() as found:
        for name, value in found.environment().items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr("databricks.sdk.clock.RealClock.sleep", lambda *_: None)
        yield found


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write(tmp_path, dataset("1.0"))


def publish(file: Path, *words: str, volume: str = "main") -> Any:
    return run("dataset", "publish", str(file), "--volume", volume, *words)


def test_a_release_is_written_with_its_digest_and_a_row(workspace: FakeWorkspace, release: Path) -> None:
    done = publish(release, *TABLE)
    assert done.code == 0, done.err
    raw = release.read_bytes()
    digest = hashlib.sha256(raw).hexdigest()
    assert workspace.files == {PATH: raw, f"{PATH}.sha256": f"{digest}  {RELEASE}.json\n".encode()}
    assert workspace.folders == {PATH.rpartition("/")[0]}
    assert workspace.rows == [
        {
            "product": "pathfinder",
            "release": RELEASE,
            "version": "1.0",
            "path": PATH,
            "sha256": digest,
            "contract": "rag@1.0",
            "verdict": "passed",
            "items": "2",
        }
    ]
    (statement,) = workspace.statements
    assert statement["statement"].startswith("MERGE INTO `main`.`evaluation`.`releases` AS releases USING")
    assert RELEASE not in statement["statement"]
    assert done.out.splitlines()[0] == f"published: {RELEASE}"
    assert digest in done.out


def test_published_again_the_same_stays_and_no_row_is_there_twice(
    workspace: FakeWorkspace, release: Path
) -> None:
    publish(release, *TABLE)
    workspace.requests.clear()
    done = publish(release, *TABLE, "--format", "json")
    assert json.loads(done.out)["state"] == "already there"
    assert ("PUT", f"/api/2.0/fs/files{PATH}") not in workspace.requests
    assert len(workspace.rows) == 1


def test_another_content_is_never_written_over(
    workspace: FakeWorkspace, release: Path, tmp_path: Path
) -> None:
    publish(release)
    before = dict(workspace.files)
    other = write(tmp_path, dataset("1.0", item("a"), item("c")))
    done = publish(other, *TABLE)
    assert done.code == 2
    assert "another content" in done.err
    assert "a version of its own" in done.err
    assert workspace.files == before
    assert not workspace.rows


def test_a_release_that_fails_its_checks_is_not_sent(workspace: FakeWorkspace, tmp_path: Path) -> None:
    bad = write(tmp_path, dataset("1.0", item("a"), item("a")))
    done = publish(bad)
    assert done.code == 1
    assert "refused: nothing was sent" in done.out
    assert not [request for request in workspace.requests if "/fs/" in request[1]]
    waived = publish(bad, "--waive", "unique-item-ids", "--reason", "known", *TABLE)
    assert waived.code == 0, waived.err
    assert workspace.rows[0]["verdict"] == "waived"
    previous = write(tmp_path, dataset("1.1"), "later")
    assert publish(write(tmp_path, dataset("1.0")), "--previous", str(previous)).code == 1


def test_a_dry_run_sends_nothing(workspace: FakeWorkspace, release: Path) -> None:
    done = publish(release, "--dry-run", *TABLE)
    assert done.code == 0
    assert done.out.startswith("would be published")
    assert PATH in done.out
    assert not workspace.requests


@pytest.mark.parametrize("status", [(429, "RESOURCE_EXHAUSTED"), (503, "TEMPORARILY_UNAVAILABLE")])
def test_failures_that_pass_are_retried(
    workspace: FakeWorkspace, release: Path, status: tuple[int, str]
) -> None:
    workspace.faults = [status, status]
    done = publish(release)
    assert done.code == 0, done.err
    assert workspace.files[PATH] == release.read_bytes()


@pytest.mark.parametrize("fault", [CUT, LOST])
def test_a_cut_upload_is_sent_again_and_the_file_is_whole(
    workspace: FakeWorkspace, release: Path, fault: str
) -> None:
    workspace.faults = [(404, "NOT_FOUND"), fault]
    done = publish(release)
    assert done.code == 0, done.err
    assert workspace.requests.count(("PUT", f"/api/2.0/fs/files{PATH}")) == 2
    assert workspace.files[PATH] == release.read_bytes()


def test_half_a_file_is_noticed(workspace: FakeWorkspace, release: Path) -> None:
    missing = (404, "NOT_FOUND")
    workspace.faults = [missing, HALF]
    done = publish(release, *TABLE)
    assert done.code == 2
    assert "is not what was sent" in done.err
    assert f"{PATH}.sha256" not in workspace.files
    assert not workspace.rows


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK sends in parts what is larger than 1 KB, not only what is larger than 50 MB."""
    sizes = {"min_stream_size": 1024, "default_part_size": 1000, "part_size_options": [1000]}
    for name, size in sizes.items():
        monkeypatch.setattr(f"databricks.sdk.config.Config.files_ext_multipart_upload_{name}", size)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    return write(tmp_path, dataset("1.0", *(item(f"q{number:03}") for number in range(40))))


@pytest.mark.usefixtures("in_parts")
@pytest.mark.parametrize("fault", [None, CUT, (503, "SLOW_DOWN")])
def test_a_large_release_is_sent_in_parts_each_again_where_it_fails(
    workspace: FakeWorkspace, large: Path, fault: Any
) -> None:
    workspace.part_faults = [None, None, fault]
    done = publish(large, *TABLE)
    assert done.code == 0, done.err
    raw = large.read_bytes()
    assert workspace.files[PATH] == raw
    parts = [path for command, path in workspace.requests if command == "PUT" and path.startswith("/cloud/")]
    assert len(set(parts)) == -(-len(raw) // 1000) > 5
    assert len(parts) == len(set(parts)) + (fault is not None)
    assert len(workspace.rows) == 1


@pytest.mark.usefixtures("in_parts")
def test_a_large_release_that_is_there_or_is_cut_stays_unpublished(
    workspace: FakeWorkspace, large: Path, tmp_path: Path
) -> None:
    workspace.part_faults = [HALF]
    done = publish(large, *TABLE)
    assert (done.code, "is not what was sent" in done.err) == (2, True)
    assert not workspace.rows
    before = dict(workspace.files)
    workspace.faults = [(404, "NOT_FOUND")]  # as if another one had been quicker
    done = publish(write(tmp_path, dataset("1.0", *(item(f"p{number:03}") for number in range(40)))))
    assert (done.code, "another content" in done.err) == (2, True), done.err
    assert workspace.files == before


def test_what_the_workspace_refuses_is_said(
    workspace: FakeWorkspace, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.faults = [(403, "PERMISSION_DENIED")]
    done = publish(release)
    assert (done.code, "not now" in done.err) == (2, True)
    monkeypatch.setenv("DATABRICKS_TOKEN", "wrong-secret")
    done = publish(release)
    assert (done.code, "DATABRICKS_TOKEN" in done.err) == (2, True)
    assert "wrong-secret" not in done.err
    for name in ("DATABRICKS_HOST", "DATABRICKS_TOKEN"):
        monkeypatch.delenv(name)
    done = publish(release)
    assert done.code == 2
    assert "no workspace to publish to" in done.err
    assert "Traceback" not in done.err


def test_a_row_that_fails_is_an_error_and_comes_with_the_next_run(
    workspace: FakeWorkspace, release: Path
) -> None:
    workspace.states = ["FAILED"]
    done = publish(release, *TABLE)
    assert done.code == 2
    assert "FAILED: 'table not found'" in done.err
    assert publish(release, *TABLE).code == 0
    assert len(workspace.rows) == 1


def test_a_statement_is_waited_for(
    workspace: FakeWorkspace, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evalcontract.exchange.volumes.workspace._POLL_SECONDS", 0.01)
    workspace.states = ["PENDING", "RUNNING", "SUCCEEDED"]
    done = publish(release, *TABLE)
    assert done.code == 0, done.err
    assert len(workspace.statements) == 1


def test_a_folder_in_a_volume_can_be_named(workspace: FakeWorkspace, release: Path) -> None:
    done = publish(release, volume="/Volumes/main/quality/golden/sets/")
    assert done.code == 0, done.err
    assert f"/Volumes/main/quality/golden/sets/{RELEASE}.json" in workspace.files


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--volume", "/Volumes/main"), "no folder in a volume"),
        (("--volume", "/Volumes/main/a/b/../c"), "no folder in a volume"),
        (("--volume", "a/b"), "not the name of a catalog"),
        (("--volume", "main", "--table", "releases", "--warehouse", "w"), "is no table"),
        (("--volume", "main", "--table", "a.b.c; drop", "--warehouse", "w"), "is no table"),
        (("--volume", "main", "--table", "a.b.c"), "needs --table and --warehouse"),
    ],
)
def test_places_that_are_none_are_refused(release: Path, words: tuple[str, ...], said: str) -> None:
    done = run("dataset", "publish", str(release), "--dry-run", *words)
    assert (done.code, said in done.err) == (2, True), done.err


def test_only_a_snapshot_is_published(tmp_path: Path) -> None:
    lines = tmp_path / "items.jsonl"
    lines.write_text(json.dumps(item("a")) + "\n")
    done = publish(lines, "--dry-run")
    assert (done.code, "no snapshot" in done.err) == (2, True)
    bare = tmp_path / "items.json"
    bare.write_text(json.dumps([item("a")]))
    done = publish(bare, "--dry-run")
    assert (done.code, "no metadata and items" in done.err) == (2, True)


def test_a_target_is_made_of_a_catalog_or_a_folder() -> None:
    name = DatasetName.parse(RELEASE)
    assert target_of(name, "main").path == PATH
    assert target_of(name, "/Volumes/a/b/c").digest_path == f"/Volumes/a/b/c/{RELEASE}.json.sha256"
    with pytest.raises(UsageError):
        target_of(name, "/Volumes/a/b")
