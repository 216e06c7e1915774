"""`settings`: every setting of a preset, with its meaning."""

import json
from typing import Annotated, Any

import typer

from attn_core.cli.streams import write
from attn_core.models.presets import configure
from attn_core.settings import About, allowed_values, written


def settings(
    preset: Annotated[str, typer.Argument(metavar="PRESET", help="A preset, as for `train`.")] = "luong-general-global",
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Change a setting first, such as score=additive."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the settings of a preset, which `train --set` changes: value, allowed values, meaning and source."""
    given = {}
    for change in changes or []:
        name, equals, value = change.partition("=")
        if not equals:
            raise typer.BadParameter(f"--set {change}: expected NAME=VALUE")
        given[name] = value
    model, recipe = configure(preset, given)
    values = model.flat() | recipe.to_json()
    about = model.described() | recipe.about()
    if as_json:
        rows = {
            name: {"value": value} | ({"meaning": about[name].meaning} if name in about else {})
            for name, value in values.items()
        }
        write(json.dumps(rows, ensure_ascii=False) + "\n")
        return
    write("".join(_described(name, value, about.get(name)) for name, value in values.items()))


def _described(name: str, value: Any, about: About | None) -> str:
    """A line with the value of a setting, and one below with what it means; the part's name alone has no metadata."""
    line = f"{name}={written(value)}"
    if about is None:
        return f"\n{line}\n"
    allowed = "true, false" if isinstance(value, bool) else allowed_values(about)
    if isinstance(value, str) and not about.allowed:
        allowed = ""  # the meaning names them: more can be registered at run time
    source = f" ({about.source})" if about.source else ""
    return f"{line:<40}  {allowed}\n    {about.meaning}{source}\n"
