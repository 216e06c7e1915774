"""`faithfulness`: whether the methods of attribution name the words that a model needs."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from attn_core.attribution import METHODS, Case
from attn_core.attribution.faithfulness import MEASURES, Gold, Scores, methods_for, score, summary
from attn_core.cli.align import count, line_named, read_gold, word_numbers
from attn_core.cli.attribute import read_texts
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
    use_threads,
)
from attn_core.cli.progress import bar
from attn_core.cli.streams import write
from attn_core.cli.warnings import note_form, warn_of_language
from attn_core.data.alignments import parse_alignment
from attn_core.data.corpus import CorpusError
from attn_core.decoding.memory import within_memory
from attn_core.messages import print_warning
from attn_core.models.checkpoint import load


def faithfulness(
    ctx: typer.Context,
    model: Model,
    source: Source,
    target: Annotated[
        Path | None,
        typer.Option("--target", metavar="FILE", help="Their translations, one per line (default: the model's own)."),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", metavar="FILE", help="Gold alignments with --target, one line per pair (i-j, ipj)."),
    ] = None,
    tokenized: Tokenized = False,
    method: Annotated[
        list[str] | None,
        typer.Option("--method", metavar="NAME", help=f"One of {', '.join(METHODS)}; may be repeated (default: all)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    window: Window = None,
    half_width: HalfWidth = None,
    sigma: Sigma = None,
    attention_type: AttentionType = None,
    threads: Threads = None,
) -> None:
    """Measure how faithful the methods of attribution are to a model, beside a random order and the nearest word.

    For each method: comprehensiveness, how much probability a written word loses without the source words that the
    method names first (high is faithful); sufficiency, how much it loses with these words alone (low is faithful), both
    of DeYoung 2020; their soft variants of Zhao and Aletras 2023; and with --gold the alignment error rate of its
    largest values. All with 95% intervals by bootstrap over sentences. --json adds the differences from the attention
    weights and Kendall's tau between methods. Methods that the model cannot have are named on standard error.
    """
    use_threads(threads)
    sources, targets = read_texts(source, target)
    lines = read_gold(gold, source, len(sources)) if gold else []
    view = load(model).with_window(window, half_width, sigma, attention_type)
    refuse_idle_options(view, ctx)
    methods, refused = methods_for(view, method or ())
    for name, why in refused.items():
        print_warning(f"left out {name}: {why}")
    warn_of_language(view, source, sources, tokenized)
    if tokenized:
        note_form(view.source, source, sources)
        if target is not None:
            note_form(view.target, target, filter(None, targets))
    golds: list[Gold | None] = [None] * len(sources)
    if gold is not None:
        for number, (line, x, y) in enumerate(zip(lines, sources, targets, strict=True)):
            with line_named(gold, number + 1):
                numbers = word_numbers(view, x, y or "", tokenized)  # --gold needs --target
                links = parse_alignment(line)
                links.check(*map(count, numbers))
                golds[number] = Gold(links, *numbers)
    pairs = list(zip(sources, targets, golds, strict=True))
    scores: list[Scores] = []
    with bar("measuring", len(pairs)) as on_progress:
        for number, (text, written, aligned) in enumerate(pairs):
            on_progress(number)
            if len(view.source.tokens(text, tokenized)) < 2:
                continue
            if written is not None and not view.target.tokens(written, tokenized):
                continue
            try:
                with within_memory():
                    scores.append(score(Case.read(view, text, written, tokenized=tokenized), methods, number, aligned))
            except ValueError as error:
                raise CorpusError(f"{source}, line {number + 1}: {error}") from error
    if not scores:
        raise CorpusError(f"{source} has no sentence of two words or more, so no order of words can be measured")
    if left_out := len(pairs) - len(scores):
        print_warning(f"left out {left_out} sentence(s) with fewer than two source words or an empty translation")
    found = {"model": view.name, "settings": view.settings} | summary(scores)
    write(json.dumps(found, ensure_ascii=False) + "\n" if as_json else "".join(_table(found)))


def _table(found: Mapping[str, Any]) -> Iterator[str]:
    """The measures as text: a line for each method, with intervals."""
    names = [*MEASURES, *(["aer"] if "aer" in next(iter(found["measures"].values())) else [])]
    yield f"{found['model']}: sentences {found['sentences']}, words {found['words']}\n"
    yield "".join((" " * 22, *(name.replace("_", " ").ljust(28) for name in names))).rstrip() + "\n"
    for method, each in found["measures"].items():
        cells = [f"{each[name]['mean']:7.3f}  ({each[name]['low']:.3f} to {each[name]['high']:.3f})" for name in names]
        yield "".join((method.ljust(22), *(cell.ljust(28) for cell in cells))).rstrip() + "\n"
