"""`settings`: every setting, with its meaning; those of a preset with their values."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from attn_core.attention.settings import ATTENTION_TYPES, AttentionSettings
from attn_core.cli.options import assignments
from attn_core.cli.streams import print_report, write
from attn_core.models.by_name import AXES
from attn_core.models.config import ModelConfig
from attn_core.models.presets import configure
from attn_core.models.recipe import TrainConfig
from attn_core.settings import About, Settings, allowed_values, written
from attn_core.synthetic.models import every_preset

INTRODUCTION = """# Settings

What `--set NAME=VALUE` changes in a model of a translator and its training; `ModelConfig.of` and a plan's `settings`
take the same names. A setting is named by its path (`attention.score.rank`), or by the last word of the path where that
is unique among the parts in use (`rank`). A part is chosen by its axis (`score=additive`, `order=gnmt`) or its path.
`python -m attn_core settings PRESET` lists the values of a preset. Written by `python -m attn_core settings --page`.
"""


def settings(
    preset: Annotated[str, typer.Argument(metavar="PRESET", help="A preset, as for `train`.")] = "luong-general-global",
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Change a setting first, such as score=additive."),
    ] = None,
    presets: Annotated[bool, typer.Option("--presets", help="List the names of the presets instead.")] = False,
    page: Annotated[
        bool, typer.Option("--page", help="Describe the settings of all parts instead, as a page of Markdown.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the settings of a preset, for `train --set`: value, allowed values, meaning and source."""
    if presets:
        names = list(every_preset())
        write(json.dumps(names) + "\n" if as_json else "".join(f"{name}\n" for name in names))
        return
    if page:
        write("\n".join([INTRODUCTION, *_page()]))
        return
    model, recipe = configure(preset, assignments(changes), every_preset())
    values = model.flat() | recipe.flat()
    about = model.described() | recipe.described()
    if as_json:
        rows = {name: {"value": value} | _in_json(name, value, about[name]) for name, value in values.items()}
        write(json.dumps(rows, ensure_ascii=False) + "\n")
        return
    print_report("".join(_described(name, value, about[name]) for name, value in values.items()))


def _described(name: str, value: Any, about: About) -> str:
    """A line with the value of a setting, and one below with its meaning. A part begins a new paragraph."""
    line = f"{name}={written(value)}"
    text = f"{line:<40}  {_allowed(name, value, about)}".rstrip() + f"\n    {_meaning(about)}\n"
    return f"\n{text}" if name in AXES else text


def _in_json(name: str, value: Any, about: About) -> dict[str, str]:
    """Allowed values, meaning and source of a setting; empty ones are omitted."""
    known = {"allowed": _allowed(name, value, about), "meaning": about.meaning, "source": about.source}
    return {key: text for key, text in known.items() if text}


def _allowed(name: str, value: Any, about: About) -> str:
    """The allowed values in words: the registered names for a part; empty if any text is allowed."""
    if registered := {**AXES, "attention.type": ATTENTION_TYPES}.get(name):
        return ", ".join([*registered, *(["none"] if name == "attention.score" else [])])
    if isinstance(value, str) and not about.allowed:
        return ""
    return "true, false" if isinstance(value, bool) else allowed_values(about)


def _meaning(about: About) -> str:
    return about.meaning + (f" ({about.source})" if about.source else "")


def _page() -> Iterator[str]:
    """The lines of a table for each part that has settings, and for the recipe."""
    described = ModelConfig().described()
    yield from _table("The whole model", "", ModelConfig)
    yield from _table("Attention", "attention.", AttentionSettings)
    for path, registry in AXES.items():
        meaning = _meaning(described[path])
        yield from (
            f"## {path}",
            "",
            f"{meaning[0].upper()}{meaning[1:]}. One of {_allowed(path, None, described[path])}.",
            "",
        )
        for name in registry:
            yield from _table(f"`{registry.axis}={name}`", f"{path}.", registry.settings_class(name), "###")
    yield from _table("Training", "", TrainConfig)


def _table(title: str, prefix: str, part: type[Settings], level: str = "##") -> Iterator[str]:
    """A table of the settings of a part, if it has any."""
    if not part.about():
        return
    yield from (f"{level} {title}", "", "| setting | default | allowed | meaning |", "|---|---|---|---|")
    for name, about in part.about().items():
        default = part.defaults()[name]
        cells = f"`{prefix}{name}`", written(default), _allowed(f"{prefix}{name}", default, about), _meaning(about)
        yield f"| {' | '.join(cell.replace('|', '&#124;').replace('<', '&lt;') for cell in cells)} |"
    yield ""
