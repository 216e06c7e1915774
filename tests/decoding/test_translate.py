"""`translate` and `force`: order of the traces, replacement of unknown words, and errors for bad input."""

import math
import re

import pytest
import torch
from typer.main import get_command

from attn_core import cli
from attn_core.data.subwords import SPECIALS
from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.search import normalised
from attn_core.decoding.translate import BATCH, force, n_best, replace_unknown, text_of, translate
from attn_core.models.ensemble import Ensemble
from attn_core.models.translator import Translator
from attn_core.trace import Focus, Look, Memory, Step, Trace, Word
from tests.helpers.engine import unchecked
from tests.helpers.support import LUONG, TRANSFORMER, VARIANTS, both_sides, close, tiny


def test_a_list_of_texts_gives_their_traces_in_order():
    """More than one batch, sentences of different lengths; each trace equals that of the sentence alone."""
    model = tiny(**LUONG)
    texts = [" ".join("abcdefg"[: 1 + i % 7]) for i in range(BATCH + 3)]
    targets = [" ".join("nopqr"[: 1 + i % 5]) for i in range(BATCH + 3)]
    for traces, alone in (
        (
            translate(model, texts, tokenized=True, max_length=4),
            lambda i: translate(model, texts[i], tokenized=True, max_length=4),
        ),
        (force(model, texts, targets, tokenized=True), lambda i: force(model, texts[i], targets[i], tokenized=True)),
    ):
        assert [" ".join(trace.source) for trace in traces] == texts
        for i in (0, 5, BATCH + 2):
            assert traces[i].target == alone(i).target
            close(traces[i].weights(), alone(i).weights(), 1e-5)
    assert translate(model, [], tokenized=True) == []


def test_a_trace_records_its_search_settings():
    model = tiny(**LUONG)

    def settings(**options):
        found = translate(model, "a b", tokenized=True, max_length=3, **options).settings
        return {k: v for k, v in found.items() if k not in model.settings}

    assert settings() == {"search": "greedy", "beam": 1, "max_length": 3}
    assert settings(beam=2, normalise="wu", alpha=0.5, min_length=2) == {
        "search": "beam",
        "beam": 2,
        "normalise": "wu",
        "alpha": 0.5,
        "min_length": 2,
        "max_length": 3,
    }
    assert settings(temperature=0.5, seed=7) == {
        "search": "sample",
        "beam": 1,
        "temperature": 0.5,
        "seed": 7,
        "max_length": 3,
    }
    assert "max_length" not in translate(model, "a b", tokenized=True).settings


def never_ending(**settings):
    """A model that gives </s> a tiny probability."""
    model = tiny(**settings)
    with torch.no_grad():
        model.decoder.output.bias[model.target.eos] = -1e4
    return model


@pytest.mark.parametrize("options", [{}, {"beam": 3}, {"temperature": 1.0}, {"max_length": 50}])
def test_a_translation_is_cut_off_after_the_last_learned_position(options):
    model = never_ending(**TRANSFORMER, **both_sides(positions="learned", longest=9))
    assert len(translate(model, "a b", tokenized=True, **options).words) == 9
    both = Ensemble([never_ending(**TRANSFORMER), model])
    assert len(translate(both, "a b", tokenized=True, **options).words) == 9


@pytest.mark.parametrize("options", [{}, {"beam": 3}, {"temperature": 1.0}])
def test_min_length_and_max_length_count_the_words_without_the_end(options):
    """The model's probability of </s> stays in the trace where </s> is forbidden or the only choice."""
    model = never_ending(**LUONG)
    found = translate(model, "a b", tokenized=True, max_length=5, **options)
    assert (len(found.target), found.target[5:]) == (6, ("</s>",))
    assert found.words[5].log_prob < -1000
    assert found.words[5].top[0][0] != "</s>"
    with torch.no_grad():
        model.decoder.output.bias[model.target.eos] = 1e4
    for lengths in ({"min_length": 5, "max_length": 5}, {"min_length": 60}):
        found = translate(model, "a b", tokenized=True, **lengths, **options)
        assert found.target.index("</s>") == lengths["min_length"]
        assert found.words[0].top[0][0] == "</s>"


def test_the_default_limit_cuts_off():
    found = translate(never_ending(**LUONG), "a b", tokenized=True)
    assert len(found.target) == 3 * 2 + 10
    assert "</s>" not in found.target


