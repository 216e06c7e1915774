"""One decoding step as a graph: which vector is made from which, in the order that a config asks for.

Bahdanau 2015 goes s_{i-1} -> a -> c -> s_i -> output (section 3.1), Luong 2015 h_{t-1} -> h_t -> a -> c -> h~ -> output
(section 3). `path(config)` gives the graph with its shapes, `values(trace, t)` the numbers of a recorded step.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter

from jaxtyping import Float
from torch import Tensor

from attn_core.attention.notation import letters
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
    carried: bool = False  # read by the next step


@dataclass(frozen=True)
class Path:
    """The nodes of a step, and (from, to) for each vector that another is made from."""

    order: str
    nodes: tuple[Node, ...]
    edges: tuple[tuple[str, str], ...]
    query: str  # the node that looks
    instead: str  # the state that others let look

    def schedule(self) -> tuple[str, ...]:
        """The nodes in an order in which they can be computed. Raises graphlib.CycleError when there is none."""
        inputs: dict[str, list[str]] = {node.id: [] for node in self.nodes}
        for before, after in self.edges:
            inputs[after].append(before)
        return tuple(TopologicalSorter(inputs).static_order())

    def queried_with(self, node: str) -> "Path":
        """The same step if `node` made the look."""
        swap = [(node, after) if (before, after) in self._looks() else (before, after) for before, after in self.edges]
        return replace(self, edges=tuple(dict.fromkeys(swap)), query=node, instead=self.query)

    def _looks(self) -> set[tuple[str, str]]:
        return {(self.query, "weights"), (self.query, "center")}


def path(config: ModelConfig) -> Path:
    """The step of a model with this config. Raises ValueError for a model that does not look, or another order."""
    if config["score"] is None:
        raise ValueError("a model without attention has no look to draw: give a config with a score")
    if config["order"] not in _PATHS:
        raise ValueError(f"the step of order {config['order']!r} is not drawn yet; there are: {', '.join(_PATHS)}")
    for name, value in _DRAWN.items():
        if getattr(config, name) != value:
            raise ValueError(f"a step with {name}={getattr(config, name)} is not drawn; formulas() writes it")
    return _PATHS[config["order"]](config)


# Settings that would change vectors or arrows, as they are drawn.
_DRAWN = {
    **dict.fromkeys(("query", "combine", "start", "values", "head_size")),
    "heads": 1,
    "attention_type": "soft",
    "layers": 1,
    "cell": "lstm",
    "recurrent": True,
    "input_layer": False,
    "directions": "concat",
    "normalizer": "softmax",
    "combine_bias": False,
}


def _attend_then_update(config: ModelConfig) -> Path:
    """Bahdanau 2015, section 3.1 and A.2.2, with `update` and `readout` as the config has them."""
    n, mem, m, a = config.hidden, config.memory, config.embedding, config["attentional"]
    groundhog = config["update"] == "groundhog"
    read, state = ("next", "s_{i}") if config["readout"] == "s_cur" else ("previous", "s_{i-1}")
    maxout = f"t_{{i}} = maxout(U_{{o}} {state} + V_{{o}} E y_{{i-1}} + C_{{o}} c_{{i}})"
    updated = "s_{i} = GRU(s_{i-1}, y_{i}, c_{i})" if groundhog else "s_{i} = GRU(s_{i-1}, y_{i-1}, c_{i})"
    nodes = (
        Node("memory", "h_{1}…h_{S}", "annotations of the source", "h_{j} = [→h_{j}; ←h_{j}]", ("S", mem), given=True),
        Node("previous", "s_{i-1}", "state before this word", "from the step before", (n,), given=True),
        Node("word", "E y_{i-1}", "embedding of the last word", "a row of E", (m,), given=True),
        Node("weights", "α_{i}", "weights", "α_{i} = softmax_{j} a(s_{i-1}, h_{j})", ("S",)),
        Node("context", "c_{i}", "context", "c_{i} = Σ_{j} α_{ij} h_{j}", (mem,)),
        Node("readout", "t_{i}", "maxout units", maxout, (a,)),
        Node("output", "y_{i}", "distribution over words", "p(y_{i}) = softmax(W_{o} t_{i})", ("V",)),
        Node("next", "s_{i}", "state after this word" if groundhog else "new state", updated, (n,), carried=True),
    )  # fmt: skip
    edges = [
        ("previous", "weights"), ("memory", "weights"), ("weights", "context"), ("memory", "context"),
        (read, "readout"), ("word", "readout"), ("context", "readout"), ("readout", "output"),
        ("previous", "next"), ("context", "next"), ("output" if groundhog else "word", "next"),
    ]  # fmt: skip
    return _with_center(Path(config["order"], nodes, tuple(edges), "previous", "next"), config, "s_{i-1}")


def _update_then_attend(config: ModelConfig) -> Path:
    """Luong 2015, section 3, eq. 5-7; with input feeding (section 3.3) where the config has it."""
    n, mem, m, a = config.hidden, config.memory, config.embedding, config["attentional"]
    combined = "h̃_{t} = tanh(W_{c} [c_{t}; h_{t}])"
    word = "[E y_{t-1}; h̃_{t-1}]" if config["feeding"] else "E y_{t-1}"
    nodes = (
        Node("memory", "h̄_{1}…h̄_{S}", "states of the source", "the encoder's top layer", ("S", mem), given=True),
        Node("previous", "h_{t-1}", "state before this word", "from the step before", (n,), given=True),
        Node("word", "E y_{t-1}", "embedding of the last word", "a row of E", (m,), given=True),
        Node("fed", "h̃_{t-1}", "input feeding", "from the step before; zero at first", (a,), given=True),
        Node("state", "h_{t}", "new state", f"h_{{t}} = LSTM({word}, h_{{t-1}})", (n,), carried=True),
        Node("weights", "a_{t}", "weights", "a_{t} = softmax_{s} score(h_{t}, h̄_{s})", ("S",)),
        Node("context", "c_{t}", "context", "c_{t} = Σ_{s} a_{t}(s) h̄_{s}", (mem,)),
        Node("readout", "h̃_{t}", "attentional vector", combined, (a,), carried=config["feeding"]),
        Node("output", "y_{t}", "distribution over words", "p(y_{t}) = softmax(W_{s} h̃_{t})", ("V",)),
    )  # fmt: skip
    edges = [
        ("previous", "state"), ("word", "state"), ("state", "weights"), ("memory", "weights"),
        ("weights", "context"), ("memory", "context"), ("state", "readout"), ("context", "readout"),
        ("readout", "output"),
    ]  # fmt: skip
    if config["feeding"]:
        edges.append(("fed", "state"))
    return _with_center(Path(config["order"], nodes, tuple(edges), "state", "previous"), config, "h_{t}")


def _with_center(path: Path, config: ModelConfig, query: str) -> Path:
    """p_t and the Gaussian of local-p; p_t of local-m is the clock's, and no vector's doing."""
    if config["window"] not in ("local-p", "local-m"):
        return path
    x = letters(config["order"])
    center, clock = f"p_{{{x.step}}}", x.t.replace("-", " − ")
    if config["window"] == "local-p":
        less = " − 1" if config["one_based"] else ""
        equation = f"{center} = S·σ(v_{{p}}ᵀ tanh(W_{{p}} {query})){less}"
        made, asked = Node("center", center, "centre of the window", equation, ()), [(path.query, "center")]
    else:
        rule = clock if config["local_m_rule"] == "text" else f"min({clock}, S − 1)"
        equation = f"{center} = {rule}" + (", t from 0" if clock == "t" else "")
        made, asked = Node("center", center, "centre of the window", equation, (), given=True), []
    bell = (
        _GAUSSIANS[config["gaussian"]].format(place=x.place, center=center)
        if config.attention and config.attention.gaussian
        else ""
    )
    nodes = tuple(replace(node, equation=node.equation + bell) if node.id == "weights" else node for node in path.nodes)
    return replace(path, nodes=(*nodes, made), edges=(*path.edges, *asked, ("center", "weights")))


_GAUSSIANS = {
    "after_softmax": " · exp(−({place} − {center})² / 2σ²)",
    "renorm": " · exp(−({place} − {center})² / 2σ²), ÷ their sum",
    "on_scores": ", the scores first multiplied by exp(−({place} − {center})² / 2σ²)",
}
_PATHS: dict[str, Callable[[ModelConfig], Path]] = {
    "attend-then-update": _attend_then_update,
    "update-then-attend": _update_then_attend,
}


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
