"""The site of a catalogue in a real browser: quiet, accessible, read without scripts, and its check judges alike."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.reports.site import site_files
from tests.browser.chromium import Tab
from tests.browser.test_reports import HOSTILE
from tests.languages.protocol import same_words
from tests.support.cli import run
from tests.support.layers import contract, every_kind_layer, text, write_layer
from tests.support.projects import PROJECT

PACK = PROJECT / "schemas" / "conformance"
EXAMPLES = [
    file
    for folder in ("pathfinder", "faulty", "foreign")
    for file in sorted((PROJECT / "examples" / folder).iterdir())
    if file.suffix in (".json", ".jsonl")
]
KINDS = {
    "index": "index.html",
    "contract": "every_kind-1.0.html",
    "cases": "rag_input-1.0-cases.html",
    "changes": "part-1.0-to-1.1.html",
    "type": "type-rag-1.0.html",
    "check": "check.html",
}
_COMPARED = ("code", "pointer", "keyword", "severity", "item_id", "line", "column")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a layer on the built-in contracts, with a page of every kind."""
    layer = every_kind_layer(tmp_path_factory.mktemp("layer"))
    return written(site_files(Catalogue.load(layer)), tmp_path_factory.mktemp("site"))


@pytest.fixture
def check(page: Tab, site: Path) -> Tab:
    """The page that checks files."""
    page.open(site / "check.html")
    return page


def written(files: Mapping[str, bytes], folder: Path) -> Path:
    for path, content in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def choose(page: Tab, files: Sequence[Path]) -> None:
    """Give files to the page, as a person does in the dialog of the browser."""
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    node = page.call("DOM.querySelector", nodeId=root, selector="#files")["nodeId"]
    page.run("document.getElementById('result').removeAttribute('data-report')")
    page.call("DOM.setFileInputFiles", nodeId=node, files=[str(file) for file in files])


def report(page: Tab) -> dict[str, Any]:
    """The report of the check that is running."""
    found = page.run(
        "new Promise(done => { const end = Date.now() + 60000; const look = () => {"
        " const found = document.getElementById('result').dataset.report;"
        " found || Date.now() > end ? done(found || 'null') : setTimeout(look, 20); }; look(); })"
    )
    assert found != "null", page.run("document.getElementById('status').textContent")
    return dict(json.loads(found))


def checked(page: Tab, files: Sequence[Path], judge: str = "") -> dict[str, Any]:
    page.run(f"document.getElementById('contract').value = {judge!r}")
    choose(page, files)
    return report(page)


def by_command(files: Sequence[Path], judge: str = "") -> dict[str, Any]:
    told = ["--contract", judge] if judge else []
    return dict(json.loads(run("validate", *map(str, files), *told, "--format", "json").out))


def comparable(found: dict[str, Any]) -> tuple[Any, ...]:
    """What both say: advices are the command's alone."""
    findings = [
        (
            Path(violation["file"]).name,
            same_words(violation["message"]),
            *(violation[key] for key in _COMPARED),
        )
        for violation in found["violations"]
        if violation["severity"] == "error"
    ]
    counts = [
        (Path(file["file"]).name, file["kind"], file["items"], file["errors"], file["contracts"])
        for file in found["files"]
    ]
    return found["ok"], found["items"], found["errors"], sorted(counts, key=str), sorted(findings, key=str)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_the_check_gives_the_verdict_of_the_command_on_every_example(check: Tab, file: Path) -> None:
    assert comparable(checked(check, [file])) == comparable(by_command([file]))
    assert [line for line in check.complaints() if "blob:" not in line] == []


@cache
def vectors() -> dict[tuple[str, str], list[Path]]:
    """The files of the pack by what they are judged by, and by the verdict that is right."""
    found: dict[tuple[str, str], list[Path]] = {}
    for file in sorted(PACK.glob("*/*/*valid/*.json")):
        name, version, kind = file.parts[-4:-1]
        judge = "" if name.startswith("typed_") else f"{name}@{version}"  # these declare what they are
        found.setdefault((judge, f"{name} {kind}"), []).append(file)
    return found


@pytest.mark.parametrize(("judge", "kind"), vectors(), ids=" ".join)
def test_the_check_gives_the_verdict_of_the_command_on_the_whole_pack(
    check: Tab, judge: str, kind: str
) -> None:
    files = vectors()[judge, kind]
    found = checked(check, files, judge)
    assert comparable(found) == comparable(by_command(files, judge))
    assert len(found["files"]) == len(files)


