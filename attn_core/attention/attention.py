"""Attention = score x window x type: one query over one memory, recorded as a Look.

Bahdanau 2015, section 3.1 and A.1.2; Luong 2015, section 3. Multi-head attention is in multihead.py.
"""

import math
from functools import partial

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.attention.normalizers import attention_weights, masked_softmax, masked_sparsemax
from attn_core.attention.scores import Score
from attn_core.attention.types import AttentionType, Soft
from attn_core.attention.windows import Local, Window
from attn_core.trace import Focus, Look, Memory
from attn_core.trace.editing import edited
from attn_core.trace.tensors import wide

_FEW = 4  # gather the window's states if the source is more than this many times as long as the window


class Attention(nn.Module):
    """Attention with a score, a window and a type. It stores nothing about a sentence; `Memory` and `Look` do.

    With the projection `values` (W_v), the context averages W_v of the encoder states instead of the states: separate
    keys and values (Vaswani 2017, section 3.2). `window` is None for a head of MultiHead, whose heads share one window.
    """

    def __init__(
        self,
        score: Score,
        window: Window | None,
        attention_type: AttentionType | None = None,
        values: nn.Linear | None = None,
        normalizer: str = "softmax",
    ):
        super().__init__()
        self.score, self.window, self.attention_type = score, window, attention_type or Soft()
        self.W_v = values
        self.normalizer = normalizer

    def memory(
        self,
        states: Float[Tensor, "*b src mem"],
        src_mask: Bool[Tensor, "*b src"],
        values: Float[Tensor, "*b src mem"] | None = None,
    ) -> Memory:
        """The Memory of encoded sentences: keys and values, projected once.

        `values` are given by encoders whose values differ from their states (conv).
        """
        values = states if values is None else values
        return Memory(values if self.W_v is None else self.W_v(values), self.score.keys(states), src_mask)

    def looks(
        self, queries: Float[Tensor, "*b tgt q"], memory: Memory, t: int, mode: Mode = AS_BUILT
    ) -> tuple[tuple[Look, ...], Float[Tensor, "*b tgt mem"]]:
        """The Look of all `queries`, in a tuple of length 1, and the context; arguments as in `forward`."""
        look = self(queries, memory, t, mode)
        return (look,), look.context

    def forward(self, queries: Float[Tensor, "*b tgt q"], memory: Memory, t: int, mode: Mode = AS_BUILT) -> Look:
        """The Look of all `queries`, the first of which belongs to decoding step `t`; `*b` of the Look is `*b tgt`."""
        window = mode.window or self.window
        assert window is not None  # heads have none, and MultiHead calls their `look`
        if (
            self.training
            and isinstance(window, Local)
            and _FEW * window.slots(mode.widening) < memory.src_mask.size(-1)
        ):
            return self.near(queries, memory, t, mode)
        focus = window(queries, memory.src_mask, t, mode.widening)
        return self.look(queries, memory, focus, window.settings.gaussian, mode)

    def look(
        self,
        queries: Float[Tensor, "*b tgt q"],
        memory: Memory,
        focus: Focus,
        gaussian: str = "after_softmax",
        mode: Mode = AS_BUILT,
    ) -> Look:
        """The Look of all `queries` inside `focus`; `gaussian` is where its Gaussian acts (settings.GAUSSIANS)."""
        return self._average(queries, wide(self.score(queries, memory.keys)), focus, memory.states, gaussian, mode)

    def near(self, queries: Float[Tensor, "b tgt q"], memory: Memory, t: int, mode: Mode = AS_BUILT) -> Look:
        """Local attention that gathers only the 2D + 1 states inside the window (training only).

        Cost does not grow with the source length (Luong 2015, section 3.2). `src` of the result indexes window slots,
        from floor(p_t) - D on. Equal to `look` inside the window, gradients included.
        """
        window, lengths = mode.window or self.window, memory.lengths
        assert isinstance(window, Local)
        center = window.by_hand(window.center(queries, lengths, t), t)
        reach = math.ceil(window.reach(mode.widening))  # `around` hides what is beyond
        offsets = torch.arange(-reach, reach + 1, device=queries.device)
        positions = window.middle(center, lengths).long().unsqueeze(-1) + offsets
        real = (positions >= 0) & (positions < lengths[:, None, None])
        starts = torch.arange(len(lengths), device=queries.device)[:, None, None] * memory.src_mask.size(1)
        rows = starts + positions.clamp(min=0).minimum(lengths[:, None, None] - 1)
        keys, states = (torch.embedding(part.flatten(0, 1), rows) for part in (memory.keys, memory.states))
        scores = wide(self.score(queries.unsqueeze(-2), keys).squeeze(-2))
        focus = window.around(center, positions, real, lengths, mode.widening)
        return self._average(queries, scores, focus, states, window.settings.gaussian, mode)

    def _average(
        self,
        queries: Float[Tensor, "*b tgt q"],
        scores: Float[Tensor, "*b tgt src"],
        focus: Focus,
        states: Float[Tensor, "..."],
        gaussian: str,
        mode: Mode,
    ) -> Look:
        alignment, weights = attention_weights(scores, focus, gaussian, partial(self._aligned, queries))
        weights = (mode.type or self.attention_type)(weights, mode.expected)
        weights = edited("weights", 0, mode.head, weights)
        if states.dim() == weights.dim():  # all queries of a sentence attend to the same states
            context = weights.to(states.dtype) @ states
        else:
            context = (weights.to(states.dtype).unsqueeze(-2) @ states).squeeze(-2)
        context = edited("context", 0, mode.head, context)
        return Look(queries, scores, focus, alignment, weights, context, head=mode.head)

    def _aligned(
        self,
        queries: Float[Tensor, "*b tgt q"],
        scores: Float[Tensor, "*b tgt src"],
        inside: Bool[Tensor, "*b tgt src"],
    ) -> Float[Tensor, "*b tgt src"]:
        if self.normalizer == "sparsemax":
            return masked_sparsemax(scores, inside)
        return masked_softmax(scores, inside, self.score.beyond(queries, inside))
