"""The claims of the cards hold for the shipped models, also after retraining."""

import math

import pytest
import torch

from app.lab.heads import data as head_evidence
from app.lab.heads.cards import CARDS as HEADS
from app.lab.kit import shipped
from app.lab.paths import data as path_evidence
from app.lab.pointer import evidence as pointer_evidence
from app.lab.score.cards import CARDS as SCORE
from app.lab.score.evidence import interventions, occlusion
from app.lab.score.evidence import scores as score_evidence
from app.lab.score.evidence import weights as weight_evidence
from app.lab.score.evidence.sample import SENTENCE
from app.lab.window import evidence as window_evidence
from app.service import catalogue
from attn_core import force, translate
from attn_core.data.captions import captions
from attn_core.trace.editing import Replacement, editing
from tests.helpers.support import both_sides, tiny


def test_the_new_state_as_the_query_is_a_cycle():
    cycle = path_evidence.cycle()
    assert cycle[0] == cycle[-1]
    assert {"s_{i}", "c_{i}"} <= set(cycle)


def test_bahdanaus_context_goes_to_two_places_and_luongs_to_one():
    rows = path_evidence.without_the_context()
    whole = {row["model"]: row["log p of the translation"] for row in rows if row["context removed from"] == "nowhere"}
    removed = [row for row in rows if row["context removed from"] != "nowhere"]
    assert [row["model"] for row in removed] == ["bahdanau", "bahdanau", "luong-general-global"]
    for row in removed:
        assert row["log p of the translation"] < whole[row["model"]] - 2  # seven times less probable


def test_maps_agree_up_to_the_first_other_word_and_not_behind_it():
    found = path_evidence.forced_against_free()
    assert found.forced.target[: found.first] == found.free.target[: found.first]
    assert found.before < 1e-4
    assert max(far for far, _ in found.after) > 0.1
    assert min(far for far, _ in found.after) < 0.05


def test_p_t_comes_from_the_state_and_is_no_words_number():
    found = window_evidence.centers()
    assert max(abs(a - b) for a, b in zip(found.alone, found.recorded, strict=True)) < 1e-3
    assert sum(p == int(p) for p in found.recorded) <= 2
    assert any(abs(p - s) >= 1 for p, s in zip(found.recorded, found.best, strict=True))


def test_p_t_follows_the_words_no_better_than_a_straight_line():
    same, other = window_evidence.tracked()
    assert same["pₜ"] > same["straight line, t · S / T"]
    assert 1.5 < other["pₜ"] < 2.5
    assert abs(other["pₜ"] - other["straight line, t · S / T"]) < 0.3
    for row in (same, other):
        assert row["the largest weight"] < row["pₜ"] - 0.5


def test_the_ends_of_a_window_are_near_e_to_the_minus_two():
    found = window_evidence.ends()
    assert len(found) > 4
    width = 4
    assert math.exp(-((width + 1) ** 2) / (2 * (width / 2) ** 2)) <= min(found) <= math.exp(-2)
    assert math.exp(-2) <= max(found) <= math.exp(-((width - 1) ** 2) / (2 * (width / 2) ** 2))


def test_padding_takes_a_share_at_the_edge():
    found = window_evidence.edges()
    assert any(one.beyond for one in found)
    for one in found:
        assert abs(one.on_words + one.on_padding - 1) < 1e-4
        assert (one.on_padding > 1e-4) is (one.beyond > 0)


def test_local_m_goes_by_the_clock():
    monotonic, predictive = window_evidence.clocks().values()
    assert window_evidence.parameters(window_evidence.LOCAL_M) == 0
    assert window_evidence.parameters(window_evidence.LOCAL_P) > 0
    assert monotonic[0] == monotonic[1] == list(range(window_evidence.STEPS))
    assert predictive[0] != predictive[1]


def test_of_every_order_it_is_known_what_looks():
    orders = next(axis.words for axis in catalogue.AXES if axis.name == "order")
    assert set(score_evidence.QUERIES) == set(orders)


def test_only_the_signs_of_v_a_are_redundant_and_without_tanh_the_query_has_no_influence():
    trained, signs, sizes, alike, linear = score_evidence.changes()
    recorded = shipped.trace("bahdanau", SENTENCE).weights()
    torch.testing.assert_close(trained.weights, recorded, atol=1e-5, rtol=0)
    assert trained.between_steps() > 0.5
    assert signs.from_trained(trained) < 1e-5
    assert sizes.from_trained(trained) > 0.05
    assert alike.from_trained(trained) > 0.05
    assert linear.between_steps() < 1e-5


