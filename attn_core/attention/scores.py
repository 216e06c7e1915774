"""Score functions: how well a query matches each key (Bahdanau 2015, A.1.2; Luong 2015, eq. 7 and 8).

A score has two parts. `keys` computes once per sentence whatever does not depend on the query; `forward` compares any
number of queries with those keys. To add a score function, add a class here and one line to the registry (settings.py):
the command line, config validation, the dashboard and the tests read the registry.
"""

import math
import re
from dataclasses import replace
from typing import Any, ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from attn_core.attention.notation import Letters, Quantity, attention_letters, has_heads
from attn_core.attention.settings import (
    SCORES,
    AdditiveSettings,
    ConcatSettings,
    GeneralSettings,
    LocationSettings,
    ScoreSettings,
    unequal,
)
from attn_core.attention.tanh_scores import TanhScores, saves_memory
from attn_core.messages import N_, _
from attn_core.trace.tensors import wide

__all__ = ["SCORES", "Additive", "Concat", "Dot", "General", "Location", "ScaledDot", "Score"]


class Score(nn.Module):
    """Base class of scores. `query` and `memory` are the sizes of h_t and of an encoder state."""

    def __init__(self, query: int, memory: int, settings: ScoreSettings):
        super().__init__()

    # Whether the score compares the query with the encoder's states.
    compares: ClassVar[bool] = True

    @classmethod
    def latex(cls, config: Any) -> str:
        """The score in LaTeX for a model with this ModelConfig, in the symbols of its order's paper.

        By default, the score's name as a function of the query and the state.
        """
        x, name = cls.letters(config), config.attention.score.name
        return rf"\operatorname{{{name}}}({x.query}, {x.state})"

    @classmethod
    def quantity(cls, config: Any, query: tuple[str, ...]) -> Quantity:
        """The scores of a step; `query` holds the ids of the quantities that form the query."""
        inputs = (*query, "memory") if cls.compares else query
        line = f"{attention_letters(config).score} = {cls.latex(config)}"
        if config.attention.projected:  # the parameters of each head are its own
            line = re.sub(r"(?<![\\\w])([WUVvb]_a)(?!\^m)", r"{\1^m}", re.sub(r"(?<![\\\w])g(?= )", "g^m", line))
        symbol = config.decoder.letters.scores
        return Quantity("scores", "score", symbol, N_("scores"), (line,), inputs, ("S",), element=N_("score"))

    @classmethod
    def letters(cls, config: Any) -> Letters:
        """The symbols of what is compared: a query and an encoder state, or a head's projections of them."""
        x = config.decoder.letters
        if config.decoder.name == "transformer":
            return replace(x, state="k_s")  # the decoder gives the equations of q_t and k_s, which are projections
        return replace(x, query=f"(W_q^m {x.query})", state=f"(W_k^m {x.state})") if config.attention.projected else x

    def keys(self, states: Float[Tensor, "*b src mem"]) -> Float[Tensor, "*b src k"]:
        """The keys that queries are compared with, computed once per sentence."""
        return states

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], keys: Float[Tensor, "*b src k"]
    ) -> Float[Tensor, "*b tgt src"]:
        raise NotImplementedError

    def beyond(
        self, queries: Float[Tensor, "*b tgt q"], inside: Bool[Tensor, "*b tgt src"]
    ) -> Float[Tensor, "*b tgt"] | None:
        """The log-sum-exp of additional scores in the softmax, besides the positions inside; None for most scores."""
        return None


class Dot(Score):
    """The dot product (Luong 2015, eq. 7)."""

    def __init__(self, query: int, memory: int, settings: ScoreSettings):
        super().__init__(query, memory, settings)
        if query != memory:
            raise ValueError(unequal(settings.name, query, memory))

    @classmethod
    def latex(cls, config: Any) -> str:
        x = cls.letters(config)
        return rf"{x.query}^\top {x.state}"

    @classmethod
    def scale(cls, size: int) -> float:
        """The factor of the dot product of vectors of `size` units."""
        return 1.0

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], keys: Float[Tensor, "*b src q"]
    ) -> Float[Tensor, "*b tgt src"]:
        return queries @ keys.mT


