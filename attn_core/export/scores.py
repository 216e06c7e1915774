"""A score function by itself as a document for the browser: the scores of one query and any number of keys.

The document is as a translator's (see document.py), with one entry in `steps` and

    parameters  by name, as in the module, in nested lists: their values at the start

The graph is from "looks.0.query" and "memory.states", in the engine's words for a query and the encoder states, to
"looks.0.scores"; it returns the first two as well, so that a number that comes from them has a name.
"""

from typing import Any

import torch
from torch import Tensor

from attn_core.attention.attention import Attention
from attn_core.attention.build import build_attention
from attn_core.attention.notation import Quantity
from attn_core.attention.scores import Score
from attn_core.attention.settings import SCORES
from attn_core.explain.step_graph import StepGraph
from attn_core.export.document import FORMAT
from attn_core.export.graphs import Inputs, as_json, traced
from attn_core.export.quantities import Equations, names_of, quantities
from attn_core.messages import N_
from attn_core.models.config import ModelConfig

KEYS = 4  # that a graph is traced with
QUERY, STATES, SCORED = "looks.0.query", "memory.states", "looks.0.scores"


class ScorePiece:
    """The scores of one query, in a batch of one."""

    def __init__(self, score: Score, query: int, memory: int):
        self.score, self.query, self.memory = score, query, memory

    def sample(self, more: int = 0) -> Inputs:
        return {QUERY: torch.ones(1, 1, self.query), STATES: torch.ones(1, KEYS + more, self.memory)}

    def compute(self, inputs: Inputs) -> dict[str, Tensor]:
        return {**inputs, SCORED: self.score(inputs[QUERY], self.score.keys(inputs[STATES]))}


def score_document(config: ModelConfig, query: int, memory: int) -> dict[str, Any]:
    """The document of the score of this config, for a query and keys of these sizes.

    Raises ValueError for a score that cannot be built or exported.
    """
    attention = build_attention(config.attention, query, memory, query)
    assert isinstance(attention, Attention)
    name, score = config["score"], attention.score
    piece = ScorePiece(score, query, memory)
    try:
        (program,) = traced(score, piece.compute, piece.sample)
        graph = as_json(program)
    except Exception as error:  # of torch.export, which has many classes of errors
        raise ValueError(f"the score {name!r} cannot be exported: {error}") from error
    step, equations = StepGraph("score", _quantities(config, query, memory)), Equations()
    return {
        "format": FORMAT,
        "name": name,
        "kind": "score",
        "settings": {},
        "special": {},
        "copies": {},
        "windows": {},
        "encoder": {},
        "parameters": {path: value.tolist() for path, value in score.named_parameters()},
        "steps": [
            {
                "window": None,
                "type": "soft",
                "live": {},
                "settings": {},
                "graphs": [graph],
                "cases": [{}],
                "quantities": quantities([step], [*graph["outputs"]], equations),
            }
        ],
        "equations": equations.table,
        "quantities": {id: facts for id, facts in names_of([step]).items() if id in step.by_id},
    }


def _quantities(config: ModelConfig, query: int, memory: int) -> tuple[Quantity, ...]:
    """The keys, the query, and the scores as the class describes them."""
    x = config.decoder.letters
    return (
        Quantity("memory", "encoder", x.state, N_("keys"), shape=("S", memory), given=True, element=N_("key")),
        Quantity("query", "order", x.query, N_("query"), shape=(query,), given=True),
        SCORES[config["score"]].quantity(config, ("query",)),
    )
