"""What a project has settled for the options of a command: `[tool.evalcontract.options.VERB]`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

import click

from evalcontract.cli.roles import Reads, Role, Writes
from evalcontract.errors import UsageError
from evalcontract.settings import ProjectSettings

OPTIONS = "options"
_CODE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
"""How `package.module:Class` is written."""


def settled(
    command: click.Command,
    words: Iterable[str],
    commands: Mapping[str, click.Command],
    roles: Mapping[str, Role],
    settings: ProjectSettings,
) -> dict[str, Any]:
    """The settled values of a command's options, by the names of its parameters.

    Files are seen from the folder of the settings. Raises UsageError for a command or an option that there isn't, for a
    value of a wrong type, and for one that would import code, which only what was typed may do.
    """
    table: Any = settings.values.get(OPTIONS, {})
    _refuse_unknown(settings, OPTIONS, table, commands, "command")
    place = OPTIONS
    for word in words:
        place, table = f"{place}.{word}", table.get(word, {})
        if not isinstance(table, dict):
            raise UsageError(
                f"{settings.file}: {place} is no table", hint=f"write [tool.evalcontract.{place}]"
            )
    if not table:
        return {}
    known = {
        name.removeprefix("--"): option
        for option in command.params
        if isinstance(option, click.Option)
        for name in option.opts
        if name.startswith("--")
    }
    _refuse_unknown(settings, place, table, known, "option")
    return {
        str(known[key].name): _value(
            settings, f"{place}.{key}", known[key], value, roles.get(str(known[key].name))
        )
        for key, value in table.items()
    }


def _refuse_unknown(
    settings: ProjectSettings, place: str, table: Mapping[str, Any], known: Collection[str], what: str
) -> None:
    for key in table:
        if key not in known:
            close = get_close_matches(key, known, n=1)
            guess = f"did you mean {close[0]}? " if close else ""
            raise UsageError(
                f"{settings.file}: {place} has no {what} {key!r}",
                hint=f"{guess}known: {', '.join(sorted(known))}",
            )


def _value(settings: ProjectSettings, place: str, option: click.Option, value: Any, role: Role | None) -> Any:
    if option.multiple:
        if not isinstance(value, list):
            raise _wrong(settings, place, "a list")
        return [_one(settings, place, option, element, role) for element in value]
    return _one(settings, place, option, value, role)


def _one(settings: ProjectSettings, place: str, option: click.Option, value: Any, role: Role | None) -> Any:
    kinds: tuple[tuple[Any, type | tuple[type, ...], str], ...] = (
        (click.types.BoolParamType, bool, "true or false"),
        (click.types.IntParamType, int, "a whole number"),
        (click.types.FloatParamType, (int, float), "a number"),
        (click.ParamType, str, "text"),
    )
    kind, expected = next((kind, said) for of, kind, said in kinds if isinstance(option.type, of))
    if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
        raise _wrong(settings, place, expected)
    if isinstance(value, str) and (
        option.name == "metric" or (isinstance(role, Reads) and _CODE.fullmatch(value))
    ):
        raise UsageError(
            f"{settings.file}: {place} would import code", hint=f"type {option.opts[-1]} where it is wanted"
        )
    if isinstance(value, str) and isinstance(role, Reads | Writes) and settings.file is not None:
        there = settings.file.parent / value
        return str(there) if isinstance(role, Writes) or there.exists() else value
    return value


def _wrong(settings: ProjectSettings, place: str, expected: str) -> UsageError:
    return UsageError(f"{settings.file}: {place} is not {expected}", hint=f"write it as {expected}")
