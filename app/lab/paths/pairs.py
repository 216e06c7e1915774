"""Pairs of steps of two translations of one sentence that attend to the same source word."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.data.subwords import spelled, word_numbers
from attn_core.trace import Trace


def partners(one: Trace, other: Trace) -> list[dict[str, Any] | None]:
    """For each step of `one`: the source `word` with the largest weight, and the `step` of `other` for that word.

    That is the step of `other` with the largest weight on the word, the first of equals; None if the word is the end
    symbol and `other` does not have it. The entry is None for a step without any weight.
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
    """The attention weights of a trace, summed over the pieces of each word."""
    numbers = torch.tensor(word_numbers(trace.source))
    weights = trace.weights()
    return torch.zeros(len(weights), int(numbers[-1]) + 1).index_add(1, numbers, weights)
