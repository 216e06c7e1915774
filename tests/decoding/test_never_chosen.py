"""No search chooses <pad> or <s>, and how many steps a search takes."""

import math

import pytest
import torch

from attn_core.data.tokenizer import BOS, EOS, PAD, UNK
from attn_core.decoding.beam import beam_search
from attn_core.decoding.search import greedy, sample
from attn_core.models.ensemble import Ensemble
from tests.decoding.test_search import biased, ending
from tests.helpers.support import BAHDANAU, LUONG, sentences


@pytest.mark.parametrize("width", [1, 2, 7, 200])
def test_no_search_chooses_padding_or_the_start(width):
    """Even where they are the most probable words, and in a beam that is wider than the vocabulary."""
    model, bias = biased(targets="n", **BAHDANAU)  # three choices: <unk>, </s> and "n"
    with torch.no_grad():
        bias[[PAD, BOS]] = 5.0
    batch = sentences(2, 4)
    ensemble = Ensemble([model, biased(seed=1, targets="n", **BAHDANAU)[0]])
    for one in (model, ensemble):
        results = [beam_search(one, batch, width, 4), greedy(one, batch, 4), sample(one, batch, 4)]
        found = [path for result in results for row in result.hypotheses for path in row]
        assert {word for path in found for word in path.words} <= {UNK, EOS, 4}
        assert all(path.score > -math.inf for path in found)
    assert results[0].columns[0].log_probs[0].isfinite().all(), "the record keeps the probabilities of all words"


def test_a_search_that_stops_early_takes_fewer_steps():
    model, batch = ending(LUONG), sentences(3, 7, 1, 5)
    steps = [len(beam_search(model, batch, 5, 40, early=early).columns) for early in (False, True)]
    assert steps[1] < steps[0]
