"""How good a model is: perplexity. BLEU is in bleu.py, alignment error rate in data/alignments.py."""

import math


def perplexity(total_nll: float, tokens: int) -> float:
    """exp of the mean negative log likelihood: `total_nll` in nats over so many target `tokens`, `</s>` counted.

    Raises ValueError when there are no tokens. Infinite when it is beyond the largest float.
    """
    if tokens <= 0:
        raise ValueError(f"perplexity over {tokens} tokens: expected at least one")
    try:
        return math.exp(total_nll / tokens)
    except OverflowError:
        return math.inf
