"""`translate`: a filter from sentences to translations, or to traces."""

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from attn_core.cli.options import (
    Alpha,
    AttentionType,
    Beam,
    Device,
    HalfWidth,
    Model,
    Normalise,
    Precision,
    Shift,
    Sigma,
    Threads,
    Tokenized,
    Window,
    at_least,
    use_threads,
)
from attn_core.cli.streams import chunks, write, writing
from attn_core.data.language import doubt
from attn_core.data.language import read as reading_of
from attn_core.decoding.search import normalised
from attn_core.decoding.translate import text_of
from attn_core.decoding.translate import translate as traced
from attn_core.devices import autocast, device_of
from attn_core.models.checkpoint import load
from attn_core.models.translator import Translator
from attn_core.trace import Trace, dump


def translate(
    model: Model,
    beam: Beam = 1,
    window: Window = None,
    half_width: HalfWidth = None,
    sigma: Sigma = None,
    attention_type: AttentionType = None,
    tokenized: Tokenized = False,
    replace_unk: Annotated[
        bool, typer.Option("--replace-unk", help="Put the source word that was looked at most for each <unk>.")
    ] = False,
    shift: Shift = 0,
    traces: Annotated[
        Path | None,
        typer.Option(
            "--traces", metavar="FILE", help="Also write one JSON trace for each line; null for an empty line."
        ),
    ] = None,
    max_length: Annotated[
        int | None, typer.Option("--max-length", callback=at_least(1), metavar="N", help="Most words of a translation.")
    ] = None,
    normalise: Normalise = "length",
    alpha: Alpha = 1.0,
    precision: Precision = None,
    device: Device = "auto",
    threads: Threads = None,
) -> None:
    """Translate standard input to standard output, one sentence a line.

    An empty line stays an empty line. --tokenized reads and writes tokenised text. Where a line seems to be in another
    language than the model reads, a warning goes to standard error. In fp32 unless --precision is given. The traces'
    form is that of attn_core/trace; line i is that of line i of the input, and the file appears when all is done.
    """
    use_threads(threads)
    number = doubtful = 0
    normalised(0.0, 1, normalise, alpha)
    place = device_of(device)
    view = load(model).to(place).with_window(window, half_width, sigma).with_attention_type(attention_type)
    options = {
        "beam": beam,
        "tokenized": tokenized,
        "replace_unk": replace_unk,
        "unk_shift": shift,
        "max_length": max_length,
        "normalise": normalise,
        "alpha": alpha,
    }
    if sys.stdin and sys.stdin.isatty():
        typer.echo("One sentence a line; Ctrl-D ends.", err=True)
    with writing(traces) if traces else nullcontext() as record, autocast(place, precision or "fp32"):
        for lines in chunks():
            made = _translated(view, lines, options)
            for said in (_doubt(view, trace) for trace in made):
                number += 1
                doubtful += bool(said)
                if said and doubtful == 1:
                    typer.echo(f"warning: line {number}: {said}", err=True)
            if record:
                record.writelines(("null" if trace is None else dump(trace)) + "\n" for trace in made)
            write("".join(("" if trace is None else text_of(view, trace, tokenized)) + "\n" for trace in made))
    if not number:
        typer.echo("warning: there was no line on standard input", err=True)
    if doubtful > 1:
        typer.echo(f"warning: so it is with {doubtful} of {number} lines", err=True)


def _doubt(view: Translator, trace: Trace | None) -> str:
    """Why the translation of a line may be nonsense; empty when there is no sign of it."""
    if trace is None:
        return ""
    typed = view.source.text(trace.source).split()  # without the </s> that a model adds
    return doubt(reading_of(typed, view.source, view.target), view.source, view.target)


def _translated(view: Translator, lines: Sequence[str], options: dict[str, Any]) -> list[Trace | None]:
    """The trace of each line, None for one without a word."""
    full = [i for i, line in enumerate(lines) if view.source.tokens(line, options["tokenized"])]
    made: list[Trace | None] = [None] * len(lines)
    for i, trace in zip(full, traced(view, [lines[i] for i in full], **options), strict=True):
        made[i] = trace
    return made
