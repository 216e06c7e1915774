"""Multi-head attention as a standalone class, for one query.

The class needs the imports below and nothing else.
"""

import torch
from torch import Tensor, nn


class MultiHead(nn.Module):
    """Scaled dot products in several heads (Vaswani 2017, section 3.2).

    query: (n,), states: (S, n).
    """

    def __init__(self, n: int, heads: int):
        super().__init__()
        self.heads = heads
        self.W_q = nn.Linear(n, n, bias=False)
        self.W_k = nn.Linear(n, n, bias=False)
        self.W_v = nn.Linear(n, n, bias=False)
        self.W_o = nn.Linear(n, n, bias=False)

    def forward(self, query: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
        # Each head gets d = n / heads numbers: q is (heads, d), k and v are (S, heads, d).
        q = self.W_q(query).view(self.heads, -1)
        k = self.W_k(states).view(len(states), self.heads, -1)
        v = self.W_v(states).view(len(states), self.heads, -1)
        scores = torch.einsum("hd,shd->hs", q, k) / q.size(1) ** 0.5
        weights = torch.softmax(scores, dim=1)  # (heads, S)
        context = torch.einsum("hs,shd->hd", weights, v)
        return weights, self.W_o(context.flatten())