class ScaledDot(Dot):
    """The dot product divided by sqrt(d), without which softmax saturates as d grows (Vaswani 2017, eq. 1)."""

    @classmethod
    def latex(cls, config: Any) -> str:
        size = "d_k" if has_heads(config) else "d"  # d_k: the size of a head
        return rf"{super().latex(config)} / \sqrt{{{size}}}"

    @classmethod
    def scale(cls, size: int) -> float:
        return size**-0.5

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], keys: Float[Tensor, "*b src q"]
    ) -> Float[Tensor, "*b tgt src"]:
        return super().forward(queries, keys) / math.sqrt(queries.size(-1))


class General(Score):
    """The bilinear score (Luong 2015, eq. 7).

    With a `rank`, W_a is the product of two thin matrices, U_a^T V_a: the dot product of two projections of that size.
    `scale` multiplies all scores by a learned scalar g, initially 1 (tf-nmt's scaled_luong). `bias` is added to the
    projected query; a bias on the projected keys would shift all scores of a step equally.
    """

    def __init__(self, query: int, memory: int, settings: GeneralSettings):
        super().__init__(query, memory, settings)
        self.rank = settings.rank
        self.g = nn.Parameter(torch.ones(())) if settings.scale else None
        self.b_a = nn.Parameter(torch.zeros(memory)) if settings.bias else None
        if settings.rank is None:
            self.W_a = nn.Linear(memory, query, bias=False)
        else:
            self.U_a = nn.Linear(query, settings.rank, bias=False)
            self.V_a = nn.Linear(memory, settings.rank, bias=False)

    @classmethod
    def latex(cls, config: Any) -> str:
        x = cls.letters(config)
        own = config.attention.score
        between = "W_a" if own.rank is None else r"U_a^\top V_a"
        scale = r"g \cdot " if own.scale else ""
        if own.bias:
            return rf"{scale}(W_a^\top {x.query} + b_a)^\top {x.state}"
        return rf"{scale}{x.query}^\top {between} {x.state}"

    def keys(self, states: Float[Tensor, "*b src mem"]) -> Float[Tensor, "*b src k"]:
        if self.b_a is not None:  # project the query instead, so that the bias is added once per query
            return states
        return self.W_a(states) if self.rank is None else self.V_a(states)

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], keys: Float[Tensor, "*b src k"]
    ) -> Float[Tensor, "*b tgt src"]:
        if self.b_a is not None:
            scores = (queries @ self.W_a.weight + self.b_a) @ keys.mT
        else:
            scores = (queries if self.rank is None else self.U_a(queries)) @ keys.mT
        return scores if self.g is None else self.g * scores


class Additive(Score):
    """A matrix for the query and a matrix for the keys (Bahdanau 2015, A.1.2).

    Luong's `concat` is the same function: with [W_a, U_a] as its matrix, scores and gradients are equal. `normed` is
    tf-nmt's normed_bahdanau: v_a divided by its norm, times a learned scalar g, initially 1 / sqrt(n'). `bias` is added
    inside tanh.
    """

    def __init__(self, query: int, memory: int, settings: AdditiveSettings):
        super().__init__(query, memory, settings)
        hidden = settings.hidden
        self.W_a = nn.Linear(query, hidden, bias=settings.bias)
        self.U_a = nn.Linear(memory, hidden, bias=False)
        self.v_a = nn.Parameter(torch.zeros(hidden))  # zero as in the paper (B.1), so attention starts uniform
        self.g = None
        if settings.normed:
            nn.init.uniform_(self.v_a, -0.1, 0.1)  # a zero vector has no direction
            self.g = nn.Parameter(torch.tensor(hidden**-0.5))

    @classmethod
    def latex(cls, config: Any) -> str:
        x = cls.letters(config)
        v = r"g \frac{v_a}{\lVert v_a \rVert}^{\!\top}" if config.attention.score.normed else r"v_a^\top"
        return rf"{v} \tanh(W_a {x.query} + U_a {x.state}{_bias(config)})"

    def keys(self, states: Float[Tensor, "*b src mem"]) -> Float[Tensor, "*b src k"]:
        return self.U_a(states)

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], keys: Float[Tensor, "*b src k"]
    ) -> Float[Tensor, "*b tgt src"]:
        v = self.v_a if self.g is None else self.g * self.v_a / self.v_a.norm()
        return _collapse(self.W_a(queries), keys, v)


