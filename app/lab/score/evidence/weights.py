"""The evidence for the Score lab's cards about attention weights, computed when a card is answered."""

from dataclasses import dataclass
from typing import Any

import torch

from app.lab.kit import shipped
from app.lab.kit.evidence import Bars, Caption, Finding, table
from app.lab.score.data import START
from app.lab.score.evidence.sample import SENTENCE, by_word, first_look, of_trace
from app.service.seeded import seeded
from attn_core.attention.normalizers import masked_softmax
from attn_core.attention.types import ATTENTION_TYPES, HardSample
from attn_core.messages import N_, _
from attn_core.trace import Focus, Look
from attn_core.training.reinforce import reinforce


@dataclass(frozen=True)
class SoftAndHard:
    """The soft and hard weights of a local-p model at one step, and how many words' scores change the context."""

    inside: int  # words in the window
    weights: dict[str, list[float]]
    words: dict[str, int]


def soft_and_hard() -> SoftAndHard:
    """Those of the shipped `luong-general-local-p`; a score counts if the context's length has a gradient there."""
    _score, trace, look = first_look("luong-general-local-p")
    inside, gaussian, states = look.focus.inside.clone(), look.focus.gaussian.clone(), trace.memory.states.clone()
    weights, words = {}, {}
    for name in ("soft", "hard-argmax"):
        with torch.enable_grad():
            scores = look.scores.clone().requires_grad_()
            used = ATTENTION_TYPES[name]()(masked_softmax(scores, inside) * gaussian)
            length = (used @ states).norm() + 0 * scores.sum()  # hard attention's depends on no score
            (slope,) = torch.autograd.grad(length, scores)
        weights[name], words[name] = used.tolist(), int((slope.abs() > 1e-9).sum())
    return SoftAndHard(int(inside.sum()), weights, words)


def local_is_soft() -> Finding:
    """Show the soft weights of a local-p model beside hard ones, and which scores change the context vector."""
    result, trace = soft_and_hard(), shipped.trace("luong-general-local-p", SENTENCE)
    weights = {N_("soft, as trained"): result.weights["soft"], N_("hard (argmax)"): result.weights["hard-argmax"]}
    return Finding(
        Bars(trace.source, weights, _("weight")),
        _(
            "The scores of {soft} of the {inside} words in the window move the soft context vector; those of {hard} "
            "move the hard one."
        ).format(soft=result.words["soft"], inside=result.inside, hard=result.words["hard-argmax"]),
        (by_word(trace, weights), of_trace(trace)),
    )


@seeded(1)
def draws_are_noisy() -> Finding:
    """Show the gradient of the expected loss at the scores, exact and estimated, with and without a baseline."""
    draws = 4000
    keys, query, wanted = torch.tensor(START["keys"]), torch.tensor(START["query"]), torch.tensor(START["values"][1])
    with torch.enable_grad():
        expected_scores = (keys @ query).requires_grad_()
        key_losses = (keys - wanted).square().sum(-1)  # the loss if that key is chosen
        (exact,) = torch.autograd.grad(expected_scores.softmax(-1) @ key_losses, expected_scores)
        scores = expected_scores.detach().expand(draws, 1, -1).clone().requires_grad_()
        alignment = scores.softmax(-1)
        weights = HardSample()(alignment)
        focus = Focus(torch.ones_like(alignment, dtype=torch.bool), torch.ones_like(alignment), None)
        look = Look(query.expand(draws, 1, -1), scores, focus, alignment, weights, weights @ keys)
        losses = (look.context - wanted).square().sum(-1)
        estimates = {}
        for name, baseline in ((N_("no baseline"), 0.0), (N_("with a baseline"), losses.mean())):
            total = reinforce((look,), losses, torch.ones_like(losses, dtype=torch.bool), baseline)
            (gradients,) = torch.autograd.grad(total, scores, retain_graph=True)
            estimates[name] = gradients[:, 0]
    mean, deviation = _("{name}: mean of {draws:,} draws"), _("{name}: deviation of one draw")
    rows = table(
        {N_("key"): str(s), N_("exact gradient"): exact[s].item()}
        | {mean.format(name=_(name), draws=draws): each[:, s].mean().item() for name, each in estimates.items()}
        | {deviation.format(name=_(name)): each[:, s].std().item() for name, each in estimates.items()}
        for s in range(len(keys))
    )
    source = _(
        "The query and the keys that this page opens with; one key is drawn, and the loss is its squared distance "
        "to value 1. The baseline is the mean loss. `python -m tests.benchmarks hard` measures the same for a model "
        "trained with REINFORCE."
    )
    means = {name: each.mean(0) for name, each in estimates.items()}
    return Finding(
        Bars(
            [_("key {s}").format(s=s) for s in range(len(keys))],
            {N_("exact gradient"): exact.tolist()} | {name: mean.tolist() for name, mean in means.items()},
            _("gradient at the score"),
        ),
        _(
            "The mean of {draws:,} draws is within {far:.2f} of the exact gradient, and the baseline leaves {less:.0%} "
            "of the variance."
        ).format(
            draws=draws,
            far=max((mean - exact).abs().max().item() for mean in means.values()),
            less=(estimates["with a baseline"].var(0).sum() / estimates["no baseline"].var(0).sum()).item(),
        ),
        (rows, Caption(source)),
    )


def mass_on_padding() -> list[dict[str, Any]]:
    """The weight on padding, over the steps of two trained models, without a mask and with one."""
    rows = []
    for name in ("luong-general-global", "bahdanau"):
        score, trace, _look = first_look(name)
        n = len(trace.source)
        queries = [word.step.looks[0].query for word in trace.words]
        for padding, masked in ((5, False), (50, False), (50, True)):
            zeros = trace.memory.states.new_zeros(padding, trace.memory.states.size(-1))
            states = torch.cat([trace.memory.states, zeros])
            real = torch.arange(len(states)) < n
            with torch.inference_mode():
                keys = score.keys(states)
                scores = torch.stack([score(query[None], keys)[0] for query in queries])
            weights = masked_softmax(scores, (real if masked else torch.ones_like(real)).expand_as(scores))
            shares = weights[:, n:].sum(-1)
            row: dict[str, Any] = {
                "model": name,
                N_("zero vectors"): str(padding),
                N_("mask"): _("yes") if masked else _("no"),
            }
            rows.append(
                row | {N_("on padding, mean"): shares.mean().item(), N_("at the worst step"): shares.max().item()}
            )
    return rows


def padding_takes_mass() -> Finding:
    """Show the weight on padding with a multiplicative and with an additive score."""
    rows, trace = mass_on_padding(), shipped.trace("luong-general-global", SENTENCE)
    means = [row["on padding, mean"] for row in rows]
    general, additive = means[: len(means) // 2], means[len(means) // 2 :]
    return Finding(
        Bars(
            [_("5 zero vectors"), _("50 zero vectors"), _("50, with a mask")],
            {N_("general score"): general, N_("additive score"): additive},
            _("weight on padding"),
            ".0%",
        ),
        _(
            "Without a mask, 50 zero vectors take {general:.0%} of the weight with the general score and "
            "{additive:.0%} with the additive score."
        ).format(general=general[1], additive=additive[1]),
        (
            table(rows),
            Caption(
                _("Over all steps of a sentence of {n} words. The score of bahdanau is additive.").format(
                    n=len(trace.source)
                )
            ),
        ),
    )
