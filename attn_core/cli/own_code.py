"""`--load`, an option of every command: it imports a reader's scripts. Does not import torch."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from attn_core.models import scripts


def with_load(function: Callable[..., None]) -> Callable[..., None]:
    """A command's function with the option --load, whose scripts are imported before other options are checked."""

    @wraps(function)
    def command(*arguments: Any, load: list[str] | None = None, **options: Any) -> None:
        function(*arguments, **options)

    own = inspect.signature(function)
    load = inspect.Parameter("load", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Load)
    command.__signature__ = own.replace(parameters=[*own.parameters.values(), load])  # type: ignore[attr-defined]
    return command


def after_command(words: list[str]) -> list[str]:
    """The words of a command line with each --load that precedes the command moved behind it."""
    moved: list[str] = []
    while words and words[0].partition("=")[0] == scripts.OPTION:
        end = 1 if "=" in words[0] else 2
        moved, words = [*moved, *words[:end]], words[end:]
    return [*words[:1], *moved, *words[1:]]


def _load_scripts(files: list[str] | None) -> list[str] | None:
    for file in files or ():
        try:
            scripts.load_script(file)
        except scripts.ScriptError as error:
            raise typer.BadParameter(str(error)) from error
    return files


Load = Annotated[
    list[str] | None,
    typer.Option(
        scripts.OPTION,
        is_eager=True,
        callback=_load_scripts,
        metavar="FILE",
        help="First import this Python script, which registers scores, windows or other parts of your own; may be "
        "repeated.",
    ),
]
