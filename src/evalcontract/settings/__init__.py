"""What a project has settled once for all commands: `[tool.evalcontract]` in pyproject.toml, or evalcontract.toml."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.errors import UnreadableInput, UsageError

__all__ = [
    "VARIABLE",
    "ProjectSettings",
    "catalogue_for",
    "excluded_by_settings",
    "find_settings",
    "folders_for",
]

VARIABLE = "EVALCONTRACT_SCHEMAS"
"""Folders of contracts, separated as in PATH, where no option and no file names any."""

_OWN_FILE, _SHARED_FILE = "evalcontract.toml", "pyproject.toml"
_MAX_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """The settings of one file; without a file there are none. `schemas` are folders, seen from the file."""

    file: Path | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def schemas(self) -> tuple[Path, ...]:
        """The folders of contracts that lie on the built-in catalogue."""
        folder = self.file.parent if self.file else Path()
        return tuple(folder / name for name in self.values.get("schemas", ()))


def find_settings(start: Path | None = None) -> ProjectSettings:
    """The settings of the nearest folder, from `start` (default: the current one) upwards, that has any.

    A pyproject.toml without a table tool.evalcontract has none. Raises UsageError for a key that there isn't
    or a value of a wrong type, and UnreadableInput for a file that is no TOML.
    """
    here = (start or Path()).resolve()
    for folder in (here, *here.parents):
        own = folder / _OWN_FILE
        if own.is_file():
            return _checked(own, _parsed(own))
        shared = folder / _SHARED_FILE
        if shared.is_file():
            table = _parsed(shared, naming=b"evalcontract").get("tool", {})
            if isinstance(table, dict) and "evalcontract" in table:
                return _checked(shared, table["evalcontract"])
    return ProjectSettings()


def folders_for(folders: Iterable[Path] = (), start: Path | None = None) -> tuple[Path, ...]:
    """The folders of contracts that hold: those named, else those settled, else those of the variable.

    Raises what `find_settings` raises.
    """
    chosen = tuple(folders) or find_settings(start).schemas
    return chosen or tuple(Path(part) for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part)


def catalogue_for(
    folders: Iterable[Path] = (), start: Path | None = None, *, loose: bool = False
) -> Catalogue:
    """The built-in catalogue with folders on top; see `folders_for` and, for `loose`, `Catalogue.load`.

    Raises what `Catalogue.load` and `find_settings` raise.
    """
    chosen = folders_for(folders, start)
    return Catalogue.load(*chosen, loose=loose) if chosen else default_catalogue()


def excluded_by_settings(start: Path | None = None) -> Callable[[Path], bool] | None:
    """Whether the settings exclude a file; None where they exclude nothing.

    Patterns are seen from the folder of the settings. `*` stands for any characters, `/` too; a pattern that is the
    name of a folder excludes all that is in it. Raises what `find_settings` raises.
    """
    settings = find_settings(start)
    patterns = [pattern.removesuffix("/") for pattern in settings.values.get("exclude", ())]
    if settings.file is None or not patterns:
        return None
    folder = os.path.realpath(settings.file.parent)

    def excluded(file: Path) -> bool:
        seen = Path(os.path.relpath(os.path.realpath(file), folder)).as_posix()
        return any(fnmatchcase(seen, form) for pattern in patterns for form in (pattern, f"{pattern}/*"))

    return excluded


def _parsed(file: Path, *, naming: bytes = b"") -> Mapping[str, Any]:
    """What a file says; nothing, when `naming` does not occur in it."""
    try:
        found = file.stat()
        if found.st_size > _MAX_BYTES:
            raise UnreadableInput(f"{file} is too large for settings", hint="at most 1 MB")
        return _read(file, naming, (found.st_mtime_ns, found.st_size, found.st_ino))
    except OSError as error:
        raise UnreadableInput(f"{file}: {(error.strerror or 'unreadable').lower()}") from error


@lru_cache(maxsize=8)
def _read(file: Path, naming: bytes, _: tuple[int, ...]) -> Mapping[str, Any]:
    """Read once for all that one command asks of it, as long as the file stays as it is."""
    raw = file.read_bytes()
    if naming not in raw:
        return {}
    import tomllib  # late: most commands run where there are no settings

    try:
        return tomllib.loads(raw.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableInput(f"{file} is not TOML: {error}", hint="correct the file") from error


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) and part for part in value)


def _numbers(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(number, int | float) and not isinstance(number, bool) for number in value.values()
    )


def _text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _table(value: object) -> bool:
    return isinstance(value, dict)


_KEYS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "exclude": ("a list of patterns", _texts),
    "schemas": ("a list of folders", _texts),
    "fail_under": ("a table of metrics and numbers", _numbers),
    "min_scored": ("a table of metrics and shares", _numbers),
    "metrics": ("a list of metrics", _texts),
    "options": ("a table of commands", _table),
    "pytest_output": ("a folder", _text),
}


def _checked(file: Path, table: object) -> ProjectSettings:
    if not isinstance(table, dict):
        raise UsageError(f"{file}: evalcontract is no table", hint="write [tool.evalcontract]")
    for key, value in table.items():
        if key not in _KEYS:
            close = get_close_matches(key, _KEYS, n=1)
            guess = f"did you mean {close[0]}? " if close else ""
            raise UsageError(
                f"{file}: there is no setting {key!r}", hint=f"{guess}known: {', '.join(sorted(_KEYS))}"
            )
        expected, fits = _KEYS[key]
        if not fits(value):
            raise UsageError(f"{file}: {key} is not {expected}", hint=f"write {key} as {expected}")
    return ProjectSettings(file, table)
