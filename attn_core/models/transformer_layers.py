"""The sublayers and layers of a Transformer's encoder and decoder (Vaswani 2017, section 3).

The weights of every layer and head are recorded as a Look, like those of a recurrent model.
"""

import math
from dataclasses import dataclass, replace
from typing import Self

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn_core.attention.normalizers import masked_softmax
from attn_core.attention.scores import SCORES, Dot
from attn_core.models.config import ModelConfig
from attn_core.models.encoders.settings import StackSettings, TransformerEncoderSettings
from attn_core.models.settings import TransformerDecoderSettings
from attn_core.trace import Focus, Look
from attn_core.trace.editing import Quantity, edited, is_edited
from attn_core.trace.naming import named
from attn_core.trace.tensors import wide


@dataclass(frozen=True)
class Shape:
    """The arguments of the layers of a stack: d_model, heads, score, dropout, and the stack's settings."""

    d: int
    heads: int
    score: str
    dropout: float
    stack: StackSettings

    @classmethod
    def of_encoder(cls, config: ModelConfig) -> Self:
        own = config.encoder
        assert isinstance(own, TransformerEncoderSettings)
        return cls(config.embedding, own.heads, own.score, config.dropout, own)

    @classmethod
    def of_decoder(cls, config: ModelConfig) -> Self:
        own, attention = config.decoder, config.attention
        assert isinstance(own, TransformerDecoderSettings)
        assert attention is not None  # checked in conflicts.py
        return cls(config.embedding, attention.heads, attention.score.name, config.dropout, own)


def sinusoids(positions: Int[Tensor, "n"], size: int) -> Float[Tensor, "n size"]:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i+1) = cos(pos / 10000^(2i/d)) (section 3.5)."""
    even = torch.arange(0, size, 2, device=positions.device)
    angles = positions.unsqueeze(-1) * torch.exp(-math.log(10_000) * even / size)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)[:, :size]


class Input(nn.Module):
    """The input of the first layer: the embeddings times sqrt(d_model), plus position encodings (sections 3.4 and 3.5).

    `positions` "sinusoidal" is the paper's default; "learned" (its table 3, row E) has `longest` position embeddings.
    """

    def __init__(self, shape: Shape):
        super().__init__()
        self.dropout = nn.Dropout(shape.dropout)
        learned = shape.stack.positions == "learned"
        self.embed_place = nn.Embedding(shape.stack.longest, shape.d) if learned else None

    def forward(self, embedded: Float[Tensor, "b n d"], start: int = 0) -> Float[Tensor, "b n d"]:
        """`start` is the position of the first word. Raises ValueError beyond the last learned position."""
        end, size = start + embedded.size(1), embedded.size(2)
        places = torch.arange(start, end, device=embedded.device)
        if self.embed_place is None:
            encoded = sinusoids(places, size).to(embedded.dtype)
        elif end <= self.embed_place.num_embeddings:
            encoded = self.embed_place(places)
        else:
            raise ValueError(
                f"this model has {self.embed_place.num_embeddings} learned positions, but the sentence has {end} "
                "tokens: shorten it"
            )
        return self.dropout(math.sqrt(size) * embedded + encoded)


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = [head_1; ...; head_h] W_O, head_i = attention(Q W_Q_i, K W_K_i, V W_V_i) (section 3.2.2).

    W_Q, W_K and W_V concatenate the matrices of all heads; each head has d_k = d_model / h units. attention.multihead
    computes the same head by head, for any score and window. With `editable` (cross-attention only), weights and
    context vectors can be set by hand: see trace/editing.py.
    """

    def __init__(self, shape: Shape, editable: bool = False):
        super().__init__()
        self.editable = editable
        d, self.heads = shape.d, shape.heads
        score = SCORES.build(shape.score, d // self.heads, d // self.heads)
        assert isinstance(score, Dot)  # checked in conflicts.py
        self.score, self.scale = score, score.scale(d // self.heads)
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d, d, bias=False) for _ in range(4))

    def keys(self, states: Float[Tensor, "b src d"]) -> Float[Tensor, "b heads src d_k"]:
        return self.split(self.W_K(states))

    def values(self, states: Float[Tensor, "b src d"]) -> Float[Tensor, "b heads src d_k"]:
        return self.split(self.W_V(states))

    def forward(
        self,
        states: Float[Tensor, "b tgt d"],
        keys: Float[Tensor, "b heads src d_k"],
        values: Float[Tensor, "b heads src d_k"],
        inside: Bool[Tensor, "#b #tgt src"],
        layer: int,
        recorded: bool = False,
    ) -> tuple[Float[Tensor, "b tgt d"], tuple[Look, ...]]:
        """The context of each of the `states`, and a Look for each head; in training, Looks only if `recorded`."""
        queries = self.split(self.W_Q(states))
        looks: tuple[Look, ...] = ()
        if self.training and not recorded:
            contexts = self._fast(queries, keys, values, inside.unsqueeze(1))
        else:
            contexts, looks = self._recorded(queries, keys, values, inside, layer)
        return self.W_O(contexts.transpose(1, 2).flatten(2)), looks

    def split(self, vectors: Float[Tensor, "b n d"]) -> Float[Tensor, "b heads n d_k"]:
        return vectors.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def _recorded(
        self, queries: Tensor, keys: Tensor, values: Tensor, inside: Bool[Tensor, "#b #tgt src"], layer: int
    ) -> tuple[Float[Tensor, "b heads tgt d_k"], tuple[Look, ...]]:
        """attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V (eq. 1)."""
        scores = wide(self.score(queries, keys))
        inside = inside.expand(scores[:, 0].shape)
        align = masked_softmax(scores, inside.unsqueeze(1).expand(scores.shape))
        weights = self._edited("weights", layer, align)
        contexts = self._edited("context", layer, weights.to(values.dtype) @ values)
        focus = Focus(inside, inside.to(scores.dtype), None)
        values = values.unsqueeze(2).expand(*align.shape, -1)  # the same for each query
        of_heads = (part.unbind(1) for part in (queries, scores, align, contexts, values))
        looks = tuple(
            Look(q, e, focus, a, a, c, layer, head, v)
            for head, (q, e, a, c, v) in enumerate(zip(*of_heads, strict=True))
        )
        if weights is align:  # splitting the same weights twice would add to the exported graphs
            return contexts, looks
        return contexts, tuple(replace(look, weights=row) for look, row in zip(looks, weights.unbind(1), strict=True))

    def _edited(
        self, quantity: Quantity, layer: int, values: Float[Tensor, "b heads tgt n"]
    ) -> Float[Tensor, "b heads tgt n"]:
        """The weights or context vectors of all heads, or what is set by hand in their place."""
        if not (self.editable and is_edited()):
            return values
        return torch.stack([edited(quantity, layer, head, value) for head, value in enumerate(values.unbind(1))], 1)

    def _fast(
        self, queries: Tensor, keys: Tensor, values: Tensor, inside: Bool[Tensor, "#b 1 #tgt src"]
    ) -> Float[Tensor, "b heads tgt d_k"]:
        """The same without Looks."""
        scores = (queries * self.scale) @ keys.mT
        return scores.masked_fill(~inside, torch.finfo(scores.dtype).min).softmax(-1).to(values.dtype) @ values


