"""The graph of a step: its arrows follow the gradients; its shapes and numbers are those of the record."""

from dataclasses import replace
from graphlib import CycleError

import pytest
import torch

from attn_core import translate
from attn_core.data.tokenizer import Tokenizer
from attn_core.explain.paths import path, values
from attn_core.models.config import ModelConfig
from attn_core.models.settings import ORDERS
from attn_core.models.translator import Translator
from attn_core.trace import Memory
from tests.helpers.support import both_sides, fitting

BAHDANAU = {"score": "additive", "order": "attend-then-update", "encoder.cell": "gru", "update": "groundhog"}
CONFIGS = {
    "groundhog": BAHDANAU,
    "printed, s_prev": BAHDANAU | {"update": "printed"},
    "printed, s_cur": BAHDANAU | {"update": "printed", "readout": "s_cur"},
    "bahdanau, local-p": BAHDANAU | {"window": "local-p", "half_width": 2},
    "global": {},
    "local-m": {"window": "local-m", "half_width": 2},
    "local-p": {"window": "local-p", "half_width": 2},
    "feeding": {"feeding": True},
    "feeding, local-p": {"feeding": True, "window": "local-p", "half_width": 2},
}
SENTENCE = "ein hund läuft durch den schnee"


def model_of(**settings) -> Translator:
    """A model whose sizes all differ, so that vectors cannot be confused."""
    luong = settings.get("order") != "attend-then-update"
    sizes = {
        "embedding": 5,
        "attentional": 7,
        "encoder.hidden": 6,
        "decoder.hidden": 12 if luong else 13,
        "tied": False,
    }
    torch.manual_seed(3)
    source = Tokenizer.train([SENTENCE], "de", min_frequency=1)
    target = Tokenizer.train(["a dog runs through the snow"], "en", min_frequency=1)
    model = Translator(ModelConfig.of(fitting(sizes | {"attention.score.hidden": 11} | settings)), source, target)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.6)
    return model.eval()


@pytest.fixture(params=CONFIGS, ids=list(CONFIGS))
def model(request) -> Translator:
    return model_of(**CONFIGS[request.param])


def test_every_order_has_a_path(model):
    graph = path(model.config)
    assert graph.order in ORDERS
    ids = [node.id for node in graph.nodes]
    assert len(set(ids)) == len(ids)
    assert {end for edge in graph.edges for end in edge} <= set(ids)


def test_shapes_are_those_of_the_record(model):
    trace = translate(model, SENTENCE, max_length=6)
    sizes = {"S": len(trace.source), "V": len(model.target)}
    shapes = {node.id: tuple(sizes.get(n, n) for n in node.shape) for node in path(model.config).nodes}
    for t in range(1, len(trace.words) - 1):
        found = values(trace, t)
        assert {name: tuple(value.shape) for name, value in found.items()} == {name: shapes[name] for name in found}
        missing = {"word", "output"} | (set() if model.config["feeding"] or "fed" not in shapes else {"fed"})
        assert set(shapes) - set(found) == missing
    assert shapes["word"] == tuple(model.decoder.embed.weight.shape[1:])
    assert shapes["output"] == tuple(model.decoder.output.weight.shape[:1])


@pytest.mark.parametrize(
    ("order", "window", "says"),
    [
        (BAHDANAU, "local-p", "exp(−(j − p_{i})² / 2σ²)"),
        ({}, "local-p", "exp(−(s − p_{t})² / 2σ²)"),
        (BAHDANAU, "local-m", "p_{i} = min(i − 1, T_{x} − 1)"),
        ({}, "local-m", "p_{t} = min(t, S − 1)"),
    ],
)
def test_the_window_is_written_in_the_letters_of_its_paper(order, window, says):
    equations = [node.equation for node in path(ModelConfig().set(order | {"window": window})).nodes]
    assert any(equation.endswith(says) for equation in equations)


def test_the_record_hands_on_what_the_next_step_takes_over(model):
    trace = translate(model, SENTENCE, max_length=6)
    carried = {"previous": "next" if model.config["order"] == "attend-then-update" else "state"}
    carried |= {"fed": "readout"} if model.config["feeding"] else {}
    for t in range(1, len(trace.words)):
        for taken, handed in carried.items():
            torch.testing.assert_close(values(trace, t)[taken], values(trace, t - 1)[handed], rtol=0, atol=0)
    first, last = values(trace, 0), values(trace, len(trace.words) - 1)
    assert "next" not in last
    if model.config["order"] == "update-then-attend":
        assert "previous" not in first
        assert not model.config["feeding"] or not first["fed"].any()
    with pytest.raises(IndexError):
        values(trace, len(trace.words))


