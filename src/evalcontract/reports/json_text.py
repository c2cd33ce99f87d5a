"""JSON for programs: ASCII, so that nothing in it turns or hides text, and strict, whatever the strings hold."""

from __future__ import annotations

import json
import re
from typing import Any

_ESCAPE = re.compile(r"\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(ud[89a-f][0-9a-f]{2})|.)")


def json_text(document: Any) -> str:
    """The document over several lines. Half a character, as in names of files, stands as the text of its escape."""
    text = json.dumps(document, indent=2, allow_nan=False)
    return (_ESCAPE.sub(_whole, text) if r"\ud" in text else text) + "\n"


def _whole(escape: re.Match[str]) -> str:
    return rf"\\{escape[1]}" if escape[1] else escape[0]
