"""Searches compared with exhaustive search, a slow beam search, and one another."""

import itertools
import math

import pytest
import torch
from torch import nn

from attn_core.data.corpus import pad
from attn_core.data.tokenizer import BOS, PAD
from attn_core.decoding.beam import beam_search, best_outputs
from attn_core.decoding.search import EOS, forced, greedy, normalised, sample
from tests.helpers.support import BAHDANAU, LUONG, SPREAD, both_sides, close, sentences, tiny

LIMIT = 11
RULES = {"none": ("none", 1.0), "length": ("length", 1.0), "half-length": ("length", 0.5), "wu": ("wu", 0.8)}
each_variant = pytest.mark.parametrize("settings", SPREAD.values(), ids=SPREAD)
each_rule = pytest.mark.parametrize(("rule", "alpha"), RULES.values(), ids=RULES)
SMALL_ONES = {
    "luong": LUONG | {"window": "local-p", "feeding": True, **both_sides(layers=2)},
    "bahdanau": BAHDANAU,
    "fixed-vector": SPREAD["fixed-vector"],
}
each_small_one = pytest.mark.parametrize("settings", SMALL_ONES.values(), ids=SMALL_ONES)


def biased(seed=0, **settings):
    """A model and the bias of its output layer, which sets how probable </s> is; Luong's code has no bias."""
    model = tiny(seed, **settings)
    output = model.decoder.output
    if output.bias is None:
        output.bias = nn.Parameter(output.weight.new_empty(len(model.target)).uniform_(-0.5, 0.5))
    return model, output.bias


def ending(settings, seed=0, **more):
    """A model that outputs </s> often enough for sentences to end."""
    model, bias = biased(seed, **(settings | more))
    with torch.no_grad():
        bias[EOS] = 0.3 * bias.abs().sum()
    return model


def log_probs_after(model, sentence, prefixes):
    """log p(y_t | y_<t, x) along each of the equally long `prefixes`, by teacher forcing: (prefixes, tgt, vocab)."""
    words, mask = pad([sentence] * len(prefixes))
    inputs = torch.tensor([[BOS, *prefix] for prefix in prefixes])
    with torch.inference_mode():
        memory, carry = model.encode(words, mask)
        return model.decoder.log_probs(model.decoder(inputs, carry, memory)[0].attentional)


def exhausted(model, sentence, limit, rule, alpha):
    """Every translation that ends with </s> or at the limit, with its score: {words: score}."""
    allowed = [word for word in range(len(model.target)) if word not in (PAD, BOS)]
    others = [word for word in allowed if word != EOS]
    prefixes = list(itertools.product(others, repeat=limit - 1))
    totals = log_probs_after(model, sentence, prefixes).double()
    found = {}
    for prefix, along in zip(prefixes, totals.tolist(), strict=True):
        for n in range(1, limit + 1):
            before = sum(along[t][prefix[t]] for t in range(n - 1))
            for last in allowed if n == limit else [EOS]:
                found[(*prefix[: n - 1], last)] = normalised(before + along[n - 1][last], n, rule, alpha)
    return found


@pytest.mark.quick(4)
@each_small_one
@each_rule
def test_a_wide_beam_finds_what_exhaustive_search_finds(settings, rule, alpha, monkeypatch):
    monkeypatch.setattr("attn_core.decoding.beam.WIDEST", 800)
    model = ending(
        settings, targets="nopq"
    )  # 6 words with </s> and <unk>: 1 + 5 + 25 + 750 translations of up to 4 words
    batch = sentences(3, 5)
    result = beam_search(model, batch, 800, 4, rule, alpha)
    for sentence, found in zip(batch, result.found, strict=True):
        scores = exhausted(model, sentence, 4, rule, alpha)
        assert len(scores) == 1 + 5 + 25 + 125 * 6
        assert tuple(found.words) == (best := max(scores, key=scores.get))
        assert found.score == pytest.approx(scores[best], abs=1e-5)
        assert beam_search(model, [sentence], 2, 4, rule, alpha).found[0].score <= scores[best] + 1e-5


