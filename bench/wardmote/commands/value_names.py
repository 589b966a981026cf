# SPDX-License-Identifier: BSD-3-Clause
"""Commands whose help names the values of options for people: TEXT, NUMBER, PATH. A flag, which
takes no value, shows none."""

from typing import Any

from typer.core import TyperCommand, TyperGroup, TyperOption

NAMES = {
    "<bool>": "",
    "<int>": "NUMBER",
    "<float>": "NUMBER",
    "<path>": "PATH",
    "<list[Path]>": "PATH",
}
"""What typer calls a type, and what the help says. Every other value is a text."""


def with_value_names(parameters: list[Any], context: Any) -> list[Any]:
    """The parameters, each option with the name of its value."""
    for one in parameters:
        if isinstance(one, TyperOption) and one.metavar is None:
            one.metavar = NAMES.get(one.display_type(context), "TEXT")
    return parameters


class NamingCommand(TyperCommand):
    """A command."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its arguments and options."""
        return with_value_names(super().get_params(ctx), ctx)


class NamingGroup(TyperGroup):
    """The command of all commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its options."""
        return with_value_names(super().get_params(ctx), ctx)
