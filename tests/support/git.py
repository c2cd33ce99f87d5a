"""Scratch repositories."""

from __future__ import annotations

import subprocess
from pathlib import Path

_SETTINGS = {"user.name": "tester", "user.email": "tester@example.invalid", "commit.gpgsign": "false"}


def git(folder: Path, *arguments: str) -> str:
    """What `git ARGUMENTS` prints in a folder, as a made-up person."""
    settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
    command = ["git", *settings, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()
