"""A pointer network as a standalone class, for one set of points. The page shows it.

The class needs the imports below and nothing else.
"""

import torch
from torch import Tensor, nn


class Pointer(nn.Module):
    """Ptr-Net (Vinyals 2015, section 2.3): the attention weights over the inputs are the output distribution."""

    def __init__(self, inputs: int, n: int, hidden: int):
        super().__init__()
        self.encoder = nn.LSTM(inputs, n, batch_first=True)
        self.decoder = nn.LSTMCell(inputs, n)
        self.stop = nn.Parameter(torch.zeros(n))  # the state of the end, position 0
        self.start = nn.Parameter(torch.zeros(inputs))  # what the first step reads
        self.W_1 = nn.Linear(n, hidden, bias=False)
        self.W_2 = nn.Linear(n, hidden, bias=False)
        self.v = nn.Parameter(torch.zeros(hidden))

    def encode(self, points: Tensor) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        e, (d, cell) = self.encoder(points[None])
        return torch.cat([self.stop[None], e[0]]), (d[0], cell[0])

    def forward(self, read: Tensor, e: Tensor, state: tuple[Tensor, Tensor]) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        d, cell = self.decoder(read[None], state)
        u = torch.tanh(self.W_1(e) + self.W_2(d)) @ self.v  # eq. 3
        return torch.softmax(u, dim=0), (d, cell)