def test_a_gradient_is_multiplied_by_the_jacobian_which_its_trace_only_bounds():
    """On its way through softmax: by the matrix diag(a) - a a^T, not by the number 1 - sum a^2."""
    scores = 2 * torch.randn(7, dtype=torch.float64)
    weights, gradient = scores.softmax(-1), torch.randn(7, dtype=torch.float64)
    scores.requires_grad_()
    with torch.enable_grad():
        (passed,) = torch.autograd.grad(scores.softmax(-1), scores, gradient)
    jacobian = torch.diag(weights) - torch.outer(weights, weights)
    torch.testing.assert_close(passed, jacobian @ gradient)
    trace = score_evidence.trace_of_jacobian(weights)
    torch.testing.assert_close(trace, jacobian.trace())
    eigenvalues = torch.linalg.eigvalsh(jacobian)
    assert eigenvalues.min() > -1e-12
    assert eigenvalues.max() <= trace
    assert (passed - trace * gradient).norm() > 0.1 * passed.norm()
    assert "Its eigenvalues are not negative" in score_evidence.TRACE


def test_a_decoders_mask_tells_the_order_of_words_without_positions():
    """Of the last word, after two layers; after one its state is a weighted sum over the same words."""
    model = shipped.model(head_evidence.TRANSFORMER)
    one, two = head_evidence.masked_state_changes(model)
    assert one < 1e-5
    assert two > 0.01
    for layers, differs in ((1, False), (2, True)):
        untrained = tiny(
            order="transformer",
            encoder="transformer",
            score="scaled_dot",
            embedding=6,
            **both_sides(layers=layers),
            **{"encoder.heads": 3, "attention.heads": 3},
            **both_sides(feedforward=11),
        )
        states = [
            head_evidence._states(untrained.encoder, words, positions=False, causal=True)[-1]
            for words in (torch.tensor([[4, 5, 6]]), torch.tensor([[5, 4, 6]]))
        ]
        assert bool((states[0] - states[1]).norm() > 1e-6) is differs
    card = next(card for card in HEADS if card.slug == "word-order")
    assert "decoder" in card.reason
    assert "without a mask" in card.claim


def test_a_local_look_moves_with_its_words_and_a_hard_one_with_none():
    found = weight_evidence.soft_and_hard()
    assert found.words == {"soft": found.inside, "hard-argmax": 0}
    assert sorted(found.weights["hard-argmax"])[-2] == 0


def test_padding_takes_part_with_every_kind_of_score():
    few, many, masked = (weight_evidence.mass_on_padding()[i::3] for i in range(3))
    for one, more, none in zip(few, many, masked, strict=True):
        assert 0.01 < one["on padding, mean"] < more["on padding, mean"]
        assert none["at the worst step"] == 0


def test_the_largest_weight_is_often_but_not_always_the_word_that_counts():
    """Over all our sentences: above a half and above chance, and below 90%, also at the ends of the intervals."""
    for name in occlusion.MODELS:
        found, share = occlusion.occluded(name), occlusion.agreement(name)
        assert len(found) == len(captions()) == 61
        assert 0.5 < share.low < share.value < share.high < 0.9, name
        words = [word for sentence in found for word in sentence]
        assert sum(1 / len(word.weights) for word in words) / len(words) < share.low
    card = next(card for card in SCORE if card.slug == "explanation")
    assert "61 translations" in card.question
    assert "not always" in card.answers[card.right]


def test_the_finding_on_explanation_states_its_shares_with_their_intervals():
    sentence = occlusion.weight_against_loss().sentence
    for name in occlusion.MODELS:
        share = occlusion.agreement(name)
        interval = f"95% interval {share.low:.0%} to {share.high:.0%}"
        assert f"for {share.value:.0%} of the words of {name} ({interval})" in sentence


