"""The vectors of the Score lab's plane."""

from typing import Any

from attn_core.attention.scores import SCORES
from attn_core.models.config import ModelConfig

LABELS = {"scaled_dot": "scaled dot"}
# What the browser can compute (functions.js); other score functions of the registry are not shown.
DRAWN = ("dot", "scaled_dot", "general", "additive", "concat", "location")
START: dict[str, Any] = {
    "query": [1.4, 1.0],
    "keys": [[1.6, -0.4], [0.7, 1.5], [-1.3, 0.9], [-0.9, -1.2], [0.5, -1.6]],
    "values": [[1.9, 1.9], [-0.4, 1.9], [-1.9, -0.2], [-0.1, -0.7], [1.7, -1.8]],
    "parameters": {
        "general": {"W_a": [[0.6, -0.9], [0.9, 0.6]]},
        "additive": {
            "W_a": [[0.9, -0.4], [0.3, 0.8], [-0.7, 0.5]],
            "U_a": [[0.8, 0.3], [-0.5, 0.9], [0.6, 0.7]],
            "v_a": [1.8, -1.2, 1.5],
        },
        "location": {"W_a": [[0.2, 0.9], [1.1, 0.1], [-0.6, 0.4], [0.3, -0.8], [-0.9, -0.5]]},
    },
}


def vectors() -> dict[str, Any]:
    """The data of vectors.js: the score functions that it draws, and the vectors and matrices at the start."""
    functions = [
        {"name": name, "label": LABELS.get(name, name), "latex": SCORES[name].latex(ModelConfig.of(score=name))}
        for name in DRAWN
        if name in SCORES
    ]
    return {"functions": functions, "start": START}
