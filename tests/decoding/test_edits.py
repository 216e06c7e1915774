"""What a caller sets by hand in a translation; the page's engine is compared in tests/browser/test_engine_edits.py."""

import json

import pytest
import torch

from attn_core import force, translate
from attn_core.models.ensemble import Ensemble
from attn_core.trace import dump, summary
from tests.helpers.support import BAHDANAU, LUONG, TRANSFORMER, VARIANTS, close, tiny

TEXT = "a b c d"
ROW = [0.5, 0.0, 0.25, 0.0]
MODELS = {
    "luong": LUONG,
    "bahdanau": BAHDANAU,
    "local-p": LUONG | {"window": "local-p"},
    "heads": VARIANTS["luong-heads"],
    "transformer": TRANSFORMER,
}
EDITS = {
    "weights": {"kind": "weights", "step": 1, "weights": ROW},
    "context": {"kind": "context", "step": 1, "from": 0},
    "off": {"kind": "off", "layer": 0, "head": 0},
}


@pytest.mark.parametrize("name", MODELS)
def test_the_context_is_the_sum_of_the_values_with_the_weights_that_are_set(name):
    model = tiny(**MODELS[name])
    trace, own = (translate(model, TEXT, edits=edits, max_length=3) for edits in ([EDITS["weights"]], []))
    for look in trace.words[1].step.looks:
        close(look.weights, torch.tensor(ROW, dtype=look.weights.dtype))
        values = look.values
        if values is None:  # a head has its slice of the states
            values = trace.memory.states.chunk(len(own.words[0].step.looks), -1)[look.head]
        close(look.context, 0.5 * values[0] + 0.25 * values[2], 1e-5)
    for before, after in zip(own.words[0].step.looks, trace.words[0].step.looks, strict=True):
        close(before.weights, after.weights)
    close(trace.words[1].step.looks[0].scores, own.words[1].step.looks[0].scores)  # the weights come after the scores
    assert not torch.equal(trace.words[1].step.attentional, own.words[1].step.attentional)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("kind", EDITS)
def test_forced_decoding_of_what_an_edited_search_wrote_has_the_same_steps(name, kind):
    model = tiny(**MODELS[name])
    found = translate(model, TEXT, edits=[EDITS[kind]], max_length=4)
    words = [word.token for word in found.words if word.token != "</s>"]
    again = force(model, TEXT, " ".join(words), tokenized=True, edits=[EDITS[kind]])
    if kind == "context":  # that of another translation: a step of forced decoding without edits
        plain = force(model, TEXT, " ".join(words), tokenized=True)
        close(again.words[1].step.looks[0].context, plain.words[0].step.looks[0].context)
        return
    for one, other in zip(found.words[: len(words)], again.words, strict=False):
        assert one.token == other.token
        assert one.log_prob == pytest.approx(other.log_prob, abs=1e-6)


def test_a_function_gets_step_words_and_weights_of_every_hypothesis():
    model, seen = tiny(std=0.3, **LUONG), []

    def turned(step, words, weights):
        seen.append((step, words))
        return weights.flip(0)

    trace = translate(model, TEXT, beam=3, edits=[{"kind": "weights", "weights": turned}])
    assert {len(words) for step, words in seen if step == 2} == {2}
    assert len({words for step, words in seen if step == 1}) > 1
    assert (len(trace.words) - 1, trace.target[:-1]) in seen
    rows = [{"kind": "weights", "step": word.t, "weights": word.step.looks[0].weights} for word in trace.words]
    again = translate(
        model, TEXT, edits=[*rows, *({"kind": "word", "step": w.t, "word": w.token} for w in trace.words)]
    )
    assert again.target == trace.target
    assert again.log_prob == pytest.approx(trace.log_prob, abs=1e-5)
    where = {"layer": 0, "head": 0}
    assert trace.settings["edits"] == [row | where | {"weights": row["weights"].tolist()} for row in rows]


def test_the_models_own_weights_change_nothing():
    model = tiny(**BAHDANAU)
    trace, own = (
        translate(model, TEXT, edits=edits)
        for edits in ([{"kind": "weights", "weights": lambda _step, _words, weights: weights}], [])
    )
    assert trace.words[-1].log_prob == own.words[-1].log_prob
    assert trace.target == own.target


