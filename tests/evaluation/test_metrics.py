import json
import math
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_core.attention.measures import coverage, coverage_loss, doubly_stochastic, entropy
from attn_core.data.alignments import Alignment, alignment_error_rate, distances, format_alignment, parse_alignment
from attn_core.decoding.alignment import align_from_weights
from attn_core.evaluation.bleu import bleu, counts, difference
from attn_core.evaluation.metrics import perplexity

AER = json.loads((Path(__file__).parents[1] / "goldens" / "aer.json").read_text(encoding="utf-8"))
LINKS = st.frozensets(st.tuples(st.integers(0, 6), st.integers(0, 4)), max_size=12)
ALIGNMENTS = st.builds(lambda sure, more: Alignment(sure, sure | more), LINKS, LINKS)


# BLEU and perplexity


def test_bleu_of_the_reference_is_100_with_an_interval_of_zero_width():
    lines = ["two geese cross the old bridge .", "nobody sees the geese ."]
    result = bleu(lines, lines)
    assert (result.score, result.low, result.high) == pytest.approx((100, 100, 100))
    assert {"tok:none", "bs:1000", "seed:12345", "nrefs:1"} <= set(result.signature.split("|"))


def test_the_interval_of_few_lines_stays_on_the_scale():
    lines = ["two geese cross the old bridge .", "nobody sees the geese ."]
    result = bleu([lines[0], "a dog barks at them"], lines)
    assert 0 <= result.low < result.score < result.high <= 100


def test_bleu_matches_hand_calculation():
    """Matching n-grams: 4 of 5, 3 of 4, 2 of 3 and 1 of 2; the reference is one word longer."""
    result = bleu(["two geese cross the road"], ["two geese cross the old bridge"])
    assert result.score == pytest.approx(100 * math.exp(1 - 6 / 5) * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)


def test_bleu_interval_surrounds_the_score_and_is_the_same_again():
    references = [f"goose number {n} crosses the old bridge at {n} ." for n in range(30)]
    hypotheses = [line.replace("old ", "" if n % 3 else "very old ") for n, line in enumerate(references)]
    first, second = bleu(hypotheses, references), bleu(hypotheses, references)
    assert first.low < first.score < first.high
    assert (first.low + first.high) / 2 == pytest.approx(first.score, abs=0.1 * (first.high - first.low))
    assert first == second


def test_13a_splits_running_text_and_none_does_not():
    assert bleu(["Geese, two."], ["Geese , two ."], "13a").score == pytest.approx(100)
    assert bleu(["Geese, two."], ["Geese , two ."], "none").score < 50


@pytest.mark.parametrize("text", ["a dog <unk> in the snow now .", "a <unk> dog <unk> in the snow now ."])
def test_an_unknown_word_is_one_token_in_running_text(text):
    """As in tokenised text; the score of the same words with another unknown word, which is one token everywhere."""
    meant = "a dog runs in the snow now ."
    word = text.replace("<unk>", "xyz")
    running, as_word = bleu([text], [meant], "13a"), bleu([word], [meant], "13a")
    assert running.score == as_word.score == pytest.approx(bleu([text], [meant]).score)
    assert running.signature.endswith("|unk:one")
    assert "unk" not in bleu([text], [meant]).signature
    assert (counts([text], [meant], "13a") == counts([word], [meant], "13a")).all()
    assert counts([text], [meant], "13a")[0, 0] == len(text.split())
    touching = bleu([text.replace(" <unk> in", " <unk>, in")], [meant.replace(" in", ", in")], "13a")
    assert touching.score == bleu([word.replace(" in", ", in")], [meant.replace(" in", ", in")], "13a").score


def test_an_unknown_word_is_one_token_in_chinese_text():
    said, meant = "\u4e00\u53ea<unk>\u5728\u7761\u89c9", "\u4e00\u53ea\u732b\u5728\u7761\u89c9"
    assert counts([said], [meant], "zh")[0, 0] == 6
    assert bleu([said], [meant], "zh").score == bleu([said.replace("<unk>", "\u72d7")], [meant], "zh").score


def test_a_difference_counts_unknown_words_as_the_scores_do():
    said, other, meant = ["a <unk> in the snow ."] * 3, ["a cat in the snow ."] * 3, ["a dog in the snow ."] * 3
    assert difference(said, other, meant, "13a").score == pytest.approx(0)


@pytest.mark.parametrize(
    ("hypotheses", "references", "tokenize", "message"),
    [
        (["a"], ["a", "b"], "none", "1 hypotheses and 2 references"),
        ([], [], "none", "at least one line"),
        (["a"], ["a"], "moses", "'moses'"),
    ],
)
def test_bleu_names_what_is_wrong(hypotheses, references, tokenize, message):
    with pytest.raises(ValueError, match=message):
        bleu(hypotheses, references, tokenize)


