"""The pytest plugin from the outside: test files that a user writes, run by pytest."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.support.scoring import dataset, item, write_json

pytest_plugins = ["pytester"]

TEST = """
import pytest

@pytest.mark.evaldataset("data.json")
def test_answers(item, record):
    if item["item_id"] == "b":
        raise RuntimeError("the service is down")
    record(response="The library opens at nine.", retrieved_documents=[{"document_id": "hours"}],
           measurements={"latency_ms": 5})
"""
INSTALLED = bool(entry_points(group="pytest11", name="evalcontract"))
"""Whether pytest finds the plugin by itself: it refuses to load one twice."""
FOUND = ("-p", "no:cacheprovider", *(() if INSTALLED else ("-p", "evalcontract.pytest_plugin")))
PLUGIN = ("-p", "no:cacheprovider", "-p", "evalcontract.pytest_plugin")


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Without the plugins of others, which take longer to load than these tests to run."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    write_json(pytester.path / "data.json", dataset([item("a"), item("b"), item("c")]))
    pytester.makepyfile(test_it=TEST)
    return pytester


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("processes", ["0", "2"])
def test_every_item_is_a_test_and_the_answers_are_scored(project: pytest.Pytester, processes: str) -> None:
    done = project.runpytest_subprocess(
        *PLUGIN, "-p", "xdist", "-v", "-n", processes, "--eval-metrics", "answer_exact_match"
    )
    done.assert_outcomes(passed=2, failed=1)
    done.stdout.fnmatch_lines(
        ["*test_answers*a]*", "*evalcontract: data.json*", "*answer_exact_match  0.6667*"]
    )
    records = {row["item_id"]: row for row in lines(project.path / "eval-results" / "data.predictions.jsonl")}
    assert records["b"]["error"] == "RuntimeError: the service is down"
    assert records["a"]["measurements"] == {"latency_ms": 5}
    assert len(lines(project.path / "eval-results" / "data.scores.jsonl")) == 3


def test_pytest_finds_the_plugin_by_itself(pytester: pytest.Pytester) -> None:
    write_json(pytester.path / "data.json", dataset([item("a")]))
    pytester.makepyfile(test_it=TEST)
    pytester.runpytest_subprocess(*FOUND).assert_outcomes(passed=1)


def test_bounds_come_from_options_and_from_the_settings_of_the_project(project: pytest.Pytester) -> None:
    project.makepyfile(test_it=TEST.replace('item["item_id"] == "b"', "False"))
    right = project.runpytest_subprocess(*PLUGIN, "--eval-fail-under", "answer_f1=0.9")
    assert right.ret == 0
    right.stdout.fnmatch_lines(["ok: *1 bound met"])
    project.makepyprojecttoml("[tool.evalcontract.fail_under]\nprecision_at_5 = 0.99\n")
    wrong = project.runpytest_subprocess(*PLUGIN, "--eval-output", "out")
    assert wrong.ret == 1
    wrong.assert_outcomes(passed=3)
    wrong.stdout.fnmatch_lines(["failed: precision_at_5 *"])
    assert (project.path / "out" / "data.scores.jsonl").exists()


@pytest.mark.parametrize("bound", ["answer_exakt=0.5", "answer_f1"])
def test_a_bound_that_is_none_fails_the_run_in_a_line(project: pytest.Pytester, bound: str) -> None:
    done = project.runpytest_subprocess(*PLUGIN, "--eval-fail-under", bound)
    assert done.ret == 1
    done.stdout.fnmatch_lines(["error: *"])
    assert "INTERNALERROR" not in done.stdout.str()


def test_a_broken_dataset_fails_the_collection_with_our_words(project: pytest.Pytester) -> None:
    broken = item("a")
    broken["input"]["messages"] = "When?"
    write_json(project.path / "data.json", dataset([broken]))
    done = project.runpytest_subprocess(*PLUGIN)
    assert done.ret == 2
    done.stdout.fnmatch_lines(["*/messages: expected array of objects, got string*"])
    (project.path / "data.json").unlink()
    done = project.runpytest_subprocess(*PLUGIN)
    done.stdout.fnmatch_lines(["*data.json: no such file*"])


def test_what_is_no_prediction_fails_its_test(project: pytest.Pytester) -> None:
    project.makepyfile(
        test_it="""
        import pytest

        @pytest.mark.evaldataset("data.json")
        def test_answers(item, record):
            record(**({"respons": "x"} if item["item_id"] == "a" else {"response": 5}))
        """
    )
    done = project.runpytest_subprocess(*PLUGIN)
    done.assert_outcomes(failed=3)
    done.stdout.fnmatch_lines(["*a prediction has no respons*"])


def test_it_is_inert_and_imports_nothing_unless_it_is_used(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing():
            loaded = [name for name in sys.modules if name.startswith("evalcontract.")]
            assert loaded == ["evalcontract._version", "evalcontract.lazy", "evalcontract.pytest_plugin"] or (
                set(loaded) <= set(SMALL)), loaded

        SMALL = ["evalcontract._version", "evalcontract.lazy", "evalcontract.pytest_plugin", "evalcontract.errors"]
        """
    )
    done = pytester.runpytest_subprocess(*FOUND)
    done.assert_outcomes(passed=1)
    assert not (pytester.path / "eval-results").exists()


def test_importing_the_plugin_is_quick() -> None:
    code = (
        "import sys, evalcontract.pytest_plugin; print(sorted(m for m in sys.modules if 'jsonschema' in m))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
