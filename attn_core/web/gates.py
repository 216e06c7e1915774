"""Names for the gates of recurrent cells in exported graphs: torch.export leaves their numbers without one.

A cell is recognised by its equations (models.cells), so graphs that were exported before have the names too:

    GRU     h' = h + z (candidate - h), and r in the candidate; torch's form is candidate + z (h - candidate)
    LSTM    c' = f c + i g,  h' = o tanh(c'), with the inputs of i, f, g and o side by side, as in torch
"""

from collections.abc import Iterator
from typing import Any

Found = dict[str, str]  # id of a quantity -> its value in the graph, such as "%7"

# id -> [symbol in LaTeX, name], as in the notation of a step
_NOTATION = {
    "update": ["z", "update gate"],
    "reset": ["r", "reset gate"],
    "candidate": [r"\tilde h", "candidate state"],
    "input_gate": ["i", "input gate"],
    "forget_gate": ["f", "forget gate"],
    "cell_candidate": ["g", "cell candidate"],
    "output_gate": ["o", "output gate"],
    "cell": ["c", "cell state"],
}
_LSTM = {
    "input_gate": "sigmoid",
    "forget_gate": "sigmoid",
    "cell_candidate": "tanh",
    "output_gate": "sigmoid",
}  # in order


def name_gates(document: dict[str, Any]) -> None:
    """Add the gates to the outputs of a translator's graphs, and to the quantities and notation of its steps.

    In a stack of layers, those of layer n above the lowest one are called `named.ID.n`.
    """
    layers = document["encoder"].get("layers", ())
    inside = {name for layer in layers for cell in layer for graph in cell for name in _add_gates(graph)}
    for step in document["steps"]:
        names = inside.union(*(_add_gates(graph) for graph in step["graphs"]))
        for name in sorted(names):
            id = name.split(".")[1]
            step["quantities"].setdefault(id, []).append(name)
            step["notation"][id] = _NOTATION[id]


def _add_gates(graph: dict[str, Any]) -> list[str]:
    """Add the gates of a graph's cells to its outputs; returns their names."""
    names = []
    for layer, cell in enumerate(_cells(graph)):
        for id, value in cell.items():
            names.append(f"named.{id}" + (f".{layer}" if layer else ""))
            graph["outputs"][names[-1]] = value
    return names


def _cells(graph: dict[str, Any]) -> Iterator[Found]:
    """The gates of each recurrent cell, in order of computation."""
    nodes = {f"%{place}": node for place, node in enumerate(graph["nodes"], len(graph["inputs"]))}
    users: dict[str, list[str]] = {}
    for value, node in nodes.items():
        for argument in _values(node):
            users.setdefault(argument, []).append(value)
    for value, (operation, *_) in nodes.items():
        if operation == "split_with_sizes":
            parts = users.get(value, [])
            if found := _lstm(parts, nodes, users) or _gru(parts, nodes, users):
                yield found


def _lstm(parts: list[str], nodes: dict[str, Any], users: dict[str, list[str]]) -> Found | None:
    gates = [user for part in parts for user in users.get(part, [])]
    if [nodes[gate][0] for gate in gates] != [*_LSTM.values()]:
        return None
    products = [nodes[user] for user in users.get(gates[-1], [])]  # o tanh(c')
    factors = [nodes.get(factor, [""]) for product in products for factor in _values(product) if factor != gates[-1]]
    if [factor[0] for factor in factors] != ["tanh"]:
        return None
    return {**dict(zip(_LSTM, gates, strict=True)), "cell": factors[0][1]}


def _gru(parts: list[str], nodes: dict[str, Any], users: dict[str, list[str]]) -> Found | None:
    if len(parts) != 2:  # r and z are computed together
        return None
    for update, reset in (parts, parts[::-1]):
        factors = [value for user in users.get(update, []) for value in _values(nodes[user])]
        for difference in factors:
            operation, *_ = node = nodes.get(difference, [""])
            candidates = [term for term in _values(node) if nodes.get(term, [""])[0] == "tanh"]
            if operation == "sub" and candidates:
                return {"update": update, "reset": reset, "candidate": candidates[0]}
    return None


def _values(node: list[Any]) -> list[str]:
    """The arguments of a node that are values."""
    return [one for one in node[1:] if isinstance(one, str)]
