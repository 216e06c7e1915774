"""The measured variants and claims: their intervals, their pairs of models, and what the README says of them."""

from pathlib import Path

import numpy as np
import pytest
import torch
from sacrebleu.metrics import BLEU

from attn_core.data.corpus import make_batch
from attn_core.data.tokenizer import Tokenizer
from attn_core.evaluation.bleu import bleu_of_counts, counts
from attn_core.evaluation.variants.claims import CLAIMS, UNMEASURED, Claim, verdicts
from attn_core.evaluation.variants.claims import tested as found_of_claims  # under its own name pytest would collect it
from attn_core.evaluation.variants.results import measured, undecided
from attn_core.models.by_name import AXES
from attn_core.models.presets import configure
from attn_core.models.translator import Translator
from tests.benchmarks import claims
from tests.benchmarks.variants import SETTINGS, by_length, difference
from tests.helpers.support import tiny

ROOT = Path(__file__).parents[2]
SAID = ["a b c d e", "a c b d", "e e f", "b c d e f g"]
LETTERS = Tokenizer.train(["a b c d e f"], "en", min_frequency=1)
MEANT = ["a b c d e", "a b c d", "e f", "b c d e f a"]


def test_rows_add_up_to_the_corpus():
    wanted = BLEU(tokenize="none", force=True).corpus_score(SAID, [MEANT]).score
    assert bleu_of_counts(counts(SAID, MEANT).sum(0)) == pytest.approx(wanted, abs=1e-9)
    assert 20 < wanted < 90


def test_a_model_does_not_differ_from_itself():
    stats = counts(SAID * 20, MEANT * 20)
    found = difference({1: stats, 2: stats}, {1: stats, 2: stats})
    assert found["mean"] == found["low"] == found["high"] == 0
    assert found["each"] == {"1": [0, 0, 0], "2": [0, 0, 0]}


def test_a_better_model_has_a_positive_difference_and_more_data_a_narrower_interval():
    worse, better = counts(SAID * 20, MEANT * 20), counts(MEANT * 20, MEANT * 20)
    few = {1: counts(SAID[:2] * 3, MEANT[:2] * 3)}
    found = difference({1: better, 2: better}, {1: worse, 2: worse})
    assert found["mean"] == pytest.approx(100 - bleu_of_counts(worse.sum(0)))
    assert 0 < found["low"] < found["mean"] < found["high"]
    uncertain = difference(few, {1: counts(MEANT[:2] * 3, MEANT[:2] * 3)})
    assert uncertain["high"] - uncertain["low"] > found["high"] - found["low"]


def test_seeds_that_disagree_widen_the_interval():
    good, bad = (counts([*MEANT] * 50, [*MEANT] * 50), counts(SAID * 50, MEANT * 50))
    steady = difference({1: good, 2: good, 3: good}, {1: bad, 2: bad, 3: bad})
    torn = difference({1: good, 2: bad, 3: good}, {1: bad, 2: good, 3: bad})
    assert torn["high"] - torn["low"] > 2 * (steady["high"] - steady["low"])


def test_bleu_by_length_is_that_of_the_sentences_of_the_length():
    lengths = np.array([5, 9, 30, 5])
    found = by_length({1: counts(SAID, MEANT)}, lengths)
    assert [(row["from"], row["to"], row["sentences"]) for row in found] == [(1, 8, 2), (9, 11, 1), (19, 30, 1)]
    short = BLEU(tokenize="none", force=True).corpus_score([SAID[0], SAID[3]], [[MEANT[0], MEANT[3]]]).score
    assert found[0]["bleu"] == pytest.approx(short, abs=1e-9)
    right = by_length({1: counts(SAID, MEANT)}, lengths, {1: counts(MEANT, MEANT)})
    assert right[0]["difference"]["mean"] == pytest.approx(short - 100)


@pytest.mark.parametrize("name", [name for name, one in claims.CONTENDERS.items() if one.against])
def test_two_models_that_are_compared_differ_in_one_thing(name):
    one = claims.CONTENDERS[name]
    pair = [configure(each.preset, SETTINGS | each.settings) for each in (one, claims.CONTENDERS[one.against])]
    ours, theirs = (config for config, _ in pair)
    both = ours.flat().keys() & theirs.flat().keys()
    differs = {path for path in (*both, *AXES) if ours[path] != theirs[path]}
    assert differs == {
        "RNNencdec": {  # the sum of encoder.hidden over both directions is equal
            *("attention.score", "attention.window", "encoder.bidirectional", "encoder.hidden")
        },
        "reversed": {"encoder.reverse"},
        "no-dropout": {"dropout", "output_dropout"},
        "input-feeding": {"decoder.feeding"},
        "general-local-m": {"attention.window"},
        "general-local-p": {"attention.window"},
    }.get(name, {"attention.score"})
    assert pair[0][1] == pair[1][1], "the recipes"


