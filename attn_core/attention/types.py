"""The attention types: the weighted sum of all states, or the state of one position (Xu 2015, section 4)."""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_core.attention.notation import letters
from attn_core.attention.settings import ATTENTION_TYPES

__all__ = ["ATTENTION_TYPES", "AttentionType", "Hard", "HardArgmax", "HardSample", "Soft"]


class AttentionType(nn.Module):
    """Base of all types: from the weights of the positions to the weights with which their states are added up."""

    @classmethod
    def equations(cls, config: Any, weights: str, value: str, context: str) -> list[str]:
        """In LaTeX, from the `weights` to the `context`; `value` is what is averaged, with {} for its place."""
        raise NotImplementedError

    def forward(self, weights: Float[Tensor, "*b src"], expected: bool = False) -> Float[Tensor, "*b src"]:
        """With `expected`, the expectation in place of what would be drawn."""
        raise NotImplementedError


class Soft(AttentionType):
    """The weighted sum of all states: where the weights sum to 1, the expectation of hard-sample (Xu 2015, 4.2)."""

    @classmethod
    def equations(cls, config: Any, weights: str, value: str, context: str) -> list[str]:
        place = letters(config.decoder.name).place
        return [rf"{context} = \textstyle\sum_{place} {weights}({place})\,{value.format(place)}"]

    def forward(self, weights: Float[Tensor, "*b src"], expected: bool = False) -> Float[Tensor, "*b src"]:
        return weights


class Hard(AttentionType):
    """The state of one position, and nothing of the others. A row without any weight gives zero."""

    @classmethod
    def equations(cls, config: Any, weights: str, value: str, context: str) -> list[str]:
        place = letters(config.decoder.name).place
        chosen = rf"\hat {place}"
        return [cls.choice(weights, chosen, place), f"{context} = {value.format(f'{{{chosen}}}')}"]

    @classmethod
    def choice(cls, weights: str, chosen: str, place: str) -> str:
        """In LaTeX, how the `chosen` place comes about."""
        raise NotImplementedError

    def forward(self, weights: Float[Tensor, "*b src"], expected: bool = False) -> Float[Tensor, "*b src"]:
        place = self.choose(weights.detach()).unsqueeze(-1)
        return torch.zeros_like(weights).scatter(-1, place, 1.0) * (weights > 0)

    def choose(self, weights: Float[Tensor, "*b src"]) -> Int[Tensor, "*b"]:
        """The chosen position of each row."""
        raise NotImplementedError


class HardArgmax(Hard):
    """The position of the largest weight, as the authors' code of Xu 2015 can at test time.

    It has no gradient, so models are trained with another type.
    """

    @classmethod
    def choice(cls, weights: str, chosen: str, place: str) -> str:
        return rf"{chosen} = \arg\max_{place} {weights}({place})"

    def choose(self, weights: Float[Tensor, "*b src"]) -> Int[Tensor, "*b"]:
        return weights.argmax(-1)


class HardSample(Hard):
    """A position drawn with its weight as probability, anew at every step (Xu 2015, section 4.1).

    training/reinforce.py has its gradient. Draws come from torch's own generator: torch.manual_seed repeats them.
    """

    @classmethod
    def choice(cls, weights: str, chosen: str, place: str) -> str:
        return rf"{chosen} \sim {weights}"

    def forward(self, weights: Float[Tensor, "*b src"], expected: bool = False) -> Float[Tensor, "*b src"]:
        return weights if expected else super().forward(weights)

    def choose(self, weights: Float[Tensor, "*b src"]) -> Int[Tensor, "*b"]:
        # Of waiting times with rates w_s the shortest is that of s with probability w_s / sum w.
        return (weights / torch.empty_like(weights).exponential_()).argmax(-1)