@pytest.mark.slow
def test_a_sample_depends_on_its_seed_and_index_but_not_on_other_sentences():
    model = tiny(**LUONG)
    texts = ["a b c"] * (BATCH + 3)

    def drawn(given):
        options = {"temperature": 1.0, "seed": 3, "min_length": 8}
        return [trace.target for trace in translate(model, given, tokenized=True, **options)]

    alike = drawn(texts)
    assert len(set(alike)) > BATCH, "no two samples have the same random numbers"
    other = drawn([*texts[:5], "g", *texts[6:]])
    assert other[:5] + other[6:] == alike[:5] + alike[6:]
    every = translate(model, texts, tokenized=True, temperature=1.0, seed=2**64 - 1, min_length=8)
    for trace in every[:3]:
        again = {name: trace.settings[name] for name in ("temperature", "seed", "min_length")}
        assert translate(model, "a b c", tokenized=True, **again).target == trace.target, "its settings give it again"
    assert drawn(texts[:1]) == alike[:1]


def test_the_n_best_are_the_hypotheses_of_the_beam_best_first():
    model = tiny(**LUONG)
    options = {"beam": 4, "max_length": 4, "tokenized": True, "normalise": "wu", "alpha": 0.5}
    found = n_best(model, "a b", 3, **options)
    assert found[0].target == translate(model, "a b", **options).target
    scores = [normalised(trace.log_prob, len(trace.words), "wu", 0.5) for trace in found]
    assert scores == sorted(scores, reverse=True)
    assert len({trace.target for trace in found}) == 3
    for trace in found:
        if trace.target[-1] == "</s>" and not set(SPECIALS) & set(trace.target[:-1]):
            again = force(model, "a b", " ".join(trace.target[:-1]), tokenized=True)
            assert trace.log_prob == pytest.approx(again.log_prob, abs=1e-5)
            close(trace.weights(), again.weights(), 1e-5)
    with pytest.raises(ValueError, match="n must be from 1 to 4, the beam width, not 5"):
        n_best(model, "a b", 5, **options)


def trace_of(*tokens, weights, source=("ein", "Hund"), unknown=(1,)):
    """A trace with the target `tokens` and the attention `weights`; None for a model without attention."""
    words = []
    for t, token in enumerate(tokens):
        row = torch.tensor(weights[t]) if weights else None
        nothing = torch.zeros(1)
        focus = None if row is None else Focus(row > 0, torch.ones_like(row), None)
        looks = () if row is None else (Look(nothing, row, focus, row, row, nothing),)
        words.append(Word(t, token, -1.0, (("<unk>", -1.0),), Step(looks, nothing, nothing)))
    n = len(source)
    return Trace(
        "m", {}, source, unknown, Memory(torch.zeros(n, 1), torch.zeros(n, 1), torch.ones(n) > 0), tuple(words)
    )


def test_unknown_words_are_replaced_by_the_source_words_with_the_largest_weights():
    trace = trace_of("a", "<unk>", "<unk>", "</s>", weights=[[0.9, 0.1], [0.4, 0.6], [0.7, 0.3], [0.2, 0.8]])
    assert replace_unknown(trace).target == ("a", "Hund", "ein", "</s>")
    assert replace_unknown(trace, shift=1).target == ("a", "ein", "Hund", "</s>")
    assert replace_unknown(trace).settings == {"replace_unk": True, "unk_shift": 0}
    assert replace_unknown(trace).words[1].top == (("<unk>", -1.0),), "the candidates stay"
    assert trace.target[1] == "<unk>", "the argument is not changed"
    unseen = trace_of("<unk>", "</s>", weights=[[0.0, 0.0], [1.0, 0.0]])
    assert replace_unknown(unseen).target == ("<unk>", "</s>"), "a window outside the sentence has no weight"
    assert replace_unknown(trace_of("<unk>", weights=None)).target == ("<unk>",)


def test_the_end_of_the_source_replaces_no_word():
    source = ("ein", "Hund", "</s>")
    trace = trace_of("<unk>", "<unk>", weights=[[0.1, 0.2, 0.7], [0.0, 0.0, 1.0]], source=source)
    assert replace_unknown(trace).target == ("Hund", "<unk>"), "the word with the largest weight; none if all are 0"
    typed = trace_of("<unk>", weights=[[0.1, 0.2, 0.7]], source=source, unknown=(1, 2))
    assert replace_unknown(typed).target == ("</s>",), "a </s> typed by a user is an ordinary word"


def test_the_shift_of_replacing_is_an_option():
    model = tiny(**LUONG)
    trace = translate(model, "a b c", tokenized=True, max_length=2, replace_unk=True, unk_shift=1)
    assert trace.settings["unk_shift"] == 1
    with pytest.raises(ValueError, match="alignment shift 2"):
        translate(model, "a b c", tokenized=True, max_length=2, replace_unk=True, unk_shift=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"top": 0}, "top must be at least 1 token, not 0"),
        (
            {"beam": 2, "alpha": float("nan")},
            "exponent of length normalisation, must be from 0 to 10, not nan",
        ),
        ({"beam": 2, "alpha": -1.0}, "must be from 0 to 10, not -1.0"),
    ],
)
def test_options_out_of_range_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        translate(tiny(**LUONG), "a b", tokenized=True, **options)


