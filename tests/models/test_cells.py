"""The paper's GRU compared with its equations, and the layer that runs it over padded sentences."""

import math

import pytest
import torch

from attn_core.models.cells import GRUCell, GRULayer
from tests.helpers.support import close, paper_gru

M, N = 3, 5


def random_cell(reset):
    cell = GRUCell(N, reset).double()
    for parameter in cell.parameters():
        torch.nn.init.normal_(parameter)
    return cell


@pytest.mark.parametrize("reset", ["before", "after"])
def test_cell_equals_the_printed_equations(reset):
    cell = random_cell(reset)
    inputs, states = torch.randn(2, 3 * N).double(), torch.randn(2, N).double()
    wanted = [paper_gru(cell, x, s) for x, s in zip(inputs.tolist(), states.tolist(), strict=True)]
    close(cell(inputs, states), wanted, 1e-12)


def test_one_unit_by_pencil():
    """U_z = U_r = 0, U = 2, no input: z = r = 1/2; s = 1 gives tanh(2 * 1/2) and the mean of it and 1."""
    cell = GRUCell(1)
    cell.U_gates.weight.data.zero_()
    cell.U.weight.data.fill_(2.0)
    close(cell(torch.zeros(1, 3), torch.ones(1, 1)), [[(1 + math.tanh(1)) / 2]])


def test_resetting_before_and_after_the_product_differ():
    before = random_cell("before")
    after = GRUCell(N, "after").double()
    after.load_state_dict(before.state_dict() | {"U.bias": torch.zeros(N).double()})
    inputs, states = torch.randn(2, 3 * N).double(), torch.randn(2, N).double()
    assert (before(inputs, states) - after(inputs, states)).abs().max() > 1e-3
    assert before.U.bias is None


@pytest.mark.parametrize("backward", [False, True])
def test_layer_reads_from_zero_in_its_direction(backward):
    layer = GRULayer(M, N, backward=backward).double()
    x = torch.randn(1, 7, M).double()
    states, last = layer(x, torch.ones(1, 7, dtype=torch.bool))
    shares, s = layer.W(x)[0].tolist(), [0.0] * N
    for j in reversed(range(7)) if backward else range(7):
        s = paper_gru(layer.cell, shares[j], s)
        close(states[0, j], s, 1e-12)
    close(last[0], s, 1e-12)


@pytest.mark.parametrize("reset", ["before", "after"])
@pytest.mark.parametrize("backward", [False, True])
def test_padding_changes_nothing(backward, reset):
    layer = GRULayer(M, N, reset, backward).double()
    lengths = (7, 1, 4)
    x = torch.randn(3, 7, M).double()
    mask = torch.arange(7) < torch.tensor(lengths).unsqueeze(1)
    states, last = layer(x, mask)
    for b, n in enumerate(lengths):
        alone, last_alone = layer(x[b : b + 1, :n], mask[b : b + 1, :n])
        close(states[b : b + 1, :n], alone, 1e-12)
        close(last[b : b + 1], last_alone, 1e-12)


def test_padding_takes_no_gradient():
    layer = GRULayer(M, N, backward=True)
    x = torch.randn(2, 5, M, requires_grad=True)
    mask = torch.arange(5) < torch.tensor([[5], [2]])
    _, last = layer(x, mask)
    (gradient,) = torch.autograd.grad(last.square().sum(), x)
    assert (gradient[~mask] == 0).all()
    assert (gradient[mask] != 0).any(-1).all()
