"""`models`: the shipped models with their scores."""

import io
import json
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from attn_core.cli.streams import print_error, visible, write
from attn_core.evaluation.mechanism import mechanism
from attn_core.files import CheckpointError
from attn_core.models.config import ModelConfig
from attn_core.models.folders import TRANSLATOR, find, kind_of, read_record, shipped


def models(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON array.")] = False) -> None:
    """List the shipped models with their test scores."""
    found, broken = [], []
    for name in shipped(None):
        try:
            found.append(_read(name))
        except CheckpointError as error:
            broken.append(str(error))
    if as_json:
        write(json.dumps(found, ensure_ascii=False) + "\n")
    elif not found and not broken:
        write("No shipped models found. To train one, see python -m attn_core train --help\n")
    else:
        _table(found)
        for model in found:
            if note := model["about"].get("note"):
                write(visible(f"{model['name']}: {note}") + "\n")
    for reason in broken:
        print_error(reason)
    if broken:
        raise typer.Exit(1)


def _read(name: str) -> dict[str, Any]:
    """A model's config.json and its size. Does not use checkpoint.py, which imports torch."""
    folder = find(name)
    kind = kind_of(folder)
    record = read_record(folder, kind)
    try:
        about = record["about"]
        test = about.get("test", {})
        return {
            "name": name,
            "kind": kind,
            "mechanism": mechanism(ModelConfig.from_json(record["model"]))
            if kind == TRANSLATOR
            else test.get("headline", kind),
            "bleu": test.get("bleu"),
            "perplexity": test.get("perplexity"),
            "bytes": sum(path.stat().st_size for path in folder.iterdir() if path.is_file()),
            "model": record["model"],
            "about": about,
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{folder / 'config.json'} is damaged or belongs to another project ({error})") from error


def _figures(model: dict[str, Any]) -> Iterator[str]:
    """BLEU with its bootstrap interval, perplexity, alignment error rate, size and training time, as printed."""

    def printed(value: float | None, places: int) -> str:
        return "-" if value is None else f"{value:.{places}f}"

    about = model["about"]
    interval = [about.get("test", {}).get(f"bleu_{end}") for end in ("low", "high")]
    seconds = about.get("train_seconds")
    yield printed(model["bleu"], 2)
    yield "-" if None in interval else f"{interval[0]:.1f} to {interval[1]:.1f}"
    yield printed(model["perplexity"], 2)
    yield printed(about.get("alignment", {}).get("aer"), 2)
    yield printed(model["bytes"] / 1e6, 1)
    yield printed(None if seconds is None else seconds / 60, 0)


def _table(found: list[dict[str, Any]]) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("name", "mechanism"):
        table.add_column(heading, no_wrap=heading == "name")
    for heading in ("test BLEU", "95% interval", "perplexity", "AER", "MB", "training min"):
        table.add_column(heading, justify="right")
    for model in found:
        table.add_row(*(Text(visible(model[key])) for key in ("name", "mechanism")), *_figures(model))
    if sys.stdout and sys.stdout.isatty():
        Console().print(table)
    else:  # as wide as its cells, not cut to 80 columns
        text = io.StringIO()
        Console(file=text, width=200).print(table)
        write(text.getvalue())