def test_exhaustive_search_is_right_about_the_total_probability():
    """All translations that end or are cut make a probability distribution, if <pad> and <s> have probability 0."""
    model = ending(LUONG, targets="no")
    with torch.no_grad():
        model.decoder.output.bias[[PAD, BOS]] = -1e4
    scores = exhausted(model, [4, 5, 6], 4, "none", 1.0)
    assert sum(map(math.exp, scores.values())) == pytest.approx(1, abs=1e-5)


def slow_beam(model, sentence, width, limit, rule, alpha, early=False, least=0, prefer_finished=False):
    """Beam search that recomputes every prefix from its start: the hypotheses, best first, as (score, words)."""
    live, done = [(0.0, ())], []
    for n in range(1, limit + 1):
        candidates = []
        for total, prefix in live:
            next_word = log_probs_after(model, sentence, [prefix])[0, -1].tolist()
            candidates += [
                (total + log_prob, (*prefix, word))
                for word, log_prob in enumerate(next_word)
                if word not in (PAD, BOS) and (n > least or word != EOS)
            ]
        candidates.sort(reverse=True)
        live = []
        for rank, (total, words) in enumerate(candidates):
            if len(live) == width:
                break
            if words[-1] != EOS and n < limit:
                live.append((total, words))
            elif rank < width:
                done.append((normalised(total, n, rule, alpha), words))
        first = candidates[0][1][-1]
        if len(done) >= width or not live or (early and first == EOS):
            break
    return sorted(done, key=lambda one: (prefer_finished and one[1][-1] == EOS, one), reverse=True)


@pytest.mark.quick(8)
@pytest.mark.parametrize("early", [False, True])
@each_small_one
@each_rule
def test_beams_equal_a_slow_beam(settings, rule, alpha, early):
    for seed, width in itertools.product((1, 2), (2, 3)):
        model = ending(settings, seed)
        batch = sentences(3, 1, 5, seed=seed)
        result = beam_search(model, batch, width, 7, rule, alpha, early=early)
        for sentence, hypotheses in zip(batch, result.hypotheses, strict=True):
            wanted = slow_beam(model, sentence, width, 7, rule, alpha, early)
            assert [tuple(found.words) for found in hypotheses] == [words for _, words in wanted]
            assert [found.score for found in hypotheses] == pytest.approx([score for score, _ in wanted], abs=1e-5)
        assert result.found == [hypotheses[0] for hypotheses in result.hypotheses]


@pytest.mark.quick(3)
@pytest.mark.parametrize("prefer_finished", [False, True])
@pytest.mark.parametrize("least", [0, 2, 7])
def test_beams_with_a_minimum_length_equal_a_slow_beam(least, prefer_finished):
    """Also with finished hypotheses preferred to better ones that were cut off."""
    changed = set()
    for seed, width in itertools.product((1, 2, 3), (2, 3)):
        model, bias = biased(seed, **BAHDANAU)
        with torch.no_grad():
            bias[EOS] = 0.2 * bias.abs().sum()
        batch = sentences(3, 1, 5, seed=seed)
        rules = {"least": least, "prefer_finished": prefer_finished}
        result = beam_search(model, batch, width, 5, "length", **rules)
        for sentence, found in zip(batch, result.found, strict=True):
            score, words = slow_beam(model, sentence, width, 5, "length", 1.0, **rules)[0]
            assert tuple(found.words) == words
            assert found.score == pytest.approx(score, abs=1e-5)
            assert len(found.text_words) >= min(least, 5)
            changed.add(words == slow_beam(model, sentence, width, 5, "length", 1.0)[0][1])
    if least or prefer_finished:
        assert False in changed, "the rules change some of the outputs"


