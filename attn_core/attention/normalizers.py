"""From scores to weights: softmax or sparsemax over the positions in view, and the Gaussian of a window."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from attn_core.trace import Focus


def attention_weights(
    scores: Float[Tensor, "*b src"],
    focus: Focus,
    gaussian: str,
    normalize: Callable[[Float[Tensor, "*b src"], Bool[Tensor, "*b src"]], Float[Tensor, "*b src"]],
) -> tuple[Float[Tensor, "*b src"], Float[Tensor, "*b src"]]:
    """Alignment weights and attention weights (Luong 2015, eq. 7 and 10), before the attention type is applied.

    `normalize` turns scores into alignment weights, given which positions are inside. `gaussian` is where the Gaussian
    of `focus` acts, one of settings.GAUSSIANS; empty for nowhere. Without a Gaussian, `focus` has ones, and any value
    gives the same weights.
    """
    if gaussian == "on_scores":
        alignment = normalize(scores * focus.gaussian, focus.inside)
        return alignment, alignment
    alignment = normalize(scores, focus.inside)
    weights = alignment * focus.gaussian if gaussian else alignment
    if gaussian == "renorm":  # but 0 if every word in view is beyond 14 sigma: the Gaussian is 0 there in float32
        weights = weights / weights.sum(-1, keepdim=True).clamp_min(torch.finfo(weights.dtype).tiny)
    return alignment, weights


def masked_softmax(
    scores: Float[Tensor, "*b src"], inside: Bool[Tensor, "*b src"], beyond: Float[Tensor, "*b"] | None = None
) -> Float[Tensor, "*b src"]:
    """Softmax of the scores inside. Positions outside get exactly 0; a row with nothing inside is all zeros.

    `beyond` is an extra score for each row; its weight is not returned, so the row sums to less than 1.
    """
    lowest = torch.finfo(scores.dtype).min
    masked = scores.masked_fill(~inside, lowest)
    if beyond is None:
        return masked.softmax(-1) * inside
    return torch.cat([masked, beyond.unsqueeze(-1)], -1).softmax(-1)[..., :-1] * inside


def masked_sparsemax(scores: Float[Tensor, "*b src"], inside: Bool[Tensor, "*b src"]) -> Float[Tensor, "*b src"]:
    """Sparsemax of the scores inside: max(0, score - tau), with tau such that they sum to 1.

    Martins 2016, Proposition 1. Positions outside, and those inside far below the best, get exactly 0; a row with
    nothing inside is all zeros.
    """
    ranked = scores.masked_fill(~inside, torch.finfo(scores.dtype).min).sort(dim=-1, descending=True).values
    best = ranked[..., :1]
    ranked = (ranked - best).clamp(min=-2)  # scores 1 or more below the best get no weight
    sums = ranked.cumsum(-1)
    count = torch.arange(1, scores.size(-1) + 1, device=scores.device)
    support = (1 + count * ranked > sums).sum(-1, keepdim=True)
    tau = (sums.gather(-1, support - 1) - 1) / support
    return (scores - best - tau).clamp(min=0) * inside
