"""The gated recurrent unit in Bahdanau 2015's and in torch's form, and recurrent stacks that run step by step."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from attn_core.messages import N_
from attn_core.trace.naming import named

States = tuple[Float[Tensor, "b layers n"], ...]  # of all layers: h, and c of an LSTM

# The symbol in LaTeX and the name of each gate that the cells below mark with `named`.
GATES = {
    "update": ("z", N_("update gate")),
    "reset": ("r", N_("reset gate")),
    "candidate": (r"\tilde h", N_("candidate state")),
    "input_gate": ("i", N_("input gate")),
    "forget_gate": ("f", N_("forget gate")),
    "cell_candidate": ("g", N_("cell candidate")),
    "output_gate": ("o", N_("output gate")),
    "cell": ("c", N_("cell state")),
}


class GRUCell(nn.Module):
    """One update of a GRU from its projected input (Bahdanau 2015, A.1.1 and A.2.2).

    `reset` is where the reset gate acts: "before" the matrix product, U [r * s], as in the paper, or "after" it,
    r * (U s + b), as in torch.nn.GRU. The two are not equivalent.
    """

    def __init__(self, hidden: int, reset: str = "before"):
        super().__init__()
        self.reset = reset
        self.U_gates = nn.Linear(hidden, 2 * hidden, bias=False)  # U_z and U_r
        self.U = nn.Linear(hidden, hidden, bias=reset == "after")

    def forward(self, inputs: Float[Tensor, "*b gates"], state: Float[Tensor, "*b n"]) -> Float[Tensor, "*b n"]:
        """The next state; `inputs` is [W_z x; W_r x; W x], including the context's contribution."""
        n = state.size(-1)
        to_gates, to_candidate = inputs.split([2 * n, n], -1)
        update, reset = torch.sigmoid(to_gates + self.U_gates(state)).chunk(2, -1)
        if self.reset == "before":
            candidate = torch.tanh(to_candidate + self.U(reset * state))
        else:
            candidate = torch.tanh(to_candidate + reset * self.U(state))
        _name_gates(0, update=update, reset=reset, candidate=candidate)
        # The paper's z multiplies the candidate, torch's the old state; the function is the same.
        return state + update * (candidate - state)


class GRULayer(nn.Module):
    """One direction of a GRU encoder, starting from zero. Padding on either side does not change the state."""

    def __init__(self, inputs: int, hidden: int, reset: str = "before", backward: bool = False):
        super().__init__()
        self.hidden, self.backward = hidden, backward
        self.W = nn.Linear(inputs, 3 * hidden)  # W_z, W_r and W, with the biases that the paper omits in print
        self.cell = GRUCell(hidden, reset)

    def forward(
        self, inputs: Float[Tensor, "b src m"], mask: Bool[Tensor, "b src"]
    ) -> tuple[Float[Tensor, "b src n"], Float[Tensor, "b n"]]:
        """The states in written order, and the last state computed."""
        shares = self.W(inputs).unbind(1)
        real = mask.unsqueeze(-1).unbind(1)
        state = inputs.new_zeros(inputs.size(0), self.hidden)
        states = []
        for j in reversed(range(len(shares))) if self.backward else range(len(shares)):
            state = torch.where(real[j], self.cell(shares[j], state), state)
            states.append(state)
        last = state
        return torch.stack(states[::-1] if self.backward else states, 1), last


