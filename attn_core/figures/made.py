"""How a model's config makes the weights of a look from its scores: what a figure of it has to say."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.attention.attention import masked_softmax, masked_sparsemax
from attn_core.models.config import ModelConfig
from attn_core.trace import Look

CLOSE = 1e-4  # of weights, between 0 and 1, as files and other machines round them

Numbers = Float[Tensor, "src"]


@dataclass(frozen=True)
class Made:
    """`align` of the scores, times the Gaussian where there is one, then the read, as in Attention."""

    align: str  # "softmax", "sparsemax", "softmax, over other slots too"
    gaussian: str  # "" without one; "after_softmax", "renorm", "on_scores"
    hard: bool  # one place is read, chosen by its weight


def made(look: Look, config: ModelConfig) -> Made:
    """What the scores of one look go through in a model with this config.

    Raises ValueError for more looks than one, and where this gives other weights than the look has.
    """
    if look.scores.dim() != 1:
        raise ValueError(f"one look is drawn, and this record has {' x '.join(map(str, look.scores.shape[:-1]))}")
    align, bell = config["normalizer"], config.attention.gaussian if config.attention else ""
    if config["unmasked_fixed"]:
        align += ", over other slots too"
    aligned, shares = _again(look, config, bell)
    read = (
        _same(look.weights, shares)
        if config["attention_type"] == "soft"
        else _chosen(look.weights, shares, config["attention_type"])
    )
    if not (read and _same(look.alignment, aligned)):
        how = ", ".join(
            (
                f"normalizer={config['normalizer']}",
                f"gaussian={bell}" if bell else "no Gaussian",
                f"attention_type={config['attention_type']}",
            )
        )
        raise ValueError(
            f"the weights of this look are not what config makes of its scores ({how}): give the config of the model "
            "that made it; of a view by with_window or with_attention_type its own"
        )
    return Made(align, bell, config["attention_type"] != "soft")


def _again(look: Look, config: ModelConfig, bell: str) -> tuple[Numbers, Numbers]:
    """`align` of the look, and what the read is given."""
    inside, gaussian = look.focus.inside, look.focus.gaussian
    scores = look.scores * gaussian if bell == "on_scores" else look.scores
    aligned = (masked_sparsemax if config["normalizer"] == "sparsemax" else masked_softmax)(scores, inside)
    if config["unmasked_fixed"]:  # the record has no scores of the other slots, only what they left
        aligned = aligned * look.alignment.sum().clamp(max=1)
    shares = aligned * gaussian if bell in ("after_softmax", "renorm") else aligned
    if bell == "renorm":
        shares = shares / shares.sum().clamp_min(torch.finfo(shares.dtype).tiny)
    return aligned, shares


def _same(one: Numbers, other: Numbers) -> bool:
    return torch.allclose(one, other.to(one.dtype), rtol=0, atol=CLOSE)


def _chosen(weights: Numbers, shares: Numbers, read: str) -> bool:
    """Whether one place is read that can be: where nothing has a share, none."""
    if not shares.any():
        return not weights.any()
    share = shares[weights.argmax()]
    one = weights.count_nonzero() == 1 and weights.max() == 1
    return bool(one and share > 0 and (read != "hard-argmax" or share > shares.max() - CLOSE))
