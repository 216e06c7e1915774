"""Word alignments from attention weights."""

import math
from collections.abc import Sequence

from jaxtyping import Float
from torch import Tensor

from attn_core.data.alignments import Link
from attn_core.data.subwords import word_numbers
from attn_core.models.translator import Translator
from attn_core.trace import Trace


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


def links_of(
    model: Translator,
    trace: Trace,
    shift: int,
    look: int | None = None,
    words: tuple[Sequence[int], Sequence[int]] | None = None,
) -> set[Link]:
    """The links between words of a forced trace, by one look or the mean of all; `</s>` has none.

    `words` are the indices of the word of each source and each target token, as `Tokenizer.word_numbers` finds them in
    the text; without them, pieces of words are joined. A word of several tokens has the links of each.
    """
    links = align_from_weights(trace.weights(look), shift)
    inputs, outputs = list(trace.source), list(trace.target[:-1])  # without </s>, whose links are ignored
    if model.config.source_eos:
        inputs.pop()
    source, target = words or (word_numbers(inputs), word_numbers(outputs))
    return {(source[i], target[j]) for i, j in links if i < len(source) and j < len(target)}
