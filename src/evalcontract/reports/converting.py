"""The report of a dataset that was written in another format."""

from __future__ import annotations

from evalcontract.datasets import ConvertedFiles
from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.json_text import json_text
from evalcontract.values import counted, visible


def converted_text(done: ConvertedFiles, look: Look = PLAIN) -> str:
    """What the format couldn't keep, and what was written."""
    lines = [f"note: {note}" for note in done.notes]
    lines.append(f"{counted(done.items, 'item')} written to {', '.join(map(str, done.files))}")
    return "".join(f"{visible(line)}\n" for line in lines)


def converted_json(done: ConvertedFiles) -> str:
    """Keys: items, notes, files."""
    document = {"items": done.items, "notes": list(done.notes), "files": [str(file) for file in done.files]}
    return json_text(document)
