"""JSON files that lie in folders of data and hold none: schemas, and the settings of tools."""

from __future__ import annotations

import re
from pathlib import Path

_HEAD_BYTES = 4096
_SETTINGS = re.compile(
    r"package(-lock)?\.json|[tj]sconfig(\.[\w-]+)?\.json|composer\.json|deno\.json|renovate\.json|biome\.json|"
    r"[\w-]+\.code-workspace"
)
_DIALECT = re.compile(rb'\s*\{[^{}\[\]]{0,2000}?"\$schema"\s*:\s*"https?://json-schema\.org/')
"""An object that says of itself, before any nested value, that it is written in a dialect of JSON Schema."""


def kind_without_data(path: Path) -> str | None:
    """What a file is that holds no data, in words; None for all others. Told by its name and its first bytes."""
    if _SETTINGS.fullmatch(path.name):
        return "settings of a tool"
    if path.suffix.lower() != ".json":
        return None
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:  # said when it is read
        return None
    return "a JSON Schema" if _DIALECT.match(head.removeprefix(b"\xef\xbb\xbf")) else None
