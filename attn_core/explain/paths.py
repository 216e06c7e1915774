"""A step as a diagram of vectors: the step graph without its inner quantities, and the numbers of a recorded step.

Bahdanau 2015 goes s_{i-1} -> α -> c -> s_i -> output (section 3.1), Luong 2015 h_{t-1} -> h_t -> a -> c -> h~ -> output
(section 3). `path(config)` gives the diagram with its shapes, `values(trace, t)` the numbers of a recorded step.
"""

from dataclasses import dataclass, replace
from graphlib import TopologicalSorter

from jaxtyping import Float
from torch import Tensor

from attn_core.attention.notation import Quantity
from attn_core.explain.plain import plain
from attn_core.explain.step_graph import StepGraph, step_graph
from attn_core.models.config import ModelConfig
from attn_core.trace import Trace


@dataclass(frozen=True)
class Node:
    """One vector of a step. Symbols and equations are plain text, with `_{...}` around what stands lower."""

    id: str
    symbol: str
    name: str
    equation: str
    shape: tuple[int | str, ...]  # "S": the words of the source; "V": those of the target's vocabulary
    given: bool = False  # there before the step begins
    carried: bool = False  # used by the next step


@dataclass(frozen=True)
class Path:
    """The nodes of a step, and (from, to) for each vector that another is made from."""

    order: str
    nodes: tuple[Node, ...]
    edges: tuple[tuple[str, str], ...]
    query: str  # the node that attends
    instead: str  # the state that others let attend

    def schedule(self) -> tuple[str, ...]:
        """The nodes in an order in which they can be computed. Raises graphlib.CycleError when there is none."""
        inputs: dict[str, list[str]] = {node.id: [] for node in self.nodes}
        for before, after in self.edges:
            inputs[after].append(before)
        return tuple(TopologicalSorter(inputs).static_order())

    def queried_with(self, node: str) -> "Path":
        """The same step if `node` attended."""
        asked = {(self.query, "weights"), (self.query, "center")}
        swap = [(node, after) if (before, after) in asked else (before, after) for before, after in self.edges]
        return replace(self, edges=tuple(dict.fromkeys(swap)), query=node, instead=self.query)


# Quantities that a diagram has no box for: they are part of the one that is computed from them.
INNER = ("input", "scores", "view", "alignment", "gaussian")
# The state that attends, and the one that others let attend, by order.
QUERIES = {"attend-then-update": ("previous", "next"), "update-then-attend": ("state", "previous")}
# Settings that would need other boxes, or other numbers of a record, than are drawn.
_DRAWN = {
    **dict.fromkeys(("values", "head_size")),
    "query": "state",
    "heads": 1,
    "attention_type": "soft",
    "normalizer": "softmax",
    "recurrent": True,
    "input_layer": False,
    "directions": "concat",
    "combine_bias": False,
}
_FIRST = {"update-then-attend": {"combine": "tanh", "start": "copy", "decoder.layers": 1, "decoder.cell": "lstm"}}
_FIRST["attend-then-update"] = {"combine": "maxout", "start": "backward"}


def path(config: ModelConfig) -> Path:
    """The step of a model with this config. Raises ValueError for a model without attention, or of another order."""
    if config.attention is None:
        raise ValueError("a model without attention has no query to draw: give a config with a score")
    order = config.decoder.name
    if order not in QUERIES:
        raise ValueError(f"the step of order {order!r} is not drawn; there are: {', '.join(QUERIES)}")
    for name, value in (_DRAWN | _FIRST[order]).items():
        if config[name] not in (None, value):
            raise ValueError(f"a step with {name}={config[name]} is not drawn; formulas() writes it")
    graph = step_graph(config)
    shown = [quantity for quantity in graph.quantities if quantity.id not in INNER]
    if config["feeding"] is False:  # the box of the fed vector stays where it is, with no arrow, to compare models
        shown.append(step_graph(config.set({"feeding": True}))["fed"])
    nodes = tuple(
        Node(one.id, plain(one.symbol), one.name, _equation(graph, one), one.shape, one.given, one.carried)
        for one in shown
    )
    here = [one for one in shown if one in graph.quantities]
    edges = [(before, one.id) for one in here for before in graph.sources(one.id, lambda q: q.id not in INNER)]
    return Path(order, nodes, tuple(edges), *QUERIES[order])


def _equation(graph: StepGraph, node: Quantity) -> str:
    """The equations of a node, those of its inner quantities first."""
    if not node.inputs:
        own = node.lines[0] if node.lines and node.id not in ("previous", "word") else ""
        return plain(own) if own else "a row of E" if node.id == "word" else "from the step before"
    lines: list[str] = []

    def collect(one: str) -> None:
        for before in graph[one].inputs:
            if before in INNER and before != "view":
                collect(before)
        lines.extend(plain(line) for line in graph[one].lines if plain(line) not in lines)

    collect(node.id)
    return "; ".join(lines)


def values(trace: Trace, t: int) -> dict[str, Float[Tensor, "..."]]:
    """The vectors of step `t` (from 0) by node, as far as the record has them.

    What a step takes over stands in the record of the step before, and what it hands on in that of the next one, so
    the first step's and the last one's are not there. Raises IndexError when the trace has no step `t`.
    """
    word = trace.words[t]
    look = word.step.looks[0]
    found = {
        "memory": trace.memory.states,
        "weights": look.weights,
        "context": look.context,
        "readout": word.step.attentional,
    }
    if look.focus.center is not None:
        found["center"] = look.focus.center
    before = trace.words[t - 1] if t else None
    after = trace.words[t + 1] if t + 1 < len(trace.words) else None
    if trace.settings["order"] == "attend-then-update":
        found["previous"] = look.query
        if after:
            found["next"] = after.step.looks[0].query
    else:
        found["state"] = look.query
        if before:
            found["previous"] = before.step.looks[0].query
        if trace.settings["feeding"]:
            found["fed"] = (
                before.step.attentional if before else word.step.attentional.new_zeros(word.step.attentional.shape)
            )
    return found
