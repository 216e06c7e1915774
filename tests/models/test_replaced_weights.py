"""A view of a model with other attention weights: what follows is computed from them."""

import pytest
import torch

from attn_core import translate
from attn_core.trace import summary
from tests.helpers.support import BAHDANAU, LUONG, TRANSFORMER, VARIANTS, close, tiny

WORDS = torch.tensor([[4, 5, 6, 7, 8]])
WAYS = {
    "luong": LUONG,
    "bahdanau": BAHDANAU,
    "local-p": LUONG | {"window": "local-p"},
    "heads": VARIANTS["luong-heads"],
}


def step_of(model):
    memory, carry = model.encode(WORDS, torch.ones_like(WORDS, dtype=torch.bool))
    return memory, *model.step(torch.tensor([[2]]), carry, memory)


@pytest.mark.parametrize("name", WAYS)
def test_the_context_is_the_sum_of_the_states_with_the_weights_that_are_set(name):
    model = tiny(**WAYS[name])
    row = torch.tensor([0.5, 0.0, 0.25, 0.0, 0.0], dtype=torch.float64)
    memory, step, _ = step_of(model.with_weights(lambda weights: row.expand(weights.shape)))
    states = memory.states.chunk(len(step.looks), -1)
    for look, of_head in zip(step.looks, states, strict=True):
        close(look.weights[0, 0], row)
        close(look.context[0, 0], 0.5 * of_head[0, 0] + 0.25 * of_head[0, 2])
    _, own, _ = step_of(model)
    close(step.looks[0].scores, own.looks[0].scores)  # the weights are set after the scores
    close(step.looks[0].alignment, own.looks[0].alignment)
    assert (step.attentional - own.attentional).abs().max() > 1e-3


def test_a_trace_says_that_its_weights_were_replaced():
    model = tiny(**BAHDANAU)
    trace = translate(model.with_weights(lambda weights: weights), "a b")
    assert trace.settings["intervention"]
    assert summary(trace.model, trace.settings).endswith(" · attention weights replaced")
    assert not translate(model, "a b").settings["intervention"]


def test_the_models_own_weights_change_nothing_and_the_model_stays_as_it_is():
    model = tiny(**BAHDANAU)
    _, step, carry = step_of(model.with_weights(lambda weights: weights))
    _, own, after = step_of(model)
    close(step.attentional, own.attentional)
    close(carry.state[0], after.state[0])


@pytest.mark.parametrize("trained", [True, False], ids=["trained", "chosen"])
def test_hard_attention_stays_hard(trained):
    """`change` gets the weights that multiply the states: 1 at one position."""
    hard = {"type": "hard-argmax"}
    model = tiny(**BAHDANAU, **hard) if trained else tiny(**BAHDANAU).with_attention_type("hard-argmax")
    given = []
    _, step, _ = step_of(model.with_weights(lambda weights: given.append(weights) or weights))
    _, own, _ = step_of(model)
    close(given[0], own.looks[0].weights)
    close(step.looks[0].weights, own.looks[0].weights)
    assert sorted(own.looks[0].weights.flatten().tolist()) == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("settings", [TRANSFORMER, VARIANTS["fixed-vector"]])
def test_a_model_whose_weights_cannot_be_replaced_says_so(settings):
    with pytest.raises(ValueError, match="the weights of tiny cannot be replaced"):
        tiny(**settings).with_weights(lambda weights: weights)
