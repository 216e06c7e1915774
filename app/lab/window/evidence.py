"""The evidence for the Window lab's cards, computed when a card is answered."""

import math
from dataclasses import dataclass
from typing import Any, cast

import torch

from app.lab.kit import shipped
from app.lab.kit.evidence import Bars, Caption, Evidence, Text, table
from app.shell.markdown import escaped
from attn_core import force, text_of
from attn_core.attention.settings import WINDOWS
from attn_core.attention.windows import LocalP
from attn_core.data.alignments import distances
from attn_core.data.captions import captions
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


def center_without_scores() -> Evidence:
    """Show p_t computed from h_t alone, the recorded p_t, and the position of the highest score."""
    trace, found = shipped.trace(LOCAL_P, SENTENCE), centers()
    apart = max(abs(one - other) for one, other in zip(found.alone, found.recorded, strict=True))
    whole = sum(p == int(p) for p in found.recorded)
    near = sum(abs(p - s) < 1 for p, s in zip(found.recorded, found.best, strict=True))
    yield Text(
        _(
            "Computed from $h_t$ alone, without a score, $p_t$ equals the recorded one up to {apart:.0e}. It is a "
            "whole number at **{whole} of {n}** steps and less than one word from the highest score at **{near} of "
            "{n}**."
        ).format(apart=apart, whole=whole, n=len(found.best), near=near)
    )
    yield table(
        {
            N_("word"): word.token,
            N_("p_t from h_t alone"): p,
            N_("position of the highest score"): f"{s} ({trace.source[s]})",
        }
        for word, p, s in zip(trace.words, found.alone, found.best, strict=True)
    )


def tracked() -> list[dict[str, Any]]:
    """Mean distance of p_t, of a straight line and of the largest weight from the aligned words, by word order."""
    pairs = captions()
    sides = [" ".join(pair.de_tokens) for pair in pairs], [" ".join(pair.en_tokens) for pair in pairs]
    torch.set_num_threads(1)  # the setting is each thread's own
    with torch.inference_mode():
        traces = force(shipped.model(LOCAL_P), *sides, tokenized=True)
    rows = []
    for order, name in (("monotone", N_("the same")), ("reordered", N_("different"))):
        found: dict[str, list[float]] = {"center": [], "line": [], "weight": []}
        for pair, trace in zip(pairs, traces, strict=True):
            if order in pair.tags:
                looks, slope = [word.step.looks[0] for word in trace.words], len(trace.source) / len(trace.words)
                found["center"] += distances([look.focus.center.item() for look in looks], pair.sure)
                found["line"] += distances([slope * t for t in range(len(looks))], pair.sure)
                found["weight"] += distances([look.weights.argmax().item() for look in looks], pair.sure)
        center, line, weight = (sum(far) / len(far) for far in found.values())
        rows.append(
            {
                N_("word order"): _(name),
                N_("target words"): str(len(found["center"])),
                "p_t": center,
                N_("straight line, t · S / T"): line,
                N_("the largest weight"): weight,
            }
        )
    return rows


def center_against_alignments() -> Evidence:
    """Show how far p_t is from the aligned words, and two positions to compare it with."""
    yield table(tracked())
    yield Caption(
        _(
            "Mean distance, in words, to the nearest source word that was aligned with the target word by hand. "
            "{model}, forced decoding of our {n} example sentences; $S$ is the number of source words, $T$ that of steps."
        ).format(model=LOCAL_P, n=len(captions()))
    )


def sums() -> Evidence:
    """Show the sum of the attention weights at each step, and for uniform alignment weights."""
    trace = shipped.trace(LOCAL_P, SENTENCE)
    kept = trace.weights().sum(-1).tolist()
    yield Bars([word.token for word in trace.words], {N_("sum of the weights"): kept}, unit=_("sum"))
    yield Caption(
        _("{model}: the sums are between {least:.2f} and {most:.2f}; the Gaussian removes the rest.").format(
            model=LOCAL_P, least=min(kept), most=max(kept)
        )
    )
    rows = []
    for width in (1, 2, 4, 10):
        places = torch.arange(2 * width + 1)
        window = cast(LocalP, WINDOWS.build("local-p", 1, half_width=width))
        center = torch.tensor([[float(width)]])
        focus = window.around(
            center, places, torch.ones(1, 1, len(places), dtype=torch.bool), torch.tensor([len(places)])
        )
        sigma, left = window.settings.gaussian_width, focus.gaussian.mean().item()
        rows.append({"D": str(width), "σ = D / 2": f"{sigma:g}", N_("sum of the weights"): left})
    yield Text(_("With uniform alignment weights in a full window and $p_t$ exactly at a word, the sum would be:"))
    yield table(rows)


