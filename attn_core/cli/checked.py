"""Commands that refuse options without effect. Does not import torch."""

from typing import Any

import typer
from typer.core import TyperCommand

from attn_core.decoding.effects import NO_QUANTITY, OWN_DATA, without_effect
from attn_core.registry import load


class CheckedCommand(TyperCommand):
    """A command that refuses options without effect; see effects.py."""

    context_class = typer.Context  # as functions of commands annotate it; typer passes one of Click's

    def invoke(self, ctx: Any) -> Any:
        refuse_idle_options(None, ctx)
        return super().invoke(ctx)


def refuse_idle_options(model: Any, ctx: Any) -> None:
    """Raise BadParameter for options without effect: on any model (None), or on this loaded one.

    `ctx` is a context of typer or of the Click inside it. Options of environment variables do not count as given.
    """
    names = {param.name: _flag(param) for param in ctx.command.params}
    values = {flag: ctx.params.get(str(name)) for name, flag in names.items()}
    if ctx.info_name == "train":
        values[OWN_DATA] = load("attn_core.synthetic.models:maker")(values["PRESET"]) is not None
    if ctx.info_name == "attribute":
        methods = load("attn_core.attribution:METHODS")
        values[NO_QUANTITY] = not methods[methods.check(values["--method"])].of_quantity
    given = {flag for name, flag in names.items() if _given_on_command_line(ctx, str(name))}
    if why := without_effect(str(ctx.info_name), values, given, model):
        raise typer.BadParameter(why, ctx=ctx)


def _flag(param: Any) -> str:
    """The flag of an option, the metavar of an argument."""
    return max(param.opts, key=len) if param.param_type_name == "option" else str(param.name).upper()


def _given_on_command_line(ctx: Any, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
