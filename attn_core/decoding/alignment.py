"""Word alignments taken from attention weights."""

import math

from jaxtyping import Float
from torch import Tensor

from attn_core.data.alignments import Link


def align_from_weights(weights: Float[Tensor, "tgt src"], shift: int = 0) -> set[Link]:
    """Links (source, target): each target word with the source word that it weighed most, the first of equals.

    With `shift` 0 word t is linked by row t; leave out the row of `</s>` if it should have no link. With `shift` 1 it
    is linked by row t + 1, the look of the next step, as Luong 2015 (section 5.4) measured alignments: row 0 links
    nothing, the last word needs the row of the `</s>` step after it, and without that row it gets no link.
    A row without any weight gives no link.
    Raises ValueError when `shift` is not 0 or 1 or a weight is not a number.
    """
    if shift not in (0, 1):
        raise ValueError(f"alignment shift {shift}: expected 0 (the word's own step) or 1 (the step after it)")
    rows = weights.tolist()  # a list's index() takes the first maximum on every device; argmax promises none
    if any(math.isnan(weight) for row in rows for weight in row):
        raise ValueError("attention weights: expected numbers, found nan")
    return {(row.index(max(row)), t) for t, row in enumerate(rows[shift:]) if any(row)}
