"""Word alignments from attention weights."""

import math

from jaxtyping import Float
from torch import Tensor

from attn_core.data.alignments import Link


def align_from_weights(weights: Float[Tensor, "tgt src"], shift: int = 0) -> set[Link]:
    """Links (source, target): each target word is linked to the source word with the largest weight, ties to the first.

    With `shift` 0, row t links word t; leave out the row of `</s>` if it should have no link. With `shift` 1, row
    t + 1 links word t, as Luong 2015 (section 5.4) measured alignments: row 0 links nothing, and the last word is
    linked by the row of the `</s>` step, or not at all without that row. A row of zeros gives no link.
    Raises ValueError when `shift` is not 0 or 1 or a weight is NaN.
    """
    if shift not in (0, 1):
        raise ValueError(f"alignment shift {shift}: expected 0 (the word's own step) or 1 (the step after it)")
    rows = weights.tolist()  # list.index() returns the first maximum on every device; argmax may return any
    if any(math.isnan(weight) for row in rows for weight in row):
        raise ValueError("attention weights: expected numbers, found nan")
    return {(row.index(max(row)), t) for t, row in enumerate(rows[shift:]) if any(row)}
