"""`align`: word alignments from forced decoding."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from attn_core.cli.checked import refuse_idle_options
from attn_core.cli.failing import first_failing, force_pairs, pair_error
from attn_core.cli.options import (
    AttentionType,
    HalfWidth,
    Model,
    Shift,
    Sigma,
    Source,
    Threads,
    Tokenized,
    Window,
    use_threads,
)
from attn_core.cli.streams import CHUNK, write
from attn_core.cli.warnings import note_form, warn_of_language
from attn_core.data.alignments import KINDS, Link, alignment_error_rate, format_alignment, parse_alignment
from attn_core.data.corpus import CorpusError, read_lines, read_parallel
from attn_core.decoding.alignment import links_of
from attn_core.messages import print_message
from attn_core.models.checkpoint import load
from attn_core.models.translator import Translator
from attn_core.trace import Trace


def _base(base: int) -> int:
    if base not in (0, 1):
        raise typer.BadParameter(f"{base} is neither 0 nor 1")
    return base


def _gold_kind(kind: str) -> str:
    if kind not in KINDS:
        raise typer.BadParameter(f"{kind!r} is not one of {', '.join(KINDS)}")
    return kind


def align(
    ctx: typer.Context,
    model: Model,
    source: Source,
    target: Annotated[Path, typer.Option("--target", metavar="FILE", help="Their translations, one per line.")],
    tokenized: Tokenized = False,
    shift: Shift = 0,
    gold: Annotated[
        Path | None,
        typer.Option(
            "--gold",
            metavar="FILE",
            help="Gold alignments, one line per pair (i-j sure, ipj possible): print the alignment error rate.",
        ),
    ] = None,
    gold_base: Annotated[
        int,
        typer.Option("--gold-base", callback=_base, metavar="0|1", help="First position in --gold: 0 or 1."),
    ] = 0,
    gold_as: Annotated[
        str,
        typer.Option(
            "--gold-as",
            callback=_gold_kind,
            metavar="KIND",
            help="Use gold links as marked, or all of them as sure or as possible.",
        ),
    ] = "marked",
    reverse: Annotated[
        bool,
        typer.Option(
            "--reverse",
            help="Write links as target-source, for a model that translates in the opposite direction of --gold.",
        ),
    ] = False,
    layer: Annotated[int | None, typer.Option("--layer", min=0, help="Layer of --head, counted from 0.")] = None,
    head: Annotated[
        int | None,
        typer.Option("--head", min=0, help="Use one head of --layer, counted from 0 (default: the mean of all heads)."),
    ] = None,
    window: Window = None,
    half_width: HalfWidth = None,
    sigma: Sigma = None,
    attention_type: AttentionType = None,
    threads: Threads = None,
) -> None:
    """Align two texts word by word by the attention weights of forced decoding.

    Each output line holds the links `i-j` of a pair: source and target positions, counted from 0. With --tokenized
    these are positions of the words of the files, which are separated by spaces; otherwise of the words into which
    the text is tokenised (Chinese: of its characters). For a model with several heads, such as a Transformer, the mean
    of all heads is used, or the one that --layer and --head name. A pair with an empty side gets an empty line. With
    --gold, the alignment error rates (Och and Ney 2003) of both shifts are printed to standard error; a gold link
    beyond its sentence is an error.
    """
    use_threads(threads)
    sources, targets = read_parallel(source, target)
    lines = read_gold(gold, source, len(sources), gold_base) if gold else []  # before the model is loaded
    view = load(model).with_window(window, half_width, sigma, attention_type)
    refuse_idle_options(view, ctx)
    warn_of_language(view, source, sources, tokenized)
    if tokenized:
        note_form(view.source, source, sources)
        note_form(view.target, target, targets)
    golds = []
    for number, (line, x, y) in enumerate(zip(lines, sources, targets, strict=False), 1):
        with line_named(gold, number):
            golds.append(parse_alignment(line, gold_base).taken_as(gold_as))
            first, second = map(count, word_numbers(view, x, y, tokenized))
            golds[-1].check(*((second, first) if reverse else (first, second)), gold_base)
    links_by_shift: dict[int, list[set[Link]]] = {0: [], 1: []}
    for start in range(0, len(sources), CHUNK):
        xs, ys = sources[start : start + CHUNK], targets[start : start + CHUNK]
        failing = None
        try:
            traces, full = force_pairs(view, xs, ys, tokenized)
        except ValueError:
            failing = first_failing(partial(_force_some, view, xs, ys, tokenized), 0, len(xs))
            if failing is None:
                raise
            xs, ys = xs[: failing[0]], ys[: failing[0]]
            traces, full = force_pairs(view, xs, ys, tokenized)
        if traces and not traces[0].words[0].step.looks:
            raise ValueError(f"{view.name} has no attention; choose a model with attention to align")
        look = None if not traces or layer is None or head is None else _look_index(traces[0], layer, head)
        for by, all_links in links_by_shift.items():
            links: list[set[Link]] = [set() for _ in xs]
            for i, trace in zip(full, traces, strict=True):
                linked = links_of(view, trace, by, look, word_numbers(view, xs[i], ys[i], tokenized))
                links[i] = {(j, i) for i, j in linked} if reverse else linked
            all_links += links
        write("".join(format_alignment(links) + "\n" for links in links_by_shift[shift][start:]))
        if failing:
            raise pair_error((source, target), start + failing[0] + 1, failing[1]) from failing[1]
    for by, all_links in links_by_shift.items() if gold else ():
        scores = alignment_error_rate(golds, all_links)
        print_message(
            f"AER {scores.aer:.4f}  precision {scores.precision:.4f}  recall {scores.recall:.4f}  shift {by}  "
            f"({len(sources)} pairs, {scores.links} links, {scores.sure} sure, {scores.possible} possible)"
        )


def _force_some(
    model: Translator, sources: list[str], targets: list[str], tokenized: bool, start: int, end: int
) -> None:
    force_pairs(model, sources[start:end], targets[start:end], tokenized)


def read_gold(gold: Path, source: Path, n: int, base: int = 0) -> list[str]:
    """The lines of a gold file for the `n` pairs of `source`.

    Raises CorpusError for another number of lines and for a malformed link.
    """
    lines = list(read_lines(gold))
    if len(lines) != n:
        raise CorpusError(f"{gold} has {len(lines)} lines and {source} has {n}; expected equal numbers")
    for number, line in enumerate(lines, 1):
        with line_named(gold, number):
            parse_alignment(line, base)
    return lines


def count(numbers: Sequence[int]) -> int:
    """How many words there are, from the numbers of the words of all tokens."""
    return max(numbers, default=-1) + 1


@contextmanager
def line_named(path: Path | None, number: int) -> Iterator[None]:
    """Add the file and the line number to errors in a line of a gold file."""
    try:
        yield
    except ValueError as error:
        raise CorpusError(f"{path}, line {number}: {error}") from error


def word_numbers(model: Translator, source: str, target: str, tokenized: bool) -> tuple[list[int], list[int]]:
    """The index of the word of each token of a source and of its target."""
    return model.source.word_numbers(source, tokenized), model.target.word_numbers(target, tokenized)


def _look_index(trace: Trace, layer: int, head: int) -> int:
    """The index of the look of this layer and head. Raises ValueError when there is none."""
    known = [(look.layer, look.head) for look in trace.words[0].step.looks]
    if (layer, head) not in known:
        layers, heads = (max(numbers) for numbers in zip(*known, strict=True))
        raise ValueError(
            f"{trace.model} has no layer {layer}, head {head}; both count from 0, and its last is layer {layers}, "
            f"head {heads}"
        )
    return known.index((layer, head))
