"""Attention = score x window x read: one query over one memory, recorded as a Look.

Bahdanau 2015, section 3.1 and A.1.2; Luong 2015, section 3.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attn_core.scores import Score
from attn_core.trace import Look, Memory, wide
from attn_core.windows import Window

# What the Gaussian does to the alignment (papers.md B4): Luong 2015 eq. 10 multiplies after the softmax and does not
# renormalise; "renorm" divides by the sum; "on_scores" is the authors' normLocalAttn, softmax(score * gaussian).
GAUSSIANS = ("after_softmax", "renorm", "on_scores")


def masked_softmax(scores: Float[Tensor, "*b src"], inside: Bool[Tensor, "*b src"]) -> Float[Tensor, "*b src"]:
    """Softmax of the scores inside. Positions outside get exactly 0; a row with nothing inside is all zeros."""
    lowest = torch.finfo(scores.dtype).min
    return scores.masked_fill(~inside, lowest).softmax(-1) * inside


class Attention(nn.Module):
    """A score and a window. It keeps no sentence: what belongs to one travels in `Memory` and `Look`."""

    def __init__(self, score: Score, window: Window, gaussian: str = "after_softmax"):
        super().__init__()
        self.score, self.window, self.gaussian = score, window, gaussian

    def memory(self, states: Float[Tensor, "*b src mem"], src_mask: Bool[Tensor, "*b src"]) -> Memory:
        """The encoder's states with their keys, projected once for a sentence."""
        return Memory(states, self.score.keys(states), src_mask)

    def forward(self, queries: Float[Tensor, "*b tgt q"], memory: Memory, t: int) -> Look:
        """The looks of all `queries`, the first of them made at decoding step `t`; `*b` of the Look is `*b tgt`."""
        scores = wide(self.score(queries, memory.keys))
        focus = self.window(queries, memory.src_mask, t)
        if self.gaussian == "on_scores":
            align = weights = masked_softmax(scores * focus.gaussian, focus.inside)
        else:
            align = masked_softmax(scores, focus.inside)
            weights = align * focus.gaussian
        if self.gaussian == "renorm":
            weights = weights / weights.sum(-1, keepdim=True).clamp_min(torch.finfo(weights.dtype).tiny)
        context = weights.to(memory.states.dtype) @ memory.states
        return Look(queries, scores, focus, align, weights, context)
