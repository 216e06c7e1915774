"""How well a query matches each key: the scores of Bahdanau 2015 (A.1.2) and Luong 2015 (eq. 7).

A score has two halves. `keys` does once for a sentence whatever does not depend on the query; calling the score
compares any number of queries with those keys. To add a score function, add a class here: the command line, the
config's validation, the dashboard and the tests read the registry.
"""

import math
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from attn_core.registry import Registry, letters

SCORES = Registry("score")


class Score(nn.Module):
    """Base of all scores. `query`, `memory` and `hidden` are sizes: of h_t, of an encoder state, of W_a's output."""

    name: str
    formula: str

    def __init__(self, query: int, memory: int, hidden: int):
        super().__init__()

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        """The score in LaTeX as a model with this ModelConfig computes it, in the letters of its order's paper."""
        raise NotImplementedError

    def keys(self, states: Float[Tensor, "*b src mem"]) -> Float[Tensor, "*b src k"]:
        """What the queries are compared with; computed once for a sentence."""
        return states

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], keys: Float[Tensor, "*b src k"]
    ) -> Float[Tensor, "*b tgt src"]:
        raise NotImplementedError


@SCORES.add("dot", r"h_t^\top \bar h_s")
class Dot(Score):
    """Luong 2015, eq. 7."""

    def __init__(self, query: int, memory: int, hidden: int):
        super().__init__(query, memory, hidden)
        if query != memory:
            raise ValueError(
                f"the {self.name} score needs a decoder state of the encoder states' size, not {query} and {memory}"
            )

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        x = letters(config.order)
        return [rf"{x.query}^\top {x.state}"]

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], keys: Float[Tensor, "*b src q"]
    ) -> Float[Tensor, "*b tgt src"]:
        return queries @ keys.mT


@SCORES.add("scaled_dot", r"h_t^\top \bar h_s / \sqrt{d}")
class ScaledDot(Dot):
    """Vaswani 2017, eq. 1: without the root, softmax saturates as d grows."""

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        (product,) = super().equations(config)
        return [rf"{product} / \sqrt{{d}}"]

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], keys: Float[Tensor, "*b src q"]
    ) -> Float[Tensor, "*b tgt src"]:
        return super().forward(queries, keys) / math.sqrt(queries.size(-1))


@SCORES.add("general", r"h_t^\top W_a \bar h_s")
class General(Score):
    """Luong 2015, eq. 7; the bilinear score."""

    def __init__(self, query: int, memory: int, hidden: int):
        super().__init__(query, memory, hidden)
        self.W_a = nn.Linear(memory, query, bias=False)

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        x = letters(config.order)
        return [rf"{x.query}^\top W_a {x.state}"]

    def keys(self, states: Float[Tensor, "*b src mem"]) -> Float[Tensor, "*b src k"]:
        return self.W_a(states)

    def forward(
        self, queries: Float[Tensor, "*b tgt k"], keys: Float[Tensor, "*b src k"]
    ) -> Float[Tensor, "*b tgt src"]:
        return queries @ keys.mT


@SCORES.add("additive", r"v_a^\top \tanh(W_a s_{i-1} + U_a h_j)")
class Additive(Score):
    """Bahdanau 2015, A.1.2: one matrix for the query, one for the keys."""

    def __init__(self, query: int, memory: int, hidden: int):
        super().__init__(query, memory, hidden)
        self.W_a = nn.Linear(query, hidden, bias=False)
        self.U_a = nn.Linear(memory, hidden, bias=False)
        self.v_a = nn.Parameter(torch.zeros(hidden))  # zero as in the paper (B.1): looking starts out uniform

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        x = letters(config.order)
        return [rf"v_a^\top \tanh(W_a {x.query} + U_a {x.state})"]

    def keys(self, states: Float[Tensor, "*b src mem"]) -> Float[Tensor, "*b src k"]:
        return self.U_a(states)

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], keys: Float[Tensor, "*b src k"]
    ) -> Float[Tensor, "*b tgt src"]:
        return _collapse(self.W_a(queries), keys, self.v_a)


@SCORES.add("concat", r"v_a^\top \tanh(W_a [h_t; \bar h_s])")
class Concat(Score):
    """Luong 2015, eq. 7: one matrix on the concatenation, which is `additive` in another spelling.

    `identity_source` is the authors' code: v_a^T tanh(W_a h_t + h_s), with nothing learned on the source's side.
    """

    def __init__(self, query: int, memory: int, hidden: int, identity_source: bool = False):
        super().__init__(query, memory, hidden)
        self.query = query
        self.identity_source = identity_source
        if identity_source:
            hidden = memory
        self.W_a = nn.Linear(query if identity_source else query + memory, hidden, bias=False)
        self.v_a = nn.Parameter(torch.empty(hidden).uniform_(-0.1, 0.1))

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        x = letters(config.order)
        inner = f"W_a {x.query} + {x.state}" if config.identity_source else f"W_a [{x.query}; {x.state}]"
        return [rf"v_a^\top \tanh({inner})"]

    def keys(self, states: Float[Tensor, "*b src mem"]) -> Float[Tensor, "*b src k"]:
        # W_a [h; s] = W_a[:, :q] h + W_a[:, q:] s, so the source's half need not wait for the query.
        return states if self.identity_source else states @ self.W_a.weight[:, self.query :].T

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], keys: Float[Tensor, "*b src k"]
    ) -> Float[Tensor, "*b tgt src"]:
        return _collapse(queries @ self.W_a.weight[:, : self.query].T, keys, self.v_a)


def _collapse(
    queries: Float[Tensor, "*b tgt k"], keys: Float[Tensor, "*b src k"], v: Float[Tensor, "k"]
) -> Float[Tensor, "*b tgt src"]:
    """v^T tanh(query + key) for every pair."""
    return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ v
