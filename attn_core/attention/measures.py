"""Measures of attention weights: entropy, coverage, and regularisers based on them."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def entropy(weights: Float[Tensor, "*b src"]) -> Float[Tensor, "*b"]:
    """-sum w ln w of each row, in nats: 0 if one word has all the weight, ln src if the weights are uniform.

    Rows are not normalised. Local-p weights sum to less than 1 (Luong 2015 eq. 10); their `alignment` sums to 1.
    """
    # Not torch.special.entr: its gradient is infinite at a weight of 0, the weight of words outside a window.
    return -(weights * torch.where(weights > 0, weights, 1.0).log()).sum(-1)


def coverage(weights: Float[Tensor, "*b tgt src"]) -> Float[Tensor, "*b src"]:
    """The total attention to each source word, over all target words; sums to at most the number of target words."""
    return weights.sum(-2)


def coverage_loss(weights: Float[Tensor, "*b tgt src"]) -> Float[Tensor, "*b"]:
    """The coverage loss, sum over t and s of min(w_ts, c_ts), where c_t is the sum of the rows before t.

    See, Liu and Manning 2017, section 2.3. It is 0 if no source word is attended to twice, and at most the number of
    rows minus 1.
    """
    before = weights.cumsum(-2) - weights
    return torch.minimum(weights, before).sum((-1, -2))


def doubly_stochastic(
    weights: Float[Tensor, "*b tgt src"], real: Bool[Tensor, "*b src"] | None = None
) -> Float[Tensor, "*b"]:
    """sum over s of (1 - sum over t of w_ts)^2: 0 if each source word's weights sum to 1 (Xu 2015, section 4.2.1).

    `real` masks out padding.
    """
    missing = (1 - coverage(weights)).square()
    return (missing if real is None else missing * real).sum(-1)
