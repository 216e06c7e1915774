"""With states kept, each step is computed in another window from the states that the trained model has there."""

import pytest
import torch

from attn_core import force, translate
from attn_core.trace import summary
from tests.helpers.engine import same_luck
from tests.helpers.support import BAHDANAU, LUONG, close, tiny

TEXT = "a b c d e"
LOCAL = LUONG | {"window": "local-p"}
WEIGHTS = {"kind": "weights", "step": 1, "weights": [0.5, 0, 0.25, 0, 0]}
NARROW = {"window": "local-m", "half_width": 1}
WAYS = {
    "D": (LOCAL, {"half_width": 2, "sigma": 0.7}),
    "global": (LOCAL, {"window": "global"}),
    "p_t": (LOCAL, {"centers": {1: 3.25}}),
    "hard": (LUONG, {"attention_type": "hard-argmax"}),
    "sparsemax": (BAHDANAU | {"normalizer": "sparsemax"}, NARROW),
    "feeding": (LUONG | {"feeding": True}, NARROW),
    "a beam": (LUONG, NARROW | {"beam": 3}),
}


@pytest.mark.parametrize("name", WAYS)
def test_each_step_is_that_of_the_window_from_the_state_of_the_trained_model(name):
    settings, options = WAYS[name]
    model = tiny(std=0.3, **settings)
    trained = translate(model, TEXT, beam=options.get("beam", 1))
    kept = translate(model, TEXT, keep_states=True, **options)
    assert kept.target == trained.target
    assert kept.log_prob != pytest.approx(trained.log_prob)
    window = {key: options.get(key) for key in ("window", "half_width", "sigma", "attention_type")}
    view = model.with_window(**window).with_centers(options.get("centers"))
    assert {name: kept.settings[name] for name in view.settings} == view.settings
    assert {*kept.settings} == {*view.settings} | {*trained.settings} - {*trained.settings["trained_window"]} | {
        "keep_states"
    }
    assert summary(kept.model, kept.settings).endswith(" · words and states of the trained model")
    source = torch.tensor([model.source_ids(TEXT.split())])
    memory, carry = model.encode(source, torch.ones_like(source, dtype=torch.bool))
    word = model.target.bos
    with torch.inference_mode(), same_luck():
        for found in kept.words:
            last = torch.tensor([[word]])
            step, _ = view.step(last, carry, memory)
            _, carry = model.step(last, carry, memory)
            close(found.step.looks[0].weights, step.looks[0].weights[0, 0].float(), 1e-6)
            close(found.step.attentional, step.attentional[0, 0].float(), 1e-6)
            word = model.target.ids([found.token])[0]


def test_in_the_trained_window_nothing_changes():
    model = tiny(**LOCAL)
    kept, trained = (translate(model, TEXT, keep_states=keep) for keep in (True, False))
    assert kept.settings == trained.settings | {"keep_states": True}
    assert [word.log_prob for word in kept.words] == pytest.approx([word.log_prob for word in trained.words])


def test_edits_hold_in_both_and_a_function_is_that_of_the_trained_model():
    model, seen = tiny(std=0.3, **LUONG | {"feeding": True}), []

    def halved(step, words, weights):
        seen.append(step)
        return weights / 2

    edits = [{"kind": "weights", "step": 1, "weights": halved}, {"kind": "word", "step": 2, "word": "p"}]
    trained = translate(model, TEXT, edits=edits)
    assert seen == [1]
    kept = translate(model, TEXT, edits=edits, keep_states=True, **NARROW)
    assert seen == [1, 1]
    assert kept.target == trained.target
    assert kept.target[2] == "p"
    assert kept.settings["edits"] == trained.settings["edits"]
    close(kept.words[1].step.looks[0].weights, trained.words[1].step.looks[0].weights)  # not those of the window
    close(kept.words[2].step.hidden, trained.words[2].step.hidden)  # it depends on the edited step by input feeding
    assert sum(kept.words[0].step.looks[0].weights > 0) < sum(trained.words[0].step.looks[0].weights > 0)


def test_forced_decoding_keeps_the_states_too():
    model = tiny(std=0.3, **LUONG)
    found = translate(model, TEXT, keep_states=True, max_length=3, **NARROW)
    words = " ".join(word for word in found.target if word != "</s>")
    (forced,) = force(model, [TEXT], [words], keep_states=True, **NARROW)
    assert forced.settings["keep_states"]
    for one, other in zip(forced.words, found.words, strict=False):
        close(one.step.attentional, other.step.attentional, 1e-6)
    edited = force(model, TEXT, words, keep_states=True, edits=[WEIGHTS], **NARROW)
    close(edited.words[1].step.looks[0].weights, torch.tensor(WEIGHTS["weights"]))
