"""The evidence for the Window lab's cards, computed when a card is answered."""

import math
from dataclasses import dataclass
from typing import Any, cast

import torch

from app.lab.kit import shipped
from app.lab.kit.evidence import Bars, Caption, Finding, Text, decimals, table
from app.shell.markdown import escaped
from attn_core import force, text_of
from attn_core.attention.settings import WINDOWS
from attn_core.attention.windows import LocalP
from attn_core.data.captions import captions
from attn_core.evaluation.tracking import tracking
from attn_core.messages import N_, _

LOCAL_P, LOCAL_M = "luong-general-local-p", "luong-general-local-m"
SENTENCE = "Ein Mann steht auf einer Leiter, um das Dach von einem alten Haus zu reparieren."
OTHER = "Im Schnee läuft ein schwarzer Hund hinter zwei lachenden Kindern her."


@dataclass(frozen=True)
class Centers:
    """p_t at each step, computed from h_t alone and as recorded, and the position of the highest score."""

    alone: list[float]
    recorded: list[float]
    best: list[int]


def centers() -> Centers:
    """The centres for SENTENCE in the shipped local-p model."""
    trace = shipped.trace(LOCAL_P, SENTENCE)
    looks = [word.step.looks[0] for word in trace.words]
    window = shipped.model(LOCAL_P).decoder.attention.window
    with torch.inference_mode():
        states = torch.stack([look.query for look in looks])[None]
        alone = window.center(states, torch.tensor([len(trace.source)]), 0)[0].tolist()
    return Centers(alone, [look.focus.center.item() for look in looks], [look.scores.argmax().item() for look in looks])


def center_without_scores() -> Finding:
    """Show p_t computed from h_t alone, the recorded p_t, and the position of the highest score."""
    trace, result = shipped.trace(LOCAL_P, SENTENCE), centers()
    apart = max(abs(alone - recorded) for alone, recorded in zip(result.alone, result.recorded, strict=True))
    whole = sum(p == int(p) for p in result.recorded)
    near = sum(abs(p - s) < 1 for p, s in zip(result.recorded, result.best, strict=True))
    text = _(
        "Computed from $h_t$ alone, without a score, $p_t$ equals the recorded one up to {apart}. It is a whole "
        "number at {whole} of {n} steps."
    ).format(apart=decimals(apart), whole=whole, n=len(result.best))
    rows = table(
        {
            N_("word"): word.token,
            N_("pₜ from hₜ alone"): p,
            N_("position of the highest score"): f"{s} ({trace.source[s]})",
        }
        for word, p, s in zip(trace.words, result.alone, result.best, strict=True)
    )
    return Finding(
        Bars(
            trace.target,
            {N_("pₜ from hₜ alone"): result.alone, N_("position of the highest score"): result.best},
            _("source position"),
        ),
        _("$p_t$ is less than one word away from the highest score at {near} of {n} steps.").format(
            near=near, n=len(result.best)
        ),
        (Text(text), rows),
    )


_FOLLOWED = N_("shift of pₜ from the line, as a share of the word's")


def tracked() -> list[dict[str, Any]]:
    """Mean distance of p_t, of a straight line and of the largest weight from the aligned words, by word order."""
    pairs = captions()
    sides = [" ".join(pair.de_tokens) for pair in pairs], [" ".join(pair.en_tokens) for pair in pairs]
    torch.set_num_threads(1)  # the setting is each thread's own
    with torch.inference_mode():
        traces = force(shipped.model(LOCAL_P), *sides, tokenized=True)
    rows = []
    for order, name in (("monotone", N_("the same")), ("reordered", N_("different"))):
        chosen = [i for i, pair in enumerate(pairs) if order in pair.tags]
        links = [pairs[i].sure for i in chosen]
        found = tracking([traces[i] for i in chosen], links)
        rows.append(
            {
                N_("word order"): _(name),
                N_("target words"): str(sum(len({j for _i, j in sure}) for sure in links)),
                "pₜ": found["p_t"],
                N_("straight line, t · S / T"): found["straight line"],
                N_("the largest weight"): found["largest weight"],
                _FOLLOWED: f"{found['followed']:.0%}",
            }
        )
    return rows


