"""A decoding step as a diagram of vectors: the step graph without its inner quantities, and a recorded step's values.

The path is s_{i-1} -> α -> c -> s_i -> output in Bahdanau 2015 (section 3.1), and h_{t-1} -> h_t -> a -> c -> h~ ->
output in Luong 2015 (section 3). `path(config)` is the diagram with its shapes, `values(trace, t)` the values of a
recorded step.
"""

from dataclasses import dataclass, replace
from graphlib import TopologicalSorter

from jaxtyping import Float
from torch import Tensor

from attn_core.attention.notation import Quantity
from attn_core.explain.plain import plain
from attn_core.explain.step_graph import StepGraph, step_graph
from attn_core.messages import _
from attn_core.models.config import ModelConfig
from attn_core.trace import Trace


@dataclass(frozen=True)
class Node:
    """One vector of a step. Symbols and equations are plain text, with `_{...}` around subscripts."""

    id: str
    symbol: str
    name: str
    equation: str
    shape: tuple[int | str, ...]  # "S": number of source words; "V": size of the target vocabulary
    given: bool = False  # available before the step begins


@dataclass(frozen=True)
class Path:
    """The nodes of a step, and an edge (from, to) for each vector that another is computed from."""

    order: str
    nodes: tuple[Node, ...]
    edges: tuple[tuple[str, str], ...]
    query: str  # the node that attends
    instead: str  # the state that attends in the other order

    def schedule(self) -> tuple[str, ...]:
        """The nodes in an order in which they can be computed. Raises graphlib.CycleError if there is none."""
        inputs: dict[str, list[str]] = {node.id: [] for node in self.nodes}
        for before, after in self.edges:
            inputs[after].append(before)
        return tuple(TopologicalSorter(inputs).static_order())

    def queried_with(self, node: str) -> "Path":
        """The same step with `node` as the query."""
        uses = {(self.query, "weights"), (self.query, "center")}
        swap = [(node, after) if (before, after) in uses else (before, after) for before, after in self.edges]
        return replace(self, edges=tuple(dict.fromkeys(swap)), query=node, instead=self.query)


# Quantities without a box in the diagram: they belong to the box of the quantity computed from them.
INNER = ("input", "scores", "view", "alignment", "gaussian")
# By order: the state that attends, and the state that attends in the other order.
QUERIES = {"attend-then-update": ("previous", "next"), "update-then-attend": ("state", "previous")}
# The only values of these settings that the diagram supports.
_DRAWN = {
    **dict.fromkeys(("values", "head_size")),
    "query": "state",
    "attention.heads": 1,
    "attention.type": "soft",
    "normalizer": "softmax",
    "recurrent": True,
    "input_layer": False,
    "directions": "concat",
    "combine_bias": False,
}
_FIRST = {"update-then-attend": {"combine": "tanh", "start": "copy", "decoder.layers": 1, "decoder.cell": "lstm"}}
_FIRST["attend-then-update"] = {"combine": "maxout", "start": "backward"}


def path(config: ModelConfig) -> Path:
    """The step of a model with this config.

    Raises ValueError for a model without attention, and for an order or a setting that the diagram does not support.
    """
    if config.attention is None:
        raise ValueError(_("a model without attention has no query to draw: use a config with a score"))
    order = config.decoder.name
    if order not in QUERIES:
        raise ValueError(
            _("the diagram does not support order {order!r}; choose one of: {values}").format(
                order=order, values=", ".join(QUERIES)
            )
        )
    for name, value in (_DRAWN | _FIRST[order]).items():
        if config[name] not in (None, value):
            raise ValueError(
                _("the diagram does not support {name}={value}; formulas() gives its equations").format(
                    name=name, value=config[name]
                )
            )
    graph = step_graph(config)
    shown = [quantity for quantity in graph.quantities if quantity.id not in INNER]
    nodes = tuple(
        Node(one.id, plain(one.symbol), one.name, _equation(graph, one), one.shape, one.given) for one in shown
    )
    edges = [(before, one.id) for one in shown for before in graph.sources(one.id, lambda q: q.id not in INNER)]
    return Path(order, nodes, tuple(edges), *QUERIES[order])


def _equation(graph: StepGraph, node: Quantity) -> str:
    """The equations of a node, preceded by those of its inner quantities."""
    if not node.inputs:
        own = node.lines[0] if node.lines and node.id not in ("previous", "word") else ""
        return plain(own) if own else "a row of E" if node.id == "word" else "from the previous step"
    lines: list[str] = []

    def collect(one: str) -> None:
        for before in graph[one].inputs:
            if before in INNER and before != "view":
                collect(before)
        lines.extend(plain(line) for line in graph[one].lines if plain(line) not in lines)

    collect(node.id)
    return "; ".join(lines)


def values(trace: Trace, t: int) -> dict[str, Float[Tensor, "..."]]:
    """The recorded vectors of step `t` (from 0), by node.

    A step's previous state is recorded in the step before, and its next state in the step after, so the first step
    lacks the former and the last step the latter. Raises IndexError if the trace has no step `t`.
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