def test_the_cost_of_a_source_word_is_that_of_forcing_the_translation_without_it():
    """One sentence by itself, by the text interface."""
    name, place = "bahdanau", 3
    model, words = shipped.model(name), occlusion.occluded(name)[place]
    source = model.source.tokens(captions()[place].de)
    text = " ".join(word.word for word in words)
    whole = force(model, " ".join(source), text, tokenized=True)
    assert whole.target == translate(model, captions()[place].de).target
    for gone in range(len(source)):
        other = force(model, " ".join([*source[:gone], "<unk>", *source[gone + 1 :]]), text, tokenized=True)
        for t, word in enumerate(words):
            lost = whole.words[t].log_prob - other.words[t].log_prob
            assert word.losses[gone] == pytest.approx(lost, abs=1e-4)
            assert word.weights == pytest.approx(whole.words[t].step.looks[0].weights.tolist(), abs=1e-5)


def test_an_interval_over_sentences_by_hand():
    """Equal sentences leave no doubt; with two different ones, some resamples have only one of them."""
    assert occlusion.share_of([2, 2, 2], [4, 4, 4]) == occlusion.Share(0.5, 0.5, 0.5)
    assert occlusion.share_of([0, 3], [1, 3]) == occlusion.Share(0.75, 0.0, 1.0)


def test_other_weights_change_about_half_of_the_words():
    for name in interventions.MODELS:
        found = interventions.replaced(name)
        assert found.steps > 200
        for kind in (interventions.UNIFORM, interventions.PERMUTED, interventions.REMOVED):
            assert 0.35 < found.changed[kind] / found.steps < 0.65, (name, kind)


def test_the_rows_instead_have_the_same_total_and_none_of_it_on_padding():
    weights, inside = torch.tensor([[0.4, 0.1, 0.3, 0.0]]), torch.tensor([[True, True, True, False]])
    rows = interventions.rows_instead(weights, inside, torch.tensor([[2, 0, 1, 3]]))
    wanted = {
        interventions.UNIFORM: [0.8 / 3, 0.8 / 3, 0.8 / 3, 0],
        interventions.PERMUTED: [0.3, 0.4, 0.1, 0],
        interventions.REMOVED: [0, 0.2, 0.6, 0],
    }
    assert rows.keys() == wanted.keys()
    for kind, row in wanted.items():
        torch.testing.assert_close(rows[kind][0], torch.tensor(row))


def test_the_words_are_those_of_one_sentence_and_one_step_at_a_time():
    """Without batches: each step of each sentence by itself."""
    name, sentences = "luong-general-global", 3
    model, generator = shipped.model(name), torch.Generator().manual_seed(1)
    changed, steps = dict.fromkeys(interventions.replaced(name, sentences).changed, 0), 0
    ways = {
        interventions.UNIFORM: lambda row, _order: [sum(row) / len(row)] * len(row),
        interventions.PERMUTED: lambda row, order: [row[place] for place in order],
        interventions.REMOVED: lambda row, _order: [
            0 if one == max(row) else one * sum(row) / (sum(row) - max(row)) for one in row
        ],
    }
    for pair in captions()[:sentences]:
        words = torch.tensor([model.source_ids(model.source.tokens(pair.de))])
        order = torch.randperm(words.size(1), generator=generator).tolist()
        with torch.inference_mode():
            memory, carry = model.encode(words, torch.ones_like(words, dtype=torch.bool))
            word = 2
            while word != 3:
                step, after = model.step(torch.tensor([[word]]), carry, memory)
                row = step.looks[0].weights[0, 0].tolist()
                own = int(model.log_probs(step.attentional).argmax())
                for kind, way in ways.items():
                    other = torch.tensor([[way(row, order)]])
                    with editing([Replacement("weights", 0, 0, lambda _weights, other=other: other)]):
                        attentional = model.step(torch.tensor([[word]]), carry, memory)[0].attentional
                    changed[kind] += int(model.log_probs(attentional).argmax()) != own
                word, carry, steps = own, after, steps + 1
    assert interventions.replaced(name, sentences) == interventions.Replaced(name, steps, changed)


def test_another_order_of_the_points_is_sometimes_another_walk():
    found = pointer_evidence.orders()
    assert 0 < found.right < pointer_evidence.ORDERS
    assert 1 < found.walks <= pointer_evidence.ORDERS - found.right + 1


def test_a_pointer_networks_contexts_are_read_by_nobody():
    assert pointer_evidence.log_prob_change("pointer-hull") == 0
    assert pointer_evidence.log_prob_change("plain-hull") > 0.1