class FeedForward(nn.Sequential):
    """FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, at each position (eq. 2)."""

    def __init__(self, shape: Shape):
        d, inner = shape.d, shape.stack.feedforward
        super().__init__(nn.Linear(d, inner), nn.ReLU(), nn.Linear(inner, d))


class Residual(nn.Module):
    """The residual connection around a sublayer: LayerNorm(x + Sublayer(x)) (section 3.1), with dropout (5.4).

    With `norm` "pre" it is x + Sublayer(LayerNorm(x)) (Xiong 2020; the authors' tensor2tensor), which can be trained
    without warm-up, and whose last output is not normalised: see `last`.
    """

    def __init__(self, shape: Shape):
        super().__init__()
        self.pre = shape.stack.norm == "pre"
        self.norm = nn.LayerNorm(shape.d)
        self.dropout = nn.Dropout(shape.dropout)

    def into(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        """The sublayer's input."""
        return self.norm(x) if self.pre else x

    def out(self, x: Float[Tensor, "b n d"], added: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        """The result, where `added` is the sublayer's output."""
        x = x + self.dropout(added)
        return x if self.pre else self.norm(x)

    @staticmethod
    def last(shape: Shape) -> nn.Module:
        """The module that follows the last layer."""
        return nn.LayerNorm(shape.d) if shape.stack.norm == "pre" else nn.Identity()


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network (section 3.1)."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.own, self.around_own = MultiHeadAttention(shape), Residual(shape)
        self.feed, self.around_feed = FeedForward(shape), Residual(shape)

    def forward(
        self, x: Float[Tensor, "b src d"], inside: Bool[Tensor, "#b #src src"], layer: int
    ) -> tuple[Float[Tensor, "b src d"], tuple[Look, ...]]:
        y = self.around_own.into(x)
        keys, values = self.own.keys(y), edited("value", layer, 0, self.own.values(y))
        attended, looks = self.own(y, keys, values, inside, layer)
        x = self.around_own.out(x, attended)
        return self.around_feed.out(x, self.feed(self.around_feed.into(x))), looks


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention over the source, then the feed-forward network (section 3.1)."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.own, self.around_own = MultiHeadAttention(shape), Residual(shape)
        self.cross, self.around_cross = MultiHeadAttention(shape, editable=True), Residual(shape)
        self.feed, self.around_feed = FeedForward(shape), Residual(shape)

    def forward(
        self,
        x: Float[Tensor, "b tgt d"],
        past: tuple[Float[Tensor, "b heads past d_k"], Float[Tensor, "b heads past d_k"]],
        causal: Bool[Tensor, "1 tgt now"],
        memory: tuple[Float[Tensor, "b heads src d_k"], Float[Tensor, "b heads src d_k"]],
        inside: Bool[Tensor, "b 1 src"],
        layer: int,
        recorded: bool = False,
    ) -> tuple[Float[Tensor, "b tgt d"], tuple[Tensor, Tensor], tuple[Look, ...], tuple[Look, ...]]:
        """The new states, the keys and values of all words so far, and the Looks of self- and cross-attention."""
        y = self.around_own.into(x)
        cache = torch.cat([past[0], self.own.keys(y)], 2), torch.cat([past[1], self.own.values(y)], 2)
        attended, own = self.own(y, *cache, causal, layer)
        x = self.around_own.out(x, attended)
        attended, looks = self.cross(self.around_cross.into(x), *memory, inside, layer, recorded)
        x = self.around_cross.out(x, named(f"context.{layer}", attended))
        return self.around_feed.out(x, self.feed(self.around_feed.into(x))), cache, own, looks
