"""The browser's engine computes what torch computes: every quantity of every step, for each value of each registry."""

import pytest
import torch

from attn_core.attention.settings import ATTENTION_TYPES, SCORES, WINDOWS
from attn_core.decoding.translate import force
from attn_core.explain.step_graph import step_graph
from attn_core.models.cells import GATES
from attn_core.models.encoders.settings import ENCODERS
from attn_core.models.folders import shipped
from attn_core.models.presets import PRESETS
from attn_core.models.settings import ORDERS
from tests.helpers.covering import covering
from tests.helpers.engine import equal, exported, in_torch, same_luck
from tests.helpers.quantities import recorded
from tests.helpers.support import BAHDANAU, LUONG, VARIANTS, both_sides, close, drawn, tiny

# Beside VARIANTS: the values of registries and settings that no variant has.
CONV = {"encoder": "conv", "start": "mean", "decoder.hidden": 7, "encoder.hidden": 3, "encoder.layers": 2}
STACK = {"encoder": "transformer", "start": "mean", "decoder.hidden": 7, "embedding": 6, "encoder.heads": 2}
CASES = VARIANTS | {
    "conv": CONV | {"order": "update-then-attend", "window": "local-p"},
    "conv-gnmt": CONV | {"order": "gnmt", "score": "additive"},
    "transformer-encoder": STACK | {"order": "attend-then-update", "score": "additive"},
    "hard-sample": LUONG | {"type": "hard-sample"},
    "torch-gru-encoder": BAHDANAU | {"encoder.cell": "torch-gru"},
    "gru-encoder": LUONG | {"encoder.cell": "gru", "decoder.cell": "torch-gru"},
    "deep-bidirectional": LUONG
    | {"bidirectional": True, "encoder.hidden": 3, "decoder.hidden": 6, **both_sides(layers=2)},
}


def check(probe, model, lengths=(1, 2, 6), how=None, view=None, simd=True, document=None):
    """The engine's steps equal those of `view`, or of the model itself."""
    given = document or exported(model)
    for length in lengths:
        source, words = [4 + (3 * k) % 5 for k in range(length)], [1, 6, 4, 9, 5]
        found = probe("steps", given | {"source": source, "words": words, "how": how or {}, "simd": simd})
        start, steps = in_torch(view or model, source, words)
        equal(found["start"], start, f"{length} words, memory")
        for t, (got, wanted) in enumerate(zip(found["steps"], steps, strict=True)):
            equal(got, wanted, f"{length} words, step {t}")


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", CASES)
def test_the_engine_computes_every_quantity_of_a_step_as_torch_does(probe, name):
    model = tiny(dtype=torch.float32, **CASES[name])
    given = exported(model)
    (step,) = given["json"]["steps"]
    graph = step_graph(model.config)
    assert {id for id, one in step["quantities"].items() if one["forms"][0]} - GATES.keys() == {*graph.by_id}
    assert all(bool(one["tensors"]) != ("later" in one) for one in step["quantities"].values())
    later = [id for id, one in step["quantities"].items() if "later" in one]
    assert later == ["next"] * (model.config["update"] == "groundhog")
    check(probe, model, document=given)
    check_quantities(probe, model, given)


def check_quantities(probe, model, given):
    """Each quantity of the step graph has the shape that the graph says, and the value in the trace."""
    way, graph = given["json"]["steps"][0], step_graph(model.config)
    source, target = [*"abcd"], [*"opn"]
    with same_luck():
        trace = force(model, " ".join(source), " ".join(target), tokenized=True)
    words = [model.target.bos, *model.target.ids(target)]
    call = {"source": model.source.ids(source), "words": words, "how": {}, "simd": True}
    found = probe("steps", given | call)
    sizes = {"S": len(trace.source), "V": len(model.target)}
    compared = set()
    for t, word in enumerate(trace.words):
        values = found["quantities"][t]
        if t + 1 < len(trace.words):
            after = {id: one["later"] for id, one in way["quantities"].items() if "later" in one}
            values |= {id: [found["steps"][t + 1][place] for place in places] for id, places in after.items()}
        for id, tensors in ((id, values[id]) for id in values.keys() & graph.by_id.keys()):
            shape = [n for n in (sizes.get(n, n) for n in graph[id].shape) if n != 1]
            assert [[n for n in one["shape"] if n != 1] for one in tensors] == [shape] * len(tensors), id
        wanted = recorded(model, trace, t)
        compared |= wanted.keys() & values.keys()
        for id in wanted.keys() & values.keys():
            for got, tensor in zip(values[id], wanted[id], strict=True):
                close(torch.tensor([float(x) for x in got["data"]]), tensor.float().flatten(), atol=1e-5, rtol=1e-5)
        chosen = [*words[1:], model.target.eos][t]
        assert values["output"][0]["data"][chosen] == pytest.approx(word.log_prob, abs=1e-5)
    assert compared >= {"readout", *(["scores", "weights"] if model.config.attention else [])}


def _shrunk(config):
    """The same mechanism with vectors of a twentieth or sixteenth of the size."""
    names = ("hidden", "embedding", "attentional", "feedforward")
    sizes = {path: n for path, n in config.flat().items() if path.rpartition(".")[2] in names and n}
    by = next(by for by in (20, 16) if all(n % by == 0 for n in sizes.values()))
    return config.set({path: n // by for path, n in sizes.items()} | {"shared": False})  # the vocabularies differ


# Those with a shipped model are tested in test_engine_trace.py.
SHIPPED = {*shipped()}
PRESET = {name: _shrunk(model) for name, (model, _) in PRESETS.items() if name not in SHIPPED}


@pytest.mark.slow
@pytest.mark.parametrize("name", covering(PRESET))
def test_the_engine_runs_presets_that_are_not_shipped(probe, name):
    """As many as have each value of each setting of them all."""
    check(probe, drawn(PRESET[name], std=0.3, name=name, dtype=torch.float32), lengths=(1, 5))


def test_the_cases_have_every_value_of_every_registry():
    configs = [tiny(**settings).config for settings in CASES.values()]
    assert {config.encoder.name for config in configs} == {*ENCODERS}
    assert {config.decoder.name for config in configs} == {*ORDERS}
    attentions = [config.attention for config in configs if config.attention]
    assert {one.score.name for one in attentions} == {*SCORES}
    assert {one.window.name for one in attentions} == {*WINDOWS}
    assert {one.type for one in attentions} == {*ATTENTION_TYPES}
    assert {one.normalizer for one in attentions} == {"softmax", "sparsemax"}
    assert {config["encoder.cell"] for config in configs} >= {"lstm", "gru", "torch-gru"}
    assert {config["decoder.cell"] for config in configs} >= {"lstm", "torch-gru"}