def test_a_temperature_near_zero_is_greedy():
    model = tiny(**LUONG)
    cold, greedy = (translate(model, "a b c", tokenized=True, max_length=4, temperature=t) for t in (1e-30, None))
    assert cold.target == greedy.target


def test_unknown_words_are_not_replaced_by_default():
    model = tiny(**LUONG)
    with torch.no_grad():
        model.decoder.output.bias[model.target.unk] = 1e4
    plain, replaced = (
        translate(model, "a b c", tokenized=True, max_length=2, replace_unk=asked) for asked in (False, True)
    )
    assert plain.target == ("<unk>", "<unk>", "</s>")
    assert replaced.target == (*(plain.source[row.argmax()] for row in plain.weights()[:2]), "</s>")


def test_the_text_of_a_trace_leaves_its_end_out():
    model = tiny(**LUONG)
    trace = trace_of("<unk>", "n", "&apos;s", ".", "</s>", weights=None)
    assert text_of(model, trace, tokenized=True) == "<unk> n &apos;s ."
    assert text_of(model, trace) == "<unk> n's."


REFUSED = [
    (lambda model: translate(model, " \n ", tokenized=True), "the source ' \\n ' has no word"),
    (lambda model: translate(model, ["a", ""], tokenized=True), "the source '' has no word"),
    (lambda model: force(model, "a", "  ", tokenized=True), "the target '  ' has no word"),
    (lambda model: force(model, ["a", "b"], ["n"], tokenized=True), "2 sources and 1 targets: each source needs"),
    (lambda model: translate(model, "a", beam=0), "beam must be a whole number from 1 to 200, not 0"),
    (lambda model: translate(model, "a", beam=201), "beam must be a whole number from 1 to 200, not 201"),
    (lambda model: translate(model, "a", max_length=0), "max_length must be at least 1 token, not 0"),
    (lambda model: translate(model, "a", beam=2, temperature=1.0), "cannot be combined with a beam"),
    (lambda model: translate(model, "a", temperature=0.0, tokenized=True), "must be above 0 and finite, not 0"),
    (lambda model: translate(model, "a", temperature=math.inf, min_length=2, tokenized=True), "finite, not inf"),
    (lambda model: translate(model, "a", min_length=3, max_length=2), "min_length must be from 0 to max_length, not 3"),
    (lambda model: translate(model, "a", beam=2, normalise="x", tokenized=True), "must be none, length or wu, not 'x'"),
    (lambda model: translate(model, "a", normalise="y", tokenized=True), "must be none, length or wu, not 'y'"),
    (lambda model: force(model, "a", "n", top=0, tokenized=True), "top must be at least 1 token, not 0"),
    (lambda model: translate(model, "a", window="local-p"), "tiny was not trained to predict p_t"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_bad_input_raises_a_value_error_that_names_it(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call(tiny(**LUONG))


def test_lengths_count_the_tokens_of_the_vocabulary():
    """Pieces, in a vocabulary of pieces: a maximum of 4 leaves fewer than 4 words."""
    plain = tiny(**LUONG)
    target = Tokenizer.train(["no non on", "non no no"], "en", "bpe", 1, 9)
    model = Translator(plain.config, plain.source, target, "subwords").eval()
    for options in ({"max_length": 4, "min_length": 4}, {"max_length": 4, "min_length": 4, "beam": 3}):
        trace = translate(model, "a b", tokenized=True, **options)
        assert len([token for token in trace.target if token != "</s>"]) == 4
        assert len(text_of(model, trace, True).split()) < 4


def test_the_help_says_that_lengths_count_tokens():
    assert "Lengths count tokens of the model's vocabulary" in str(translate.__doc__)
    options = {one.name: one.help for one in get_command(cli._app("translate")).commands["translate"].params[1:]}
    assert "tokens" in options["max_length"]
    assert "word pieces" in options["max_length"]
    assert "tokens" in options["min_length"]
    assert "tokens" in options["half_width"]


def test_a_model_without_attention_translates_too():
    trace = translate(tiny(**VARIANTS["fixed-vector"]), "a b", tokenized=True, max_length=3)
    assert len(trace.words) <= 4
    assert trace.weights().shape == (0, 2)
    assert (trace.settings["score"], trace.settings["window"]) == (None, None)
    assert not {"half_width", "sigma"} & trace.settings.keys()


def test_a_name_instead_of_a_model_is_refused():
    with unchecked(), pytest.raises(TypeError, match=r"not a name: use translate\(load\('bahdanau'\), ...\)"):
        translate("bahdanau", "a b")
