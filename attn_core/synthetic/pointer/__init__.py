"""Pointer networks (Vinyals 2015): the attention's weights are the output, so it can choose among any number of inputs.

    from attn_core.synthetic.pointer import load, point, pointed
    trace = point(load("pointer-hull"), [[0.1, 0.2], [0.9, 0.3], [0.4, 0.8], [0.4, 0.4]])
    pointed(trace)         # [0, 1, 2]: the corners of the convex hull, counter-clockwise
    trace.weights()        # the distribution of every step, over the end and then the inputs

The encoder reads the inputs, the decoder those that it has pointed at. Position 0 of the memory is a learned vector
that stands for the end, `</s>`, so that to stop is one more thing to point at; the inputs follow.
"""

from typing import Any

from attn_core.synthetic.pointer.measures import measure, report
from attn_core.synthetic.pointer.net import CONSTRAINTS, PointerConfig, PointerNet
from attn_core.synthetic.pointer.problems import PROBLEMS
from attn_core.synthetic.pointer.search import beam_search, forced, greedy, point, pointed
from attn_core.synthetic.pointer.training import RECIPES, learn, load

# For the cards.
ABOUT = (
    "The network of Vinyals, Fortunato and Jaitly (2015), small: an LSTM reads the inputs, another one what it has "
    "chosen so far, and the softmax of the additive score between them (eq. 3) is the output, so that inputs of any "
    "number can be chosen among. No input is masked, as in the paper: it has to learn by itself not to choose one "
    "twice. `plain` models are its section 2.2: the same attention, but its context goes to an output layer with a "
    "word for each position, and there is no word beyond the longest input that was trained on. With fewer inputs they "
    "have it easier than the section's model: the words for positions that are not there are left out of the softmax, "
    "in training too."
)
MEASURES = (
    "`accuracy` is the share of outputs that are exactly right: for hulls, the same polygon, wherever and whichever "
    "way the walk begins. `area` is the mean share of the hull that the valid outputs cover; FAIL: more than 1% are "
    "`invalid`, that is, cross or touch themselves. `places` is the share of places with the right number. FAIL in "
    "all columns: the model has no words for so many positions. n is the number of inputs."
)
EXAMPLE = """from attn_core.synthetic.pointer import load, point, pointed

trace = point(load("NAME"), INPUTS)
print(pointed(trace), trace.weights())"""


def example(config: dict[str, Any]) -> str:
    """Code that runs a model of this config; NAME stands for the model."""
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
