"""From scores to weights: softmax and sparsemax over the positions in view."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor


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
    """Sparsemax of the scores inside: max(0, score - tau), with tau such that they sum to 1 (Martins 2016, eq. 2).

    Positions outside, and those inside far below the best, get exactly 0; a row with nothing inside is all zeros.
    """
    ranked = scores.masked_fill(~inside, torch.finfo(scores.dtype).min).sort(dim=-1, descending=True).values
    best = ranked[..., :1]
    ranked = (ranked - best).clamp(min=-2)  # scores 1 or more below the best get no weight
    sums = ranked.cumsum(-1)
    count = torch.arange(1, scores.size(-1) + 1, device=scores.device)
    support = (1 + count * ranked > sums).sum(-1, keepdim=True)
    tau = (sums.gather(-1, support - 1) - 1) / support
    return (scores - best - tau).clamp(min=0) * inside
