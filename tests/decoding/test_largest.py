"""The k largest numbers of long rows, compared with torch.topk."""

import math

import pytest
import torch

from attn_core.decoding.beam import largest


@pytest.mark.parametrize("n", [5, 127, 1000, 5921])
def test_the_largest_are_those_of_topk(n):
    torch.manual_seed(n)
    values = torch.randn(7, n)
    values[0] = values[0].sort().values  # the largest values lie in the last group and in the remainder
    values[1] = -math.inf
    values[1, n // 2] = 0.0
    for k in (1, 2, 5):
        found, places = largest(values, k)
        assert torch.equal(found, values.topk(k).values)
        assert torch.equal(values.gather(1, places), found)
        assert all(len(set(row)) == k for row in places.tolist())
