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
from attn_core.decoding.translate import n_best, text_of
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
    min_length: Annotated[
        int, typer.Option("--min-length", callback=at_least(0), metavar="N", help="Fewest words of a translation.")
    ] = 0,
    normalise: Normalise = "length",
    alpha: Alpha = 1.0,
    prefer_finished: Annotated[
        bool,
        typer.Option(
            "--prefer-finished",
            help="In a beam, take a hypothesis that was cut off at the limit only if no other one finished.",
        ),
    ] = False,
    best: Annotated[
        int | None,
        typer.Option(
            "--n-best",
            callback=at_least(1),
            metavar="N",
            help="Write the N best hypotheses of the beam for each line, as LINE ||| TRANSLATION ||| SCORE.",
        ),
    ] = None,
    precision: Precision = None,
    device: Device = "auto",
    threads: Threads = None,
) -> None:
    """Translate standard input to standard output, one sentence a line.

    An empty line stays an empty line. --tokenized reads and writes tokenised text. Where a line seems to be in another
    language than the model reads, a warning goes to standard error. In fp32 unless --precision is given. The traces'
    form is that of attn_core/trace; line i is that of line i of the input, and the file appears when all is done.
    With --n-best the lines of the input are numbered from 0, and SCORE is the log probability by which the beam ranks
    its hypotheses.
    """
    if best is not None and (traces or replace_unk):
        raise typer.BadParameter("--n-best writes lists: leave out --traces and --replace-unk")
    if best is not None and best > beam:
        raise typer.BadParameter(f"--n-best {best} needs a beam of {best} or more: add --beam {max(best, 5)}")
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
        "min_length": min_length,
        "normalise": normalise,
        "alpha": alpha,
        "prefer_finished": prefer_finished,
    }
    if sys.stdin and sys.stdin.isatty():
        typer.echo("One sentence a line; Ctrl-D ends.", err=True)
    with writing(traces) if traces else nullcontext() as record, autocast(place, precision or "fp32"):
        for lines in chunks():
            if best is not None:
                for line in lines:
                    write("".join(_listed(view, line, number, best, options)))
                    number += 1
                continue
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


def _listed(view: Translator, line: str, number: int, n: int, options: dict[str, Any]) -> list[str]:
    """The lines of an n-best list; one without a translation for an empty line."""
    tokenized = options["tokenized"]
    if not view.source.tokens(line, tokenized):
        return [f"{number} |||  ||| 0\n"]
    own = {name: value for name, value in options.items() if name not in ("replace_unk", "unk_shift")}
    written = []
    for trace in n_best(view, line, n, **own):
        score = normalised(trace.log_prob, len(trace.words), options["normalise"], options["alpha"])
        written.append(f"{number} ||| {text_of(view, trace, tokenized)} ||| {score:.6f}\n")
    return written


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
