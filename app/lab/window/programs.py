"""Local attention with the general score as standalone classes, for one query. The page shows them one by one.

A class needs the imports below and nothing else.
"""

import torch
from torch import Tensor, nn


class LocalM(nn.Module):
    """Monotonic: the window moves one position per step (Luong 2015, section 3.2).

    Query h_t: (n,); encoder states h_s: (S, m).
    """

    def __init__(self, n: int, m: int, D: int):
        super().__init__()
        self.D = D
        self.W_a = nn.Linear(m, n, bias=False)

    def forward(self, h_t: Tensor, h_s: Tensor, t: int) -> tuple[Tensor, Tensor]:
        s = torch.arange(len(h_s))
        p_t = min(t, len(h_s) - 1)  # t counts from 0
        inside = (s - p_t).abs() <= self.D
        scores = self.W_a(h_s) @ h_t  # (S,)
        scores = scores.masked_fill(~inside, -torch.inf)
        weights = torch.softmax(scores, dim=0)
        return weights, weights @ h_s


class LocalP(nn.Module):
    """Predictive: p_t is computed from h_t (Luong 2015, eq. 9 and 10); D is at least 1.

    Query h_t: (n,); encoder states h_s: (S, m).
    """

    def __init__(self, n: int, m: int, D: int):
        super().__init__()
        self.D = D
        self.W_a = nn.Linear(m, n, bias=False)
        self.W_p = nn.Linear(n, n, bias=False)
        self.v_p = nn.Linear(n, 1, bias=False)

    def forward(self, h_t: Tensor, h_s: Tensor) -> tuple[Tensor, Tensor]:
        s = torch.arange(len(h_s))
        share = torch.sigmoid(self.v_p(torch.tanh(self.W_p(h_t))))
        p_t = len(h_s) * share  # a real number between 0 and S
        inside = (s - p_t.floor()).abs() <= self.D
        scores = self.W_a(h_s) @ h_t  # (S,)
        scores = scores.masked_fill(~inside, -torch.inf)
        align = torch.softmax(scores, dim=0)  # these sum to 1
        sigma = self.D / 2
        gaussian = torch.exp(-((s - p_t) ** 2) / (2 * sigma**2))
        weights = align * gaussian  # these sum to at most 1
        return weights, weights @ h_s
