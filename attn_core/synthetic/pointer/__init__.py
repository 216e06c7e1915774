"""Pointer networks (Vinyals 2015): the attention weights are the output, a distribution over the inputs.

    from attn_core.synthetic.pointer import load, point, pointed
    trace = point(load("pointer-hull"), [[0.1, 0.2], [0.9, 0.3], [0.4, 0.8], [0.4, 0.4]])
    pointed(trace)         # [0, 1, 2]: the corners of the convex hull, counter-clockwise
    trace.weights()        # the distribution of every step, over the end and the inputs

The input of a decoder step is the element pointed at in the previous step. Position 0 of the memory is a learned
vector for the end, `</s>`: pointing at it stops decoding. The inputs follow it.
"""

from typing import Any

from attn_core.synthetic.pointer.measures import measure, report
from attn_core.synthetic.pointer.net import CONSTRAINTS, PointerConfig, PointerNet
from attn_core.synthetic.pointer.problems import PROBLEMS
from attn_core.synthetic.pointer.search import beam_search, forced, greedy, point, pointed
from attn_core.synthetic.pointer.training import RECIPES, learn, load

# Text of the model cards. TASK is one of the Hugging Face hub's task types.
TASK = "other"
ABOUT = (
    "The network of Vinyals, Fortunato and Jaitly (2015) at a small size: one LSTM encodes the inputs, another encodes "
    "the choices so far, and the softmax of the additive score between their states (eq. 3) is the output, so the "
    "number of inputs is not fixed. As in the paper, no input is masked: the model has to learn not to choose an input "
    "twice. "
    "`plain` models are those of section 2.2: the same attention, but the context vector goes to an output layer with "
    "one word per position, up to the longest training input. With fewer inputs their task is easier than in the "
    "paper: the softmax omits words for missing positions, in training too."
)
MEASURES = (
    "n is the number of inputs. `accuracy` is the share of exactly correct outputs; a hull is correct from any corner "
    "and in either direction. `area` is the mean share of the hull's area that the valid outputs cover, or FAIL if "
    "more than 1% of the outputs are `invalid`, that is, cross or touch themselves. `places` is the share of places "
    "with the correct number. FAIL in all columns: the model has no words for that many positions."
)
EXAMPLE = """from attn_core.synthetic.pointer import load, point, pointed

trace = point(load("NAME"), INPUTS)
print(pointed(trace), trace.weights())"""


def example(config: dict[str, Any]) -> str:
    """Example code for a model of this config; NAME stands for the model."""
    points = [[0.1, 0.2], [0.9, 0.3], [0.4, 0.8], [0.4, 0.4], [0.6, 0.5]]
    return EXAMPLE.replace("INPUTS", str([point[: PROBLEMS[config["problem"]].inputs] for point in points]))


__all__ = [
    "CONSTRAINTS",
    "RECIPES",
    "PointerConfig",
    "PointerNet",
    "beam_search",
    "forced",
    "greedy",
    "learn",
    "load",
    "measure",
    "point",
    "pointed",
    "report",
]
