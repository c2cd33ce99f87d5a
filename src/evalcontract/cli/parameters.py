"""The parameters of a command, from the annotations of the function that it calls.

`Annotated[str | None, Option("--type", help="…")]` is an option that may be left out, `list[str]` one that may be
repeated, `bool` a flag, and `Argument` a word without a name. A parameter without a default has to be there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import click

Callback = Callable[[Any], Any]
"""Takes what was given, and gives what the function gets."""


class _Word(click.Argument):
    """An argument whose help is shown by every version of click."""

    def __init__(self, names: list[str], help_text: str, **settings: Any) -> None:
        super().__init__(names, **settings)
        self.help = help_text

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        return self.make_metavar(ctx), self.help or ""


@dataclass(frozen=True, slots=True)
class Argument:
    """A word of a command that stands for itself."""

    help: str
    callback: Callback | None = None
    metavar: str | None = None

    def made(self, name: str, *, many: bool, **common: Any) -> click.Parameter:
        """The parameter of click. Its help is told in the help of the command."""
        return _Word([name], self.help, nargs=-1 if many else 1, **common)


class Option:
    """A word of a command that has a name; without names it is called as the parameter is."""

    __slots__ = ("callback", "eager", "help", "limits", "metavar", "names")

    def __init__(
        self,
        *names: str,
        help: str,
        metavar: str | None = None,
        min: int | None = None,
        max: int | None = None,
        callback: Callback | None = None,
        is_eager: bool = False,
    ) -> None:
        self.names = names
        self.help = help
        self.metavar = metavar
        self.limits = (min, max)
        self.callback = callback
        self.eager = is_eager

    def made(self, name: str, *, many: bool, **common: Any) -> click.Parameter:
        """The parameter of click."""
        names = self.names or (f"--{name.replace('_', '-')}",)
        least, most = self.limits
        if self.limits != (None, None):
            common["type"] = click.IntRange(least, most)
        if common["type"] is bool:
            common["is_flag"] = True
        return click.Option(
            [name, *names], multiple=many, help=self.help, show_default=True, is_eager=self.eager, **common
        )


def parameters_of(function: Callable[..., Any]) -> list[click.Parameter]:
    """The parameters of a command that calls `function`."""
    hints = get_type_hints(function, include_extras=True)
    signature = inspect.signature(function)
    return [_parameter(parameter, hints[name]) for name, parameter in signature.parameters.items()]


def _parameter(parameter: inspect.Parameter, hint: Any) -> click.Parameter:
    declared = next(part for part in hint.__metadata__ if isinstance(part, Option | Argument))
    kind, many = _kind(hint.__origin__)
    given = parameter.default is not inspect.Parameter.empty
    common: dict[str, Any] = {
        "type": kind,
        "callback": _called(declared.callback, many),
        "required": not given,
    }
    if given and parameter.default is not None:
        common["default"] = parameter.default
    if declared.metavar:
        common["metavar"] = declared.metavar
    return declared.made(parameter.name, many=many, **common)


def _kind(hint: Any) -> tuple[Any, bool]:
    """What one value is, and whether there may be many."""
    others = [part for part in get_args(hint) if part is not NoneType]
    if get_origin(hint) is list:
        return _type(others[0]), True
    if len(others) == 1:
        return _kind(others[0])
    return _type(hint), False


def _type(kind: type) -> Any:
    return click.Path(path_type=Path) if kind is Path else kind


def _called(callback: Callback | None, many: bool) -> Callable[..., Any] | None:
    def value(context: click.Context, parameter: click.Parameter, given: Any) -> Any:
        if many:
            given = list(given) if given else None
        return callback(given) if callback is not None else given

    return value if many or callback is not None else None