@pytest.mark.parametrize("kind", ["accepted", "refused"])
def test_the_check_reads_as_strictly_as_the_command(check: Tab, kind: str) -> None:
    files = sorted((PACK / "reading" / kind).glob("*.json"))
    found, wanted = checked(check, files, "tool_call@1.0"), by_command(files, "tool_call@1.0")
    refused, by_python = (
        {Path(file["file"]).name: file["errors"] > 0 for file in said["files"]} for said in (found, wanted)
    )
    assert refused == by_python
    if kind == "refused":
        codes = {Path(violation["file"]).stem: violation["code"] for violation in found["violations"]}
        assert codes == json.loads((PACK / "reading" / "expected.json").read_bytes())


def test_what_lies_beside_json_lines_is_taken_along(check: Tab, tmp_path: Path) -> None:
    lines, beside = tmp_path / "a.jsonl", tmp_path / "a.metadata.json"
    lines.write_text('{"item_id": "q", "input": {}}\n')
    beside.write_text('{"product_id": "p", "scope": "s", "version": "1.0", "input_schema_type": "rag"}')
    found = checked(check, [lines, beside])
    assert comparable(found) == comparable(by_command([lines, beside]))
    assert found["files"][0]["contracts"] == {"rag@1.0": 1}


def test_text_is_pasted_and_judged_and_what_is_wrong_is_shown_with_its_place(check: Tab) -> None:
    check.run("document.getElementById('contract').value = ''")
    check.run(
        "document.getElementById('pasted').value = "
        + json.dumps('{"item_id": "a", "input": {}}\n\n{"item_id": "a", "input": 3}\n')
    )
    check.run("document.getElementById('run').click()")
    found = report(check)
    assert [(v["code"], v["line"], v["pointer"]) for v in found["violations"]] == [
        ("duplicate-item-id", 3, "/item_id"),
        ("wrong-type", 3, "/input"),
    ]
    shown = check.run("document.getElementById('result').innerText")
    assert "failed: 2 items in 1 file, 2 errors" in shown
    assert "pasted.jsonl:3:13" in shown


def test_files_are_dropped_on_the_page(check: Tab) -> None:
    check.run("document.getElementById('result').removeAttribute('data-report')")
    check.run(
        "(() => { const data = new DataTransfer();"
        " data.items.add(new File(['{\"role\": \"nobody\"}'], 'm.json'));"
        " document.getElementById('contract').value = 'message@1.0';"
        " document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true})); })()"
    )
    assert {violation["pointer"] for violation in report(check)["violations"]} == {"/role", "/content"}