class Concat(Score):
    """One matrix for the concatenated query and key (Luong 2015, eq. 7): the same function as `additive`.

    Their initial values differ: with init=glorot and large-embeddings, v_a is random here and zero there, and the bound
    of W_a follows from the size of the joint matrix. `identity_source` is what the authors ran (footnote 15 and
    nmt.matlab), v_a^T tanh(W_a h_t + h_s), without parameters on the source side. `bias` is added inside tanh.
    """

    def __init__(self, query: int, memory: int, settings: ConcatSettings):
        super().__init__(query, memory, settings)
        self.query = query
        self.identity_source = settings.identity_source
        hidden = memory if settings.identity_source else settings.hidden
        self.W_a = nn.Linear(query if settings.identity_source else query + memory, hidden, bias=settings.bias)
        self.v_a = nn.Parameter(torch.empty(hidden).uniform_(-0.1, 0.1))

    @classmethod
    def latex(cls, config: Any) -> str:
        x = cls.letters(config)
        inner = (
            f"W_a {x.query} + {x.state}" if config.attention.score.identity_source else f"W_a [{x.query}; {x.state}]"
        )
        return rf"v_a^\top \tanh({inner}{_bias(config)})"

    def keys(self, states: Float[Tensor, "*b src mem"]) -> Float[Tensor, "*b src k"]:
        # W_a [h; s] = W_a[:, :q] h + W_a[:, q:] s, so the source's half is computed once per sentence.
        return states if self.identity_source else states @ self.W_a.weight[:, self.query :].T

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], keys: Float[Tensor, "*b src k"]
    ) -> Float[Tensor, "*b tgt src"]:
        projected = queries @ self.W_a.weight[:, : self.query].T
        return _collapse(projected if self.W_a.bias is None else projected + self.W_a.bias, keys, self.v_a)


class Location(Score):
    """A score from h_t and the position alone, with one row of W_a per position; source words play no part (Luong 2015,
    eq. 8).

    W_a has `width` rows; those beyond the sentence are ignored. With `unmasked_fixed` they take part in the softmax, so
    that the words' weights sum to less than 1, as in PyTorch's tutorial and in nmt.matlab of August 2015 (which put the
    sentence at the end of its 50 slots, not at the beginning).
    """

    compares = False

    def __init__(self, query: int, memory: int, settings: LocationSettings):
        super().__init__(query, memory, settings)
        self.unmasked_fixed = settings.unmasked_fixed
        self.W_a = nn.Linear(query, settings.width, bias=settings.bias)

    @classmethod
    def latex(cls, config: Any) -> str:
        x = cls.letters(config)
        return rf"(W_a {x.query}{_bias(config)})_{x.place}"

    def keys(self, states: Float[Tensor, "*b src mem"]) -> Float[Tensor, "*b src 1"]:
        """The position indices. Raises ValueError for a source with more words than W_a has rows."""
        width, length = self.W_a.out_features, states.size(-2)
        if length > width:
            raise ValueError(
                _(
                    "the location score has weights for {width} positions, but this source has {length}: shorten it, "
                    "or train with attention.score.width={length} or more"
                ).format(width=width, length=length)
            )
        numbers = torch.arange(length, device=states.device, dtype=torch.promote_types(states.dtype, torch.float32))
        return numbers.unsqueeze(-1).expand(*states.shape[:-1], 1)

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], keys: Float[Tensor, "*b src 1"]
    ) -> Float[Tensor, "*b tgt src"]:
        slots = self.W_a(queries)
        places = keys.squeeze(-1).long().unsqueeze(-2)
        return slots.gather(-1, places.expand(*slots.shape[:-1], places.size(-1)))

    def beyond(
        self, queries: Float[Tensor, "*b tgt q"], inside: Bool[Tensor, "*b tgt src"]
    ) -> Float[Tensor, "*b tgt"] | None:
        if not self.unmasked_fixed:
            return None
        slots = wide(self.W_a(queries))
        used = F.pad(inside, (0, slots.size(-1) - inside.size(-1)))
        return slots.masked_fill(used, -math.inf).logsumexp(-1)


def _bias(config: Any) -> str:
    return " + b_a" if config.attention.score.bias else ""


def _collapse(
    queries: Float[Tensor, "*b tgt k"], keys: Float[Tensor, "*b src k"], v: Float[Tensor, "k"]
) -> Float[Tensor, "*b tgt src"]:
    """v^T tanh(query + key) for every pair."""
    if saves_memory(queries, keys, v):
        return TanhScores.apply(queries, keys, v)
    return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ v
