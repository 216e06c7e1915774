"""`evaluate`: BLEU, perplexity and speed on a test set."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from attn_core.attention.settings import WINDOWS
from attn_core.cli.checked import refuse_idle_options
from attn_core.cli.failing import naming_bad_pair
from attn_core.cli.options import (
    Alpha,
    AttentionType,
    Beam,
    Device,
    HalfWidth,
    Model,
    Normalise,
    Precision,
    Sigma,
    Source,
    Threads,
    Tokenized,
    Window,
    at_least,
    use_threads,
)
from attn_core.cli.progress import bar
from attn_core.cli.streams import print_report, write
from attn_core.cli.warnings import note_form, warn_of_language
from attn_core.data.corpus import read_parallel
from attn_core.data.joined import join_lines
from attn_core.data.language import language
from attn_core.devices import autocast, device_of
from attn_core.evaluation.evaluate import Evaluation, difference_of
from attn_core.evaluation.evaluate import evaluate as measure
from attn_core.messages import print_warning
from attn_core.models.about import text_form
from attn_core.models.checkpoint import load
from attn_core.models.recipe import MOST_JOINED
from attn_core.models.translator import Translator

FEWEST = 50  # sentence pairs; if there are fewer, a warning is printed
MARK_APART = re.compile(r"\s[.,](\s|$)")  # a full stop or comma after a space, as in tokenised text
Reference = Annotated[Path, typer.Option("--reference", metavar="FILE", help="Their reference translations.")]


def evaluate(
    ctx: typer.Context,
    model: Model,
    source: Source,
    reference: Reference,
    tokenized: Tokenized = False,
    cased: Annotated[
        bool, typer.Option("--cased", help="Compare capitals too, also those of a model of lower-cased text.")
    ] = False,
    beam: Beam = 1,
    normalise: Normalise = "length",
    alpha: Alpha = 1.0,
    join: Annotated[
        int,
        typer.Option(
            "--join",
            callback=at_least(1, MOST_JOINED),
            metavar="N",
            help="Join 2 to N successive pairs into one, the number drawn at random (1: off).",
        ),
    ] = 1,
    window: Window = None,
    half_width: HalfWidth = None,
    sigma: Sigma = None,
    attention_type: AttentionType = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="MODEL",
            help="Also evaluate this model, as it was trained, and test whether the difference in BLEU is significant.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    precision: Precision = None,
    device: Device = "auto",
    threads: Threads = None,
) -> None:
    """Evaluate a model on a test set: BLEU with signature and 95% interval, perplexity, sentences per second.

    With --tokenized the model's tokens are compared with those of the reference (sacrebleu --tokenize none), which are
    brought to the form of the model's text, such as lower case. Otherwise its running text is compared with the raw
    reference (sacrebleu's 13a), ignoring case if the model outputs lowercase and --cased is not given; an <unk> in it
    counts as one token ("unk:one" in the signature), as in tokenised text, so that models of words and of word pieces
    can be compared. The defaults are greedy search and fp32.

    --against MODEL translates with the same search, but without --window, --half-width, --sigma and --attention-type.
    p is the share of trials in which the difference in BLEU is at least as large, in either direction, after the two
    models' outputs were swapped at random, sentence by sentence.
    """
    use_threads(threads)
    sources, references = join_lines(*read_parallel(source, reference), join)
    if not tokenized and 2 * sum(bool(MARK_APART.search(line)) for line in references) > len(references):
        print_warning(f"{reference} looks like tokenised text; if it and {source} are, add --tokenized")
    place = device_of(device)
    view = load(model).to(place).with_window(window, half_width, sigma, attention_type)
    refuse_idle_options(view, ctx)
    other = None if against is None else load(against).to(place)
    if other and (view.source.lang, view.target.lang) != (other.source.lang, other.target.lang):
        raise ValueError(
            f"{model} translates {_direction(view)}, but {against} {_direction(other)}: they have no test set in common"
        )
    form = view.target.form.joint(other.target.form) if other else view.target.form
    form = replace(form, lower=form.lower and not cased)
    for one in filter(None, (view, other)):
        warn_of_language(one, source, sources, tokenized)
    if tokenized:
        note_form(view.source, source, sources)
        note_form(view.target, reference, references, "; BLEU compares them in this form", form)

    def scores_of(translator: Translator) -> Evaluation:
        named = naming_bad_pair(translator, (source, reference), (sources, references), tokenized, join)
        with named, bar("translating", len(sources)) as on_progress, autocast(place, precision or "fp32"):
            return measure(
                translator,
                sources,
                references,
                beam=beam,
                normalise=normalise,
                alpha=alpha,
                tokenized=tokenized,
                form=form,
                on_progress=on_progress,
            )

    scores = scores_of(view)
    if len(references) < FEWEST:
        few = f"BLEU is unreliable on fewer than {FEWEST} sentence pairs (here: {len(references)})"
        print_warning(few)
    record, text = scores.to_json(), report(scores)
    if other:
        baseline = scores_of(other)
        found = difference_of(view.target, scores, baseline, references)
        record |= {"against": baseline.to_json(), "difference": found.score, "p_value": found.p}
        text += f"\n{report(baseline)}\n{'difference':<11} {found}\n"
    if as_json:
        write(json.dumps(record, ensure_ascii=False) + "\n")
    else:
        print_report(text)


def _direction(model: Translator) -> str:
    return f"{language(model.source)} into {language(model.target)}"


def report(scores: Evaluation) -> str:
    """The scores as text, one per line."""
    search = "greedy" if scores.beam == 1 else f"beam {scores.beam}, length normalisation {scores.normalise}"
    rows = {
        "model": ", ".join((scores.model, search, *_replaced(scores.settings))),
        "BLEU": f"{scores.bleu.score:.2f}  (95% {scores.bleu.low:.2f} to {scores.bleu.high:.2f}, "
        f"brevity penalty {scores.bleu.brevity_penalty:.3f})",
        "text": text_form(vars(scores) | {"signature": scores.bleu.signature}),
        "signature": scores.bleu.signature,
        "perplexity": f"{scores.perplexity:.3f} per reference word, </s> included",
        "sentences": f"{scores.sentences}, {scores.sentences_per_second:.1f} per second on {scores.threads} thread(s)",
        "unknown": f"{_share(scores.unknown_source_words, scores.source_words)} source words, "
        f"{_share(scores.unknown_reference_words, scores.reference_words)} reference words, "
        f"{_share(scores.unknown_output_words, scores.output_words)} output words",
    }
    if scores.skipped:
        rows["skipped"] = f"{scores.skipped} pair(s) with an empty side, not counted in the perplexity"
    return "".join(f"{name:<11} {value}\n" for name, value in rows.items())


def _replaced(settings: dict[str, Any]) -> Iterator[str]:
    """The settings of the attention that are not the trained ones."""
    trained = settings["trained_window"] | {"attention_type": settings["trained_attention_type"]}
    live = (name for window in WINDOWS for name in WINDOWS.settings(window).live())
    for name in dict.fromkeys(("window", *live, "attention_type")):
        if settings.get(name) not in (trained.get(name), None):
            yield f"{name.replace('_', ' ')} {settings[name]}"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}"
