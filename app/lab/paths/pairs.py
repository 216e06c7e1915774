"""Which steps of two translations of one sentence belong together: those that look at the same source word."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.data.subwords import spelled, word_numbers
from attn_core.trace import Trace


def partners(one: Trace, other: Trace) -> list[dict[str, Any] | None]:
    """For each step of `one`: the `word` of the source that it looks at most, and the `step` of `other` for that word.

    That is the step which looks at the word more than the other steps do; the first of them where several do so alike,
    and None for an end of the sentence that `other` does not read. There is nothing for a step that looks at nothing.
    """
    there, words = by_word(other), spelled(one.source)
    found = []
    for row in by_word(one):
        place = int(row.argmax())
        met = place < there.size(1) and there.size(0)
        partner = {"word": words[place], "step": int(there[:, place].argmax()) if met else None}
        found.append(partner if row[place] > 0 else None)
    return found


def by_word(trace: Trace) -> Float[Tensor, "tgt words"]:
    """The weights of a trace, those of a word's pieces added up."""
    numbers = torch.tensor(word_numbers(trace.source))
    weights = trace.weights()
    return torch.zeros(len(weights), int(numbers[-1]) + 1).index_add(1, numbers, weights)