def ends() -> list[float]:
    """The Gaussian at both ends of every window of SENTENCE that lies inside the sentence."""
    trace = shipped.trace(LOCAL_P, SENTENCE)
    width, found = trace.settings["half_width"], []
    for word in trace.words:
        focus = word.step.looks[0].focus
        seen = focus.gaussian[focus.inside].tolist()
        found += [seen[0], seen[-1]] if len(seen) == 2 * width + 1 else []
    return found


def linked_widths() -> Evidence:
    """Show the same sentence decoded with several sigmas, D as trained, and the Gaussian at the window's edge."""
    model = shipped.model(LOCAL_P)
    width = model.config["half_width"]
    rows = []
    for share in (0.125, 0.25, 0.5, 1, 4):
        sigma = width * share
        trace = shipped.trace(LOCAL_P, SENTENCE, half_width=width, sigma=sigma)
        kept = trace.weights().sum(-1).mean().item()
        rows.append(
            {
                "σ": f"{sigma:g}" + (" = D / 2" if share == 0.5 else ""),
                N_("Gaussian at distance D"): math.exp(-(width**2) / (2 * sigma**2)),
                N_("mean sum of the weights"): kept,
                N_("translation"): text_of(model, trace),
            }
        )
    yield Text(
        _(
            "{model} was trained with D = {width} and σ = D / 2. The same sentence, decoded with other values of σ:"
        ).format(model=LOCAL_P, width=width)
    )
    yield table(rows)
    met = ends()
    yield Caption(
        _(
            "As trained, the Gaussian at the ends of the windows that lie inside the sentence is {least:.3f} to "
            "{most:.3f}."
        ).format(least=min(met), most=max(met))
    )


@dataclass(frozen=True)
class Edge:
    """The step whose window extends farthest beyond SENTENCE: masked before the softmax, and padded with zeros."""

    t: int
    token: str
    center: float
    places: int  # of the window, 2 D + 1
    beyond: int  # of them beyond the sentence
    rows: list[dict[str, Any]]


def edge() -> Edge:
    """The edge for SENTENCE in the shipped local-p model."""
    trace = shipped.trace(LOCAL_P, SENTENCE)
    length, width = len(trace.source), trace.settings["half_width"]

    def beyond(word: Any) -> int:
        middle = int(word.step.looks[0].focus.center.floor())
        return max(0, width - middle) + max(0, middle + width - (length - 1))

    word = max((word for word in trace.words if word.token != "</s>"), key=beyond)
    look, over = word.step.looks[0], beyond(word)
    seen = look.scores[look.focus.inside]
    padded = torch.cat([seen, seen.new_zeros(over)]).softmax(-1)
    real = padded[: len(seen)]
    rows = [
        {
            N_("beyond the sentence"): _("removed before the softmax (the paper's code, and here)"),
            N_("alignment weight on words"): look.alignment.sum().item(),
            N_("alignment weight on padding"): 0.0,
            N_("sum of the attention weights"): look.weights.sum().item(),
        },
        {
            N_("beyond the sentence"): _("padded with zeros, then softmax, no mask"),
            N_("alignment weight on words"): real.sum().item(),
            N_("alignment weight on padding"): padded[len(seen) :].sum().item(),
            N_("sum of the attention weights"): (real * look.focus.gaussian[look.focus.inside]).sum().item(),
        },
    ]
    return Edge(word.t, word.token, look.focus.center.item(), 2 * width + 1, over, rows)


def boundary() -> Evidence:
    """Show the attention at the edge of the sentence, with both treatments."""
    found = edge()
    yield Text(
        _(
            "Step {t} of {model}, “{token}”: $p_t$ = {center:.2f}, and **{beyond} of the {places}** positions of the "
            "window lie beyond the sentence."
        ).format(
            t=found.t,
            model=LOCAL_P,
            token=escaped(found.token),
            center=found.center,
            beyond=found.beyond,
            places=found.places,
        )
    )
    yield table(found.rows)


def clocks() -> list[dict[str, str]]:
    """How many parameters each window has, and p_t at the first eight steps of two sentences."""
    rows = []
    for name in (LOCAL_M, LOCAL_P):
        window = shipped.model(name).decoder.attention.window
        first, second = (
            ", ".join(f"{word.step.looks[0].focus.center.item():.1f}" for word in shipped.trace(name, text).words[:8])
            for text in (SENTENCE, OTHER)
        )
        rows.append(
            {
                "model": name,
                N_("parameters of the window"): f"{sum(part.numel() for part in window.parameters()):,}",
                N_("p_t in the first sentence"): first,
                N_("p_t in the second"): second,
            }
        )
    return rows


def nothing_learned() -> Evidence:
    """Show p_t of the two windows."""
    yield table(clocks())
    yield Caption(
        _("First sentence: {sentence} Second sentence: {other} Steps 0 to 7 of each.").format(
            sentence=SENTENCE, other=OTHER
        )
    )