def test_each_vector_is_made_from_those_that_point_to_it(model):
    """The equations of a step, applied to vectors of the record, give its other vectors."""
    trace, decoder = translate(model, SENTENCE, max_length=6), model.decoder
    number = {
        model.target.token(i): i for i in range(len(model.target))
    }  # includes special tokens, which text cannot contain
    before = ["", *trace.target]
    for t in range(1, len(trace.words) - 1):
        found = values(trace, t)
        with torch.inference_mode():
            torch.testing.assert_close(found["weights"] @ found["memory"], found["context"])
            word, chosen = (decoder.embed(torch.tensor([number[token]])) for token in before[t : t + 2])
            if model.config["order"] == "update-then-attend":
                joined = torch.cat([found["context"], found["state"]])
                torch.testing.assert_close(torch.tanh(decoder.W_c(joined)), found["readout"])
                continue
            read = found["next"] if model.config["readout"] == "s_cur" else found["previous"]
            units = decoder.U_o(read) + decoder.V_o(word[0]) + decoder.C_o(found["context"])
            torch.testing.assert_close(units.unflatten(-1, (-1, 2)).amax(-1), found["readout"])
            known = chosen if model.config["update"] == "groundhog" else word
            share = decoder.W(known) + decoder.C(found["context"])
            torch.testing.assert_close(decoder.cell(share, found["previous"][None])[0], found["next"])


def test_arrows_are_where_gradients_flow(model):
    """The graph has a path between two vectors exactly if torch has a gradient between them."""
    graph = path(model.config)
    states = torch.randn(1, 5, model.config.memory, requires_grad=True)
    attention = model.decoder.attention
    memory = Memory(states, attention.score.keys(states), torch.ones(1, 5, dtype=torch.bool))
    _, carry = model.encode(torch.tensor([[4, 5, 6, 7, 8]]), torch.ones(1, 5, dtype=torch.bool))
    taken = {"memory": states}
    state = tuple(part.detach().requires_grad_() for part in carry.state)
    fed = torch.randn_like(carry.fed).requires_grad_()
    taken["previous"] = state[0]
    if model.config["order"] == "update-then-attend":
        taken["fed"] = fed
    step, after = model.decoder(torch.tensor([[4]]), replace(carry, state=state, fed=fed), memory)
    look = step.looks[0]
    made = {"weights": look.weights, "context": look.context, "readout": step.attentional}
    made |= (
        {"center": look.focus.center} if look.focus.center is not None and model.config["window"] == "local-p" else {}
    )
    if model.config["order"] == "update-then-attend":
        made["state"] = step.hidden
    elif model.config["update"] == "printed":
        made["next"] = after.state[0]
    for name, result in made.items():
        flows = torch.autograd.grad(result.square().sum(), list(taken.values()), retain_graph=True, allow_unused=True)
        for source, flow in zip(taken, flows, strict=True):
            depends = flow is not None and bool(flow.abs().sum() > 0)
            assert (name in reached(graph.edges, source)) == depends, (source, name)


def reached(edges: tuple[tuple[str, str], ...], start: str) -> set[str]:
    found = {start}
    for _ in edges:
        found |= {after for before, after in edges if before in found}
    return found - {start}


def test_a_step_can_be_computed_in_order(model):
    graph = path(model.config)
    order = graph.schedule()
    assert sorted(order) == sorted(node.id for node in graph.nodes)
    assert all(order.index(before) < order.index(after) for before, after in graph.edges)
    look, step = order.index("weights"), order.index("next" if "next" in order else "state")
    assert (look < step) == (model.config["order"] == "attend-then-update")


def test_only_bahdanau_cannot_use_the_new_state_as_query(model):
    graph = path(model.config)
    other = graph.queried_with(graph.instead)
    assert (other.query, other.instead) == (graph.instead, graph.query)
    assert (other.query, "weights") in other.edges
    assert (graph.query, "weights") not in other.edges
    assert set(other.queried_with(graph.query).edges) == set(graph.edges)
    if model.config["order"] == "update-then-attend":
        assert sorted(other.schedule()) == sorted(graph.schedule())
        return
    with pytest.raises(CycleError) as error:
        other.schedule()
    assert {"weights", "context", "next"} <= set(error.value.args[1])


def test_the_context_reaches_the_next_state_in_bahdanau_only(model):
    graph = path(model.config)
    state = "next" if model.config["order"] == "attend-then-update" else "state"
    assert (state in reached(graph.edges, "context")) == (model.config["order"] == "attend-then-update")


def test_feeding_is_an_arrow_only_where_the_model_has_it(model):
    graph = path(model.config)
    assert (("fed", "state") in graph.edges) == model.config.decoder.feeding


def test_models_without_attention_raise_value_errors():
    config = ModelConfig.of(score=None, order="attend-then-update", **{"encoder.cell": "gru"}, bidirectional=False)
    with pytest.raises(ValueError, match="without attention"):
        path(config)
    with pytest.raises(ValueError, match=r"'gnmt'.*attend-then-update, update-then-attend"):
        path(ModelConfig.of(order="gnmt", **both_sides(layers=2), tied=False))


@pytest.mark.parametrize(
    "setting",
    [
        {"heads": 2},
        {"values": 7},
        {"type": "hard-argmax"},
        {"decoder.layers": 2, "encoder.layers": 2},
        {"normalizer": "sparsemax"},
    ],
)
def test_models_that_the_graph_cannot_show_raise_value_errors(setting):
    name = next(iter(setting))
    with pytest.raises(ValueError, match=rf"does not support (\w+\.)?{name}="):
        path(ModelConfig.of(**setting))