def test_perplexity_of_a_uniform_guess_is_the_number_of_choices():
    assert perplexity(5 * math.log(7), 5) == pytest.approx(7)
    assert perplexity(0.0, 3) == 1
    assert perplexity(1e9, 2) == math.inf


@pytest.mark.parametrize("tokens", [0, -2])
def test_perplexity_needs_a_token(tokens):
    with pytest.raises(ValueError, match=f"{tokens} tokens"):
        perplexity(1.0, tokens)


# Alignment files


def test_a_line_of_links_is_read():
    sure, possible = parse_alignment("0-0 2p1 3?1  10-12\n")
    assert sure == {(0, 0), (10, 12)}
    assert possible == {(0, 0), (10, 12), (2, 1), (3, 1)}
    assert parse_alignment("") == (set(), set())


def test_positions_count_from_the_base():
    assert parse_alignment("1-2 3p1", base=1) == ({(0, 1)}, {(0, 1), (2, 0)})


def test_a_link_that_is_sure_and_possible_is_sure():
    assert parse_alignment("1p1 1-1").sure == parse_alignment("1-1 1p1").sure == {(1, 1)}


@pytest.mark.parametrize("link", ["1", "1-", "-1-2", "1-2-3", "1x2", "a-b", "1.0-2", "１-2", "1-２", "1--2", "1P2"])
def test_a_malformed_link_is_named(link):
    with pytest.raises(ValueError, match=r"link '.*': expected source-target"):
        parse_alignment(f"0-0 {link}")


@pytest.mark.parametrize("link", ["0-1", "1p0"])
def test_a_position_below_the_base_is_named(link):
    with pytest.raises(ValueError, match=f"link '{link}': expected positions of at least 1"):
        parse_alignment(f"1-1 {link}", base=1)


def test_links_are_written_in_order():
    assert format_alignment({(10, 0), (2, 1)}, {(2, 0), (2, 1)}) == "2p0 2-1 10-0"
    assert format_alignment([(0, 0)], base=1) == "1-1"
    assert format_alignment(()) == ""


@given(alignment=ALIGNMENTS, base=st.integers(0, 1))
def test_what_is_written_is_read_again(alignment, base):
    assert parse_alignment(format_alignment(*alignment, base=base), base) == alignment


# Alignment error rate


def test_distances_are_to_the_nearest_linked_word_of_each_target_word():
    """Target word 0 is linked to source words 1 and 4, word 2 to 0, and word 1 to none."""
    links = {(4, 0), (0, 2), (1, 0)}
    assert distances([3.5, 9.0, 0.25], links) == [0.5, 0.25]
    assert distances([2.0, 9.0, -1.0], links) == [1.0, 1.0]
    assert distances([], ()) == []


@pytest.mark.parametrize("case", AER["toy"], ids=[case["name"] for case in AER["toy"]])
def test_aer_agrees_with_the_reference_scorer(case):
    golds = [parse_alignment(line) for line in case["gold"].split("\n")]
    hypotheses = [parse_alignment(line).sure for line in case["hyp"].split("\n")]
    scores = alignment_error_rate(golds, hypotheses)
    for name in ("aer", "precision", "recall"):
        assert getattr(scores, name) == pytest.approx(case[name], abs=1e-15)


def test_aer_counts_over_the_corpus_not_over_sentences():
    """A = 1 + 2, S = 3 + 1, P = 3 + 2, A and S = 1 + 0, A and P = 1 + 1."""
    golds = [parse_alignment("0-0 1-1 2-2"), parse_alignment("0-0 1p0")]
    scores = alignment_error_rate(golds, [{(0, 0)}, {(1, 0), (1, 1)}])
    assert (scores.links, scores.sure, scores.possible, scores.sure_hits, scores.possible_hits) == (3, 4, 5, 1, 2)
    assert scores.aer == pytest.approx(1 - 3 / 7)
    assert (scores.precision, scores.recall) == (2 / 3, 1 / 4)


def test_sure_links_are_possible_even_if_the_gold_forgets():
    assert alignment_error_rate([Alignment(frozenset({(0, 0)}), frozenset())], [{(0, 0)}]).aer == 0


def test_no_links_at_all_is_no_error():
    scores = alignment_error_rate([parse_alignment("")], [set()])
    assert (scores.aer, scores.precision, scores.recall) == (0, 1, 1)


def test_aer_needs_a_hypothesis_for_each_gold():
    with pytest.raises(ValueError, match="one hypothesis for each of 1 gold sentences, not 2"):
        alignment_error_rate([parse_alignment("0-0")], [{(0, 0)}, set()])