class _Stack(nn.RNNBase):
    """A torch RNN, batch first, that can also run step by step, for inputs that depend on the previous step."""

    def entering_bias(self, b_i: Tensor, b_h: Tensor) -> Tensor:
        """The bias that is added to W x; `b_i` and `b_h` are torch's two biases."""
        raise NotImplementedError

    def advance(
        self, gates: Tensor, U: Tensor, b_h: Tensor | None, before: tuple[Tensor, ...], layer: int
    ) -> tuple[Tensor, ...]:
        """The next state of `layer`; `gates` is W x with its bias."""
        raise NotImplementedError

    def stepper(
        self, known: Float[Tensor, "b tgt m"], lowest: int = 0
    ) -> Callable[[int, Float[Tensor, "b f"] | None, States], tuple[Float[Tensor, "b n"], States]]:
        """A function (t, unknown, states) -> (h_t of the top layer, new states) that runs step t.

        The input of step t is [known_t; unknown_t]; `unknown` is None if there is no unknown part. The known parts of
        several steps are multiplied by the first layer's matrix in one product. `lowest` is the number of the first
        layer in a stack of several of these modules, after which its gates are named.
        """
        layers: list[list[Any]] = [  # Tensors; None for a missing bias
            [getattr(self, f"{name}_l{layer}", None) for name in _PARAMETERS] for layer in range(self.num_layers)
        ]
        biases = [self.entering_bias(b_i, b_h) if self.bias else None for _, _, b_i, b_h in layers]
        m, first = known.size(-1), layers[0][0]
        if known.size(1) > 1:
            shares = F.linear(known, first[:, :m].contiguous(), biases[0]).unbind(1)
            rest = first[:, m:].contiguous()

            def entering(t: int, unknown: Tensor | None) -> Tensor:
                return shares[t] if unknown is None else shares[t] + F.linear(unknown, rest)
        else:  # for a single step, as in search, splitting the matrix would cost more

            def entering(t: int, unknown: Tensor | None) -> Tensor:
                inputs = known[:, t] if unknown is None else torch.cat([known[:, t], unknown], -1)
                return F.linear(named("input", inputs), first, biases[0])

        def step(t: int, unknown: Tensor | None, states: States) -> tuple[Tensor, States]:
            before = list(zip(*(part.unbind(1) for part in states), strict=True))
            gates = entering(t, unknown)
            after: list[tuple[Tensor, ...]] = []
            for layer, (W, U, _, b_h) in enumerate(layers):
                if layer:
                    below = F.dropout(after[-1][0], self.dropout, self.training)
                    gates = F.linear(below, W, biases[layer])
                after.append(self.advance(gates, U, b_h, before[layer], lowest + layer))
            return after[-1][0], tuple(torch.stack(part, 1) for part in zip(*after, strict=True))

        return step


class LSTM(nn.LSTM, _Stack):
    def entering_bias(self, b_i: Tensor, b_h: Tensor) -> Tensor:
        return b_i + b_h

    def advance(
        self, gates: Tensor, U: Tensor, b_h: Tensor | None, before: tuple[Tensor, ...], layer: int
    ) -> tuple[Tensor, ...]:
        hidden, cell = before
        return lstm_update(gates + F.linear(hidden, U), cell, layer)


class GRU(nn.GRU, _Stack):
    """A GRU whose state is a tuple of one tensor, like an LSTM's tuple of two."""

    def forward(  # type: ignore[override]  # the state of torch's GRU is not a tuple
        self, inputs: Float[Tensor, "b tgt m"], state: tuple[Tensor]
    ) -> tuple[Tensor, tuple[Tensor]]:
        outputs, last = super().forward(inputs, state[0])
        return outputs, (last,)

    def entering_bias(self, b_i: Tensor, b_h: Tensor) -> Tensor:
        return b_i

    def advance(
        self, gates: Tensor, U: Tensor, b_h: Tensor | None, before: tuple[Tensor, ...], layer: int
    ) -> tuple[Tensor, ...]:
        (state,) = before
        return (gru_update(gates, F.linear(state, U, b_h), state, layer),)


_PARAMETERS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def lstm_update(
    gates: Float[Tensor, "b gates"], cell: Float[Tensor, "b n"], layer: int = 0
) -> tuple[Float[Tensor, "b n"], Float[Tensor, "b n"]]:
    """h_t and c_t from the four gates' inputs, concatenated as in torch, and c_{t-1} (Zaremba 2014, section 3.1)."""
    enter, forget, candidate, leave = gates.chunk(4, -1)
    forget = torch.sigmoid(forget)
    kept = forget * cell
    enter = torch.sigmoid(enter)
    candidate = torch.tanh(candidate)
    cell = kept + enter * candidate
    leave = torch.sigmoid(leave)
    _name_gates(layer, input_gate=enter, forget_gate=forget, cell_candidate=candidate, output_gate=leave, cell=cell)
    return leave * torch.tanh(cell), cell


def gru_update(
    entering: Float[Tensor, "b gates"], recurrent: Float[Tensor, "b gates"], state: Float[Tensor, "b n"], layer: int = 0
) -> Float[Tensor, "b n"]:
    """h_t from W x and U h_{t-1} with their biases, each for the gates r and z and the candidate, as in torch.nn.GRU.

    Here z multiplies the old state and not the candidate, as in Bahdanau 2015.
    """
    n = state.size(-1)
    reset, update = torch.sigmoid(entering[..., : 2 * n] + recurrent[..., : 2 * n]).chunk(2, -1)
    candidate = torch.tanh(entering[..., 2 * n :] + reset * recurrent[..., 2 * n :])
    _name_gates(layer, update=update, reset=reset, candidate=candidate)
    return candidate + update * (state - candidate)


def _name_gates(layer: int, **gates: Tensor) -> None:
    """Mark the gates of a cell in `layer` of a stack; those above the lowest one have the layer in their names."""
    for name, value in gates.items():
        named(f"{name}.{layer}" if layer else name, value)
