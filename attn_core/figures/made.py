"""How the weights of a recorded look came from its scores: what a figure of it has to say."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.attention import masked_softmax, masked_sparsemax
from attn_core.trace import Look

CLOSE = 1e-4  # of weights, between 0 and 1, as files and other machines round them


@dataclass(frozen=True)
class Made:
    """`align` of the scores, times the Gaussian where there is one, then the read: see Attention.look."""

    align: str  # "softmax", "sparsemax", "softmax, over other slots too"
    gaussian: str  # "" without one; "after_softmax", "renorm", "on_scores"
    hard: bool  # one place was read, chosen by its weight


def made(look: Look) -> Made:
    """What gives the weights of one look: found by doing it again, the simplest way first.

    Raises ValueError for more looks than one, and for weights that no way of `Attention` gives.
    """
    if look.scores.dim() != 1:
        raise ValueError(f"one look is drawn, and this record has {' x '.join(map(str, look.scores.shape[:-1]))}")
    inside, gaussian = look.focus.inside, look.focus.gaussian
    flat = bool((gaussian[inside] == 1).all())
    for rule in ("",) if flat else ("after_softmax", "renorm", "on_scores"):
        scores = look.scores * gaussian if rule == "on_scores" else look.scores
        weights = look.align if rule in ("", "on_scores") else look.align * gaussian
        if rule == "renorm":
            weights = weights / weights.sum().clamp_min(torch.finfo(weights.dtype).tiny)
        soft = masked_softmax(scores, inside)
        ways = {"softmax": soft, "sparsemax": masked_sparsemax(scores, inside)}
        ways["softmax, over other slots too"] = soft * look.align.sum().clamp(max=1)
        for align, found in ways.items():
            if _same(look.align, found) and (_same(look.weights, weights) or _hard(look.weights, weights)):
                return Made(align, rule, not _same(look.weights, weights))
    raise ValueError(
        "the weights of this look are not those that its scores, window and Gaussian give, so it cannot be drawn"
    )


def _same(one: Float[Tensor, "src"], other: Float[Tensor, "src"]) -> bool:
    return torch.allclose(one, other.to(one.dtype), rtol=0, atol=CLOSE)


def _hard(weights: Float[Tensor, "src"], chances: Float[Tensor, "src"]) -> bool:
    """Whether one place was read, and one that could be."""
    place = weights.argmax()
    return bool(weights.count_nonzero() == 1 and weights[place] == 1 and chances[place] > 0)
