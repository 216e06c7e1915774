"""Measures of attention weights: entropy, coverage, and the terms of a loss that are made of them."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def entropy(weights: Float[Tensor, "*b src"]) -> Float[Tensor, "*b"]:
    """-sum w ln w of each row, in nats: 0 for a row that is sure of one word, ln src for a uniform one.

    The row is taken as it is. Local-p weights sum below 1 (Luong 2015 eq. 10); `align` is their distribution.
    """
    # Not torch.special.entr, whose gradient at a weight of 0, which a window makes, is infinite.
    return -(weights * torch.where(weights > 0, weights, 1.0).log()).sum(-1)


def coverage(weights: Float[Tensor, "*b tgt src"]) -> Float[Tensor, "*b src"]:
    """How much attention each source word got over all target words; the sum is at most the number of those."""
    return weights.sum(-2)


def coverage_loss(weights: Float[Tensor, "*b tgt src"]) -> Float[Tensor, "*b"]:
    """How much attention went where it had been before: sum over t and s of min(w_ts, c_ts), c_t the sum of rows < t.

    See 2017, section 2.3. 0 when no source word is looked at twice, at most the number of rows less 1.
    """
    before = weights.cumsum(-2) - weights
    return torch.minimum(weights, before).sum((-1, -2))


def doubly_stochastic(
    weights: Float[Tensor, "*b tgt src"], real: Bool[Tensor, "*b src"] | None = None
) -> Float[Tensor, "*b"]:
    """sum over s of (1 - sum over t of w_ts)^2: 0 when every source word got one look in all (Xu 2015, section 4.2.1).

    Where source words are padding, `real` leaves them out.
    """
    missing = (1 - coverage(weights)).square()
    return (missing if real is None else missing * real).sum(-1)
