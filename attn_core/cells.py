"""The gated recurrent unit as Bahdanau 2015 writes it and as torch does, and an LSTM that can go step by step."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from attn_core.gathered import gathered_gradients

States = tuple[Float[Tensor, "b layers n"], Float[Tensor, "b layers n"]]  # h and c of an LSTM's layers


class GRUCell(nn.Module):
    """One update of a GRU whose input has been projected already (Bahdanau 2015, A.1.1 and A.2.2).

    `reset` says when the reset gate acts: "before" the product as in the paper, U [r * s], or "after" it as in
    torch.nn.GRU, r * (U s + b). The two are not equivalent (papers.md B16).
    """

    def __init__(self, hidden: int, reset: str = "before"):
        super().__init__()
        self.reset = reset
        self.U_gates = nn.Linear(hidden, 2 * hidden, bias=False)  # U_z and U_r
        self.U = nn.Linear(hidden, hidden, bias=reset == "after")

    def forward(self, inputs: Float[Tensor, "*b gates"], state: Float[Tensor, "*b n"]) -> Float[Tensor, "*b n"]:
        """The next state; `inputs` holds W_z x, W_r x and W x, side by side, with the context's share in them."""
        n = state.size(-1)
        gates = torch.sigmoid(inputs[..., : 2 * n] + self.U_gates(state))
        update, reset = gates.chunk(2, -1)
        if self.reset == "before":
            candidate = torch.tanh(inputs[..., 2 * n :] + self.U(reset * state))
        else:
            candidate = torch.tanh(inputs[..., 2 * n :] + reset * self.U(state))
        # The paper's z multiplies the candidate; torch's multiplies the old state: a change of name only.
        return state + update * (candidate - state)


class GRULayer(nn.Module):
    """One direction of a GRU encoder; h_0 = 0. Padding leaves the state as it is, on either side of the sentence."""

    def __init__(self, inputs: int, hidden: int, reset: str = "before", backward: bool = False):
        super().__init__()
        self.hidden, self.backward = hidden, backward
        self.W = nn.Linear(inputs, 3 * hidden)  # W_z, W_r and W, with the biases that the paper omits in print
        self.cell = GRUCell(hidden, reset)

    def forward(
        self, inputs: Float[Tensor, "b src m"], mask: Bool[Tensor, "b src"]
    ) -> tuple[Float[Tensor, "b src n"], Float[Tensor, "b n"]]:
        """The states in the order of writing, and the last one computed."""
        shares = self.W(inputs).unbind(1)
        real = mask.unsqueeze(-1).unbind(1)
        state = inputs.new_zeros(inputs.size(0), self.hidden)
        states = []
        with gathered_gradients():
            for j in reversed(range(len(shares))) if self.backward else range(len(shares)):
                state = torch.where(real[j], self.cell(shares[j], state), state)
                states.append(state)
        last = state
        return torch.stack(states[::-1] if self.backward else states, 1), last


class LSTM(nn.LSTM):
    """torch's LSTM, batch first, and a way to step it for inputs that are known only when the step before is done."""

    def stepper(
        self, known: Float[Tensor, "b tgt m"]
    ) -> Callable[[int, Float[Tensor, "b f"] | None, States], tuple[Float[Tensor, "b n"], States]]:
        """A function of a step's number, the unknown part of its input (None: there is none) and the states before it.

        Step t reads [known_t; unknown_t] and gives the top layer's h_t and all states. What is known of
        several steps goes through the first layer's matrix at once.
        """
        layers = [[getattr(self, f"{name}_l{layer}", None) for name in _PARAMETERS] for layer in range(self.num_layers)]
        biases = [b_i + b_h if self.bias else None for _, _, b_i, b_h in layers]
        m, first = known.size(-1), layers[0][0]
        if known.size(1) > 1:
            shares = F.linear(known, first[:, :m].contiguous(), biases[0]).unbind(1)
            rest = first[:, m:].contiguous()

            def entering(t: int, unknown: Tensor | None) -> Tensor:
                return shares[t] if unknown is None else shares[t] + F.linear(unknown, rest)
        else:  # for one step of a search, cutting the matrix in two would cost more

            def entering(t: int, unknown: Tensor | None) -> Tensor:
                read = known[:, t] if unknown is None else torch.cat([known[:, t], unknown], -1)
                return F.linear(read, first, biases[0])

        def step(t: int, unknown: Tensor | None, states: States) -> tuple[Tensor, States]:
            hidden, cells = (list(part.unbind(1)) for part in states)
            gates = entering(t, unknown)
            for layer, (W, U, *_) in enumerate(layers):
                if layer:
                    below = F.dropout(hidden[layer - 1], self.dropout, self.training)
                    gates = F.linear(below, W, biases[layer])
                hidden[layer], cells[layer] = lstm_update(gates + F.linear(hidden[layer], U), cells[layer])
            return hidden[-1], (torch.stack(hidden, 1), torch.stack(cells, 1))

        return step


_PARAMETERS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def lstm_update(
    gates: Float[Tensor, "b gates"], cell: Float[Tensor, "b n"]
) -> tuple[Float[Tensor, "b n"], Float[Tensor, "b n"]]:
    """h_t and c_t from the four gates' inputs, side by side as in torch, and c_{t-1} (Zaremba 2014, section 3.1)."""
    enter, forget, candidate, leave = gates.chunk(4, -1)
    cell = torch.sigmoid(forget) * cell + torch.sigmoid(enter) * torch.tanh(candidate)
    return torch.sigmoid(leave) * torch.tanh(cell), cell
