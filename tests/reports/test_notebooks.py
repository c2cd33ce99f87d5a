"""Results in notebooks: the page of the report in a frame, and rows for pandas and polars."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from typing import Any

import pytest

from evalcontract.errors import UsageError
from evalcontract.reports import RELEASE, RUN, SCORES
from tests.support.page_results import pages

KINDS = {"run": RUN, "release": RELEASE, "scores": SCORES}
LIBRARIES = ("pandas", "polars")
HOSTILE = "</iframe><script>alert(1)</script>\" onload='x' &quot;"


def shown(result: Any) -> str:
    """The page inside the frame."""
    found = re.fullmatch(
        r'<iframe sandbox="allow-scripts" srcdoc="([^"]*)"[^<>]*></iframe>', result._repr_html_()
    )
    assert found
    return unescape(found[1])


@pytest.mark.parametrize("text", ["text", HOSTILE])
@pytest.mark.parametrize("kind", KINDS)
def test_a_notebook_shows_the_page_of_the_report(kind: str, text: str) -> None:
    result = pages(text)[kind][1]
    assert shown(result) == KINDS[kind].write("html", result)


def test_a_notebook_shows_a_comparison_alone() -> None:
    comparison = pages("text")["scores"][1].comparison
    page = shown(comparison)
    assert "Compared with text" in page
    assert "recall_at_5" in page
    assert "default-src 'none'" in unescape(page)


@pytest.mark.parametrize("library", LIBRARIES)
def test_results_are_tables_too(library: str) -> None:
    pytest.importorskip(library)
    scores = pages("text")["scores"][1]
    wanted = {
        "run": (pages("text")["run"][1], "code", ["wrong-type", "bom"]),
        "release": (
            pages("text")["release"][1],
            "status",
            ["fail", "waived", "fail", "pass", "n/a"],
        ),
        "scores": (scores, "name", ["answer_f1", "recall_at_5", "bleu"]),
        "comparison": (scores.comparison, "difference", [0.25, -0.25]),
    }
    for result, column, values in wanted.values():
        frame = result.to_frame(library)
        assert type(frame).__module__.partition(".")[0] == library
        assert list(frame[column]) == values


def test_what_is_not_installed_is_said_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    result = pages("text")["run"][1]
    with pytest.raises(UsageError, match="there is no library 'excel' of tables"):
        result.to_frame("excel")
    monkeypatch.setattr("evalcontract.reports.notebooks.find_spec", lambda name: None)
    with pytest.raises(UsageError) as caught:
        result.to_frame()
    assert caught.value.hint == "pip install 'evalcontract[pandas]'"


def test_results_load_no_library_of_tables_before_it_is_asked_for() -> None:
    code = (
        "import sys; from evalcontract.checking import RunResult; RunResult((), ())._repr_html_();"
        "print({'pandas', 'polars'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
