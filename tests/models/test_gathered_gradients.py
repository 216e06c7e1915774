"""Gathered gradients of a loop over time equal those of plain autograd."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from attn_core.data.corpus import make_batch
from attn_core.models import gathered_gradients as gathered
from attn_core.models.gathered_gradients import gathered_gradients
from tests.helpers.support import BAHDANAU, LUONG, both_sides, close, tiny

MODELS = {
    "bahdanau": BAHDANAU,
    "printed": BAHDANAU | {"update": "printed", **both_sides(reset="after")},
    "fed": LUONG | {"feeding": True},
    "fed-local-p": LUONG | {"feeding": True, "window": "local-p", "score": "concat", **both_sides(layers=2)},
    "fixed-vector": {**BAHDANAU, "score": None, "window": None, "bidirectional": False},
}


BATCH = make_batch([[4, 5, 6], [6], [5, 4, 6, 6]], [[4, 5], [5, 6, 4], [6]])  # with padding on both sides


def gradients(model, batch):
    model.zero_grad()
    loss = model.loss(batch)
    loss.backward()
    return loss.detach(), {name: parameter.grad.clone() for name, parameter in model.named_parameters()}


@pytest.mark.parametrize("name", MODELS)
def test_the_gradients_of_a_model_are_the_same(name, monkeypatch):
    model = tiny(**MODELS[name])
    loss, found = gradients(model, BATCH)
    monkeypatch.setattr(gathered, "_Gathering", torch.overrides.BaseTorchFunctionMode)
    plain_loss, wanted = gradients(model, BATCH)
    close(loss, plain_loss, 1e-12)
    assert found.keys() == wanted.keys()
    for parameter, gradient in wanted.items():
        close(found[parameter], gradient, 1e-11)
        assert gradient.any(), f"{parameter} has a gradient"


def test_products_of_a_layer_are_gathered_and_used_once():
    """y_3 = W (W (W x + b) + b) + b, a weight that is not a leaf, and an unused product."""
    torch.manual_seed(0)
    layer, x = nn.Linear(3, 3).double(), torch.randn(2, 3).double()

    def three(weight):
        y = x
        for _ in range(3):
            y = F.linear(y, weight, layer.bias)
        F.linear(y, weight)
        return y.square().sum()

    wanted = torch.autograd.grad(three(2 * layer.weight), [layer.weight, layer.bias])
    with gathered_gradients():
        loss = three(2 * layer.weight)
    found = torch.autograd.grad(loss, [layer.weight, layer.bias])
    for one, other in zip(found, wanted, strict=True):
        close(one, other, 1e-12)


def test_one_product_serves_all_steps():
    """The weight's gradient is one matrix product, not one per step."""
    layer, x = nn.Linear(3, 3), torch.randn(2, 3)
    with gathered_gradients():
        y = x
        for _ in range(5):
            y = layer(y)
    with torch.profiler.profile() as seen:
        y.sum().backward()
    products = sum(event.count for event in seen.key_averages() if event.key == "aten::mm")
    assert products == 4 + 1, "four for the inputs with gradients, and one for the weight"


def test_bf16_products_keep_fp32_gradients():
    layer, x = nn.Linear(8, 8), torch.randn(4, 8)
    with torch.autocast("cpu", torch.bfloat16), gathered_gradients():
        y = layer(layer(x))
    assert y.dtype == torch.bfloat16
    y.float().sum().backward()
    assert layer.weight.grad.dtype == layer.bias.grad.dtype == torch.float32
    with torch.autocast("cpu", torch.bfloat16):
        wanted = torch.autograd.grad(layer(layer(x)).float().sum(), list(layer.parameters()))
    for parameter, gradient in zip(layer.parameters(), wanted, strict=True):
        close(parameter.grad, gradient, 0.05, 0.05)


def test_nothing_is_gathered_without_gradients():
    layer = nn.Linear(3, 3)
    with torch.no_grad(), gathered_gradients():
        assert layer(torch.ones(2, 3)).grad_fn is None