def test_hard_attention_stays_hard():
    """A function gets the weights that multiply the states: 1 at one position."""
    given = []
    edit = {"kind": "weights", "weights": lambda _step, _words, weights: given.append(weights) or weights}
    translate(tiny(**BAHDANAU, type="hard-argmax"), TEXT, edits=[edit])
    assert all(sorted(row.tolist()) == [0, 0, 0, 1] for row in given)


def test_a_word_is_written_at_its_step_also_if_it_is_the_end():
    model = tiny(**LUONG)
    for word in ("p", "</s>", "<unk>"):
        trace = translate(model, TEXT, edits=[{"kind": "word", "step": 1, "word": word}], max_length=3)
        assert trace.words[1].token == word
    assert len(translate(model, TEXT, edits=[{"kind": "word", "step": 0, "word": "</s>"}]).words) == 1


def test_a_trace_records_its_edits_as_the_page_does():
    trace = translate(tiny(**LUONG), TEXT, edits=[EDITS["weights"], EDITS["off"]], max_length=3)
    weights = EDITS["weights"] | {"layer": None, "head": None}
    assert json.loads(dump(trace))["settings"]["edits"] == [weights, EDITS["off"]]
    assert not trace.settings["intervention"]  # the window is the trained one
    assert summary(trace.model, trace.settings).endswith(" · edits by hand: 2")
    assert "edits" not in translate(tiny(**LUONG), TEXT).settings


BAD = {
    "no kind": ({"step": 1}, "expected a mapping whose kind is one of weights, context, off, word, not"),
    "a list": (["weights"], "expected a mapping whose kind is one of"),
    "an empty step": (EDITS["context"] | {"from": None}, "an edit of kind context needs from"),
    "a word at no step": ({"kind": "word", "step": None, "word": "p"}, "an edit of kind word needs step"),
    "a layer alone": (EDITS["weights"] | {"layer": 0}, "layer and head must be given together, or both left out"),
    "incomplete": ({"kind": "context", "step": 1}, "an edit of kind context needs from"),
    "a typing error": (
        EDITS["weights"] | {"stepp": 1},
        r"kind weights has no 'stepp' \(did you mean 'step'\?\); it has head, layer, step, weights",
    ),
    "half a step": (EDITS["weights"] | {"step": 0.5}, "step must be a whole number from 0, not 0.5"),
    "a missing head": (
        EDITS["off"] | {"head": 3},
        r"tiny has no layer 0 with a head 3; it has \(layer, head\) \(0, 0\)",
    ),
    "too few weights": (EDITS["weights"] | {"weights": [1.0]}, "expected 4 weights, one for each source token, not 1"),
    "a number": (EDITS["weights"] | {"weights": 1.0}, "expected 4 weights, one for each source token, not 1.0"),
    "no weights": (EDITS["weights"] | {"weights": "high"}, "weights must be numbers or a function, not 'high'"),
    "infinite": (EDITS["weights"] | {"weights": [float("nan")] * 4}, "weights must be finite"),
    "no such step": (
        EDITS["context"] | {"from": 99},
        r"from must be a step of the translation without edits, 0 to \d+",
    ),
    "a strange word": ({"kind": "word", "step": 0, "word": "zebra"}, "'zebra' is not a token of the vocabulary"),
    "a wrong function": (
        {"kind": "weights", "weights": lambda _step, _words, weights: weights[:1]},
        "the function of an edit returned a wrong row at step 0: expected 4 weights",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_an_edit_that_does_not_fit_is_refused_by_its_number(name):
    edit, message = BAD[name]
    with pytest.raises(ValueError, match=message) as error:
        translate(tiny(**LUONG), TEXT, edits=[EDITS["weights"], edit])
    assert name == "a wrong function" or str(error.value).startswith("edit 1: ")


def test_what_cannot_be_edited_says_so():
    model = tiny(**LUONG)
    with pytest.raises(ValueError, match="edits are those of one sentence: give a string, not a list of 2"):
        translate(model, [TEXT, TEXT], edits=[EDITS["off"]])
    with pytest.raises(ValueError, match="an ensemble cannot be edited"):
        translate(Ensemble([model, tiny(1, **LUONG)]), TEXT, edits=[EDITS["off"]])
    with pytest.raises(ValueError, match="in forced decoding all words are given"):
        force(model, TEXT, "p r", edits=[{"kind": "word", "step": 0, "word": "p"}])
    with pytest.raises(ValueError, match="tiny has no attention: only words can be edited"):
        translate(tiny(**VARIANTS["fixed-vector"]), TEXT, edits=[EDITS["weights"]])
