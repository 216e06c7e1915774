"""One decoding step as a graph of named quantities: what is computed from what, with equations and shapes.

The classes that compute the quantities describe them (attention.notation.Quantity); this module combines the
descriptions of a model's parts. Everything that shows a step derives from this graph: `formulas` the equations, `flow`
the arrows between the rows of a figure, `explain.paths` the diagrams of the Paths page.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from attn_core.attention.notation import GROUPS, Node, Quantity
from attn_core.models.config import ModelConfig
from attn_core.models.encoders.settings import ENCODERS
from attn_core.models.settings import ORDERS

_ROLES = {"score": "scores", "weight": "weights", "context": "context", "output": "output"}


@dataclass(frozen=True)
class StepGraph:
    """The quantities of one decoding step, in the order in which their equations are read."""

    order: str
    quantities: tuple[Quantity, ...]

    @cached_property
    def by_id(self) -> dict[str, Quantity]:
        return {quantity.id: quantity for quantity in self.quantities}

    def __getitem__(self, id: str) -> Quantity:
        return self.by_id[id]

    def roles(self, id: str) -> tuple[str, ...]:
        """What a quantity is in attention or in the decoder: query, key, value, score, weight, context, output.

        The encoder states are the keys if they are compared with the query, and the values if they are averaged. The
        weights of a step without another output, a pointer network's, are its output. What the step before feeds to
        this one, if anything is computed from it, is "feeding", and the state that begins as the encoder's "start".
        Other quantities have no role.
        """
        found = [role for role, own in _ROLES.items() if own == id]
        if id == "weights" and "output" not in self.by_id:
            found.append("output")
        quantity = self[id]
        if quantity.axis == "feeding" and quantity.given and any(id in other.inputs for other in self.quantities):
            found.append("feeding")
        if quantity.node is Node.STATE_BEFORE and quantity.first:
            found.append("start")
        scores = self.by_id.get("scores")
        if scores is None:
            return tuple(found)
        if id in scores.inputs:
            found.append("key" if id == "memory" else "query")
        if id == "memory" and "context" in self.by_id:
            found.append("value")
        return tuple(found)

    def sources(self, id: str, among: Callable[[Quantity], bool]) -> tuple[str, ...]:
        """The nearest quantities, among those for which `among` is true, that a quantity is computed from."""
        found: dict[str, None] = {}
        for before in self[id].inputs:
            found |= dict.fromkeys((before,) if among(self[before]) else self.sources(before, among))
        return tuple(found)


def step_graph(config: ModelConfig) -> StepGraph:
    """The graph of a step of a model with this config."""
    order = ORDERS[config.decoder.name]
    memory = ENCODERS[config.encoder.name].quantity(config)
    return StepGraph(config.decoder.name, (memory, *order.quantities(config)))


def in_reading_order(graph: StepGraph) -> list[Quantity]:
    """The quantities in the order in which their equations are read: those given before the step come last."""
    return sorted(graph.quantities, key=lambda one: one.given and one.axis == "order" and one.id != "context")


def formulas(config: ModelConfig) -> dict[str, list[str]]:
    """The LaTeX equations of each axis, in the order of GROUPS; axes without equations are omitted.

    Within an axis, equations of quantities that are available before the step come last. Those of a first step stand
    with the others, since their symbols name the step.
    """
    found: dict[str, list[str]] = {axis: [] for axis in GROUPS}
    for quantity in in_reading_order(step_graph(config)):
        found[quantity.axis] += (*quantity.lines, *quantity.first)
    return {axis: list(dict.fromkeys(lines)) for axis, lines in found.items() if lines}


Flow = frozenset[tuple[Node, Node]]


def flow(config: ModelConfig) -> Flow:
    """The arrows (from, to) of a decoding step: `to` is computed from `from` without another Node in between.

    (WORD, STATE) is the chosen word; an arrow from a state or a word to CONTEXT is a query. Raises ValueError for a
    Transformer, whose steps have no state.
    """
    if config.decoder.name == "transformer":
        raise ValueError("the steps of a Transformer have no state: use a model with a recurrent decoder")
    graph = step_graph(config)
    arrows = set()
    for quantity in graph.quantities:
        for before in graph.sources(quantity.id, lambda one: one.node is not None):
            if quantity.node is not None:
                arrows.add((graph[before].node, quantity.node))
    return frozenset((before, after) for before, after in arrows if before is not None)
