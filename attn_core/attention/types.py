"""Attention types: soft (weighted sum of all states) and hard (the state of one position) (Xu 2015, section 4)."""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_core.attention.notation import Letters, attention_letters
from attn_core.attention.settings import ATTENTION_TYPES

__all__ = ["ATTENTION_TYPES", "AttentionType", "Hard", "HardArgmax", "HardSample", "Soft"]


class AttentionType(nn.Module):
    """Base class of attention types: maps the weights of all positions to the weights of the states in the context."""

    @classmethod
    def equations(cls, config: Any, value: str, context: str) -> list[str]:
        """The `context` in LaTeX, from the weights and the values; `value` has {} in place of the position."""
        raise NotImplementedError

    def forward(self, weights: Float[Tensor, "*b src"], expected: bool = False) -> Float[Tensor, "*b src"]:
        """The weights of the states in the context; with `expected`, the expectation instead of a sample."""
        raise NotImplementedError


class Soft(AttentionType):
    """The weighted sum of all states; if the weights sum to 1, the expectation of hard-sample (Xu 2015, 4.2)."""

    @classmethod
    def equations(cls, config: Any, value: str, context: str) -> list[str]:
        x = attention_letters(config)
        return [rf"{context} = \textstyle\sum_{x.place} {x.weight}\,{value.format(x.place)}"]

    def forward(self, weights: Float[Tensor, "*b src"], expected: bool = False) -> Float[Tensor, "*b src"]:
        return weights


class Hard(AttentionType):
    """The state of one position. A row of zero weights gives a zero context."""

    @classmethod
    def equations(cls, config: Any, value: str, context: str) -> list[str]:
        x = attention_letters(config)
        chosen = rf"\hat {x.place}"
        return [cls.choice(x, chosen), f"{context} = {value.format(f'{{{chosen}}}')}"]

    @classmethod
    def choice(cls, x: Letters, chosen: str) -> str:
        """The equation for the `chosen` position, in LaTeX."""
        raise NotImplementedError

    def forward(self, weights: Float[Tensor, "*b src"], expected: bool = False) -> Float[Tensor, "*b src"]:
        place = self.choose(weights.detach()).unsqueeze(-1)
        return torch.zeros_like(weights).scatter(-1, place, 1.0) * (weights > 0)

    def choose(self, weights: Float[Tensor, "*b src"]) -> Int[Tensor, "*b"]:
        """The chosen position of each row."""
        raise NotImplementedError


class HardArgmax(Hard):
    """The position with the largest weight, an option at test time in the authors' code of Xu 2015.

    It has no gradient, so models are trained with another type.
    """

    @classmethod
    def choice(cls, x: Letters, chosen: str) -> str:
        return rf"{chosen} = \arg\max_{x.place} {x.weight}"

    def choose(self, weights: Float[Tensor, "*b src"]) -> Int[Tensor, "*b"]:
        return weights.argmax(-1)


class HardSample(Hard):
    """A position sampled at every step with its weight as probability (Xu 2015, section 4.1).

    Unlike the authors' code, which uses soft attention at test time (or HardArgmax, as an option), a model of this type
    also samples in validation and translation.

    training/reinforce.py computes the gradient. Samples come from torch's global generator; torch.manual_seed makes
    them reproducible.
    """

    @classmethod
    def choice(cls, x: Letters, chosen: str) -> str:
        return rf"{chosen} \sim {x.weights}"

    def forward(self, weights: Float[Tensor, "*b src"], expected: bool = False) -> Float[Tensor, "*b src"]:
        return weights if expected else super().forward(weights)

    def choose(self, weights: Float[Tensor, "*b src"]) -> Int[Tensor, "*b"]:
        # Among exponential waiting times with rates w_s, that of s is the shortest with probability w_s / sum w.
        return (weights / torch.empty_like(weights).exponential_()).argmax(-1)