@given(st.lists(st.tuples(ALIGNMENTS, LINKS), max_size=4))
def test_scores_lie_between_0_and_1_and_sure_plus_any_possible_is_perfect(pairs):
    golds = [gold for gold, _ in pairs]
    scores = alignment_error_rate(golds, [links for _, links in pairs])
    assert all(0 <= score <= 1 for score in (scores.aer, scores.precision, scores.recall))
    perfect = [gold.sure | (gold.possible & links) for gold, links in pairs]
    assert alignment_error_rate(golds, perfect).aer == 0


# Attention weights

WEIGHTS = torch.tensor([[0.1, 0.7, 0.2], [0.3, 0.3, 0.4], [0.6, 0.2, 0.2], [0.0, 0.1, 0.9]])


def test_each_target_word_is_linked_to_the_word_it_weighed_most():
    assert align_from_weights(WEIGHTS) == {(1, 0), (2, 1), (0, 2), (2, 3)}


def test_shift_1_links_a_word_by_the_step_after_it():
    assert align_from_weights(WEIGHTS, shift=1) == {(2, 0), (0, 1), (2, 2)}


def test_of_equal_weights_the_first_counts():
    assert align_from_weights(torch.full((2, 5), 0.2)) == {(0, 0), (0, 1)}


def test_a_row_without_weight_gives_no_link():
    assert align_from_weights(torch.tensor([[0.0, 0.0], [0.0, 1.0]])) == {(1, 1)}


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (0, 0)])
@pytest.mark.parametrize("shift", [0, 1])
def test_nothing_to_align_gives_no_links(shape, shift):
    assert align_from_weights(torch.zeros(shape), shift) == set()


def test_align_names_what_is_wrong():
    with pytest.raises(ValueError, match="shift 2"):
        align_from_weights(WEIGHTS, shift=2)
    with pytest.raises(ValueError, match="nan"):
        align_from_weights(torch.tensor([[0.5, math.nan]]))


def test_entropy_matches_hand_calculation():
    weights = torch.tensor([[1.0, 0.0, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0.0, 0.0]])
    torch.testing.assert_close(entropy(weights), torch.tensor([0.0, math.log(4), math.log(2)]))


@given(st.lists(st.floats(0, 1, width=32), min_size=2, max_size=7).filter(lambda row: sum(row) > 0.01))
def test_entropy_lies_between_0_and_that_of_a_uniform_row_and_ignores_order(row):
    weights = torch.tensor(row, dtype=torch.float64)
    weights = weights / weights.sum()
    value = entropy(weights).item()
    assert -1e-12 <= value <= math.log(len(row)) + 1e-12
    assert entropy(weights.flip(-1)).item() == pytest.approx(value)
    assert value == pytest.approx(-sum(w * math.log(w) for w in weights.tolist() if w), abs=1e-12)


def test_coverage_is_the_sum_of_weights_over_the_steps():
    torch.testing.assert_close(coverage(WEIGHTS), torch.tensor([1.0, 1.3, 1.7]))
    assert coverage(WEIGHTS.expand(5, 2, 4, 3)).shape == (5, 2, 3)


def test_entropy_of_a_row_that_a_window_cut_has_a_gradient():
    row = torch.tensor([0.5, 0.5, 0.0], requires_grad=True)
    (gradient,) = torch.autograd.grad(entropy(row), row)
    torch.testing.assert_close(gradient, torch.tensor([math.log(2) - 1, math.log(2) - 1, 0.0]))


def test_coverage_loss_counts_repeated_attention():
    """Rows (1, 0), (0.25, 0.75), (0.5, 0.5): min(weights, coverage) sums to 0.25 in row 1 and to 0.5 + 0.5 in row 2."""
    rows = torch.tensor([[1.0, 0.0], [0.25, 0.75], [0.5, 0.5]])
    assert coverage_loss(rows).item() == 0.25 + 0.5 + 0.5
    assert coverage_loss(torch.eye(4)).item() == 0.0, "each word once"
    assert coverage_loss(torch.eye(4)[[2, 2, 2]]).item() == 2.0, "the same word three times"
    torch.testing.assert_close(
        coverage_loss(torch.stack([rows, rows.flip(0)])), torch.tensor([1.25, 0.0 + 0.75 + 0.75])
    )


def test_doubly_stochastic_is_the_squared_distance_of_the_column_sums_from_1():
    """The columns of (1, 0, 0), (0.5, 0.5, 0) sum to 1.5, 0.5 and 0."""
    rows = torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]])
    assert doubly_stochastic(rows).item() == 0.25 + 0.25 + 1.0
    assert doubly_stochastic(rows, torch.tensor([True, True, False])).item() == 0.5, "the third is padding"
    assert doubly_stochastic(torch.eye(5)[torch.randperm(5)]).item() == 0.0
