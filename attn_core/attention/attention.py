"""Attention = score x window x read: one query over one memory, recorded as a Look.

Bahdanau 2015, section 3.1 and A.1.2; Luong 2015, section 3. Several looks at once are in heads.py.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attn_core.attention.scores import Score
from attn_core.attention.types import AttentionType, Soft
from attn_core.attention.windows import Window
from attn_core.tensors import wide
from attn_core.trace import Focus, Look, Memory

# What the Gaussian does to the alignment: Luong 2015 eq. 10 multiplies after the softmax and does not
# renormalise; "renorm" divides by the sum; "on_scores" is nmt.matlab's normLocalAttn, softmax(score * gaussian).
GAUSSIANS = ("after_softmax", "renorm", "on_scores")
_FEW = 4  # taking rows out of the memory pays when it has so many times as many as the window can hold


def masked_softmax(
    scores: Float[Tensor, "*b src"], inside: Bool[Tensor, "*b src"], beyond: Float[Tensor, "*b"] | None = None
) -> Float[Tensor, "*b src"]:
    """Softmax of the scores inside. Positions outside get exactly 0; a row with nothing inside is all zeros.

    `beyond` is one more score in each row, whose share is left out: the others sum to less than 1.
    """
    lowest = torch.finfo(scores.dtype).min
    masked = scores.masked_fill(~inside, lowest)
    if beyond is None:
        return masked.softmax(-1) * inside
    return torch.cat([masked, beyond.unsqueeze(-1)], -1).softmax(-1)[..., :-1] * inside


def masked_sparsemax(scores: Float[Tensor, "*b src"], inside: Bool[Tensor, "*b src"]) -> Float[Tensor, "*b src"]:
    """The weights nearest to the scores inside: max(0, score - tau), tau such that they sum to 1 (Martins 2016, eq. 2).

    Positions outside, and inside those far below the best, get exactly 0; a row with nothing inside is all zeros.
    """
    ranked = scores.masked_fill(~inside, torch.finfo(scores.dtype).min).sort(dim=-1, descending=True).values
    best = ranked[..., :1]
    ranked = (ranked - best).clamp(min=-2)  # what is 1 below the best, or more, has no weight anyway
    sums = ranked.cumsum(-1)
    count = torch.arange(1, scores.size(-1) + 1, device=scores.device)
    support = (1 + count * ranked > sums).sum(-1, keepdim=True)
    tau = (sums.gather(-1, support - 1) - 1) / support
    return (scores - best - tau).clamp(min=0) * inside


class Attention(nn.Module):
    """A score, a window and a read. It keeps no sentence: what belongs to one travels in `Memory` and `Look`.

    With `values`, a projection W_v, what is read are not the states that are compared but W_v of them: attention with
    separate keys and values (Vaswani 2017, section 3.2). A head has no window of its own: see heads.py.
    """

    def __init__(
        self,
        score: Score,
        window: Window | None,
        gaussian: str = "after_softmax",
        read: AttentionType | None = None,
        values: nn.Linear | None = None,
        normalizer: str = "softmax",
    ):
        super().__init__()
        self.score, self.window, self.gaussian, self.read = score, window, gaussian, read or Soft()
        self.W_v = values
        self.normalizer = normalizer

    def memory(self, states: Float[Tensor, "*b src mem"], src_mask: Bool[Tensor, "*b src"]) -> Memory:
        """What is read and what is compared, projected once for a sentence."""
        return Memory(states if self.W_v is None else self.W_v(states), self.score.keys(states), src_mask)

    def looks(
        self, queries: Float[Tensor, "*b tgt q"], memory: Memory, t: int
    ) -> tuple[tuple[Look, ...], Float[Tensor, "*b tgt mem"]]:
        """The looks of all `queries`, here one, and the context that the decoder gets of them; as `forward`."""
        look = self(queries, memory, t)
        return (look,), look.context

    def forward(self, queries: Float[Tensor, "*b tgt q"], memory: Memory, t: int) -> Look:
        """The looks of all `queries`, the first of them made at decoding step `t`; `*b` of the Look is `*b tgt`."""
        assert self.window is not None  # a head's look is called, not it
        if self.training and _FEW * self._slots < memory.src_mask.size(-1):
            return self.near(queries, memory, t)
        return self.look(queries, memory, self.window(queries, memory.src_mask, t))

    def look(self, queries: Float[Tensor, "*b tgt q"], memory: Memory, focus: Focus) -> Look:
        """The looks of all `queries` where `focus` says."""
        return self._read(queries, wide(self.score(queries, memory.keys)), focus, memory.states)

    def near(self, queries: Float[Tensor, "b tgt q"], memory: Memory, t: int) -> Look:
        """The same look at a cost that does not grow with the sentence: O(D), as Luong 2015 (section 3.2) has in mind.

        Only the positions that a window can hold are taken out of the memory, so `src` of the Look counts slots from
        floor(p_t) - D on, and scores are known for these alone. For training, where nobody reads the record.
        """
        window, lengths = self.window, memory.lengths
        assert window is not None
        center = window.center(queries, lengths, t)
        assert center is not None  # a window without a centre holds all positions
        offsets = torch.arange(int(self._slots), device=queries.device) - int(window.reach)
        positions = window.middle(center, lengths).long().unsqueeze(-1) + offsets
        real = (positions >= 0) & (positions < lengths[:, None, None])
        starts = torch.arange(len(lengths), device=queries.device)[:, None, None] * memory.src_mask.size(1)
        rows = starts + positions.clamp(min=0).minimum(lengths[:, None, None] - 1)
        keys, states = (torch.embedding(part.flatten(0, 1), rows) for part in (memory.keys, memory.states))
        scores = wide(self.score(queries.unsqueeze(-2), keys).squeeze(-2))
        return self._read(queries, scores, window.around(center, positions, real, lengths), states)

    @property
    def _slots(self) -> float:
        """How many positions a window can hold."""
        assert self.window is not None
        return 2 * self.window.reach + 1

    def _read(
        self,
        queries: Float[Tensor, "*b tgt q"],
        scores: Float[Tensor, "*b tgt src"],
        focus: Focus,
        states: Float[Tensor, "..."],
    ) -> Look:
        if self.gaussian == "on_scores":
            align = weights = self._aligned(queries, scores * focus.gaussian, focus.inside)
        else:
            align = self._aligned(queries, scores, focus.inside)
            weights = align * focus.gaussian
        if self.gaussian == "renorm":
            weights = weights / weights.sum(-1, keepdim=True).clamp_min(torch.finfo(weights.dtype).tiny)
        weights = self.read(weights)
        if states.dim() == weights.dim():  # all queries of a sentence read the same states
            context = weights.to(states.dtype) @ states
        else:
            context = (weights.to(states.dtype).unsqueeze(-2) @ states).squeeze(-2)
        return Look(queries, scores, focus, align, weights, context)

    def _aligned(
        self,
        queries: Float[Tensor, "*b tgt q"],
        scores: Float[Tensor, "*b tgt src"],
        inside: Bool[Tensor, "*b tgt src"],
    ) -> Float[Tensor, "*b tgt src"]:
        if self.normalizer == "sparsemax":
            return masked_sparsemax(scores, inside)
        return masked_softmax(scores, inside, self.score.beyond(queries, inside))