@pytest.mark.parametrize("search", ["greedy", "sample"])
def test_a_minimum_length_delays_the_end(search):
    """The words are the most probable ones except </s>; the record keeps the model's probability of </s>."""
    model, bias = biased(**BAHDANAU)
    with torch.no_grad():
        bias[EOS] = 50.0  # without a minimum length it would end at once
    batch = sentences(3, 5)
    run = {
        "greedy": lambda least: greedy(model, batch, LIMIT, least),
        "sample": lambda least: sample(model, batch, LIMIT, least=least),
    }[search]
    assert [found.words for found in run(0).found] == [[EOS], [EOS]]
    result = run(3)
    for b, found in enumerate(result.found):
        assert len(found.words) == 4
        assert found.words[-1] == EOS
        assert result.columns[0].log_probs[b].argmax() == EOS
        if search == "greedy":
            kept = result.columns[0].log_probs[b].clone()
            kept[[PAD, BOS, EOS]] = -math.inf
            assert found.words[0] == kept.argmax()


@pytest.mark.quick(12)
@each_variant
def test_a_beam_of_one_is_greedy(settings):
    model = ending(settings)
    batch = sentences(3, 7, 1, 5)
    for one, other in zip(beam_search(model, batch, 1, LIMIT).found, greedy(model, batch, LIMIT).found, strict=True):
        assert one.words == other.words
        assert one.log_probs == pytest.approx(other.log_probs, abs=1e-5)


SEARCHES = {
    "greedy": lambda model, batch: greedy(model, batch, LIMIT),
    "beam": lambda model, batch: beam_search(model, batch, 3, LIMIT),
    "cold": lambda model, batch: sample(model, batch, LIMIT, temperature=1e-6),
    "forced": lambda model, batch: forced(model, batch, [sentence[:-1] + [9] * 2 for sentence in batch]),
}
each_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)


@pytest.mark.quick(8)
@each_variant
@each_search
def test_a_batch_finds_what_each_sentence_finds_alone(settings, search):
    """A sentence that finishes early does not change the others."""
    model = ending(settings)
    batch = sentences(3, 7, 1, 5)
    together = search(model, batch)
    for b, sentence in enumerate(batch):
        alone = search(model, [sentence])
        one, other = together.found[b], alone.found[0]
        assert one.words == other.words
        assert one.log_probs == pytest.approx(other.log_probs, abs=1e-5)
        assert one.score == pytest.approx(other.score, abs=1e-5)
        for t, (row, row_alone) in enumerate(zip(one.rows, other.rows, strict=True)):
            step, step_alone = together.columns[t].step, alone.columns[t].step
            close(step.attentional[row], step_alone.attentional[row_alone], 1e-5)
            for look, look_alone in zip(step.looks, step_alone.looks, strict=True):
                close(look.weights[row, : len(sentence)], look_alone.weights[row_alone], 1e-5)


def test_sentences_of_these_tests_end_at_different_times():
    """Otherwise no sentence would leave the batch early in the test above."""
    lengths, at_limit = set(), set()
    for settings in SPREAD.values():
        for found in beam_search(ending(settings), sentences(3, 7, 1, 5), 3, LIMIT).found:
            lengths.add(len(found.words))
            at_limit.add(found.words[-1] != EOS)
    assert len(lengths) > 3
    assert at_limit == {True, False}


@pytest.mark.quick(12)
@each_variant
def test_a_beams_record_is_that_of_its_best_hypothesis(settings):
    """Forced decoding of the beam's output computes the steps that the beam's back-pointers lead to."""
    model = ending(settings)
    batch = sentences(3, 7, 1, 5)
    result = beam_search(model, batch, 5, LIMIT, "none")
    again = forced(model, batch, [found.text_words for found in result.found])
    for b, (found, repeated) in enumerate(zip(result.found, again.found, strict=True)):
        assert found.log_probs == pytest.approx(repeated.log_probs[: len(found.words)], abs=1e-5)
        assert found.score == pytest.approx(sum(found.log_probs), abs=1e-5)
        for t, row in enumerate(found.rows):
            step, wanted = result.columns[t].step, again.columns[t].step
            close(step.hidden[row], wanted.hidden[b], 1e-5)
            for look, look_wanted in zip(step.looks, wanted.looks, strict=True):
                length = look.weights.size(-1)
                close(look.weights[row], look_wanted.weights[b, :length], 1e-5)


