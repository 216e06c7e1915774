"""The steps by which a model's config turns the scores of a look into weights, for figures."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from attn_core.attention.normalizers import attention_weights, masked_softmax, masked_sparsemax
from attn_core.models.config import ModelConfig
from attn_core.trace import Look

CLOSE = 1e-4  # tolerance for weights, for rounding in files and on other machines

Numbers = Float[Tensor, "src"]


@dataclass(frozen=True)
class Made:
    """The normalizer, the Gaussian and the attention type that turn scores into weights, as in Attention."""

    align: str  # "softmax", "sparsemax", "softmax, including other slots"
    gaussian: str  # where the Gaussian acts: "after_softmax", "renorm", "on_scores"; "" without one
    hard: bool  # hard attention: one position is chosen


def made(look: Look, config: ModelConfig) -> Made:
    """The steps from scores to weights in a model with this config.

    Raises ValueError if `look` has a batch axis, and if its weights are not those that the config gives.
    """
    if look.scores.dim() != 1:
        raise ValueError(f"expected a single look, not {' x '.join(map(str, look.scores.shape[:-1]))}")
    align, bell = config["normalizer"], config.attention.gaussian if config.attention else ""
    if config["unmasked_fixed"]:
        align += ", including other slots"
    aligned, shares = _recomputed(look, config, bell)
    consistent = (
        _same(look.weights, shares)
        if config["attention.type"] == "soft"
        else _chosen(look.weights, shares, config["attention.type"])
    )
    if not (consistent and _same(look.alignment, aligned)):
        how = ", ".join(
            (
                f"normalizer={config['normalizer']}",
                f"gaussian={bell}" if bell else "no Gaussian",
                f"attention.type={config['attention.type']}",
            )
        )
        raise ValueError(
            f"the weights of this look do not follow from its scores with this config ({how}): give the config of the "
            "model that made it, or of the view, if made by with_window or with_attention_type"
        )
    return Made(align, bell, config["attention.type"] != "soft")


def _recomputed(look: Look, config: ModelConfig, bell: str) -> tuple[Numbers, Numbers]:
    """The alignment weights, and the weights before the attention type is applied, recomputed from the scores."""
    softmax = masked_sparsemax if config["normalizer"] == "sparsemax" else masked_softmax

    def normalize(scores: Numbers, inside: Bool[Tensor, "src"]) -> Numbers:
        aligned = softmax(scores, inside)
        # The record lacks the other slots' scores, but not the sum of the weights.
        return aligned * look.alignment.sum().clamp(max=1) if config["unmasked_fixed"] else aligned

    return attention_weights(look.scores, look.focus, bell, normalize)


def _same(one: Numbers, other: Numbers) -> bool:
    return torch.allclose(one, other.to(one.dtype), rtol=0, atol=CLOSE)


def _chosen(weights: Numbers, shares: Numbers, kind: str) -> bool:
    """Whether exactly one position that may be chosen has weight 1; none, if all `shares` are zero."""
    if not shares.any():
        return not weights.any()
    share = shares[weights.argmax()]
    one = weights.count_nonzero() == 1 and weights.max() == 1
    return bool(one and share > 0 and (kind != "hard-argmax" or share > shares.max() - CLOSE))
