"""What is read of the places that were weighed: all of them softly, or one of them hard (Xu 2015, section 4)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_core.registry import Registry, letters

ATTENTION_TYPES: "Registry[AttentionType]" = Registry("attention type")


class AttentionType(nn.Module):
    """Base of all reads: from the weights of the positions to the weights with which their states are added up."""

    name: str
    formula: str

    @classmethod
    def equations(cls, config: Any, weights: str, value: str, context: str) -> list[str]:
        """In LaTeX, from the `weights` to the `context`; `value` is what is read, with {} for its place."""
        raise NotImplementedError

    def forward(self, weights: Float[Tensor, "*b src"]) -> Float[Tensor, "*b src"]:
        raise NotImplementedError


@ATTENTION_TYPES.add("soft", r"c_t = \textstyle\sum_s a(s)\,\bar h_s")
class Soft(AttentionType):
    """The weighted sum of all states: where the weights sum to 1, the expectation of hard-sample (Xu 2015, 4.2)."""

    @classmethod
    def equations(cls, config: Any, weights: str, value: str, context: str) -> list[str]:
        place = letters(config.order).place
        return [rf"{context} = \textstyle\sum_{place} {weights}({place})\,{value.format(place)}"]

    def forward(self, weights: Float[Tensor, "*b src"]) -> Float[Tensor, "*b src"]:
        return weights


class Hard(AttentionType):
    """The state of one position, and nothing of the others. A row without any weight reads nothing."""

    @classmethod
    def equations(cls, config: Any, weights: str, value: str, context: str) -> list[str]:
        read = rf"\hat {letters(config.order).place}"
        return [cls.choice(weights, read, letters(config.order).place), f"{context} = {value.format(f'{{{read}}}')}"]

    @classmethod
    def choice(cls, weights: str, read: str, place: str) -> str:
        """In LaTeX, how the place that is `read` comes about."""
        raise NotImplementedError

    def forward(self, weights: Float[Tensor, "*b src"]) -> Float[Tensor, "*b src"]:
        place = self.choose(weights.detach()).unsqueeze(-1)
        return torch.zeros_like(weights).scatter(-1, place, 1.0) * (weights > 0)

    def choose(self, weights: Float[Tensor, "*b src"]) -> Int[Tensor, "*b"]:
        """The position that is read in each row."""
        raise NotImplementedError


@ATTENTION_TYPES.add("hard-argmax", r"c_t = \bar h_{\hat s}, \quad \hat s = \arg\max_s a(s)")
class HardArgmax(Hard):
    """The position of the largest weight, as the authors' code of Xu 2015 can at test time.

    It has no gradient, so models are trained with another read.
    """

    @classmethod
    def choice(cls, weights: str, read: str, place: str) -> str:
        return rf"{read} = \arg\max_{place} {weights}({place})"

    def choose(self, weights: Float[Tensor, "*b src"]) -> Int[Tensor, "*b"]:
        return weights.argmax(-1)


@ATTENTION_TYPES.add("hard-sample", r"c_t = \bar h_{\hat s}, \quad \hat s \sim a")
class HardSample(Hard):
    """A position drawn with its weight as probability, anew at every look (Xu 2015, section 4.1); see reinforce.py.

    Draws come from torch's own generator: torch.manual_seed makes them the same again.
    """

    soft = False  # for the length of an `expecting` block

    @classmethod
    def choice(cls, weights: str, read: str, place: str) -> str:
        return rf"{read} \sim {weights}"

    def forward(self, weights: Float[Tensor, "*b src"]) -> Float[Tensor, "*b src"]:
        return weights if self.soft else super().forward(weights)

    def choose(self, weights: Float[Tensor, "*b src"]) -> Int[Tensor, "*b"]:
        # Of waiting times with rates w_s the shortest is that of s with probability w_s / sum w.
        return (weights / torch.empty_like(weights).exponential_()).argmax(-1)


@contextmanager
def expecting(model: nn.Module) -> Iterator[None]:
    """Within the block, whatever in `model` draws a position reads the expectation instead. For training only."""
    drawing = [module for module in model.modules() if isinstance(module, HardSample)]
    for read in drawing:
        read.soft = True
    try:
        yield
    finally:
        for read in drawing:
            read.soft = False
