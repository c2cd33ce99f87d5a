"""The generated pages, sections and hooks of this repository, and what lies astray in generated/."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from evalcontract.catalog import Catalogue
from evalcontract.codegen import FileChange
from evalcontract.files import write_whole
from tools.generate.api import API_PAGE, api_page
from tools.generate.codes import CODES_PAGE, codes_page
from tools.generate.docs import CONTRACTS_PAGE, contracts_page
from tools.generate.hooks import HOOKS_FILE, hooks_file
from tools.generate.sections import filled_documents


def bring_up_to_date(catalogue: Catalogue, root: Path, *, check: bool) -> list[FileChange]:
    """What differed and, unless `check`, is written now."""
    texts = {
        HOOKS_FILE: hooks_file(),
        API_PAGE: api_page(),
        CODES_PAGE: codes_page(),
        CONTRACTS_PAGE: contracts_page(catalogue),
        **filled_documents(catalogue, root),
    }
    changes = []
    for path, content in sorted((root / path, text.encode()) for path, text in texts.items()):
        if path.is_file() and path.read_bytes() == content:
            continue
        changes.append(FileChange(path, "edited" if path.exists() else "missing"))
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
    return changes


def astray(top: Path, folders: Iterable[Path]) -> Iterator[Path]:
    """The files under `top` that lie in none of the folders: nothing makes them."""
    owned = set(folders)
    for path in sorted(top.rglob("*")):
        if (path.is_symlink() or not path.is_dir()) and owned.isdisjoint(path.parents):
            yield path
