"""Commands that guard what they read, and groups of commands that are imported when they are called."""

from __future__ import annotations

import inspect
from collections import UserDict
from collections.abc import Callable, Mapping, MutableMapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, TypeVar

import click
from click.exceptions import Exit

from evalcontract.cli import all_is_loaded
from evalcontract.cli.parameters import parameters_of
from evalcontract.cli.roles import bounds, guard, roles_of
from evalcontract.errors import INTERRUPTED
from evalcontract.reading import limited, limits_told

Function = TypeVar("Function", bound=Callable[..., Any])
_NAME = "evalcontract"
_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


class GuardedCommand(click.Command):
    """A command that refuses, before it begins, to overwrite what it reads.

    Whatever it does, it says at the end what is known to be wrong with the contracts that judged data.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the command; what they leave open may be settled. Raises UsageError."""
        words = ctx.command_path.split()
        if words[0] == _NAME and not {"-h", "--help"}.intersection(args):
            from evalcontract.cli.defaults import settled
            from evalcontract.settings import find_settings

            assert self.callback is not None
            settings, root = find_settings(), ctx.find_root().command
            if settings.values and isinstance(root, click.Group):
                roles = roles_of(self.callback)
                ctx.default_map = settled(self, words[1:], root.commands, roles, settings)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Guard the files, then run the command within its limits. Raises UsageError."""
        assert self.callback is not None
        roles = roles_of(self.callback)
        guard(roles, ctx.params)
        from evalcontract.catalog import errata_noted  # late: --help judges nothing

        all_is_loaded()
        with limited(limits_told(bounds(roles, ctx.params))), errata_noted() as errata:
            try:
                return super().invoke(ctx)
            except KeyboardInterrupt:  # click would print an empty line
                raise Exit(INTERRUPTED) from None
            finally:
                if errata:
                    from evalcontract.cli.output import say_notes

                    say_notes(errata)


def command_of(function: Callable[..., Any], name: str) -> GuardedCommand:
    """The command that calls a function, with what its annotations say."""
    return GuardedCommand(
        name,
        params=parameters_of(function),
        callback=function,
        help=inspect.getdoc(function),
        context_settings=_SETTINGS,
    )


class _Commands(UserDict[str, click.Command]):
    """Commands by name; those that have a home are imported when they are looked up."""

    def __init__(self, homes: Mapping[str, str]) -> None:
        self._homes = homes
        super().__init__()
        self.data: dict[str, Any] = dict.fromkeys(homes)

    def __getitem__(self, name: str) -> click.Command:
        if self.data[name] is None:
            module, _, attribute = self._homes[name].partition(":")
            found = getattr(import_module(f"evalcontract.cli.{module}"), attribute)
            self.data[name] = found if isinstance(found, click.Command) else command_of(found, name)
        made: click.Command = self.data[name]
        return made


class App(click.Group):
    """A group of commands. `homes` names for each that is to be imported late its module and what it has there."""

    def __init__(self, name: str, *, help: str, homes: Mapping[str, str] | None = None) -> None:
        super().__init__(name, help=help, no_args_is_help=True, context_settings=_SETTINGS)
        self.commands: MutableMapping[str, click.Command] = _Commands(homes or {})

    def register(self, name: str | None = None) -> Callable[[Function], Function]:
        """Make a function one of the commands."""

        def registered(function: Function) -> Function:
            word = name or function.__name__
            self.commands[word] = command_of(function, word)
            return function

        return registered

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order in which they were declared."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the words begin with. Raises click's UsageError, which names what is close."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if args[0] not in self.commands:
                error.possibilities = get_close_matches(args[0], self.commands)  # type: ignore[attr-defined]
            raise
