"""`translate`: translate sentences from standard input, optionally with traces."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from attn_core import registry
from attn_core.cli.checked import refuse_idle_options
from attn_core.cli.failing import first_failing
from attn_core.cli.options import (
    Alpha,
    AttentionType,
    Beam,
    Device,
    Force,
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
from attn_core.cli.progress import bar
from attn_core.cli.streams import bytes_left, chunks, write, writing_traces
from attn_core.cli.warnings import FormNote
from attn_core.data.language import doubt_of
from attn_core.decoding.beam import WIDEST
from attn_core.decoding.memory import within_memory
from attn_core.decoding.search import normalised
from attn_core.decoding.translate import n_best, text_of
from attn_core.decoding.translate import translate as traced
from attn_core.devices import autocast, device_of
from attn_core.messages import print_message, print_warning
from attn_core.models.checkpoint import load
from attn_core.models.translator import Translator
from attn_core.settings import POSITIONS
from attn_core.trace import Trace, dump


def translate(
    ctx: typer.Context,
    model: Model,
    beam: Beam = 1,
    window: Window = None,
    half_width: HalfWidth = None,
    sigma: Sigma = None,
    attention_type: AttentionType = None,
    tokenized: Tokenized = False,
    replace_unk: Annotated[
        bool, typer.Option("--replace-unk", help="Replace each <unk> by the source word with the largest weight.")
    ] = False,
    shift: Shift = 0,
    traces: Annotated[
        Path | None,
        typer.Option("--traces", metavar="FILE", help="Also write a JSON trace for each line; null for an empty line."),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--table",
            metavar="FILE",
            help="Write a Parquet table of traces instead of text, a row for each line. Run the same command again to "
            "continue after an interruption.",
        ),
    ] = None,
    max_length: Annotated[
        int | None,
        typer.Option(
            "--max-length",
            callback=at_least(1, POSITIONS),
            metavar="N",
            help="Maximum number of tokens of a translation: words, or word pieces if the model's vocabulary has "
            "pieces (default: 3 times the number of source tokens, plus 10).",
        ),
    ] = None,
    min_length: Annotated[
        int,
        typer.Option(
            "--min-length",
            callback=at_least(0, POSITIONS),
            metavar="N",
            help="Minimum number of tokens of a translation, counted as for --max-length; it must not exceed it.",
        ),
    ] = 0,
    normalise: Normalise = "length",
    alpha: Alpha = 1.0,
    prefer_finished: Annotated[
        bool,
        typer.Option(
            "--prefer-finished",
            help="In a beam, choose a hypothesis cut off at the default maximum only if no other one finished.",
        ),
    ] = False,
    best: Annotated[
        int | None,
        typer.Option(
            "--n-best",
            callback=at_least(1, WIDEST),
            metavar="N",
            help="Write the N best hypotheses of the beam for each line, as LINE ||| TRANSLATION ||| SCORE.",
        ),
    ] = None,
    precision: Precision = None,
    device: Device = "auto",
    threads: Threads = None,
    force: Force = False,
) -> None:
    """Translate standard input to standard output, one sentence per line.

    An empty line stays empty. With --tokenized, input and output are tokenised text. If a line seems to be in another
    language than the model's source language, a warning is printed to standard error. The default precision is fp32.
    If a line cannot be translated, those before it are written, and the error names it. The format of traces is
    documented in attn_core/trace; line i holds the trace of input line i. The file is written when all lines are
    translated. If a line fails, the traces before it are written, but an earlier file is kept as it was. The columns of
    a table are documented in attn_core/trace/table.py. Until it is complete, its parts are in the folder FILE.parts,
    where the same command finds them after an interruption; parts of another run are refused. With --n-best
    the input lines are numbered from 0, and SCORE is the normalised log probability by which the beam ranks its
    hypotheses.
    """
    if best is not None and best > beam:
        raise typer.BadParameter(f"--n-best {best} needs a beam of {best} or more: add --beam {max(best, 5)}")
    use_threads(threads)
    number = doubtful = 0
    normalised(0.0, 1, normalise, alpha)
    place = device_of(device)
    view = load(model).to(place).with_window(window, half_width, sigma, attention_type)
    refuse_idle_options(view, ctx)
    note = FormNote(view.source, view.source.form)
    options: dict[str, Any] = {
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
        print_message("Enter one sentence per line; Ctrl-D ends the input.")
    traced(view, [], **options)  # options out of range are not errors of the first line
    if table:
        with autocast(place, precision or "fp32"):
            _write_table(table, view, options, precision or "fp32", force)
        return
    failure: ValueError | None = None
    earlier = traces is not None and traces.is_file()  # a failure does not replace its traces
    with writing_traces(traces, force) if traces else nullcontext() as record, autocast(place, precision or "fp32"):
        try:
            for lines in chunks():
                if tokenized:
                    note.count(lines)
                if best is not None:
                    for line in lines:
                        write("".join(_listed(view, line, number, best, options)))
                        number += 1
                    continue
                made, failure = _translated_before_failure(view, lines, number, options)
                for warning in (_doubt(view, trace) for trace in made):
                    number += 1
                    doubtful += bool(warning)
                    if warning and doubtful == 1:
                        print_warning(f"line {number}: {warning}")
                if record:
                    record.writelines(("null" if trace is None else dump(trace)) + "\n" for trace in made)
                write("".join(("" if trace is None else text_of(view, trace, tokenized)) + "\n" for trace in made))
                if failure:
                    break
        except ValueError as error:  # in the text
            failure = error
        if failure and earlier:
            raise failure
    note.print("the input")
    if doubtful > 1:
        print_warning(f"this applies to {doubtful} of {number} lines")
    if failure:
        raise failure
    if not number:
        print_warning("standard input is empty")


def _write_table(path: Path, view: Translator, options: dict[str, Any], precision: str, force: bool) -> None:
    """Write a table of the traces of standard input, with a progress bar and the warnings that text has."""
    tables = registry.load("attn_core.cli.table")  # with pyarrow, which text does not need
    note = FormNote(view.source, view.source.form)
    doubts: list[str] = []

    def translated(lines: Sequence[str], first: int) -> list[Trace | None]:
        made, failure = _translated_before_failure(view, lines, first, options)
        if failure:
            raise failure
        found = ((number, _doubt(view, trace)) for number, trace in enumerate(made, first + 1))
        doubts.extend(f"line {number}: {doubt}" for number, doubt in found if doubt)
        return made

    def lines_of_input(update: Callable[[int], None]) -> Iterator[str]:
        read = 0
        for lines in chunks():
            note.count(lines if options["tokenized"] else [])
            yield from lines
            read += sum(len(line.encode()) + 1 for line in lines)
            update(read)

    with bar("translating", bytes_left()) as update:
        lines = lines_of_input(update)
        run = tables.run_of(view, search=options, precision=precision)
        try:
            number = tables.write_table(path, lines, view, run, translated, options["tokenized"], force)
        except KeyboardInterrupt:
            print_message("interrupted; run the same command again to continue")
            raise
    note.print("the input")
    if doubts:
        print_warning(doubts[0])
    if doubts[1:]:
        print_warning(f"this applies to {len(doubts)} of {number} lines")
    if not number:
        print_warning("standard input is empty")


def _listed(view: Translator, line: str, number: int, n: int, options: dict[str, Any]) -> list[str]:
    """The lines of an n-best list; a single line without a translation for an empty input line."""
    tokenized = options["tokenized"]
    if not view.source.tokens(line, tokenized):
        return [f"{number} |||  ||| 0\n"]
    own = {name: value for name, value in options.items() if name not in ("replace_unk", "unk_shift")}
    written = []
    try:
        with within_memory():
            traces = n_best(view, line, n, **own)
    except ValueError as error:
        raise _in_line(number, error) from error
    for trace in traces:
        score = normalised(trace.log_prob, len(trace.words), options["normalise"], options["alpha"])
        written.append(f"{number} ||| {text_of(view, trace, tokenized)} ||| {score:.6f}\n")
    return written


def _doubt(view: Translator, trace: Trace | None) -> str:
    """A warning that the line may not be in the model's source language, or an empty string."""
    return "" if trace is None else doubt_of(trace.source, view.source, view.target)


def _translated_before_failure(
    view: Translator, lines: Sequence[str], number: int, options: dict[str, Any]
) -> tuple[list[Trace | None], ValueError | None]:
    """The traces of the lines before the first one that fails, and its error; `number` lines came before `lines`."""
    try:
        with within_memory():
            return _translated(view, lines, options), None
    except ValueError:
        found = first_failing(lambda start, end: _translated(view, lines[start:end], options), 0, len(lines))
        if found is None:
            raise
        place, error = found
        return _translated(view, lines[:place], options), _in_line(number + place, error)


def _in_line(place: int, error: ValueError) -> ValueError:
    """An error in the line of standard input at `place`, counted from 0."""
    return ValueError(f"standard input, line {place + 1}: {error}")


def _translated(view: Translator, lines: Sequence[str], options: dict[str, Any]) -> list[Trace | None]:
    """The trace of each line; None for a line without a word."""
    full = [i for i, line in enumerate(lines) if view.source.tokens(line, options["tokenized"])]
    made: list[Trace | None] = [None] * len(lines)
    for i, trace in zip(full, traced(view, [lines[i] for i in full], **options), strict=True):
        made[i] = trace
    return made
