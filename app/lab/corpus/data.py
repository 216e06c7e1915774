"""The data of the Corpus page: its texts, and the evidence for its cards."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import torch

from app.lab.kit import shipped
from app.lab.kit.evidence import Bars, Caption, Finding, table
from attn_core import force
from attn_core.attention.measures import coverage, entropy
from attn_core.data.alignments import AlignmentScores, alignment_error_rate
from attn_core.data.captions import captions, gold
from attn_core.data.examples import PAIRS, Example, examples
from attn_core.data.function_words import LANGUAGES, function_words
from attn_core.decoding.alignment import links_of
from attn_core.messages import N_, _
from attn_core.models.translator import Translator
from attn_core.trace import Trace


def texts() -> dict[str, Any]:
    """The data of corpus.js: by languages our sentences with their gold alignments, and lists of function words."""
    return {
        "pairs": {
            f"{source}-{target}": [_pair(example) for example in examples(source, target)] for source, target in PAIRS
        },
        "function_words": {language: list(function_words(language)) for language in LANGUAGES},
    }


def _pair(example: Example) -> dict[str, Any]:
    sides = example.source_tokens, example.target_tokens
    sure, possible = ([list(link) for link in sorted(links)] for links in example.links(*sides))
    words = [len(side) for side in sides]
    return {"text": example.source, "reference": example.target, "words": words, "sure": sure, "possible": possible}


_MODEL = "bahdanau"
_GLOBAL, _LOCAL = "luong-general-global", "luong-general-local-m"  # they differ in the window alone
_BY_SHARPNESS = (
    "luong-general-global-sparsemax",
    "bahdanau-general",
    _LOCAL,
    "luong-general-local-p",
    _GLOBAL,
    "bahdanau",
    "luong-dot-global",
    "luong-scaled_dot-global",
)
_MODELS = (
    "luong-general-local-m",
    "luong-general-local-p",
    "luong-concat-global",
    "bahdanau",
    "luong-dot-global",
)
_BINS = 10


def by_sentence() -> Finding:
    """Show the distribution of the alignment error rate over our sentences."""
    rates = sorted(scores([trace], [index]).aer for index, trace in enumerate(forced(_MODEL)))
    whole = scores(forced(_MODEL), range(len(rates))).aer
    without = sum(aer == 0 for aer in rates)
    counts = [0] * _BINS
    for aer in rates:
        counts[min(int(aer * _BINS + 1e-9), _BINS - 1)] += 1
    labels = [f"{bin / _BINS:.1f}" for bin in range(_BINS)]
    source = _("Forced decoding of our translations; our own alignments are the gold standard.")
    return Finding(
        Bars(labels, {N_("sentences"): counts}, _("sentences"), along=_("AER, in steps of 0.1")),
        _(
            "The AER of the whole text is {whole:.2f}. That of single sentences goes from {least:.2f} to {most:.2f}; "
            "{without} of {n} sentences have no error."
        ).format(whole=whole, least=rates[0], most=rates[-1], without=without, n=len(rates)),
        (
            table({N_("AER from"): label, N_("sentences"): count} for label, count in zip(labels, counts, strict=True)),
            Caption(source),
        ),
    )


def entropy_and_error() -> Finding:
    """Show mean entropy and alignment error rate of several models."""
    rows = []
    for name in _BY_SHARPNESS:
        weights = [trace.weights() for trace in forced(name)]
        spread = torch.cat([entropy(row / row.sum(-1, keepdim=True)) for row in weights]).mean().item()
        rows.append((name, spread, scores(forced(name), range(len(weights))).aer))
    rows.sort(key=lambda row: row[1])
    names, entropies, errors = zip(*rows, strict=True)
    by_name = {name: {"entropy": spread, "aer": aer} for name, spread, aer in rows}
    return Finding(
        Bars(names, {N_("mean entropy, nats"): entropies, N_("AER"): errors}, _("nats; AER"), ".2f"),
        _(
            "{local}, with a window, has sharper weights than {free}, the same model without one ({sharp[entropy]:.2f} "
            "and {flat[entropy]:.2f} nats), but aligns worse (AER {sharp[aer]:.2f} and {flat[aer]:.2f}). The sharpest "
            "of all is {first}; its AER is {least:.2f}."
        ).format(
            local=_LOCAL, free=_GLOBAL, sharp=by_name[_LOCAL], flat=by_name[_GLOBAL], first=names[0], least=errors[0]
        ),
        (table({N_("model"): name, N_("mean entropy, nats"): spread, N_("AER"): aer} for name, spread, aer in rows),),
    )


def mean_coverage() -> Finding:
    """Show the mean coverage of several models beside the ratio of the lengths."""
    rows = []
    for name in _MODELS:
        traces = forced(name)
        received = torch.cat([coverage(trace.weights()) for trace in traces])
        ratio = sum(len(trace.target) for trace in traces) / len(received)
        rows.append((name, received.mean().item(), ratio, received.std().item()))
    varied = [spread for _name, mean, ratio, spread in rows if math.isclose(mean, ratio, rel_tol=1e-4)]
    names, means, ratios, _spreads = zip(*rows, strict=True)
    source = _(
        "Forced decoding of our {n} sentences. The steps include that of the end symbol. The Gaussian of local-p "
        "removes a part of the weight."
    ).format(n=len(captions()))
    return Finding(
        Bars(names, {N_("mean coverage"): means, N_("steps / source words"): ratios}, _("coverage"), ".2f"),
        _(
            "In every model whose weights sum to 1, the mean coverage is {ratio:.2f}, the number of steps divided by "
            "the number of source words; only the standard deviation differs, from {least:.2f} to {most:.2f}."
        ).format(ratio=ratios[0], least=min(varied), most=max(varied)),
        (
            table(
                {
                    N_("model"): name,
                    N_("mean coverage"): mean,
                    N_("steps / source words"): ratio,
                    N_("standard deviation"): spread,
                }
                for name, mean, ratio, spread in rows
            ),
            Caption(source),
        ),
    )


def forced(name: str) -> tuple[Trace, ...]:
    """The traces of a shipped model under forced decoding of our translations."""
    return _forced(shipped.model(name))


@lru_cache(maxsize=8)
def _forced(model: Translator) -> tuple[Trace, ...]:
    """`forced`, cached by model object: a model that was trained again is another object."""
    torch.set_num_threads(1)  # the setting is each thread's own
    pairs = captions()
    return tuple(force(model, [pair.de for pair in pairs], [pair.en for pair in pairs], top=1))


def scores(traces: Sequence[Trace], indices: Sequence[int]) -> AlignmentScores:
    """The alignment scores of the traces of our sentences with these indices."""
    model = shipped.model(traces[0].model)
    golds = [gold(captions()[index]) for index in indices]
    return alignment_error_rate(golds, [links_of(model, trace, 0) for trace in traces])
