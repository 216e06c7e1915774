"""A graph that asks for more memory or arithmetic than its model can need is refused at once, with a clear reason."""

import base64
import json
import struct

import pytest

from attn_core.models.folders import find
from attn_core.web.model_files import model_files
from tests.helpers.engine import PROBE
from tests.helpers.javascript import evaluator

NAME = "luong-general-local-p"
HUGE = 10**9
# Nodes after those of a graph whose first input is "%0"; "%a", "%b" ... are the nodes themselves, in their order.
HOSTILE = {
    "full": [["full", [HUGE], 0], ["add", "%a", 1]],
    "full of negative size": [["full", [-3], 0], ["add", "%a", 1]],
    "zeros in two axes": [["full", [50000, 50000], 0], ["exp", "%a"]],
    "arange": [["arange", 2 * HUGE]],
    "arange with a tiny step": [["arange", 0, 1, 1e-12]],
    "arange without an end": [["arange", 0, "inf"]],
    "expand and sum": [["full", [1], 0], ["expand", "%a", [2**31]], ["sum", "%b"]],
    "expand and slice": [["full", [1], 0], ["expand", "%a", [HUGE]], ["slice", "%b", 0, 0, HUGE], ["exp", "%c"]],
    "slice with a tiny step": [["full", [4], 0], ["slice", "%a", 0, 0, 4, 1e-9], ["exp", "%b"]],
    "slice with no step": [["full", [4], 0], ["slice", "%a", 0, 0, 4, 0], ["exp", "%b"]],
    "repeat": [["full", [2], 0], ["repeat", "%a", [HUGE]]],
    "pad": [["full", [2], 0], ["constant_pad_nd", "%a", [0, HUGE], 0]],
    "split": [["full", [4], 0], ["split", "%a", 1e-9], ["item", "%b", 0], ["exp", "%c"]],
    "unbind": [["full", [4000000], 0], ["unbind", "%a"], ["item", "%b", 0], ["exp", "%c"]],
    "gather": [["full", [4], 0], ["full", [HUGE], 0], ["gather", "%a", 0, "%b"]],
    "embedding": [["full", [2, 4], 0], ["full", [HUGE], 0], ["embedding", "%a", "%b"]],
    "matmul": [["full", [2000, 1], 0], ["expand", "%a", [2000, 2000]], ["exp", "%b"], *[["matmul", "%c", "%c"]] * 9],
    "sort": [["arange", 4000000], *[["sort", "%a"], ["item", "%b", 0], ["sum", "%c"]]],
    "many sums": [["full", [4000000], 0], *[["sum", "%a"]] * 400],
}


@pytest.fixture(scope="module")
def files():
    found = model_files(find(NAME))
    return found.record | {"weights": base64.b64encode(found.weights).decode()}


@pytest.fixture(scope="module")
def run(node, tmp_path_factory):
    return evaluator(node, tmp_path_factory.mktemp("engine"), (PROBE,))


def opened(run, files):
    """The error of translating two words."""
    return run("js.error(() => js.answers({ files: input, requests: [{ text: 'Ein Hund', beam: 1 }] }))", files)


def graphs_of(graphs):
    encoder = graphs["encoder"]
    return [*encoder.get("graphs", []), *encoder.get("embed", []), *encoder.get("finish", [])], [
        graph for step in graphs["steps"] for graph in step["graphs"]
    ]


def poisoned(files, nodes, place):
    """The files with `nodes` in the graphs of the encoder (0) or of the step (1)."""
    changed = json.loads(json.dumps(files))
    for graph in graphs_of(changed["graphs"])[place]:
        first = len(graph["inputs"]) + len(graph["nodes"])
        names = {f"%{chr(ord('a') + i)}": f"%{first + i}" for i in range(len(nodes))}
        graph["nodes"] += [list(node) for node in nodes]
        for node in graph["nodes"][-len(nodes) :]:
            node[1:] = [names.get(one, one) if isinstance(one, str) else one for one in node[1:]]
        graph["outputs"] |= {f"named.hostile.{i}": f"%{first + i}" for i in range(len(nodes))}
    return changed


@pytest.mark.parametrize("place", [0, 1], ids=["encoder", "step"])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_graph_that_asks_for_too_much_is_refused(name, place, files, run):
    error = opened(run, poisoned(files, HOSTILE[name], place))
    assert NAME in error


def test_the_refusal_names_the_operation_and_the_limit(files, run):
    error = opened(run, poisoned(files, HOSTILE["arange"], 1))
    assert "arange" in error
    assert "2000000000" in error
    assert "export the model again" in error


def test_weights_with_a_header_of_huge_shapes_are_refused_before_memory_is_reserved(files, run):
    weights = base64.b64decode(files["weights"])
    (length,) = struct.unpack("<Q", weights[:8])
    header = json.loads(weights[8 : 8 + length])
    name = next(name for name in header if name != "__metadata__")
    header[name]["shape"] = [HUGE]
    text = json.dumps(header).encode()
    changed = struct.pack("<Q", len(text)) + text + weights[8 + length :]
    error = opened(run, files | {"weights": base64.b64encode(changed).decode()})
    assert "model.safetensors is damaged" in error
    assert f"of {HUGE} numbers" in error


def test_weights_of_an_unknown_type_are_refused_before_memory_is_reserved(files, run):
    weights = base64.b64decode(files["weights"])
    (length,) = struct.unpack("<Q", weights[:8])
    header = json.loads(weights[8 : 8 + length])
    name = next(name for name in header if name != "__metadata__")
    header[name] |= {"shape": [HUGE], "dtype": "BF16"}
    text = json.dumps(header).encode()
    changed = struct.pack("<Q", len(text)) + text + weights[8 + length :]
    error = opened(run, files | {"weights": base64.b64encode(changed).decode()})
    assert f"{name} is of type BF16; expected I8, F16 or F32" in error


def test_the_shipped_model_itself_is_not_refused(files, run):
    assert opened(run, files) == ""