def bigrams(chances):
    """A model whose next word depends only on the last one: {last: {word: probability}}.

    The embedding of word i is the unit vector i, the decoder cell returns it unchanged, and the output layer holds
    the table of log probabilities.
    """
    model = tiny(**LUONG | {**both_sides(hidden=6), "embedding": 6, "attentional": 6}, targets="no").float()
    table = torch.full((6, 6), -1e4)
    for last, row in chances.items():
        for word, chance in row.items():
            table[word, last] = math.log(chance)
    decoder = model.decoder
    decoder.embed.weight.data = torch.eye(6)
    decoder.rnn = Echo()
    decoder.W_c.weight.data = torch.cat([torch.zeros(6, 6), 20 * torch.eye(6)], 1)  # tanh(20) is 1
    decoder.output.weight.data, decoder.output.bias.data = table, torch.zeros(6)
    return model


class Echo(torch.nn.Module):
    def stepper(self, known):
        return lambda t, unknown, state: (known[:, t], state)


def test_a_beam_finds_what_greedy_misses_by_hand():
    """a is likelier than b, but its continuations are not: p(a </s>) = .18, p(a a a) = .1, p(b </s>) = .36."""
    a, b = 4, 5
    model = bigrams({BOS: {a: 0.6, b: 0.4}, a: {a: 0.4, EOS: 0.3, b: 0.3}, b: {EOS: 0.9, a: 0.1}})
    (found,) = greedy(model, [[4]], 3).found
    assert found.words == [a, a, a]
    assert found.log_probs == pytest.approx([math.log(0.6), math.log(0.4), math.log(0.4)])
    result = beam_search(model, [[4]], 2, 3, "none")
    assert result.found[0].words == [b, EOS]
    assert result.found[0].score == pytest.approx(math.log(0.36))
    assert result.found[0].rows == [0, 1], "b was the second best of the first step"
    assert beam_search(model, [[4]], 2, 3, "length").found[0].words == [b, EOS]


def test_an_end_that_is_not_among_the_best_does_not_count():
    """In step 2, a a (.3) and a </s> (.2) are the two best; if b </s> (.18) counted too, the search would stop.

    It continues to a a a: log .18 / 3 is more than log .2 / 2.
    """
    a, b = 4, 5
    model = bigrams({BOS: {a: 0.5, b: 0.45, EOS: 0.05}, a: {a: 0.6, EOS: 0.4}, b: {EOS: 0.4, b: 0.35, a: 0.25}})
    result = beam_search(model, [[4]], 2, 3, "length")
    assert result.found[0].words == [a, a, a]
    assert result.found[0].score == pytest.approx(math.log(0.18) / 3)


def test_length_normalisation_by_hand():
    assert normalised(-6.0, 4, "none") == -6.0
    assert normalised(-6.0, 4, "length") == -1.5
    assert normalised(-6.0, 4, "length", 0.5) == -3.0
    assert normalised(-6.0, 7, "wu", 1.0) == -3.0
    with pytest.raises(ValueError, match="none, length or wu, not 'short'"):
        normalised(-6.0, 4, "short")


def test_normalisation_by_length_prefers_longer_translations():
    """p(</s>) = .55, p(a </s>) is nearly .45: log .55 is more than log .45, but log .45 / 2 is more than log .55."""
    model = bigrams({BOS: {EOS: 0.55, 4: 0.45}, 4: {EOS: 0.999, 5: 0.001}})
    assert beam_search(model, [[4]], 2, 3, "none").found[0].words == [EOS]
    assert beam_search(model, [[4]], 2, 3, "length").found[0].words == [4, EOS]


