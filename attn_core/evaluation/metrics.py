"""Perplexity. BLEU is in bleu.py, the alignment error rate in data/alignments.py."""

import math


def perplexity(total_nll: float, tokens: int) -> float:
    """exp(total_nll / tokens): `total_nll` in nats, `tokens` the number of target tokens, `</s>` included.

    Infinite if it exceeds the largest float. Raises ValueError when there are no tokens.
    """
    if tokens <= 0:
        raise ValueError(f"perplexity over {tokens} tokens: expected at least one")
    try:
        return math.exp(total_nll / tokens)
    except OverflowError:
        return math.inf