def test_every_claim_has_its_pair():
    every = (*CLAIMS, *UNMEASURED)
    assert {claim.model for claim in every} <= {name for name, one in claims.CONTENDERS.items() if one.against}
    assert len({claim.model for claim in every}) == len(every)
    rows = found_of_claims()["rows"]
    assert all(claim.model in rows for claim in CLAIMS)
    assert not any(claim.model in rows for claim in UNMEASURED), "it has numbers now: move it into CLAIMS"


def states_of(model: Translator, words: torch.Tensor) -> torch.Tensor:
    with torch.inference_mode():
        return model.encode(words, torch.ones_like(words, dtype=torch.bool))[0].states


def test_reversal_only_swaps_the_halves_of_a_bidirectional_encoders_states():
    """With the weights of one model the other computes the same states, so the pair could not differ."""
    ahead, back = (tiny(std=0.7, bidirectional=True, reverse=reverse).eval() for reverse in (False, True))
    words, names = torch.tensor([[4, 5, 6, 4]]), [name for name, _ in ahead.encoder.named_parameters()]
    own = ahead.encoder.state_dict()
    turned = {name: name.removesuffix("_reverse") if "_reverse" in name else f"{name}_reverse" for name in names}
    swapped = {name: own[turned[name]] if turned[name] in own else own[name] for name in names}
    back.encoder.load_state_dict(own | swapped)
    left, right = states_of(back, words).chunk(2, -1)
    torch.testing.assert_close(torch.cat([right, left], -1), states_of(ahead, words))


@pytest.mark.parametrize("name", [claim.model for claim in (*CLAIMS, *UNMEASURED)])
def test_the_models_of_a_claim_differ_even_with_equal_weights(name):
    """In what they compute, or in what can be learned: a pair equal by construction measures nothing."""
    one = claims.CONTENDERS[name]
    pair = [configure(each.preset, each.settings)[0] for each in (one, claims.CONTENDERS[one.against])]
    if pair[0]["reverse"] != pair[1]["reverse"]:
        assert not any(config["bidirectional"] for config in pair)
    if name == "no-dropout":  # it differs in training only
        return
    models = []
    for config in pair:
        sizes = {"embedding": 4, "decoder.hidden": 4, "attentional": 4, "attention.score.hidden": 4}
        sizes["encoder.hidden"] = 2 if config["bidirectional"] else 4
        sized = config.set({key: value for key, value in sizes.items() if config.has(key)})
        models.append(Translator(sized, LETTERS, LETTERS).eval())
    ours, theirs = (model.state_dict() for model in models)
    if {key: value.shape for key, value in ours.items()} != {key: value.shape for key, value in theirs.items()}:
        return  # they have other weights
    for weight in theirs.values():
        weight.normal_(std=0.7)
    models[0].load_state_dict(theirs)
    batch = make_batch([[4, 5, 6, 4]], [[5, 6, 4]])
    with torch.inference_mode():
        assert models[0].loss(batch).item() != pytest.approx(models[1].loss(batch).item(), abs=1e-4)


@pytest.mark.parametrize(
    ("better", "low", "high", "verdict"),
    [
        (True, 0.2, 0.8, "supported"),
        (False, 0.2, 0.8, "contradicted"),
        (True, -0.8, -0.2, "contradicted"),
        (False, -0.8, -0.2, "supported"),
        (True, -0.2, 0.8, "undecided"),
        (False, -0.01, 0.8, "undecided"),
    ],
)
def test_a_claim_is_judged_in_its_own_direction(better, low, high, verdict):
    claim, mean = Claim("It helps.", "a table", "it", better), (low + high) / 2
    difference = {"mean": mean, "low": low, "high": high, "each": {"1": [0.3, 0.1, 0.9]}}
    assert verdicts([claim], {"it": {"difference": difference}}) == [verdict]
    sign = 1 if better else -1
    ends = sorted((sign * low, sign * high))
    assert claim.margin(difference) == {"mean": sign * mean, "low": ends[0], "high": ends[1], "each": [sign * 0.3]}


def test_the_readme_of_the_variants_states_the_measured_differences():
    """The README names exactly the differences whose interval excludes 0, with their measured values."""
    section = " ".join((ROOT / "attn_core/models/variants/README.md").read_text().split())
    sayings = {
        "groundhog": "GroundHog is {} BLEU better",
        "tf-nmt-scaled-luong": "`tf-nmt-scaled-luong` {} better",
        "bentrevett": "bentrevett {} worse",
        "RNNencdec": "(RNNsearch against RNNencdec) gains {} BLEU",
        "location-global": "a location score loses {} against dot",
    }
    rows = {name: row for found in (measured(), found_of_claims()) for name, row in found["rows"].items()}
    compared = {name: row["difference"] for name, row in rows.items() if "difference" in row}
    assert {name for name, found in compared.items() if not undecided(found)} == sayings.keys()
    for name, saying in sayings.items():
        assert saying.format(f"{abs(compared[name]['mean']):.1f}") in section
