"""Ensembles compared with the mean of their members' probabilities, computed separately for every word."""

import math

import pytest
import torch

from attn_core import load, translate
from attn_core.data.corpus import make_batch
from attn_core.decoding.beam import beam_search
from attn_core.decoding.search import Sentences, forced, greedy
from attn_core.evaluation.evaluate import evaluate
from attn_core.models.checkpoint import save
from attn_core.models.ensemble import Ensemble
from attn_core.models.recipe import TrainConfig
from attn_core.trace import dump, summary
from attn_core.trace.reading import parse
from tests.helpers.support import BAHDANAU, LUONG, VARIANTS, both_sides, sentences, tiny

KINDS = (
    {},
    LUONG | {"window": "local-p", "feeding": True, **both_sides(layers=2)},
    BAHDANAU,
    VARIANTS["fixed-vector"],
    VARIANTS["transformer"],
)


@pytest.fixture
def members():
    return [tiny(seed, **settings) for seed, settings in enumerate(KINDS)]


def test_each_word_has_the_mean_of_its_probabilities(members):
    """For the words that the ensemble chose, with forced decoding of each member."""
    both = Ensemble(members)
    batch = sentences(3, 5)
    result = greedy(both, batch, limit=6)
    for sentence, found in zip(batch, result.found, strict=True):
        target = make_batch([sentence], [found.words])
        expected = []
        for member in members:
            with torch.inference_mode():
                memory, carry = member.encode(target.source, target.source_mask)
                steps, _ = member.decoder(target.inputs, carry, memory)
                expected.append(member.decoder.log_probs(steps.attentional)[0].exp())
        mean = torch.stack(expected).mean(0)
        for t, (word, log_prob) in enumerate(zip(found.words, found.log_probs, strict=True)):
            assert log_prob == pytest.approx(mean[t, word].log().item(), abs=1e-5)
            mean[t, list(Sentences.never)] = 0
            assert word == mean[t].argmax().item()


def test_a_model_with_itself_is_that_model(members):
    alone = members[1]
    twice = Ensemble([alone, alone])
    for width in (1, 3):
        one, two = (beam_search(model, sentences(3, 7, 1), width, 8).found for model in (alone, twice))
        assert [found.words for found in one] == [found.words for found in two]
        assert [found.score for found in two] == pytest.approx([found.score for found in one], abs=1e-5)


def test_the_loss_is_of_the_mean_probability(members):
    batch = make_batch(sentences(3, 5), [[5, 6], [4, 4, 7]])
    both = Ensemble(members[:2])
    with torch.inference_mode():
        parts = [member.decoder.log_probs(member.steps(batch).attentional) for member in members[:2]]
        total = 0.0
        for row, t in batch.target_mask.nonzero().tolist():
            word = batch.outputs[row, t]
            total -= math.log(sum(part[row, t, word].exp().item() for part in parts) / 2)
        assert both.loss(batch).item() == pytest.approx(total, rel=1e-5)
    with pytest.raises(ValueError, match="cannot be trained"):
        both.loss(batch, 0.1)


def test_the_attention_of_an_ensemble_is_that_of_all_members(members):
    sentence = sentences(5)
    result = greedy(Ensemble(members), sentence, limit=6)
    apart = [forced(member, sentence, [result.found[0].text_words]) for member in members]
    for t, column in enumerate(result.columns):
        assert [look.head for look in column.step.looks] == list(
            range(3 + 6)
        )  # the fixed-vector model has no attention
        each = [look for alone in apart for look in alone.columns[t].step.looks]
        for look, alone in zip(column.step.looks, each, strict=True):
            assert torch.allclose(look.weights, alone.weights, atol=1e-6)


def test_a_trace_names_all_with_their_settings(members):
    trace = translate(Ensemble(members), "a b c d")
    assert trace.settings["ensemble"] == [{"model": member.name} | member.settings for member in members]
    assert trace.settings["heads"] == len(trace.words[0].step.looks) == 3 + 6
    assert trace.weights().shape == (len(trace.target), 4)
    assert parse(dump(trace)).settings == trace.settings


@pytest.mark.quick(24)
@pytest.mark.parametrize("name", VARIANTS)
def test_the_number_of_looks_is_known_before_any_is_made(name):
    """`heads` of the settings equals the number of looks in a step, for every model."""
    member = tiny(**VARIANTS[name])
    twice = Ensemble([member, member])
    (found,) = greedy(twice, sentences(3), limit=1).columns
    assert len(found.step.looks) == twice.settings["heads"]


def test_settings_claim_what_all_members_share():
    kinds = (
        {"score": "dot", "half_width": 2},
        {"score": "additive", "half_width": 2},
        {"score": "dot", "half_width": 3},
    )
    one, two, three = (tiny(seed, **LUONG | kind | {"window": "local-m"}) for seed, kind in enumerate(kinds))
    found = Ensemble([one, two]).settings
    window = {"window": "local-m", "half_width": 2, "sigma": None}
    assert (found["score"], found["order"], found["attention_type"]) == ("dot+additive", "update-then-attend", "soft")
    assert {name: found[name] for name in window} == found["trained_window"] == window
    assert not found["intervention"]
    assert Ensemble([one, three]).settings["half_width"] is None
    mixed = Ensemble(
        [one, tiny(3, **BAHDANAU), three.with_window("global").with_attention_type("hard-argmax")]
    ).settings
    assert (mixed["window"], mixed["attention_type"], mixed["trained_attention_type"]) == (
        "local-m+global",
        "soft+hard-argmax",
        "soft",
    )
    assert mixed["order"] == "update-then-attend+attend-then-update"
    assert mixed["trained_window"]["window"] == "local-m+global"
    assert mixed["intervention"]


