"""Multi-head attention with any score (Vaswani 2017, section 3.2.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attn_core.attention.attention import Attention
from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.attention.windows import Window
from attn_core.trace import Look, Memory
from attn_core.trace.naming import named


class Head(nn.Module):
    """One head: attention over its own projections, W_q of the queries, W_k of the keys and W_v of the values."""

    def __init__(self, attention: Attention, query: int, memory: int, size: int):
        super().__init__()
        self.W_q = nn.Linear(query, size, bias=False)
        self.W_k = nn.Linear(memory, size, bias=False)
        self.W_v = nn.Linear(memory, size, bias=False)
        self.attention = attention


class MultiHead(nn.Module):
    """Heads with their own projections and a shared window, combined by W_o; interchangeable with Attention.

    A local window predicts p_t from h_t, so all heads have the same positions in view. Each of `attentions` takes
    queries and states of `size` units, and has no window.
    """

    def __init__(self, attentions: Iterable[Attention], window: Window, query: int, memory: int, size: int):
        super().__init__()
        self.window = window
        heads = nn.ModuleList(Head(attention, query, memory, size) for attention in attentions)
        self.heads = cast(Sequence[Head], heads)
        self.W_o = nn.Linear(len(self.heads) * size, memory, bias=False)

    def memory(
        self,
        states: Float[Tensor, "*b src mem"],
        src_mask: Bool[Tensor, "*b src"],
        values: Float[Tensor, "*b src mem"] | None = None,
    ) -> Memory:
        """The keys and values of all heads, concatenated; `values` as in Attention.memory."""
        own = [head.W_v(states if values is None else values) for head in self.heads]
        keys = [head.attention.score.keys(head.W_k(states)) for head in self.heads]
        return Memory(torch.cat(own, -1), torch.cat(keys, -1), src_mask)

    def looks(
        self, queries: Float[Tensor, "*b tgt q"], memory: Memory, t: int, mode: Mode = AS_BUILT
    ) -> tuple[tuple[Look, ...], Float[Tensor, "*b tgt mem"]]:
        """A Look for each head, and W_o [c^1; ... c^M]; the first of the `queries` belongs to decoding step `t`."""
        window = mode.window or self.window
        focus = window(queries, memory.src_mask, t, mode.widening)
        keys, values = (part.chunk(len(self.heads), -1) for part in (memory.keys, memory.states))
        looks = []
        for m, head in enumerate(self.heads):
            own = Memory(values[m], keys[m], memory.src_mask)
            of_head = replace(mode, head=m)
            looks.append(head.attention.look(head.W_q(queries), own, focus, window.settings.gaussian, of_head))
        return tuple(looks), named("context", self.W_o(torch.cat([look.context for look in looks], -1)))