def center_against_alignments() -> Finding:
    """Show how far p_t is from the aligned words, and two positions to compare it with."""
    rows = tracked()
    names = ["pₜ", N_("straight line, t · S / T"), N_("the largest weight")]
    source = _(
        "Mean distance, in words, to the nearest source word that was aligned with the target word by hand. "
        "{model}, forced decoding of our {n} example sentences; $S$ is the number of source words, $T$ that of "
        "target words."
    ).format(model=LOCAL_P, n=len(captions()))
    return Finding(
        Bars(
            [_("same word order"), _("different word order")],
            {name: [row[name] for row in rows] for name in names},
            _("distance to the aligned word"),
            ".1f",
        ),
        _(
            "Where the word order differs, $p_t$ is {center:.1f} words from the aligned word on average, a straight "
            "line {line:.1f}. Where the word lies off that line, $p_t$ moves {followed} of the way to it."
        ).format(center=rows[-1][names[0]], line=rows[-1][names[1]], followed=rows[-1][_FOLLOWED]),
        (table(rows), Caption(source)),
    )


def sums() -> Finding:
    """Show the sum of the attention weights at each step, and for uniform alignment weights."""
    trace = shipped.trace(LOCAL_P, SENTENCE)
    kept = trace.weights().sum(-1).tolist()
    rows = []
    for width in (1, 2, 4, 10):
        positions = torch.arange(2 * width + 1)
        window = cast(LocalP, WINDOWS.build("local-p", 1, half_width=width))
        center = torch.tensor([[float(width)]])
        focus = window.around(
            center, positions, torch.ones(1, 1, len(positions), dtype=torch.bool), torch.tensor([len(positions)])
        )
        sigma, left = window.settings.gaussian_width, focus.gaussian.mean().item()
        rows.append({"D": str(width), "σ = D / 2": f"{sigma:g}", N_("sum of the weights"): left})
    uniform = _("With uniform alignment weights in a full window and $p_t$ exactly at a word, the sum would be:")
    return Finding(
        Bars(trace.target, {N_("sum of the weights"): kept}, _("sum of the weights"), ".2f"),
        _("The sums are between {least:.2f} and {most:.2f}; the Gaussian removes the rest.").format(
            least=min(kept), most=max(kept)
        ),
        (
            Caption(_("“{sentence}”, translated by {model}.").format(sentence=SENTENCE, model=LOCAL_P)),
            Text(uniform),
            table(rows),
        ),
    )


def ends() -> list[float]:
    """The Gaussian at both ends of every window of SENTENCE that lies inside the sentence."""
    trace = shipped.trace(LOCAL_P, SENTENCE)
    width, gaussians = trace.settings["half_width"], []
    for word in trace.words:
        focus = word.step.looks[0].focus
        in_view = focus.gaussian[focus.inside].tolist()
        gaussians += [in_view[0], in_view[-1]] if len(in_view) == 2 * width + 1 else []
    return gaussians


def linked_widths() -> Finding:
    """Show the same sentence decoded with several sigmas, D as trained, and the Gaussian at the window's edge."""
    model = shipped.model(LOCAL_P)
    width = model.config["half_width"]
    rows, shares = [], (0.125, 0.25, 0.5, 1, 4)
    edges = {share: math.exp(-1 / (2 * share**2)) for share in shares}
    for share in shares:
        sigma = width * share
        trace = shipped.trace(LOCAL_P, SENTENCE, half_width=width, sigma=sigma)
        kept = trace.weights().sum(-1).mean().item()
        rows.append(
            {
                "σ": f"{sigma:g}" + (" = D / 2" if share == 0.5 else ""),
                N_("Gaussian at distance D"): edges[share],
                N_("mean sum of the weights"): kept,
                N_("translation"): text_of(model, trace),
            }
        )
    text = _("{model} was trained with D = {width} and σ = D / 2. The same sentence, decoded with other values of σ:")
    ends_inside = ends()
    source = _(
        "As trained, the Gaussian at the ends of the windows that lie inside the sentence is {least:.3f} to {most:.3f}."
    )
    return Finding(
        Bars(
            [row["σ"] for row in rows],
            {N_("Gaussian at distance D"): list(edges.values())},
            _("Gaussian at distance D"),
            ".0%",
            "σ",
        ),
        _(
            "With the paper's σ = D / 2, a word at distance D keeps {half:.1%} of its alignment weight; with σ = D / 4 "
            "it keeps {less:.2%}."
        ).format(half=edges[0.5], less=edges[0.25]),
        (
            Text(text.format(model=LOCAL_P, width=width)),
            table(rows),
            Caption(source.format(least=min(ends_inside), most=max(ends_inside))),
        ),
    )


