"""Base class of encoders: from words to states, which the decoder attends to and starts from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn_core.attention.notation import Quantity
from attn_core.messages import N_
from attn_core.models.config import ModelConfig
from attn_core.trace import Look, Record
from attn_core.trace.editing import edited, is_edited


@dataclass(frozen=True)
class Encoded(Record):
    """An encoded sentence."""

    states: Float[Tensor, "b src mem"]  # the keys, and the values unless `values` is given
    # The last states of each layer and direction (forward, backward): h, and c of an LSTM. Empty for an encoder without
    # recurrence.
    final: tuple[Float[Tensor, "b layers directions n"], ...]
    values: Float[Tensor, "b src mem"] | None = None  # the values, if they differ from the states
    looks: tuple[Look, ...] = ()  # the encoder's self-attention
    summed: bool = False  # whether the last states of two directions are joined by adding them

    def joined(self, ways: Float[Tensor, "*b directions n"]) -> Float[Tensor, "*b m"]:
        """Last states of both directions as one vector."""
        return ways.sum(-2) if self.summed else ways.flatten(-2)

    def mean(self, mask: Bool[Tensor, "b src"]) -> Float[Tensor, "b mem"]:
        """The mean state of each sentence's words."""
        real = mask.unsqueeze(-1).to(self.states.dtype)
        return (self.states * real).sum(1) / real.sum(1)


class Encoder(nn.Module):
    """Base class of encoders: embeds and encodes the words, and returns the states in written order.

    `vocabulary` is the number of source tokens. With `reverse`, the sentence is read from its last word to its first
    (Sutskever 2014; nmt.matlab); positions remain those of the written sentence.
    """

    name: ClassVar[str]
    embed: nn.Module

    def __init__(self, config: ModelConfig, vocabulary: int):
        super().__init__()
        self.reverse = config.encoder.reverse
        self.embed = nn.Embedding(vocabulary, config.embedding, padding_idx=0)
        self.dropout: nn.Module = nn.Dropout(config.dropout)

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        """The equations of the states in LaTeX for this ModelConfig, in the symbols of its order's paper.

        With several layers, x is the output of the layer below.
        """
        raise NotImplementedError

    @classmethod
    def quantity(cls, config: Any) -> Quantity:
        """The encoder states, which are available before a step begins."""
        x = config.decoder.letters
        lines = tuple(cls.equations(config))
        symbol = rf"{x.bare}_0\dots {x.bare}_{{{'S' if config.source_eos else 'S-1'}}}"  # S as in the shape
        return Quantity(
            "memory", "encoder", symbol, N_("encoder states"), lines, (), ("S", config.memory), given=True,
            element=N_("encoder state"),
        )  # fmt: skip

    def forward(
        self, words: Int[Tensor, "b src"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> Encoded:
        """Encode `words`. `lengths` are the row sums of `mask`, given to avoid synchronising a GPU."""
        if not self.reverse:
            return self.encode(self.dropout(edited("embedding", 0, 0, self.embed(words))), mask, lengths)
        order = _reversed(mask)
        embedded = self.embed(words.gather(1, order))
        if is_edited():
            embedded = _at(edited("embedding", 0, 0, _at(embedded, order)), order)
        encoded = self.encode(self.dropout(embedded), mask, lengths)
        return replace(encoded, states=_at(encoded.states, order))

    def encode(
        self, embedded: Float[Tensor, "b src m"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> Encoded:
        """Encode embedded words, or any other vectors."""
        raise NotImplementedError


def _at(vectors: Float[Tensor, "b src m"], order: Int[Tensor, "b src"]) -> Float[Tensor, "b src m"]:
    """The vectors at the positions `order`."""
    return vectors.gather(1, order.unsqueeze(-1).expand_as(vectors))


def _reversed(mask: Bool[Tensor, "b src"]) -> Int[Tensor, "b src"]:
    """The permutation that reverses each sentence and keeps padding at the end; its own inverse."""
    positions = torch.arange(mask.size(1), device=mask.device).expand(mask.shape)
    return torch.where(mask, mask.sum(1, keepdim=True) - 1 - positions, positions)