def test_a_file_that_is_not_read_is_said_so(check: Tab, tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("a,b\n")
    found = checked(check, [file])
    assert not found["ok"]
    assert "suffix" in check.run("document.getElementById('result').innerText")


def test_large_json_lines_are_judged_in_a_worker_with_progress(check: Tab, tmp_path: Path) -> None:
    line = (PROJECT / "examples" / "pathfinder" / "mixed_items.jsonl").read_bytes().split(b"\n")[1]
    item = json.loads(line)
    file = tmp_path / "large.jsonl"
    with file.open("wb") as out:
        number = 0
        while out.tell() < 50_000_000:
            number += 1
            out.write(json.dumps(item | {"item_id": f"q{number}"}).encode() + b"\n")
        out.write(b'{"item_id": "last"}\n')
    check.run(
        "window.said = []; new MutationObserver(() => said.push(document.getElementById('status').textContent))"
        ".observe(document.getElementById('status'), {childList: true})"
    )
    found = checked(check, [file])
    assert found["items"] == number + 1
    assert [(v["line"], v["pointer"]) for v in found["violations"]] == [(number + 1, "/input")]
    said = [text for text in check.run("said") if text.startswith("Reading large.jsonl: ")]
    assert len(said) > 5
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("kind", KINDS)
def test_pages_are_quiet(page: Tab, site: Path, kind: str) -> None:
    page.open(site / KINDS[kind])
    assert page.complaints() == []
    assert page.run("document.querySelector('h1') !== null")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation(page: Tab, site: Path, axe: str, kind: str, dark: bool) -> None:
    page.look(dark=dark)
    page.open(site / KINDS[kind])
    if kind == "check":
        checked(page, [PROJECT / "examples" / "faulty" / "page_zero.jsonl"])
    page.run("document.querySelectorAll('details').forEach(found => { found.open = true; })")
    page.run(axe)
    found = page.run(
        "axe.run().then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.html).slice(0, 3)]))"
    )
    assert found == []


@pytest.mark.parametrize("width", [400, 900, 1600])
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_as_wide_as_its_window(page: Tab, site: Path, kind: str, width: int) -> None:
    page.look(dark=False, width=width)
    page.open(site / KINDS[kind])
    assert page.run("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("kind", KINDS)
def test_pages_are_read_without_scripts(page: Tab, site: Path, kind: str) -> None:
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.open(site / KINDS[kind])
        nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    finally:
        page.call("Emulation.setScriptExecutionDisabled", value=False)
    names = " ".join(str(node.get("name", {}).get("value")) for node in nodes)
    wanted = {"check": "This check needs JavaScript", "contract": "at least 1 character", "cases": "valid"}
    assert (
        wanted.get(kind, "rag_input@1.0" if kind in ("index", "type") else "needs a minor version") in names
    )
    assert "Check the pasted text" not in names


def test_contracts_are_found_by_their_properties(page: Tab, site: Path) -> None:
    page.open(site / "index.html")
    page.run(
        "(() => { const field = document.getElementById('search').elements.text; field.value = 'page_number';"
        " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    rows = page.run(
        "[...document.querySelectorAll('tr[data-words]:not([hidden]) a')].map(a => a.textContent)"
    )
    assert "citation" in rows
    assert "message" not in rows
    assert page.run("document.getElementById('count').textContent").endswith(" of 32 shown")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_text_of_a_catalogue_runs_nothing_and_asks_nothing(page: Tab, tmp_path: Path, hostile: str) -> None:
    hostile = hostile.encode("utf-8", "replace").decode()
    field = text(f"Said {hostile}", pattern="^</script><script>window.hit=1</script>$")
    listed = {"type": "string", "enum": [hostile, "b"], "description": f"Said {hostile}"}
    schema = contract("Note", {"body": field, "kind": listed}, required=["body", "kind"])
    layer = write_layer(tmp_path / "layer", {"note@1.0": schema, "note@1.1": schema})
    catalog = json.loads((layer / "catalog.json").read_bytes())
    catalog["contracts"]["note"]["1.0"]["errata"] = [f"It says {hostile}"]
    (layer / "catalog.json").write_text(json.dumps(catalog))
    valid = layer / "conformance" / "note" / "1.0" / "valid"
    valid.mkdir(parents=True)
    (valid / "full.json").write_text(json.dumps({"body": hostile}, ensure_ascii=False), encoding="utf-8")
    folder = written(site_files(Catalogue.load(layer)), tmp_path)
    for name in ("index", "note-1.0", "note-1.0-cases", "note-1.0-to-1.1", "check"):
        page.open(folder / f"{name}.html")
        page.run("document.querySelectorAll('details').forEach(found => { found.open = true; })")
        assert page.run("window.hit") is None, name
        assert page.complaints() == [], name
        assert (
            page.run("document.querySelectorAll('img,iframe,link,object,svg,[onload],[onerror]').length") == 0
        )


@pytest.mark.parametrize("hostile", HOSTILE)
def test_text_of_a_checked_file_runs_nothing_and_asks_nothing(
    check: Tab, tmp_path: Path, hostile: str
) -> None:
    file = tmp_path / "a.jsonl"
    item = {"item_id": hostile, "input": {hostile: 1}, "expected_output": 3, "metadata": {"raw_metadata": 1}}
    file.write_text(json.dumps(item) + "\n" + json.dumps({hostile: hostile}) + "\n")
    assert not checked(check, [file])["ok"]
    assert check.run("window.hit") is None
    assert [line for line in check.complaints() if "blob:" not in line] == []
    assert (
        check.run("document.querySelectorAll('img,iframe,link,svg,[onload],[onerror],[onfocus]').length") == 0
    )


def test_every_link_of_the_site_leads_to_a_file_of_it(page: Tab, site: Path) -> None:
    for file in sorted(site.glob("*.html")):
        page.open(file)
        links = page.run("[...document.querySelectorAll('a')].map(a => a.getAttribute('href'))")
        assert [link for link in links if not (site / link).is_file()] == [], file.name


def test_the_built_in_catalogue_has_a_page_for_every_version() -> None:
    files = site_files(default_catalogue())
    refs = [entry.ref for entry in default_catalogue().entries()]
    assert {f"{ref.name}-{ref.version}.html" for ref in refs} <= set(files)
