"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from evalcontract.errors import UsageError


def write_all(outputs: Mapping[Path, bytes]) -> None:
    """Write every file beside its place first, then rename them all. Raises UsageError; leaves no half file."""
    written: dict[Path, Path] = {}
    try:
        for path, content in outputs.items():
            try:
                handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
                written[path] = Path(name)
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                Path(name).chmod(_mode(path))
            except OSError as error:
                raise _refused(path, error) from error
        for path, beside in list(written.items()):
            try:
                os.replace(beside, path)
            except OSError as error:
                raise _refused(path, error) from error
            del written[path]
    finally:
        for beside in written.values():
            beside.unlink(missing_ok=True)


def _refused(path: Path, error: OSError) -> UsageError:
    return UsageError(f"{path} can't be written: {(error.strerror or 'refused').lower()}")


def _mode(path: Path) -> int:
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