@pytest.mark.quick(5)
@each_variant
def test_no_translation_is_longer_than_its_limit(settings):
    model, bias = biased(**settings)
    with torch.no_grad():
        bias[EOS] = -1e4
    batch = sentences(2, 5)
    for search in (greedy, beam_search, sample):
        assert len(search(model, batch, limit=3).columns) == 3, "no step is computed beyond the limit"
        assert [len(found.words) for found in search(model, batch, limit=3).found] == [3, 3]
        assert [len(found.log_probs) for found in search(model, batch, limit=1).found] == [1, 1]
    # Each sentence of a batch has its own limit, 3 * source length + 10.
    assert [len(found.words) for found in greedy(model, batch).found] == [16, 25]
    assert [len(found.words) for found in beam_search(model, batch, 2).found] == [16, 25]


def test_forced_decoding_scores_the_target_and_its_end():
    model = tiny(**LUONG)
    batch, targets = sentences(3, 5), [[4, 9, 7], [5]]
    for found, sentence, target in zip(forced(model, batch, targets).found, batch, targets, strict=True):
        assert found.words == [*target, EOS]
        assert found.text_words == target
        along = log_probs_after(model, sentence, [target])[0]
        assert found.log_probs == pytest.approx([along[t, word].item() for t, word in enumerate(found.words)], abs=1e-5)
        assert found.score == pytest.approx(sum(found.log_probs))


def test_samples_repeat_with_the_same_seed_and_differ_with_another():
    model = tiny(**LUONG)
    batch = sentences(3, 7, 5)
    drawn = [[found.words for found in sample(model, batch, LIMIT, seed=seed).found] for seed in (3, 3, 4)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]
    assert drawn[0] != [found.words for found in greedy(model, batch, LIMIT).found]


@pytest.mark.parametrize("temperature", [1.0, 2.0])
def test_samples_follow_the_distribution(temperature):
    model = tiny(**LUONG)
    first = log_probs_after(model, [4, 5], [()])[0, 0].index_fill(0, torch.tensor([PAD, BOS]), -math.inf)
    wanted = (first / temperature).softmax(-1)
    drawn = torch.tensor([found.words[0] for found in sample(model, [[4, 5]] * 4000, 1, temperature).found])
    counts = torch.bincount(drawn, minlength=len(wanted))
    deviation = (4000 * wanted * (1 - wanted)).sqrt()
    assert ((counts - 4000 * wanted).abs() < 4 * deviation + 1).all()


@pytest.mark.slow
def test_a_corpus_comes_back_in_its_order():
    model, corpus = tiny(**LUONG), sentences(5, 1, 7, 3, 3, 2, 6)
    wanted = [greedy(model, [sentence]).found[0].text_words for sentence in corpus]
    assert len(set(map(tuple, wanted))) > 5
    assert all([found.text_words for found in best_outputs(model, corpus, rows)] == wanted for rows in (3, 100))
    wanted = [beam_search(model, [sentence], 3).found[0].text_words for sentence in corpus]
    assert all([found.text_words for found in best_outputs(model, corpus, rows, 3)] == wanted for rows in (2, 7))


def test_searches_refuse_options_out_of_range():
    model = tiny(**LUONG)
    with pytest.raises(ValueError, match="beam must be a whole number from 1 to 200, not 0"):
        beam_search(model, [[4]], 0)
    with pytest.raises(ValueError, match="none, length or wu"):
        beam_search(model, [[4]], 2, normalise="best")
    with pytest.raises(ValueError, match="temperature must be above 0 and finite, not 0"):
        sample(model, [[4]], temperature=0.0)


def test_a_search_without_a_record_finds_the_same():
    model, batch = ending(LUONG), sentences(3, 7, 1, 5)
    whole, short = (beam_search(model, batch, 3, LIMIT, record=record) for record in (True, False))
    assert [found.words for found in whole.found] == [found.words for found in short.found]
    assert len(whole.columns) > 1
    assert not short.columns


def test_a_model_that_outputs_nan_stops_at_the_limit():
    """Diverging training validates such a model; the search must not fail, so that training can report it."""
    model, batch = ending(LUONG), sentences(3, 5)
    model.decoder.output.bias.data.fill_(math.nan)
    assert [len(found.words) for found in beam_search(model, batch, 2, LIMIT).found] == [LIMIT, LIMIT]
