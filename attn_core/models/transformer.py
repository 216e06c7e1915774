"""The Transformer (Vaswani 2017): queries, keys and values of one sentence that looks at itself, and at another.

The weights of every layer and head are recorded as a Look, like those of a recurrent model: the encoder's over the
source (`Memory.looks`), the decoder's over the words said so far (`Step.own`) and over the source (`Step.looks`).
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn_core.attention.attention import masked_softmax
from attn_core.attention.scores import SCORES
from attn_core.models.config import ModelConfig
from attn_core.models.decoders import ORDERS, Carry, Decoder
from attn_core.models.encoders import ENCODERS, Encoded, Encoder
from attn_core.tensors import wide
from attn_core.trace import Focus, Look, Memory, Step


def sinusoids(positions: Int[Tensor, "n"], size: int) -> Float[Tensor, "n size"]:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i+1) = cos(pos / 10000^(2i/d)) (section 3.5)."""
    even = torch.arange(0, size, 2, device=positions.device)
    angles = positions.unsqueeze(-1) * torch.exp(-math.log(10_000) * even / size)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)[:, :size]


class Input(nn.Module):
    """What goes into the first layer: the embeddings times sqrt(d_model), plus positions (sections 3.4 and 3.5).

    `positions` "sinusoidal" is the paper's; "learned" (its table 3, row E) has a vector for each of `longest` places.
    """

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.dropout = nn.Dropout(config.dropout)
        self.embed_place = nn.Embedding(config.longest, config.embedding) if config.positions == "learned" else None

    def forward(self, embedded: Float[Tensor, "b n d"], start: int = 0) -> Float[Tensor, "b n d"]:
        """`start` is the position of the first word. Raises ValueError beyond the last position that was learned."""
        end, size = start + embedded.size(1), embedded.size(2)
        places = torch.arange(start, end, device=embedded.device)
        if self.embed_place is None:
            encoded = sinusoids(places, size).to(embedded.dtype)
        elif end <= self.embed_place.num_embeddings:
            encoded = self.embed_place(places)
        else:
            raise ValueError(
                f"this model has learned {self.embed_place.num_embeddings} positions, so it cannot read or say "
                f"{end} tokens; shorten the sentence, or give a smaller max_length"
            )
        return self.dropout(math.sqrt(size) * embedded + encoded)


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = [head_1; ...; head_h] W_O, head_i = attention(Q W_Q_i, K W_K_i, V W_V_i) (section 3.2.2).

    The heads' matrices stand side by side in W_Q, W_K and W_V, and each makes vectors of d_k = d_model / h numbers.
    heads.MultiHead computes the same one head after another, for any score and window.
    """

    recorded = False  # in training too, for the length of a `recording` block

    def __init__(self, config: ModelConfig):
        super().__init__()
        d = config.embedding
        self.heads = config.heads
        assert config.score is not None  # `checks` sees to it
        self.score = SCORES[config.score](d // self.heads, d // self.heads, 0)
        self.scale = 1.0 if config.score == "dot" else (d // self.heads) ** -0.5
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d, d, bias=False) for _ in range(4))

    def keys(self, states: Float[Tensor, "b src d"]) -> Float[Tensor, "b heads src d_k"]:
        return self._split(self.W_K(states))

    def values(self, states: Float[Tensor, "b src d"]) -> Float[Tensor, "b heads src d_k"]:
        return self._split(self.W_V(states))

    def forward(
        self,
        states: Float[Tensor, "b tgt d"],
        keys: Float[Tensor, "b heads src d_k"],
        values: Float[Tensor, "b heads src d_k"],
        inside: Bool[Tensor, "#b #tgt src"],
        layer: int,
    ) -> tuple[Float[Tensor, "b tgt d"], tuple[Look, ...]]:
        """What the `states` read where they may look, and a Look for each head; none in training, to be faster."""
        queries = self._split(self.W_Q(states))
        looks: tuple[Look, ...] = ()
        if self.training and not self.recorded:
            contexts = self._fast(queries, keys, values, inside.unsqueeze(1))
        else:
            contexts, looks = self._recorded(queries, keys, values, inside, layer)
        return self.W_O(contexts.transpose(1, 2).flatten(2)), looks

    def _split(self, vectors: Float[Tensor, "b n d"]) -> Float[Tensor, "b heads n d_k"]:
        return vectors.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def _recorded(
        self, queries: Tensor, keys: Tensor, values: Tensor, inside: Bool[Tensor, "#b #tgt src"], layer: int
    ) -> tuple[Float[Tensor, "b heads tgt d_k"], tuple[Look, ...]]:
        """attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V (eq. 1)."""
        scores = wide(self.score(queries, keys))
        inside = inside.expand(scores[:, 0].shape)
        align = masked_softmax(scores, inside.unsqueeze(1).expand(scores.shape))
        contexts = align.to(values.dtype) @ values
        focus = Focus(inside, inside.to(scores.dtype), None)
        parts = zip(*(part.unbind(1) for part in (queries, scores, align, contexts)), strict=True)
        return contexts, tuple(Look(q, e, focus, a, a, c, layer, head) for head, (q, e, a, c) in enumerate(parts))

    def _fast(
        self, queries: Tensor, keys: Tensor, values: Tensor, inside: Bool[Tensor, "#b 1 #tgt src"]
    ) -> Float[Tensor, "b heads tgt d_k"]:
        """The same without a record."""
        scores = (queries * self.scale) @ keys.mT
        return scores.masked_fill(~inside, torch.finfo(scores.dtype).min).softmax(-1).to(values.dtype) @ values


@contextmanager
def recording(model: nn.Module) -> Iterator[None]:
    """Within the block a Transformer's looks at the source are recorded in training too; other models always do."""
    cross = [layer.cross for layer in model.modules() if isinstance(layer, DecoderLayer)]
    for attention in cross:
        attention.recorded = True
    try:
        yield
    finally:
        for attention in cross:
            attention.recorded = False


