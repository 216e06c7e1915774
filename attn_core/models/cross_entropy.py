"""Cross-entropy with label smoothing, in one pass over the vocabulary."""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd import Function


def cross_entropy(
    logits: Float[Tensor, "words vocab"], targets: Int[Tensor, "words"], label_smoothing: float = 0.0
) -> Float[Tensor, ""]:
    """The sum over words of -log p(target), in nats, in float32 whatever the logits' type.

    With label smoothing e, the target distribution is 1 - e on the target plus e spread over all words (Szegedy 2016,
    section 7). Equal to torch's `cross_entropy(..., reduction="sum")`, but the gradient overwrites the logits:
    **`logits` are destroyed**, and the result can be differentiated only once. Torch's backward pass instead reads and
    writes the logits several times, and allocates a second block of their size. On an AMD EPYC, training a small preset
    is 1.05 to 1.1 times as fast, and its process takes a fifth less memory (benchmark `gains`).
    """
    return _CrossEntropy.apply(logits, targets, label_smoothing)


CHUNK = 2**18  # logits


class _CrossEntropy(Function):
    @staticmethod
    def forward(ctx: Any, logits: Tensor, targets: Tensor, smoothing: float) -> Tensor:
        rows = max(1, CHUNK // logits.size(-1)) if logits.device.type == "cpu" else len(logits)
        wide = torch.promote_types(logits.dtype, torch.float32)
        total = logits.new_zeros((), dtype=wide)
        for scores, chosen in zip(logits.split(rows), targets.split(rows), strict=True):
            share = torch.softmax(scores, -1, dtype=wide)
            # The highest probability cannot underflow, so log(sum(exp)) is computed from it.
            highest, chosen = scores.amax(-1).to(wide), chosen.unsqueeze(-1)
            log_sum = highest - share.amax(-1).log()
            total += log_sum.sum() - (1 - smoothing) * scores.gather(-1, chosen).sum(dtype=wide)
            if smoothing:
                total -= smoothing * scores.sum(dtype=wide) / scores.size(-1)
            share -= smoothing / scores.size(-1)
            share.scatter_add_(-1, chosen, share.new_full(chosen.shape, smoothing - 1))
            scores.copy_(share)  # d loss / d logits = softmax - target distribution
        ctx.difference = logits.detach()
        return total

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        return ctx.difference.mul_(gradient), None, None
