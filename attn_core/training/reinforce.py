"""The gradient of a hard read: REINFORCE as in Xu 2015, section 4.1.

A position is drawn from the softmax, and drawing has no gradient. But the gradient of the expected loss is itself an
expectation over draws s ~ a,

    d/dw E[L(s)] = E[ d/dw L(s)  +  L(s) d/dw log p(s) ],

so one draw gives an estimate of it: the loss pulls at the words' probabilities, and a draw is made more probable if the
loss was less than usual. "Usual" is the baseline b: it changes the variance of the estimate and not its mean.
"""

from typing import cast

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from attn_core.trace import Look

# Which words' losses a draw is held responsible for. "sentence": all (Xu 2015, and RL_sumCost in the authors' code).
# "to_go": those from its own on, as it cannot have changed earlier ones; the same mean, and less variance. "word": its
# own alone, what the authors' code does unless asked; still less variance, and another mean.
CREDITS = ("sentence", "to_go", "word")
DECAY = 0.9  # of the baseline, a moving average (Xu 2015, section 4.1)


def reinforce(
    looks: tuple[Look, ...],
    losses: Float[Tensor, "b tgt"],
    mask: Bool[Tensor, "b tgt"],
    baseline: Float[Tensor, ""] | float = 0.0,
    credit: str = "sentence",
) -> Float[Tensor, ""]:
    """What to add to the loss of drawn looks to get its gradient: sum of (L - b) log p(s), where L - b is a constant.

    `losses` are those of the words in nats, of which `mask` counts; `baseline` is the usual loss of a word, so that b
    is in proportion to the words in L. Heads draw by themselves: their log p are added up.
    """
    excess = credited((losses.detach() - baseline) * mask, credit) * mask
    return cast(Tensor, sum((excess * log_chance(look)).sum() for look in looks))


def credited(excess: Float[Tensor, "b tgt"], credit: str) -> Float[Tensor, "b tgt"]:
    """What each draw answers for; see CREDITS."""
    if credit == "sentence":
        return excess.sum(1, keepdim=True).expand_as(excess)
    return excess.flip(1).cumsum(1).flip(1) if credit == "to_go" else excess


def log_chance(look: Look) -> Float[Tensor, "*b"]:
    """log of the probability with which the position that was read was drawn; 0 where nothing was in view."""
    chance = (look.alignment * look.weights).sum(-1)
    return torch.where(chance > 0, chance, 1.0).log()


def usual(baseline: Float[Tensor, ""], losses: Float[Tensor, "b tgt"], mask: Bool[Tensor, "b tgt"]) -> None:
    """Move the baseline, in place, towards the mean loss of this batch's words."""
    baseline.lerp_(losses.detach().sum() / mask.sum(), 1 - DECAY)