class FeedForward(nn.Sequential):
    """FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, for every position alike (eq. 2)."""

    def __init__(self, config: ModelConfig):
        d, inner = config.embedding, config.feedforward
        super().__init__(nn.Linear(d, inner), nn.ReLU(), nn.Linear(inner, d))


class Residual(nn.Module):
    """The connection around a sublayer: LayerNorm(x + Sublayer(x)) (section 3.1), with dropout on Sublayer(x) (5.4).

    With `norm` "pre" it is x + Sublayer(LayerNorm(x)) (Xiong 2020; the authors' tensor2tensor), which trains without
    warm-up and leaves the last output without a norm: see `last`.
    """

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.pre = config.norm == "pre"
        self.norm = nn.LayerNorm(config.embedding)
        self.dropout = nn.Dropout(config.dropout)

    def into(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        """What the sublayer reads."""
        return self.norm(x) if self.pre else x

    def out(self, x: Float[Tensor, "b n d"], added: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        """What comes after it."""
        x = x + self.dropout(added)
        return x if self.pre else self.norm(x)

    @staticmethod
    def last(config: ModelConfig) -> nn.Module:
        """What stands behind the last layer."""
        return nn.LayerNorm(config.embedding) if config.norm == "pre" else nn.Identity()


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network (section 3.1)."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.own, self.around_own = MultiHeadAttention(config), Residual(config)
        self.feed, self.around_feed = FeedForward(config), Residual(config)

    def forward(
        self, x: Float[Tensor, "b src d"], inside: Bool[Tensor, "b 1 src"], layer: int
    ) -> tuple[Float[Tensor, "b src d"], tuple[Look, ...]]:
        y = self.around_own.into(x)
        read, looks = self.own(y, self.own.keys(y), self.own.values(y), inside, layer)
        x = self.around_own.out(x, read)
        return self.around_feed.out(x, self.feed(self.around_feed.into(x))), looks


class DecoderLayer(nn.Module):
    """Self-attention over the words so far, attention over the source, then the feed-forward network (section 3.1)."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.own, self.around_own = MultiHeadAttention(config), Residual(config)
        self.cross, self.around_cross = MultiHeadAttention(config), Residual(config)
        self.feed, self.around_feed = FeedForward(config), Residual(config)

    def forward(
        self,
        x: Float[Tensor, "b tgt d"],
        past: tuple[Float[Tensor, "b heads past d_k"], Float[Tensor, "b heads past d_k"]],
        so_far: Bool[Tensor, "1 tgt now"],
        memory: tuple[Float[Tensor, "b heads src d_k"], Float[Tensor, "b heads src d_k"]],
        inside: Bool[Tensor, "b 1 src"],
        layer: int,
    ) -> tuple[Float[Tensor, "b tgt d"], tuple[Tensor, Tensor], tuple[Look, ...], tuple[Look, ...]]:
        """The new states, the keys and values of all words until now, and what looked at them and at the source."""
        y = self.around_own.into(x)
        now = torch.cat([past[0], self.own.keys(y)], 2), torch.cat([past[1], self.own.values(y)], 2)
        read, own = self.own(y, *now, so_far, layer)
        x = self.around_own.out(x, read)
        read, looks = self.cross(self.around_cross.into(x), *memory, inside, layer)
        x = self.around_cross.out(x, read)
        return self.around_feed.out(x, self.feed(self.around_feed.into(x))), now, own, looks


@ENCODERS.add("self-attention", r"h_s = \operatorname{FFN}(\operatorname{MultiHead}(x_s, x, x))")
class SelfAttentionEncoder(Encoder):
    """A stack of layers in which every word looks at every word of the sentence (section 3.1)."""

    def __init__(self, config: ModelConfig, vocabulary: int):
        super().__init__(config, vocabulary)
        self.input = Input(config)
        self.layers = cast(Sequence[EncoderLayer], nn.ModuleList(EncoderLayer(config) for _ in range(config.layers)))
        self.last = Residual.last(config)

    @classmethod
    def equations(cls, config: ModelConfig) -> list[str]:
        u, before = _layer("h^{n-1}", config)
        return [
            *_input("h^0_s", "x_s", "s", config),
            *u,
            _sublayer("g_s", before.format("s"), rf"{_HEADS}(u_s, u, u)", config),
            _sublayer("h^n_s", "g_s", rf"\operatorname{{FFN}}({_inner('g_s', config)})", config),
            *_ends("h", config),
        ]

    def forward(
        self, words: Int[Tensor, "b src"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> Encoded:
        x, looks = self.input(self.embed(words)), ()
        for number, layer in enumerate(self.layers):
            x, found = layer(x, mask.unsqueeze(1), number)
            looks += found
        return Encoded(self.last(x), (), looks)


@dataclass(frozen=True, kw_only=True)
class ProjectedMemory(Memory):
    """`keys` and `values` hold those of all layers and heads side by side."""

    values: Float[Tensor, "*b src v"]


@ORDERS.add("transformer", r"h_t = \operatorname{FFN}(\operatorname{MultiHead}(q_t, k, v))")
class Transformer(Decoder):
    """A stack of layers without recurrence: a word knows of those before it by looking at them (section 3.1).

    The carry holds every layer's keys and values of the words so far, so that a step computes one word only.
    """

    def __init__(self, config: ModelConfig, vocabulary: int, attention: None = None):
        super().__init__(config, vocabulary, attention)
        self.input = Input(config)
        self.dropout = nn.Identity()  # Input has it
        self.layers = cast(Sequence[DecoderLayer], nn.ModuleList(DecoderLayer(config) for _ in range(config.layers)))
        self.last = Residual.last(config)
        self.heads = config.heads

    @classmethod
    def equations(cls, config: ModelConfig) -> list[str]:
        h, (u, before) = f"h^{{{config.layers}}}", _layer("z^{n-1}", config)
        return [
            *_input("z^0_t", "y_{t-1}", "t", config)[:1],
            *u,
            _sublayer("a_t", before.format("t"), rf"{_HEADS}(u_t, u_{{\le t}}, u_{{\le t}})", config),
            _sublayer("b_t", "a_t", rf"{_HEADS}({_inner('a_t', config)}, {h}, {h})", config),
            _sublayer("z^n_t", "b_t", rf"\operatorname{{FFN}}({_inner('b_t', config)})", config),
            *_ends("z", config),
            rf"{_HEADS}(q, k, v) = [c^1; \dots; c^{{{config.heads}}}]\,W_O",
        ]

    def memory(self, encoded: Encoded, mask: Bool[Tensor, "b src"]) -> ProjectedMemory:
        states = encoded.states
        keys = torch.cat([layer.cross.W_K(states) for layer in self.layers], -1)
        values = torch.cat([layer.cross.W_V(states) for layer in self.layers], -1)
        return ProjectedMemory(states, keys, mask, encoded.looks, values=values)

    def start(self, encoded: Encoded) -> Carry:
        """No word yet, so nothing to look at."""
        rows, _, d = encoded.states.shape
        nothing = encoded.states.new_zeros(rows, self.heads, 0, d // self.heads)
        return Carry(0, (nothing,) * (2 * len(self.layers)), encoded.states.new_zeros(rows, 0))

    def forward(self, words: Int[Tensor, "b tgt"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        assert isinstance(memory, ProjectedMemory)
        x = self.input(self.embed(words), carry.t)
        places = torch.arange(carry.t + words.size(1), device=words.device)
        so_far = (places <= places[carry.t :, None]).unsqueeze(0)
        inside = memory.src_mask.unsqueeze(1)
        state, own, looks = [], (), ()
        for number, layer in enumerate(self.layers):
            past = carry.state[2 * number], carry.state[2 * number + 1]
            x, now, *found = layer(x, past, so_far, self._of_layer(memory, number), inside, number)
            state += now
            own, looks = own + found[0], looks + found[1]
        x = self.last(x)
        return Step(looks, x, x, own), Carry(carry.t + words.size(1), tuple(state), carry.fed)

    def _of_layer(self, memory: ProjectedMemory, number: int) -> tuple[Tensor, Tensor]:
        """One layer's keys and values, as its heads read them."""
        d = memory.states.size(-1)
        one = slice(number * d, (number + 1) * d)
        split = self.layers[number].cross._split
        return split(memory.keys[..., one]), split(memory.values[..., one])


_HEADS = r"\operatorname{MH}"  # MultiHead, as short as a narrow column needs it


def _input(name: str, word: str, place: str, config: ModelConfig) -> list[str]:
    """What goes into the first layer, in LaTeX, and what the positions are."""
    lines = [rf"{name} = \sqrt{{{config.embedding}}}\,E\,{word} + P_{place}"]
    if config.positions == "learned":
        return lines
    angle = rf"({place} / 10000^{{2i/{config.embedding}}})"
    return [*lines, rf"P_{{{place},2i}} = \sin {angle}, \quad P_{{{place},2i+1}} = \cos {angle}"]


def _layer(states: str, config: ModelConfig) -> tuple[list[str], str]:
    """What a layer's self-attention reads, u, in LaTeX; and to what its result is added, with {} for a place."""
    layers = rf", \quad n = 1 \dots {config.layers}"
    if config.norm == "pre":
        return [rf"u = \operatorname{{LN}}({states}){layers}"], states.replace("{", "{{").replace("}", "}}") + "_{}"
    return [f"u = {states}{layers}"], "u_{}"


def _inner(name: str, config: ModelConfig) -> str:
    """What a sublayer reads."""
    return rf"\operatorname{{LN}}({name})" if config.norm == "pre" else name


def _sublayer(name: str, before: str, sublayer: str, config: ModelConfig) -> str:
    """A sublayer with what is around it."""
    added = f"{before} + {sublayer}"
    return f"{name} = {added}" if config.norm == "pre" else rf"{name} = \operatorname{{LN}}({added})"


def _ends(name: str, config: ModelConfig) -> list[str]:
    """What is done with the last layer's output."""
    last = f"{name}^{{{config.layers}}}"
    return [rf"{last} \leftarrow \operatorname{{LN}}({last})"] if config.norm == "pre" else []
