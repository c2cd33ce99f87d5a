"""The built wheel, and environments that have it and nothing of this repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.projects import PROJECT


def run(*command: str | Path, cwd: Path) -> str:
    """What a command prints, run without the paths of this repository; it must succeed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def built_wheel(folder: Path) -> Path:
    """The wheel of this project, built into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, PROJECT, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def environment_with(wheel: Path, folder: Path, extras: str = "") -> Path:
    """An environment that has the wheel, with what it needs; gives the folder of its programs."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "venv", folder, cwd=folder.parent)
    programs = folder / "bin"
    constraints = PROJECT / "constraints.txt"
    what = f"{wheel}{extras}"
    run(programs / "python", "-m", "pip", "install", "--quiet", "--constraint", constraints, what, cwd=folder)
    return programs
