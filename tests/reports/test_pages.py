"""The pages as text: what stands in them, what is marked in a line, and that they stay small and the same."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.checking import check_files, plan
from evalcontract.evolution import compare_schemas
from evalcontract.reports import BREAKING, RUN, BreakingReport, Places
from evalcontract.reports.pages.excerpts import Excerpt, excerpts
from evalcontract.reports.pages.page import plain
from evalcontract.validation import Violation
from tests.support.page_results import BOOKING, pages
from tests.support.projects import PROJECT

FAULTY = PROJECT / "examples" / "faulty" / "instructive_faults.jsonl"
KINDS = tuple(pages(""))


@pytest.mark.parametrize("kind", KINDS)
def test_markup_in_data_is_shown_as_text(kind: str) -> None:
    formats, result = pages("<b>&\u202e\x00")[kind]
    written = formats.write("html", result)
    assert "<b>" not in written
    assert "&lt;b&gt;&amp;\\u202e\\u0000" in written
    assert "\u202e" not in written


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_without_data_is_below_sixty_kilobytes(kind: str) -> None:
    formats, result = pages("")[kind]
    assert len(formats.write("html", result).encode()) < 60_000


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_loads_nothing(kind: str) -> None:
    formats, result = pages("text")[kind]
    written = formats.write("html", result)
    assert "default-src 'none'" in written.replace("&#39;", "'")
    assert re.findall(r'src=|href=(?!"#)|url\(|@import| style=|onclick', written) == []


def test_pages_are_the_same_from_run_to_run() -> None:
    first, second = (
        {kind: formats.write("html", result) for kind, (formats, result) in pages("text").items()}
        for _ in range(2)
    )
    assert first == second


def test_ten_megabytes_of_text_are_cut() -> None:
    _, result = pages("<" * 10_000_000)["run"]
    assert len(RUN.write("html", result)) < 400_000


def test_the_page_of_a_run_shows_each_finding_and_the_line_that_it_is_about() -> None:
    result = check_files([str(FAULTY)], plan())
    written = RUN.write("html", result)
    assert written.count("<li data-code=") == len(result.violations)
    assert written.count("<mark>") == sum(violation.line is not None for violation in result.violations)


def test_the_page_of_a_break_shows_both_places_and_the_proof() -> None:
    old, new = (str(BOOKING / f"booking_input_v{version}.json") for version in (1, 2))
    judgements = compare_schemas(new, old)
    written = BREAKING.write("html", BreakingReport(judgements, Places("https://example.org/")))
    (finding,) = judgements[0].judged.breaking
    place = finding.old.partition("#")[2].split("/")[1:]
    for file in (old, new):
        found = json.loads(Path(file).read_bytes())
        for step in place:
            found = found[step]
        assert f"<pre>{found}</pre>" in written
    assert "&#34;seats&#34;: 7" in written


def at(file: Path, line: int, column: int) -> Violation:
    return Violation("wrong-type", "", file=str(file), line=line, column=column)


@given(
    lines=st.lists(
        st.text(st.characters(blacklist_characters="\r\n", blacklist_categories=["Cs"])), min_size=1
    ),
    data=st.data(),
)
def test_an_excerpt_stands_in_its_line_at_its_column(
    lines: list[str], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("lines") / "a.jsonl"
    lines[0] = lines[0].lstrip("\ufeff")
    file.write_bytes("\n".join(lines).encode() + b"\n")
    number = data.draw(st.integers(1, len(lines)))
    line = lines[number - 1]
    column = data.draw(st.integers(1, len(line) + 1))
    (found,) = excerpts([at(file, number, column)]).values()
    if column <= len(line):
        assert line[column - 1 :].startswith(found.marked.removesuffix("…"))
        assert line[: column - 1].endswith(found.before.removeprefix("…"))
    else:
        assert found.marked == "⏎"


def test_an_excerpt_marks_the_whole_value_also_in_a_compressed_file(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl.gz"
    file.write_bytes(gzip.compress(b'{"a": 1}\n{"a": "two words", "b": 2}\n'))
    assert list(excerpts([at(file, 2, 7)]).values()) == [Excerpt('{"a": ', '"two words"', ', "b": 2}')]


def test_what_cannot_be_read_again_has_no_excerpt(tmp_path: Path) -> None:
    short = tmp_path / "short.jsonl"
    short.write_text("{}\n", encoding="utf-8")
    missing = [at(tmp_path / "gone.jsonl", 1, 1), at(short, 5, 1), at(short, 1, 50), at(tmp_path, 1, 1)]
    assert excerpts([*missing, Violation("bom", "", file="-")]) == {}


def test_a_line_of_ten_megabytes_gives_a_short_excerpt(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('["' + "x" * 10_000_000 + '"]', encoding="utf-8")
    (found,) = excerpts([at(file, 1, 2)]).values()
    assert len(found.before + found.marked + found.after) < 300


@given(st.text())
def test_plain_text_hides_nothing_and_turns_nothing(text: str) -> None:
    assert all(char.isprintable() or char == "\n" for char in plain(text))


@pytest.mark.parametrize(("format_", "loaded"), [("text", False), ("json", False), ("html", True)])
def test_the_templates_are_loaded_for_pages_only(format_: str, loaded: bool) -> None:
    code = (
        "import sys; from evalcontract.checking import RunResult; from evalcontract.reports import RUN;"
        f"RUN.write({format_!r}, RunResult((), ())); print('jinja2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(loaded)