@pytest.mark.parametrize("first", [0, 1])
def test_a_member_without_attention_adds_no_mechanism(first):
    members = [tiny(0, **VARIANTS["fixed-vector"]), tiny(1, **BAHDANAU)]
    found = Ensemble(members[first:] + members[:first]).settings
    assert (found["score"], found["window"], found["heads"]) == ("additive", "global", 1)


@pytest.mark.parametrize("first", [0, 1])
def test_the_normalizer_of_a_member_is_named_whatever_the_order(first):
    members = [tiny(0, **BAHDANAU), tiny(1, **BAHDANAU, normalizer="sparsemax")]
    found = translate(Ensemble(members[first:] + members[:first]), "a b").settings
    assert set(found["normalizer"].split("+")) == {"softmax", "sparsemax"}
    assert "normalizer" not in Ensemble([members[0], members[0]]).settings
    assert Ensemble([members[1], members[1]]).settings["normalizer"] == "sparsemax"


def test_interventions_reach_every_member():
    """p_t by hand also after another window; and no training."""
    local = LUONG | {"window": "local-p", "half_width": 2}
    both = Ensemble([tiny(0, **local), tiny(1, **local)])
    for model in (both, both.with_window(half_width=1)):
        trace = translate(model, "a b c d e", centers={0: 1.5})
        assert [look.focus.center.item() for look in trace.words[0].step.looks] == [1.5, 1.5]
        assert (trace.settings["centers"], trace.settings["intervention"]) == ({"0": 1.5}, True)
    with pytest.raises(ValueError, match="has no window with a centre"):
        Ensemble([tiny(0, **local), tiny(1, **BAHDANAU)]).with_centers({0: 1.0})
    batch = make_batch([[4, 5]], [[4]])
    with pytest.raises(ValueError, match="an ensemble cannot be trained"):
        both.loss_of(both.steps(batch).attentional, batch, 0.1)


@pytest.mark.parametrize("kinds", [(1, 1), (0, 1), (2, 4)], ids=["two centres", "one centre", "values"])
def test_a_trace_keeps_what_each_member_has(kinds):
    """Two local-p models have a p_t each, a global one has none, and only a Transformer has values."""
    both = Ensemble([tiny(seed, **KINDS[kind]) for seed, kind in enumerate(kinds)])
    trace = translate(both, "a b c d e f")
    read = parse(dump(trace, vectors=True))
    for word, again in zip(trace.words, read.words, strict=True):
        for look, found in zip(word.step.looks, again.step.looks, strict=True):
            assert torch.equal(look.focus.inside, found.focus.inside)
            assert (look.focus.center is None) == (found.focus.center is None)
            assert look.focus.center is None or torch.equal(look.focus.center.float(), found.focus.center)
            assert (look.values is None) == (found.values is None)
            assert look.values is None or torch.equal(look.values.float(), found.values)
    centers = [look.focus.center for look in trace.words[0].step.looks]
    assert len({None if one is None else one.item() for one in centers}) == (1 if kinds[1] == 4 else 2)


def test_one_line_on_an_ensemble():
    both = Ensemble([tiny(0, name="one", **BAHDANAU), tiny(1, name="two", **LUONG | {"score": "dot"})])
    trace = translate(both, "a b", window="local-m", half_width=1)
    assert summary(trace.model, trace.settings).split(" · ") == [
        *("one+two", "score additive+dot", "local-m", "2 attentions", "D = 1", "greedy"),
        "intervention: trained with window global",
    ]


def test_members_get_the_window_and_the_attention_type(members):
    both = Ensemble(members[:2])
    assert both.with_window() is both
    narrow = both.with_window("local-m", 1)
    assert [member.config["window"] for member in narrow.members] == ["local-m", "local-m"]
    assert [member.config["window"] for member in both.members] == ["global", "local-p"]
    assert [member.config["type"] for member in both.with_attention_type("hard-argmax").members] == ["hard-argmax"] * 2


def test_models_by_name_translate_together(members, tmp_path):
    for member, name in zip(members, ("one", "two", "three"), strict=False):
        save(member, TrainConfig(), tmp_path / name)
    both = load(f"{tmp_path / 'one'}+{tmp_path / 'two'}")
    assert [type(member.decoder) for member in both.members] == [type(member.decoder) for member in members[:2]]
    scores = evaluate(both, ["a b", "c"], ["a b", "c"], beam=2, tokenized=True)
    assert scores.perplexity > 1


def test_models_that_cannot_form_an_ensemble_are_refused(members):
    with pytest.raises(ValueError, match="needs at least 2 models, not 1"):
        Ensemble(members[:1])
    with pytest.raises(ValueError, match="different target vocabularies"):
        Ensemble([members[0], tiny(targets="no")])
    with pytest.raises(ValueError, match="differ in source_eos"):
        Ensemble([members[0], tiny(source_eos=True)])
