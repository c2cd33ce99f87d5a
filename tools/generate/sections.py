"""Generated sections inside hand-written Markdown.

`<!-- generated: NAME -->` and `<!-- end -->`, each on a line of its own, enclose a section; what stands
between them is replaced.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from evalcontract.catalog import Catalogue
from evalcontract.errors import ContractError
from evalcontract.metrics.reference import metrics_table_markdown
from tools.generate.docs import (
    CONTRACTS_PAGE,
    builders_table,
    contracts_table,
    hooks_table,
    identity_table,
    providers_table,
    release_checks_table,
    schema_types_table,
    states_table,
)

_START = re.compile(r"<!-- generated: ([a-z-]+) -->")
_END = "<!-- end -->"


class SectionError(ContractError):
    """A marker without its partner, or a section that nobody generates."""


def filled_documents(catalogue: Catalogue, root: Path) -> dict[str, str]:
    """README.md and the pages under docs/ that have generated sections, with these filled in."""
    documents = {}
    for page in sorted({root / "README.md", *(root / "docs").rglob("*.md")} - {root / CONTRACTS_PAGE}):
        if page.is_file() and "<!-- generated: " in (text := page.read_text(encoding="utf-8")):
            path = page.relative_to(root).as_posix()
            documents[path] = fill(text, _sections(catalogue, path), path)
    return documents


def _sections(catalogue: Catalogue, path: str) -> dict[str, str]:
    contracts = posixpath.relpath(CONTRACTS_PAGE, posixpath.dirname(path))
    return {
        "contracts": contracts_table(catalogue, page=contracts),
        "schema-types": schema_types_table(catalogue),
        "hooks": hooks_table(),
        "providers": providers_table(),
        "states": states_table(),
        "identity": identity_table(),
        "builders": builders_table(),
        "release-checks": release_checks_table(),
        "metrics": metrics_table_markdown(),
    }


def fill(text: str, sections: Mapping[str, str], path: str) -> str:
    """The text with each section replaced; `path` is named in errors. Raises SectionError."""
    return "".join(_filled(text, sections, path))


def _filled(text: str, sections: Mapping[str, str], path: str) -> Iterator[str]:
    inside: str | None = None
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        start = _START.fullmatch(line.strip())
        where = f"{path}:{number}"
        if start and inside is not None:
            raise SectionError(f"{where}: section {start[1]} starts inside section {inside}")
        if start:
            inside = start[1]
            if inside not in sections:
                raise SectionError(
                    f"{where}: nothing generates the section {inside}", hint=f"known: {', '.join(sections)}"
                )
            yield f"{line.rstrip()}\n{sections[inside].rstrip()}\n"
        elif line.strip() == _END:
            if inside is None:
                raise SectionError(f"{where}: a section ends that has not started")
            inside = None
            yield line
        elif inside is None:
            yield line
    if inside is not None:
        raise SectionError(f"{path}: the section {inside} is not closed", hint=f"close it with {_END}")
