"""A decoding step in either order as a standalone class, for one sentence. The page shows the classes one by one.

A class needs the imports below and nothing else.
"""

import torch
from torch import Tensor, nn


class AttendThenUpdate(nn.Module):
    """Bahdanau 2015, A.2.2, in the order of the authors' program.

    State s: (n,); embedded word y: (m,); encoder states h: (S, d).
    """

    def __init__(self, m: int, n: int, d: int, hidden: int, units: int):
        super().__init__()
        self.W_a = nn.Linear(n, hidden, bias=False)
        self.U_a = nn.Linear(d, hidden, bias=False)
        self.v_a = nn.Parameter(torch.zeros(hidden))
        self.U_o = nn.Linear(n, 2 * units)
        self.V_o = nn.Linear(m, 2 * units, bias=False)
        self.C_o = nn.Linear(d, 2 * units, bias=False)
        self.W = nn.Linear(m, 3 * n)  # of the gates z and r and of the new state
        self.C = nn.Linear(d, 3 * n, bias=False)
        self.U_gates = nn.Linear(n, 2 * n, bias=False)
        self.U = nn.Linear(n, n, bias=False)

    def attend(self, s: Tensor, y: Tensor, h: Tensor) -> tuple[Tensor, ...]:
        """Return the weights, c_i and the output layer's input t_i, given s_{i-1} and y_{i-1}."""
        scores = torch.tanh(self.W_a(s) + self.U_a(h)) @ self.v_a  # (S,)
        weights = torch.softmax(scores, dim=0)
        c = weights @ h
        pairs = self.U_o(s) + self.V_o(y) + self.C_o(c)
        return weights, c, pairs.view(-1, 2).amax(dim=1)  # maxout

    def update(self, s: Tensor, y: Tensor, c: Tensor) -> Tensor:
        """Return s_i, given s_{i-1}, the generated word y_i and c_i."""
        z, r, new = (self.W(y) + self.C(c)).chunk(3)
        old_z, old_r = self.U_gates(s).chunk(2)
        z, r = torch.sigmoid(z + old_z), torch.sigmoid(r + old_r)
        new = torch.tanh(new + self.U(r * s))
        return (1 - z) * s + z * new


class UpdateThenAttend(nn.Module):
    """Luong 2015, section 3, with the general score and input feeding.

    Embedded word y: (m,); previous attentional vector fed: (out,); state (h_t, cell): (n,) each;
    encoder states h: (S, d).
    """

    def __init__(self, m: int, n: int, d: int, out: int):
        super().__init__()
        self.rnn = nn.LSTMCell(m + out, n)
        self.W_a = nn.Linear(d, n, bias=False)
        self.W_c = nn.Linear(d + n, out, bias=False)

    def forward(
        self, y: Tensor, fed: Tensor, state: tuple[Tensor, Tensor], h: Tensor
    ) -> tuple[Tensor, Tensor, tuple[Tensor, Tensor]]:
        """Return the weights, h~_t (fed to step t + 1) and the new state, given y_{t-1} and step t - 1."""
        h_t, cell = self.rnn(torch.cat([y, fed]), state)
        scores = self.W_a(h) @ h_t  # (S,)
        weights = torch.softmax(scores, dim=0)
        c_t = weights @ h
        fed = torch.tanh(self.W_c(torch.cat([c_t, h_t])))  # also read by the output layer
        return weights, fed, (h_t, cell)
