"""Apps whose commands guard what they read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand

from evalcontract.cli.roles import bounds, guard, roles_of
from evalcontract.reading import limited, limits_told


class GuardedCommand(TyperCommand):
    """A command that refuses, before it begins, to overwrite what it reads."""

    def invoke(self, ctx: Any) -> Any:
        """Guard the files, then run the command within its limits. Raises UsageError."""
        if self.callback is not None:
            roles = roles_of(self.callback)
            guard(roles, ctx.params)
            with limited(limits_told(bounds(roles, ctx.params))):
                return super().invoke(ctx)
        return super().invoke(ctx)


class App(typer.Typer):
    """An app of guarded commands."""

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """Register a command, as typer does."""
        return super().command(name, **{"cls": GuardedCommand} | settings)
