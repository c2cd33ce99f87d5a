"""Every page of a report in a real browser: quiet, accessible, deaf to what data says, and its filter works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.chromium import Tab
from tests.support.page_results import pages

KINDS = tuple(pages(""))
HOSTILE = (
    "</title></style></script><script>window.hit=1;alert(1)</script><img src=x onerror='window.hit=1'>",
    "\"' autofocus onfocus=window.hit=1 x='",
    "javascript:window.hit=1//{{ 7*7 }}{% raw %}<svg onload=window.hit=1>",
    "<!--<iframe srcdoc='<script>parent.hit=1</script>'></iframe><link rel=stylesheet href=http://example.org/a.css>",
    "\u202egnp.exe\u2066 \x00\x1b[31m \ud800",
)


def opened(page: Tab, folder: Path, kind: str, text: str) -> str:
    formats, result = pages(text)[kind]
    written = formats.write("html", result)
    file = folder / f"{kind}.html"
    file.write_text(written, encoding="utf-8")
    page.open(file)
    return written


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", HOSTILE)
def test_text_from_data_runs_nothing_and_asks_nothing(
    page: Tab, tmp_path: Path, kind: str, text: str
) -> None:
    opened(page, tmp_path, kind, text)
    assert page.run("window.hit") is None
    assert page.complaints() == []
    assert page.run("document.scripts.length") == 1
    assert (
        page.run(
            "document.querySelectorAll('img,iframe,link,object,embed,[onload],[onerror],[onfocus]').length"
        )
        == 0
    )
    assert page.run("document.querySelector('h1') !== null")


@pytest.mark.parametrize("kind", KINDS)
def test_the_policy_keeps_a_script_from_running_that_escaping_would_let_through(
    page: Tab, tmp_path: Path, kind: str
) -> None:
    written = opened(page, tmp_path, kind, "plain")
    broken = tmp_path / "broken.html"
    broken.write_text(written.replace("<main>", "<main><script>window.hit=1</script>"), encoding="utf-8")
    page.open(broken)
    assert page.run("window.hit") is None
    assert page.complaints() != []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation(page: Tab, tmp_path: Path, axe: str, kind: str, dark: bool) -> None:
    page.look(dark=dark)
    opened(page, tmp_path, kind, "some text of the data")
    page.run(axe)
    found = page.run(
        "axe.run().then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.html).slice(0, 3)]))"
    )
    assert found == []


@pytest.mark.parametrize("width", [400, 900, 1600])
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_as_wide_as_its_window_whatever_data_says(
    page: Tab, tmp_path: Path, kind: str, width: int
) -> None:
    page.look(dark=False, width=width)
    opened(page, tmp_path, kind, "x" * 3000)
    assert page.run("document.documentElement.scrollWidth") <= width


def test_findings_are_filtered_by_text_file_and_code(page: Tab, tmp_path: Path) -> None:
    opened(page, tmp_path, "run", "some <b>text")

    def shown(field: str, value: str) -> tuple[int, int, str]:
        page.run("document.getElementById('filter').reset()")
        page.run(
            f"(() => {{ const field = document.getElementById('filter').elements.{field}; field.value = {value!r};"
            " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
        )
        findings = page.run("document.querySelectorAll('li[data-code]:not([hidden])').length")
        groups = page.run("document.querySelectorAll('details.group:not([hidden])').length")
        return findings, groups, page.run("document.getElementById('count').textContent")

    assert shown("text", "") == (2, 2, "2 of 2 findings shown")
    assert shown("text", "WRONG-TYPE nowhere") == (0, 0, "0 of 2 findings shown")
    assert shown("text", "Other.jsonl") == (1, 1, "1 of 2 findings shown")
    assert shown("file", "some <b>text") == (1, 1, "1 of 2 findings shown")
    assert shown("code", "bom") == (1, 1, "1 of 2 findings shown")


def test_all_that_can_be_used_is_reached_by_the_keyboard(page: Tab, tmp_path: Path) -> None:
    opened(page, tmp_path, "run", "text")
    wanted = page.run("document.querySelectorAll('input,select,summary,[tabindex]').length")
    assert wanted > 5
    reached = set()
    for _ in range(wanted + 5):
        for type_ in ("keyDown", "keyUp"):
            page.call("Input.dispatchKeyEvent", type=type_, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        reached.add(
            page.run(
                "[...document.querySelectorAll('input,select,summary,[tabindex]')].indexOf(document.activeElement)"
            )
        )
    assert reached >= set(range(wanted))


def test_a_page_can_be_read_without_its_script(page: Tab, tmp_path: Path) -> None:
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        opened(page, tmp_path, "run", "text of a finding")
        text = page.call("Accessibility.getFullAXTree")["nodes"]
        names = " ".join(str(node.get("name", {}).get("value")) for node in text)
    finally:
        page.call("Emulation.setScriptExecutionDisabled", value=False)
    assert "text of a finding" in names
    assert "every code" not in names


def test_a_citation_leads_to_the_passage_that_it_cites(page: Tab, tmp_path: Path) -> None:
    opened(page, tmp_path, "scores", "the museum")
    link = "document.querySelector('.answer a')"
    assert page.run(f"{link}.textContent") == "[1]"
    page.run(f"{link}.click()")
    cited = page.run("document.querySelector('tr:target').textContent")
    assert "the museum" in cited
    assert "2 relevant" in cited
    marked = page.run("[...document.querySelectorAll('.answer mark')].map(found => found.textContent)")
    assert "Mondays" in marked
    assert page.run("[...document.querySelectorAll('.answer del')].map(found => found.textContent)") == [
        "[7]"
    ]
    assert page.complaints() == []
