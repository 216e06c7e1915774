"""Each score with softmax and context vector as a standalone class, for one query. The page shows them one by one.

A class needs the imports below and nothing else.
"""

import torch
from torch import Tensor, nn


class Dot(nn.Module):
    """score = h_t · h_s (Luong 2015, eq. 7).

    Query h_t: (n,); encoder states h_s: (S, n).
    """

    def forward(self, h_t: Tensor, h_s: Tensor) -> tuple[Tensor, Tensor]:
        scores = h_s @ h_t  # (S,)
        weights = torch.softmax(scores, dim=0)
        return weights, weights @ h_s


class ScaledDot(nn.Module):
    """score = h_t · h_s / sqrt(n) (Vaswani 2017, eq. 1).

    Query h_t: (n,); encoder states h_s: (S, n).
    """

    def forward(self, h_t: Tensor, h_s: Tensor) -> tuple[Tensor, Tensor]:
        scores = h_s @ h_t / h_t.numel() ** 0.5  # (S,)
        weights = torch.softmax(scores, dim=0)
        return weights, weights @ h_s


class General(nn.Module):
    """score = h_t^T W_a h_s (Luong 2015, eq. 7).

    Query h_t: (n,); encoder states h_s: (S, m).
    """

    def __init__(self, n: int, m: int):
        super().__init__()
        self.W_a = nn.Linear(m, n, bias=False)

    def forward(self, h_t: Tensor, h_s: Tensor) -> tuple[Tensor, Tensor]:
        scores = self.W_a(h_s) @ h_t  # (S,)
        weights = torch.softmax(scores, dim=0)
        return weights, weights @ h_s


class Additive(nn.Module):
    """score = v_a^T tanh(W_a h_t + U_a h_s) (Bahdanau 2015, A.1.2).

    Query h_t: (n,); encoder states h_s: (S, m).
    """

    def __init__(self, n: int, m: int, hidden: int):
        super().__init__()
        self.W_a = nn.Linear(n, hidden, bias=False)
        self.U_a = nn.Linear(m, hidden, bias=False)
        # With zeros, training begins with equal weights.
        self.v_a = nn.Parameter(torch.zeros(hidden))

    def forward(self, h_t: Tensor, h_s: Tensor) -> tuple[Tensor, Tensor]:
        both = torch.tanh(self.W_a(h_t) + self.U_a(h_s))  # (S, hidden)
        scores = both @ self.v_a  # (S,)
        weights = torch.softmax(scores, dim=0)
        return weights, weights @ h_s


class Concat(nn.Module):
    """score = v_a^T tanh(W_a [h_t; h_s]) (Luong 2015, eq. 7).

    Query h_t: (n,); encoder states h_s: (S, m).
    """

    def __init__(self, n: int, m: int, hidden: int):
        super().__init__()
        self.W_a = nn.Linear(n + m, hidden, bias=False)
        self.v_a = nn.Parameter(torch.empty(hidden).uniform_(-0.1, 0.1))

    def forward(self, h_t: Tensor, h_s: Tensor) -> tuple[Tensor, Tensor]:
        queries = h_t.expand(len(h_s), -1)
        both = torch.cat([queries, h_s], dim=1)  # (S, n + m)
        scores = torch.tanh(self.W_a(both)) @ self.v_a  # (S,)
        weights = torch.softmax(scores, dim=0)
        return weights, weights @ h_s


class Location(nn.Module):
    """score = (W_a h_t)_s, one row of W_a per position (Luong 2015, eq. 8).

    Query h_t: (n,); encoder states h_s: (S, m), S <= longest.
    """

    def __init__(self, n: int, longest: int):
        super().__init__()
        self.W_a = nn.Linear(n, longest, bias=False)

    def forward(self, h_t: Tensor, h_s: Tensor) -> tuple[Tensor, Tensor]:
        # Only the number of source words matters, not the words.
        scores = self.W_a(h_t)[: len(h_s)]  # (S,)
        weights = torch.softmax(scores, dim=0)
        return weights, weights @ h_s
