"""The commands of the command line as a table: every option with what it means for files."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

from evalcontract.cli import alias, app
from evalcontract.cli.roles import Reads, Role, Says, Writes, roles_of


@dataclass(frozen=True)
class Command:
    """A command: its words, its parameters as click made them, and the function that it calls."""

    words: tuple[str, ...]
    made: Any

    @property
    def function(self) -> Callable[..., Any]:
        return inspect.unwrap(self.made.callback)

    @property
    def roles(self) -> dict[str, Role]:
        return roles_of(self.made.callback)

    def reading(self) -> list[str]:
        return [name for name, role in self.roles.items() if isinstance(role, Reads)]

    def writing(self) -> list[str]:
        return [name for name, role in self.roles.items() if isinstance(role, Writes)]

    def takes_text(self) -> list[str]:
        """The parameters whose value could be the name of a file."""
        hints = {name: hint for name, hint in get_type_hints(self.function).items() if name != "return"}
        return [name for name, hint in hints.items() if {str, Path} & set(_types(hint))]

    def line(self, values: dict[str, str]) -> list[str]:
        """Arguments that give these parameters their values, and any value to others that have to be there."""
        arguments: list[str] = []
        options: list[str] = []
        for each in self.made.params:
            value = values.get(each.name, f"any-{each.name}" if each.required else None)
            if value is None:
                continue
            if each.param_type_name == "argument":
                arguments.append(value)
            else:
                options += [max(each.opts, key=len), value]
        return [*self.words, *options, "--", *arguments]


def _types(hint: Any) -> Iterator[Any]:
    """A type, or those that it is made of."""
    inner = get_args(hint)
    yield hint
    for each in inner:
        yield from _types(each)


def commands() -> Iterator[Command]:
    """Every command of `evalcontract`."""
    yield from _below((), app.app)


def alias_commands() -> Iterator[Command]:
    """Every command of `eval-dataset`."""
    yield from _below((), alias.app)


def _below(words: tuple[str, ...], made: Any) -> Iterator[Command]:
    below = getattr(made, "commands", None)
    if below is None:
        yield Command(words, made)
        return
    for name, each in below.items():
        yield from _below((*words, name), each)


__all__ = ["Command", "Says", "alias_commands", "commands"]
