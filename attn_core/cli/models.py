"""`models`: the shipped models with their scores."""

import io
import json
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from attn_core.cli.streams import print_status, write
from attn_core.data.language import LANGUAGES
from attn_core.evaluation.mechanism import mechanism
from attn_core.files import CheckpointError
from attn_core.messages import print_error, visible
from attn_core.models.about import conditions_of, languages, tests_of, text_form
from attn_core.models.folders import TRANSLATOR, find, kind_of, read_record, shipped

WIDTH = 120  # of the tables in a file or a pipe
# The columns of `_figures`, with their widths.
FIGURES = (("BLEU", 5), ("95% interval", 12), ("perplexity", 10), ("AER", 4), ("MB", 3), ("min", 3))


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
        _tables(found)
        write("AER: alignment error rate on our own sentences. min: minutes of training to the best epoch.\n")
        by_note: dict[str, list[str]] = {}
        for model in found:
            if note := model["about"].get("note"):
                by_note.setdefault(note, []).append(model["name"])
        for note, names in by_note.items():
            print_status(f"{', '.join(names)}: {note}")
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
        if kind == TRANSLATOR:
            list(_cells(about))  # raises KeyError for a score that is missing
        return {
            "name": name,
            "kind": kind,
            "mechanism": mechanism(record) if kind == TRANSLATOR else test.get("headline", kind),
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
    seconds = about.get("train_seconds")
    yield printed(model["bleu"], 2)
    yield _interval(about.get("test", {}))
    yield printed(model["perplexity"], 2)
    yield printed(about.get("alignment", {}).get("aer"), 2)
    yield printed(model["bytes"] / 1e6, 1)
    yield printed(None if seconds is None else seconds / 60, 0)


def _interval(test: dict[str, Any]) -> str:
    ends = [test.get(f"bleu_{end}") for end in ("low", "high")]
    return "-" if None in ends else f"{ends[0]:.1f} to {ends[1]:.1f}"


def _tables(found: list[dict[str, Any]]) -> None:
    """A table for each test set, since only the scores on the same text can be compared."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for model in found:
        groups.setdefault(_measured_on(model), []).append(model)
    tables = [_table(*group) for group in groups.items()]
    if any(tests_of(model["about"])[1:] for model in found if model["kind"] == TRANSLATOR):
        tables.append(_more_tests(found))
    if sys.stdout and sys.stdout.isatty():
        Console().print(*tables)
    else:
        text = io.StringIO()
        Console(file=text, width=WIDTH).print(*tables)
        write("".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines()))


def _measured_on(model: dict[str, Any]) -> str:
    """The languages of a model and what its scores were measured on, as the title of a table."""
    if model["kind"] != TRANSLATOR:
        return "Synthetic data"
    pair = " to ".join(LANGUAGES.get(code, code) for code in languages(model["about"]))
    test = model["about"].get("test")
    return f"{pair}, {conditions_of(test) if test else 'not measured'}"


def _more_tests(found: list[dict[str, Any]]) -> Table:
    """BLEU and perplexity on the other test sets of the models' cards."""
    table = _empty_table("Other test sets")
    table.add_column("model", no_wrap=True)  # for a command
    for heading in ("test set", "text"):
        table.add_column(heading)
    for heading in ("beam", "BLEU", "95% interval", "perplexity"):
        table.add_column(heading, justify="right", no_wrap=True)
    for model in found:
        for cells in _cells(model["about"]) if model["kind"] == TRANSLATOR else ():
            table.add_row(*(Text(visible(cell)) for cell in (model["name"], *cells)))
    return table


def _cells(about: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """The cells of a translator's scores on its other test sets."""
    for test in tests_of(about)[1:]:
        scores = (f"{test['bleu']:.2f}", _interval(test), f"{test['perplexity']:.2f}")
        yield test["set"], text_form(test), str(test["beam"]), *scores


def _empty_table(title: str) -> Table:
    return Table(
        title=Text(visible(title)),
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
        expand=True,
    )


def _table(title: str, group: list[dict[str, Any]]) -> Table:
    """The models of one test set, with the columns for which one of them has a figure."""
    rows = [list(_figures(model)) for model in group]
    shown = [column for column in range(len(FIGURES)) if any(row[column] != "-" for row in rows)]
    table = _empty_table(title)
    table.add_column("model", ratio=1)
    for column in shown:
        heading, width = FIGURES[column]
        table.add_column(heading, justify="right", no_wrap=True, min_width=width)
    for model, row in zip(group, rows, strict=True):
        name, what = Text(visible(model["name"]), "bold"), Text(visible(model["mechanism"]))
        table.add_row(Group(name, Padding(what, (0, 0, 0, 2))), *(row[column] for column in shown))
    return table
