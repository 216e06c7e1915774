"""`attribute`: which source words mattered for each word of a translation."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from attn_core.attribution import METHODS, Attribution, Case, attribution, build_method
from attn_core.attribution.quantities import read_quantity
from attn_core.attribution.record import COLUMNS
from attn_core.cli.checked import refuse_idle_options
from attn_core.cli.options import (
    AttentionType,
    HalfWidth,
    Model,
    Sigma,
    Source,
    Threads,
    Tokenized,
    Window,
    assignments,
    use_threads,
)
from attn_core.cli.streams import write
from attn_core.cli.warnings import note_form, warn_of_language
from attn_core.data.corpus import CorpusError, read_lines, read_parallel
from attn_core.decoding.memory import within_memory
from attn_core.models.checkpoint import load


def attribute(
    ctx: typer.Context,
    model: Model,
    source: Source,
    target: Annotated[
        Path | None,
        typer.Option("--target", metavar="FILE", help="Their translations, one per line (default: the model's own)."),
    ] = None,
    tokenized: Tokenized = False,
    method: Annotated[
        str, typer.Option("--method", metavar="NAME", help=f"One of {', '.join(METHODS)}, or one added by --load.")
    ] = "weights",
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the method, such as layer=1 or points=64."),
    ] = None,
    quantity: Annotated[
        str,
        typer.Option(
            "--quantity",
            metavar="NAME",
            help="What is attributed: log_prob, or a quantity of a step: state[3] its component, state its norm.",
        ),
    ] = "log_prob",
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="TOKEN", help="Subtract the log probability of this target token."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each sentence.")] = False,
    window: Window = None,
    half_width: HalfWidth = None,
    sigma: Sigma = None,
    attention_type: AttentionType = None,
    threads: Threads = None,
) -> None:
    """Attribute each word of a translation to the source words: by attention weights, gradients or removal.

    Prints a table with one row for each pair of a target and a source token, separated by tabs: sentence, step and
    position (from 0), both tokens, and the value; for methods that attribute a quantity, such as log p, also this
    quantity of the step, and for integrated gradients the error of the row's sum. Values of a signed method are
    positive where the source token raises the quantity; those of the other methods compare source tokens of one step.
    A pair with an empty side has no rows, with --json null.
    """
    use_threads(threads)
    sources, targets = read_texts(source, target)
    view = load(model).with_window(window, half_width, sigma, attention_type)
    refuse_idle_options(view, ctx)
    given = METHODS.settings_class(METHODS.check(method)).read(assignments(set_))
    chosen = build_method(method, view, **given)
    wanted = read_quantity(view, quantity, against)
    warn_of_language(view, source, sources, tokenized)
    if tokenized:
        note_form(view.source, source, sources)
        if target is not None:
            note_form(view.target, target, filter(None, targets))
    if not as_json:
        write("\t".join(("sentence", *COLUMNS)) + "\n")
    for number, (x, y) in enumerate(zip(sources, targets, strict=True)):
        if not (view.source.tokens(x, tokenized) and (y is None or view.target.tokens(y, tokenized))):
            write("null\n" if as_json else "")
            continue
        try:
            with within_memory():
                found = attribution(chosen, Case.read(view, x, y, wanted, tokenized))
        except ValueError as error:
            raise CorpusError(f"{source}, line {number + 1}: {error}") from error
        write(json.dumps(found.to_json(), ensure_ascii=False) + "\n" if as_json else "".join(_lines(number, found)))


def read_texts(source: Path, target: Path | None) -> tuple[list[str], Sequence[str | None]]:
    """The sentences, and the translation of each; None stands for the model's own."""
    if target is not None:
        return read_parallel(source, target)
    sources = read_lines(source)
    return sources, [None] * len(sources)


def _lines(number: int, found: Attribution) -> Iterator[str]:
    """The rows of a sentence, separated by tabs; numbers that a method does not have are empty."""
    for row in found.rows():
        cells = ["" if cell is None else f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in row]
        yield "\t".join((str(number), *cells)) + "\n"
