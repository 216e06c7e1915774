"""The gradient of sampled hard attention: REINFORCE as in Xu 2015, section 4.1.

A position is sampled from the softmax, and sampling has no gradient. But the gradient of the expected loss is itself an
expectation over samples s ~ a,

    d/dw E[L(s)] = E[ d/dw L(s)  +  L(s) d/dw log p(s) ],

so one sample gives an estimate: the loss has its gradient to the words' probabilities, and a sample becomes more
probable if its loss is below the baseline b. The baseline changes the variance of the estimate, not its mean.
"""

from typing import cast

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from attn_core.trace import Look

DECAY = 0.9  # decay of the baseline, a moving average (Xu 2015, section 4.1)


def reinforce(
    looks: tuple[Look, ...],
    losses: Float[Tensor, "b tgt"],
    mask: Bool[Tensor, "b tgt"],
    baseline: Float[Tensor, ""] | float = 0.0,
    credit: str = "sentence",
) -> Float[Tensor, ""]:
    """The REINFORCE term to add to the loss: sum of (L - b) log p(s), with L - b constant.

    `losses` are the words' losses in nats, counted where `mask` is True; `baseline` is the average loss of a word, so
    that b is proportional to the number of words in L. Heads sample independently, so their log p are summed.
    """
    excess = credited((losses.detach() - baseline) * mask, credit) * mask
    return cast(Tensor, sum((excess * log_chance(look)).sum() for look in looks))


def credited(excess: Float[Tensor, "b tgt"], credit: str) -> Float[Tensor, "b tgt"]:
    """The excess loss credited to each sample; `credit` is a key of recipe.CREDITS."""
    if credit == "sentence":
        return excess.sum(1, keepdim=True).expand_as(excess)
    return excess.flip(1).cumsum(1).flip(1) if credit == "to_go" else excess


def log_chance(look: Look) -> Float[Tensor, "*b"]:
    """Log probability of the sampled position; 0 for an empty window."""
    chance = (look.alignment * look.weights).sum(-1)
    return torch.where(chance > 0, chance, 1.0).log()


def update_baseline(baseline: Float[Tensor, ""], losses: Float[Tensor, "b tgt"], mask: Bool[Tensor, "b tgt"]) -> None:
    """Update the baseline in place towards the mean loss of this batch's words."""
    baseline.lerp_(losses.detach().sum() / mask.sum(), 1 - DECAY)
