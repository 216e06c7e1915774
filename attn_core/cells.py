"""The gated recurrent unit as Bahdanau 2015 writes it, and as torch does."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn


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
        """The states in reading order, and the last one computed."""
        shares = self.W(inputs).unbind(1)
        real = mask.unsqueeze(-1).unbind(1)
        state = inputs.new_zeros(inputs.size(0), self.hidden)
        states = []
        for j in reversed(range(len(shares))) if self.backward else range(len(shares)):
            state = torch.where(real[j], self.cell(shares[j], state), state)
            states.append(state)
        last = state
        return torch.stack(states[::-1] if self.backward else states, 1), last
