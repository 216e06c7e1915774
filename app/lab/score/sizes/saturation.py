"""How softmax saturates with the number of dimensions, computed with attn_core's scores on random vectors."""

from typing import Any

import torch

from attn_core.attention.measures import entropy
from attn_core.attention.scores import SCORES

KEYS, DRAWS = 8, 256
LARGEST = 512
KINDS = ("dot", "scaled_dot")


def sizes() -> list[int]:
    """1 .. 512 in equal steps on a logarithmic scale, with every power of two."""
    return sorted({round(2 ** (k / 16)) for k in range(16 * 9 + 1)})


def saturation(seed: int = 3) -> dict[str, Any]:
    """For each d: the scores of one draw, and over all draws the scores' standard deviation and softmax's mean entropy.

    Query and keys have independent standard normal entries, so q.k has variance d (Vaswani 2017, section 3.2.1,
    footnote 4). A draw keeps its vectors while d grows: each d takes their first d entries.
    """
    torch.set_num_threads(1)  # the setting is each thread's own
    random = torch.Generator().manual_seed(seed)
    queries = torch.randn(DRAWS, 1, LARGEST, generator=random)
    keys = torch.randn(DRAWS, KEYS, LARGEST, generator=random)
    data: dict[str, Any] = {"sizes": sizes(), "keys": KEYS, "draws": DRAWS, "rows": {}}
    for kind in KINDS:
        rows: dict[str, list] = {"scores": [], "spread": [], "entropy": []}
        for d in data["sizes"]:
            score = SCORES.build(kind, d, d)
            scores = score(queries[..., :d], score.keys(keys[..., :d])).squeeze(-2)
            rows["scores"].append([round(value, 4) for value in scores[0].tolist()])
            rows["spread"].append(round(scores.std().item(), 4))
            rows["entropy"].append(round(entropy(scores.softmax(-1)).mean().item(), 4))
        data["rows"][kind] = rows
    return data
