"""Documents shown in a line: whole where they are short, else what lies on the way to the place that matters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from evalcontract.evolution.comparing import told
from evalcontract.values import cut, pointer_tokens

ANY = "*"
"""A step of a path that stands for any key or element."""
_REST = "…"


def example(document: Any, path: str, limit: int) -> str:
    """A document as JSON in at most `limit` characters; of a longer one what lies on the path, `…` for the rest."""
    whole = told(document, limit)
    return whole if not whole.endswith(_REST) else cut(_along(document, pointer_tokens(path), limit), limit)


def _along(value: Any, path: Sequence[str], limit: int) -> str:
    members = list(value.items()) if isinstance(value, dict) else []
    if isinstance(value, list):
        members = [(str(at), element) for at, element in enumerate(value)]
    on_the_way = [(key, member) for key, member in members if path and path[0] in (key, ANY)]
    if not on_the_way:
        return told(value, max(limit // 2, 20))
    key, member = on_the_way[-1]
    inner = _along(member, path[1:], limit)
    if isinstance(value, dict):
        inner = f"{json.dumps(key, ensure_ascii=False)}: {inner}"
    inside = f"{_REST}, {inner}" if len(members) > 1 else inner
    return f"{{{inside}}}" if isinstance(value, dict) else f"[{inside}]"