@dataclass(frozen=True)
class Edge:
    """A step whose window extends beyond the sentence, with its scores padded with zeros instead of masked."""

    t: int
    token: str
    center: float
    beyond: int  # positions of the window beyond the sentence
    on_words: float  # alignment weight
    on_padding: float
    kept: float  # sum of the attention weights on words


def edges() -> list[Edge]:
    """Every step of SENTENCE in the shipped local-p model."""
    trace = shipped.trace(LOCAL_P, SENTENCE)
    length, width = len(trace.source), trace.settings["half_width"]
    steps = []
    for word in trace.words:
        look = word.step.looks[0]
        middle = int(look.focus.center.floor())
        beyond = max(0, width - middle) + max(0, middle + width - (length - 1))
        in_view = look.scores[look.focus.inside]
        padded = torch.cat([in_view, in_view.new_zeros(beyond)]).softmax(-1)
        words, padding = padded.split([len(in_view), beyond])
        kept = (words * look.focus.gaussian[look.focus.inside]).sum().item()
        sums = (words.sum().item(), padding.sum().item(), kept)
        steps.append(Edge(word.t, word.token, look.focus.center.item(), beyond, *sums))
    return steps


def boundary() -> Finding:
    """Show the alignment weight that padding beyond the sentence takes if nothing masks it."""
    steps = edges()
    worst = max(steps, key=lambda edge: edge.on_padding)
    shown = {
        N_("removed before the softmax"): [0.0] * len(steps),
        N_("padded with zeros, no mask"): [edge.on_padding for edge in steps],
    }
    rows = table(
        {
            N_("word"): edge.token,
            "pₜ": edge.center,
            N_("positions beyond the sentence"): str(edge.beyond),
            N_("on words"): edge.on_words,
            N_("on padding"): edge.on_padding,
            N_("sum of the attention weights"): edge.kept,
        }
        for edge in steps
    )
    return Finding(
        Bars([edge.token for edge in steps], shown, _("alignment weight on padding")),
        _(
            "Without a mask, padding takes up to {share:.0%} of the alignment weight (at “{token}”); with a mask, none."
        ).format(share=worst.on_padding, token=escaped(worst.token)),
        (
            rows,
            Caption(_("{model}, its window padded with zeros and nothing masked.").format(model=LOCAL_P)),
        ),
    )


STEPS = 8


def clocks() -> dict[str, list[list[float]]]:
    """p_t at the first steps of SENTENCE and of OTHER, by model."""
    return {
        name: [
            [word.step.looks[0].focus.center.item() for word in shipped.trace(name, text).words[:STEPS]]
            for text in (SENTENCE, OTHER)
        ]
        for name in (LOCAL_M, LOCAL_P)
    }


def parameters(name: str) -> int:
    """How many parameters the window of a shipped model has."""
    return sum(part.numel() for part in shipped.model(name).decoder.attention.window.parameters())


def nothing_learned() -> Finding:
    """Show p_t of the two windows."""
    centers_by_model = clocks()
    (monotonic, _same), (first, second) = centers_by_model.values()
    rows = table(
        {
            "model": name,
            N_("parameters of the window"): f"{parameters(name):,}",
            N_("pₜ in the first sentence"): ", ".join(f"{p:.1f}" for p in in_first),
            N_("pₜ in the second"): ", ".join(f"{p:.1f}" for p in in_second),
        }
        for name, (in_first, in_second) in centers_by_model.items()
    )
    source = _("First sentence: {sentence} Second sentence: {other} $t$ counts from 0.")
    return Finding(
        Bars(
            list(map(str, range(STEPS))),
            {
                N_("local-m, both sentences"): monotonic,
                N_("local-p, first sentence"): first,
                N_("local-p, second sentence"): second,
            },
            "pₜ",
            along="t",
        ),
        _(
            "The window of local-m has {few} parameters and $p_t = t$ in both sentences; that of local-p has {many:,}."
        ).format(few=parameters(LOCAL_M), many=parameters(LOCAL_P)),
        (rows, Caption(source.format(sentence=SENTENCE, other=OTHER))),
    )
