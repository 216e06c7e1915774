"""`settings`: every setting of a preset, with its meaning."""

import json
from typing import Annotated, Any

import typer

from attn_core.attention.settings import ATTENTION_TYPES
from attn_core.cli.options import assignments
from attn_core.cli.streams import print_report, write
from attn_core.models.by_name import AXES
from attn_core.models.presets import configure
from attn_core.settings import About, allowed_values, written
from attn_core.synthetic.models import every_preset


def settings(
    preset: Annotated[str, typer.Argument(metavar="PRESET", help="A preset, as for `train`.")] = "luong-general-global",
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Change a setting first, such as score=additive."),
    ] = None,
    presets: Annotated[bool, typer.Option("--presets", help="List the names of the presets instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the settings of a preset, for `train --set`: value, allowed values, meaning and source."""
    if presets:
        names = list(every_preset())
        write(json.dumps(names) + "\n" if as_json else "".join(f"{name}\n" for name in names))
        return
    model, recipe = configure(preset, assignments(changes), every_preset())
    values = model.flat() | recipe.flat()
    about = model.described() | recipe.described()
    if as_json:
        rows = {name: {"value": value} | _in_json(name, value, about.get(name)) for name, value in values.items()}
        write(json.dumps(rows, ensure_ascii=False) + "\n")
        return
    print_report("".join(_described(name, value, about.get(name)) for name, value in values.items()))


def _described(name: str, value: Any, about: About | None) -> str:
    """A line with the value of a setting, and one below with its meaning. A part begins a new paragraph."""
    line = f"{name}={written(value)}"
    if about is None:
        return f"{line}\n"
    is_part, allowed = _is_part(name), _allowed(name, value, about)
    source = f" ({about.source})" if about.source else ""
    text = f"{line:<40}  {allowed}".rstrip() + f"\n    {about.meaning}{source}\n"
    return f"\n{text}" if is_part else text


def _in_json(name: str, value: Any, about: About | None) -> dict[str, str]:
    """Allowed values, meaning and source of a setting; empty ones are omitted."""
    if about is None:
        return {}
    known = {"allowed": _allowed(name, value, about), "meaning": about.meaning, "source": about.source}
    return {key: text for key, text in known.items() if text}


def _allowed(name: str, value: Any, about: About) -> str:
    """The allowed values in words: the registered names for a part; empty if any text is allowed."""
    if registered := {**AXES, "attention.type": ATTENTION_TYPES}.get(name):
        return ", ".join([*registered, *(["none"] if name == "attention.score" else [])])
    if name == "attention" or (isinstance(value, str) and not about.allowed):
        return ""
    return "true, false" if isinstance(value, bool) else allowed_values(about)


def _is_part(name: str) -> bool:
    return name in (*AXES, "attention")
