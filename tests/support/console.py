"""Console sessions in Markdown: commands after `$ `, each with what it prints."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.projects import PROJECT

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CONTINUED = "\\\n"


@dataclass(frozen=True)
class Step:
    """A command and the text that follows it in the document."""

    command: str
    printed: str


def blocks(markdown: str, language: str) -> Iterator[str]:
    """The contents of every fenced block of a language."""
    return (content for tag, content in _FENCE.findall(markdown) if tag == language)


def steps(markdown: str) -> Iterator[Step]:
    """Every command of every console block."""
    for block in blocks(markdown, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.replace(_CONTINUED, "").split("\n", 1)
            yield Step(lines[0], lines[1])


def environment(home: Path) -> dict[str, str]:
    """The variables that commands of documents run with: the programs installed here, the code of this checkout."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    code = os.pathsep.join(str(PROJECT / folder) for folder in ("src", "generated/python"))
    return {"PATH": path, "PYTHONPATH": code, "HOME": str(home), "COLUMNS": "120", "LANG": "C.UTF-8"}


def run(command: str, folder: Path) -> str:
    """What a shell prints for a command, both streams together, with this environment's programs first."""
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout


def sandbox(folder: Path) -> Path:
    """A folder with copies of what the commands of the documents work on."""
    for name in ("examples", "generated", "schemas"):
        shutil.copytree(PROJECT / name, folder / name)
    return folder


def refreshed(markdown: str, folder: Path) -> str:
    """The document with what its commands print now; `python -m tests.support.console README.md` writes it."""
    for step in steps(markdown):
        shown = f"$ {step.command}\n{step.printed}"
        assert markdown.count(shown) == 1, f"repeated or continued: {step.command}"
        markdown = markdown.replace(shown, f"$ {step.command}\n{run(step.command, folder).rstrip()}\n")
    return markdown


if __name__ == "__main__":
    document = Path(sys.argv[1])
    with TemporaryDirectory() as temporary:
        made = refreshed(document.read_text(encoding="utf-8"), sandbox(Path(temporary)))
    document.write_text(made, encoding="utf-8")
