"""What browser.json says of the quantities of a step, and of the windows in which a model can be run, for pages."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from attn_core.attention.settings import WindowSettings
from attn_core.explain.mathml import mathml
from attn_core.explain.step_graph import StepGraph, in_reading_order
from attn_core.export.facts import window_facts
from attn_core.models.cells import GATES
from attn_core.models.config import ModelConfig

# Where the record, or the state passed between steps, holds a quantity of the step graph that the model does not mark.
_FIELDS = {
    "memory": "memory.states",
    "fed": "carry.fed",
    "context": "carry.fed",  # without attention, the same at every step
    "state": "hidden",
    "readout": "attentional",
    "output": "log_probs",
    "choice": "read",  # of a pointer network
    "before": "carry.state.0",
}
# Where the next step has a quantity: in GroundHog's program a state is updated when its word is known.
_LATER = {"next": "named.previous"}
_OF_LOOKS = {
    "query": "query",
    "scores": "scores",
    "center": "focus.center",
    "view": "focus.inside",
    "gaussian": "focus.gaussian",
    "alignment": "alignment",
    "weights": "weights",
    "context": "context",
}
# By case of a live setting, the values that it stands for.
NONE, GIVEN, ZERO, MORE = "none", "given", "zero", "more"


class Equations:
    """The equations of a document in MathML, each of which it has once; `table` lists them."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    @property
    def table(self) -> list[str]:
        return [*self._places]

    def place(self, latex: str) -> int:
        """The place in the table of an equation given in LaTeX."""
        return self._places.setdefault(mathml(latex), len(self._places))


def window_of(config: ModelConfig) -> WindowSettings | None:
    """The window of a model whose attention has one that can be moved: of all but Transformers."""
    if config.attention is None or config.decoder.name == "transformer":
        return None
    return config.attention.window


def windows(configs: Iterable[ModelConfig]) -> dict[str, dict[str, Any]]:
    """What a page must know of each window in which a model can be run, by name; see document.py."""
    found = filter(None, map(window_of, configs))
    return {one.name: window_facts(one) for one in found}


def live(config: ModelConfig) -> dict[str, Any]:
    """The live settings of the window of a model, by name."""
    window = window_of(config)
    return {} if window is None else {name: getattr(window, name) for name in window.live()}


def cases(config: ModelConfig) -> list[tuple[dict[str, str], ModelConfig]]:
    """The cases of live settings in which the equations of a step may differ, each with a config; its own first.

    A setting that may be none is none or given, and a whole number is zero or more. Cases that the model cannot have
    are left out.
    """
    window = window_of(config)
    choices = []
    for name, value in live(config).items():
        assert window is not None
        least, default = window.about()[name].least, window.defaults()[name]
        if type(None) in window.kinds()[name]:
            ways = [(NONE, None), (GIVEN, value or max(least or 0.0, 1.0))]
            ways.sort(key=lambda case: (case[1] is None) != (value is None))
        else:
            ways = [(MORE, value or default or 1), *([(ZERO, 0)] if least == 0 else [])]
            ways.sort(key=lambda case: bool(case[1]) != bool(value))
        choices.append([(name, *case) for case in ways])
    found = []
    for chosen in product(*choices):
        values = {f"attention.window.{name}": value for name, _, value in chosen}
        try:
            found.append(({name: case for name, case, _ in chosen}, config.set(values) if values else config))
        except ValueError:
            continue
    return found


def names_of(graphs: Iterable[StepGraph]) -> dict[str, dict[str, Any]]:
    """What is known of each quantity of these step graphs, and of each gate; see document.py."""
    found: dict[str, dict[str, Any]] = {}
    for graph in graphs:
        for one in graph.quantities:
            before = [*found.get(one.id, {}).get("inputs", ()), *one.inputs]
            facts = {"name": one.name, "axis": one.axis, "roles": [*graph.roles(one.id)]}
            element = {"element": one.element} if one.element else {}
            found[one.id] = facts | element | {"inputs": [*dict.fromkeys(before)]}
    gates = {id: {"name": name, "axis": "order", "roles": [], "inputs": []} for id, (_, name) in GATES.items()}
    return found | gates


def quantities(graphs: Sequence[StepGraph], names: Sequence[str], equations: Equations) -> dict[str, dict[str, Any]]:
    """The quantities of a step by id, in the order in which their equations are read; see document.py.

    `graphs` are the step graphs of `cases`, and `names` those of the inputs and outputs of the graph and of the
    tensors that are computed before it.
    """
    most = max(graphs, key=lambda graph: len(graph.quantities))
    found = {}
    for one in in_reading_order(most):
        forms = [_form(graph, one.id, equations) for graph in graphs]
        tensors = _tensors(one.id, names)
        found[one.id] = {"tensors": tensors, "forms": forms[:1] if all(form == forms[0] for form in forms) else forms}
        if not tensors:
            found[one.id]["later"] = [_LATER[one.id]]
    for id, tensors in _gates(names).items():
        found[id] = {"tensors": tensors, "forms": [{"symbol": equations.place(GATES[id][0]), "lines": []}]}
    return found


def _form(graph: StepGraph, id: str, equations: Equations) -> dict[str, Any] | None:
    """The symbol and the equations of a quantity as places in a table; None where a step does not have it."""
    if id not in graph.by_id:
        return None
    one = graph[id]
    lines, first = ([equations.place(line) for line in latex] for latex in (one.marked, one.first))
    return {"symbol": equations.place(one.symbol), "lines": lines} | ({"first": first} if first else {})


def _tensors(id: str, names: Sequence[str]) -> list[str]:
    """The names of the tensors that hold a quantity, one for each layer and head."""
    looks = [name for name in names if name.startswith("looks.") and name.split(".", 2)[2] == _OF_LOOKS.get(id)]
    marked = [name for name in names if f"{name}.".startswith(f"named.{id}.")]
    return marked or looks or [name for name in names if name == _FIELDS.get(id)]


def _gates(names: Sequence[str]) -> dict[str, list[str]]:
    """The names of the tensors that hold each gate of the model's cells."""
    found: dict[str, list[str]] = {}
    for name in sorted(dict.fromkeys(names)):
        kind, id, *_layer = [*name.split("."), ""]
        if kind == "named" and id in GATES:
            found.setdefault(id, []).append(name)
    return found
