from __future__ import annotations

from pathlib import Path

import pytest

from evalcontract.catalog import Catalogue, default_catalogue
from tests.support.projects import copy_archive
from tools.generate.docs import contracts_page
from tools.generate.sections import SectionError, fill, filled_documents

SECTIONS = {"one": "| a |", "two": "| b |"}
TEXT = "# Title\n<!-- generated: one -->\nold\n<!-- end -->\nwords\n<!-- generated: two -->\n<!-- end -->\n"
FILLED = "# Title\n<!-- generated: one -->\n| a |\n<!-- end -->\nwords\n<!-- generated: two -->\n| b |\n<!-- end -->\n"


def test_what_stands_between_the_markers_is_replaced() -> None:
    assert fill(TEXT, SECTIONS, "README.md") == FILLED
    assert fill(FILLED, SECTIONS, "README.md") == FILLED


def test_text_without_markers_stays_as_it_is() -> None:
    text = "# Title\r\n\n<!-- a comment -->\nno final newline"
    assert fill(text, SECTIONS, "README.md") == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- generated: three -->\n<!-- end -->\n", "README.md:1: nothing generates the section three"),
        ("\n<!-- generated: one -->\n", "README.md: the section one is not closed"),
        ("\n<!-- end -->\n", "README.md:2: a section ends that has not started"),
        (
            "<!-- generated: one -->\n<!-- generated: two -->\n<!-- end -->\n",
            "README.md:2: section two starts inside",
        ),
    ],
)
def test_a_marker_that_fits_nothing_is_refused(text: str, message: str) -> None:
    with pytest.raises(SectionError, match=message):
        fill(text, SECTIONS, "README.md")


def test_pages_link_to_the_contracts_from_where_they_are(tmp_path: Path) -> None:
    project = copy_archive(tmp_path)
    (project / "docs" / "more").mkdir(parents=True)
    marked = "<!-- generated: contracts -->\n<!-- end -->\n"
    for page in ("README.md", "docs/guide.md", "docs/more/guide.md"):
        (project / page).write_text(marked, encoding="utf-8")
    (project / "docs" / "plain.md").write_text("words\n", encoding="utf-8")
    documents = filled_documents(Catalogue(project / "schemas"), project)
    assert {path: "(docs/contracts.md#note110)" in text for path, text in documents.items()} == {
        "README.md": True,
        "docs/guide.md": False,
        "docs/more/guide.md": False,
    }
    assert "(contracts.md#note110)" in documents["docs/guide.md"]
    assert "(../contracts.md#note110)" in documents["docs/more/guide.md"]


def test_tables_of_schema_types_and_hooks(tmp_path: Path) -> None:
    project = copy_archive(tmp_path)
    marked = "<!-- generated: schema-types -->\n<!-- end -->\n<!-- generated: hooks -->\n<!-- end -->\n"
    (project / "README.md").write_text(marked, encoding="utf-8")
    text = filled_documents(Catalogue(project / "schemas"), project)["README.md"]
    assert "| `binder` | `10.0` | `note@1.10` | `binder@2.0` |" in text
    assert "| `evalcontract-datasets` | " in text


@pytest.fixture(scope="module")
def page() -> str:
    return contracts_page(default_catalogue())


def test_the_reference_has_every_contract_with_every_field(page: str) -> None:
    for uri, schema in default_catalogue().documents():
        _, _, section = page.partition(f"\n`{schema['title']}`, ")
        section = section.partition("\n### ")[0]
        rows = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]
        assert rows == [f"| `{name}`" for name in schema["properties"]], uri


@pytest.mark.parametrize(
    "row",
    [
        "| `messages` | array of [Message](#message10), at least 1 item | required | ",
        "| `context` | array of string | optional | ",
        "| `page_number` | integer, ≥ 1 | optional | ",
        "| `relevance` | `0` or `1` or `2` | required | ",
        "| `scores` | object of [MetricScore](#metric_score10) | required | ",
        "| `output` | any JSON value | optional | ",
        "| `metadata` | [EvaluationItemMetadata](#evaluation_item_metadata10) | optional | ",
        "| `groundedness` | number, ≥ 0, ≤ 1 | required | ",
        r"| `version` | string, matches `^(0\|[1-9][0-9]*)\.(0\|[1-9][0-9]*)$` | required | ",
    ],
)
def test_the_reference_says_what_a_field_holds(page: str, row: str) -> None:
    assert f"\n{row}" in page


def test_the_reference_says_what_became_of_old_versions() -> None:
    archive = contracts_page(
        Catalogue(Path(__file__).parents[1] / "catalog" / "data" / "archive" / "schemas")
    )
    assert "`Note`, withdrawn, superseded by 1.9. A short text" in archive
    assert "Erratum: txt was a misspelling of text." in archive
    assert "`Reminder`, draft. Extends [Note](#note110)." in archive
    assert "[`telegram`]" not in archive
