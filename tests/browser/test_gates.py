"""The gates of recurrent cells have names in the graphs of a page, and the names are those of the right numbers."""

import re

import pytest
import torch

from attn_core.export.document import document
from attn_core.export.model_files import model_files
from attn_core.models.encoders.rnn import RNNEncoder
from attn_core.models.folders import PRETRAINED, TRANSLATOR, kind_of
from attn_core.models.translator import Translator
from tests.helpers.engine import files_of
from tests.helpers.support import BAHDANAU, LUONG, both_sides, tiny

TEXT = "A b c, d e a z!"
GRU, LSTM = {"update", "reset", "candidate"}, {"input_gate", "forget_gate", "cell_candidate", "output_gate", "cell"}
CELLS = {
    "gru": (BAHDANAU, GRU),
    "gru-after": (BAHDANAU | both_sides(reset="after"), GRU),
    "torch-gru": (BAHDANAU | {"encoder.cell": "torch-gru"}, GRU),
    "lstm": (LUONG, LSTM),
}
# What the formula of a new state is written with.
FORMULA = {cell: {"named.update", "named.candidate"} for cell in CELLS} | {"lstm": {"named.output_gate", "named.cell"}}


def gates(model: Translator, x: torch.Tensor) -> dict[str, torch.Tensor]:
    """Gates of the encoder's forward cell at the first word, with embedding `x` and an initial state of 0."""
    assert isinstance(model.encoder, RNNEncoder)
    if model.encoder.rnn is None:  # z, r, candidate
        layer = model.encoder.directions[0]
        z, r, new = layer.W(x).chunk(3)
        after = r.sigmoid() * layer.cell.U.bias if layer.cell.reset == "after" else 0.0
        return {"update": z.sigmoid(), "reset": r.sigmoid(), "candidate": torch.tanh(new + after)}
    rnn = model.encoder.rnn
    entering, recurrent = rnn.weight_ih_l0 @ x + rnn.bias_ih_l0, rnn.bias_hh_l0
    if isinstance(rnn, torch.nn.LSTM):
        i, f, g, o = (entering + recurrent).chunk(4)
        enter, new = i.sigmoid(), g.tanh()
        return {
            "input_gate": enter,
            "forget_gate": f.sigmoid(),
            "cell_candidate": new,
            "output_gate": o.sigmoid(),
            "cell": enter * new,
        }
    (r, z, n), (b_r, b_z, b_n) = entering.chunk(3), recurrent.chunk(3)
    reset = torch.sigmoid(r + b_r)
    return {"update": torch.sigmoid(z + b_z), "reset": reset, "candidate": torch.tanh(n + reset * b_n)}


@pytest.mark.quick(1)
@pytest.mark.parametrize("cell", CELLS)
@torch.no_grad()
def test_a_gate_s_name_is_that_of_its_number(probe, cell):
    settings, ids = CELLS[cell]
    model = tiny(dtype=torch.float32, **settings)
    files = files_of(model)
    asked = [{"frame": "cell.0.0.0", "output": f"named.{id}", "index": [k]} for id in sorted(ids) for k in range(3)]
    asked.append({"frame": "cell.0.0.1", "output": "next.state.0", "index": [2]})
    given = {"files": files, "request": {"text": TEXT}, "asked": asked, "most": len(asked), "seed": 0}
    answer = probe("origins", given)
    word = model.source.ids(answer["trace"]["source"])[0]
    wanted = gates(model, model.encoder.embed.weight[word])
    *found, state = answer["found"]
    for one in found:
        id, (k,) = one["asked"]["output"].removeprefix("named."), one["asked"]["index"]
        assert one["origin"]["number"]["value"] == pytest.approx(wanted[id][k].item(), abs=1e-5), (id, k)
        assert f"named.{id}" in names(one["origin"]["number"])
    assert FORMULA[cell] <= {name for leaf in leaves(state["origin"]["term"]) for name in names(leaf)}


def names(leaf: dict) -> list[str]:
    return [one["name"] for one in leaf["names"]]


def leaves(term: dict) -> list[dict]:
    return [term["leaf"]] if "leaf" in term else [leaf for one in term.get("terms", []) for leaf in leaves(one)]


SHIPPED = [path.parent.name for path in sorted(PRETRAINED.glob("*/browser.json")) if kind_of(path.parent) == TRANSLATOR]


@pytest.mark.parametrize("name", SHIPPED)
def test_the_graphs_of_the_shipped_models_have_the_names(name):
    document = model_files(name).record["graphs"]
    cells = [graph for layer in document["encoder"].get("layers", []) for cell in layer for graph in cell]
    for step in document["steps"]:
        for graph in [*cells, *step["graphs"]]:
            found = {output.removeprefix("named.") for output in graph["outputs"]} & (GRU | LSTM)
            recurrent = any(re.search(r"\.U_gates\.|\.weight_hh_l", str(node)) for node in graph["nodes"])
            assert found in ((GRU, LSTM) if recurrent else (set(),))
            for id in found:
                assert step["quantities"][id]["tensors"] == [f"named.{id}"]
                assert document["quantities"][id]["name"].split()[-1] in {"gate", "state", "candidate"}


@pytest.mark.slow
@pytest.mark.parametrize("order", ["update-then-attend", "gnmt"])
def test_the_gates_of_each_decoder_layer_have_its_number(order):
    model = tiny(dtype=torch.float32, **LUONG | {"order": order, **both_sides(layers=3)})
    (step,) = document(model, as_built=True)["steps"]
    tensors = step["quantities"]["cell"]["tensors"]
    assert tensors == ["named.cell", "named.cell.1", "named.cell.2"]
    assert all(set(tensors) <= set(graph["outputs"]) for graph in step["graphs"])
