"""The browser's measures of attention maps compared with torch, and its display of tokens with Python's."""

import math

import pytest
import torch

from attn_core.attention.measures import entropy
from attn_core.data.subwords import readable


def maps(*shape: int, seed: int = 0) -> torch.Tensor:
    dice = torch.Generator().manual_seed(seed)
    return (2 * torch.randn(*shape, generator=dice, dtype=torch.float64)).softmax(-1)


def past(weights: torch.Tensor) -> list[list[float]]:
    """The rows of a decoder's self-attention, each up to its own position."""
    return [(row[: i + 1] / row[: i + 1].sum()).tolist() for i, row in enumerate(weights)]


def test_the_largest_weight_of_a_row(run_js):
    for row in maps(5, 7):
        assert run_js("js.largestWeight(input)", row.tolist()) == {
            "at": row.argmax().item(),
            "weight": row.max().item(),
        }


def test_where_a_head_looks_on_average(run_js):
    square = maps(6, 6)
    found = run_js("js.habits(input)", square.tolist())
    assert found["self"] == pytest.approx(square.diagonal().mean().item())
    assert found["before"] == pytest.approx(square.diagonal(-1).mean().item())
    assert found["after"] == pytest.approx(square.diagonal(1).mean().item())
    assert found["first"] == pytest.approx(square[1:, 0].mean().item())
    decoder = run_js("js.habits(input)", past(square))
    assert decoder["after"] is None
    assert decoder["self"] == pytest.approx(sum(row[-1] for row in past(square)) / 6)
    assert run_js("js.habits(input)", [[1.0]]) == {"self": 1.0, "before": None, "after": None, "first": None}


def test_mean_entropy(run_js):
    weights = maps(4, 5)
    wanted = entropy(weights).mean().item()
    assert run_js("js.meanEntropy(input)", weights.tolist()) == pytest.approx(wanted, rel=1e-6)
    assert run_js("js.meanEntropy(input)", [[0.5, 0.5], [1.0, 0.0]]) == pytest.approx(math.log(2) / 2)


def test_the_nearest_fixed_layer(run_js):
    several = maps(3, 4, 4)
    found = torch.tensor(run_js("js.meanMap(input)", several.tolist()), dtype=torch.float64)
    torch.testing.assert_close(found, several.mean(0))
    others = torch.stack([several[[j for j in range(3) if j != i]].mean(0) for i in range(3)])
    wanted = 1 - (several - others).square().sum() / (several - 1 / 4).square().sum()
    assert run_js("js.explained(input)", several.tolist()) == pytest.approx(wanted.item())
    assert run_js("js.explained(input)", [several[0].tolist()] * 3) == pytest.approx(1.0)
    assert run_js("js.explained(input)", [[[0.5, 0.5], [0.5, 0.5]]] * 2) == 1


@pytest.mark.parametrize("tokens", [["▁ein", "mann", "<unk>", "▁", "&quot;", "&#91;"], ["ein", "&apos;s", "&copy;"]])
def test_tokens_are_shown_as_in_python(run_js, tokens):
    trace = {
        "source": tokens,
        "target": tokens[:1],
        "steps": [{"token": tokens[0], "top": [[token, -1.5] for token in tokens], "t": 0}],
    }
    found = run_js("js.readable(input)", trace)
    assert found["source"] == readable(tokens)
    assert found["target"] == readable(tokens)[:1]
    assert found["steps"] == [{"token": readable(tokens)[0], "top": [[x, -1.5] for x in readable(tokens)], "t": 0}]
