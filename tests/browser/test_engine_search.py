"""The browser's searches find what attn_core.decoding finds, with the same rules for stopping and for ties."""

import itertools
import math

import pytest
import torch

from attn_core.data.tokenizer import BOS, EOS, PAD, UNK
from attn_core.decoding.alignment import align_from_weights
from attn_core.decoding.beam import beam_search
from attn_core.decoding.search import forced, greedy
from attn_core.models.ensemble import Ensemble
from tests.helpers.engine import UNIFORM, exported
from tests.helpers.support import BAHDANAU, LUONG, TRANSFORMER, both_sides, sentences, tiny

SOURCES = sentences(1, 2, 5, 9)
MODELS = {
    "luong-local-p": LUONG | {"window": "local-p", "feeding": True},
    "groundhog": BAHDANAU | {"source_eos": True},
    "transformer": TRANSFORMER,
}


@pytest.fixture(scope="module", params=MODELS)
def both(request, probe):
    """A model, and a function that runs searches of its export in the engine."""
    model = tiny(dtype=torch.float32, **MODELS[request.param])
    given = exported(model)
    return model, lambda calls: probe("searches", given | {"calls": calls})


def calls(search, options=None, **more):
    return [{"search": search, "source": source, "options": options or {}} | more for source in SOURCES]


def ids(model, source):
    """The encoder's input: with </s>, which the engine appends itself, if the model has source_eos."""
    return [*source, model.source.eos] if model.config.source_eos else source


def same(found, wanted):
    assert found["words"] == wanted.words
    assert found["logProbs"] == pytest.approx(wanted.log_probs, abs=1e-4)
    assert found["score"] == pytest.approx(wanted.score, abs=1e-4)


@pytest.mark.slow
def test_greedy_search_chooses_the_same_words(both):
    model, run = both
    for options, settings in (({}, {}), ({"limit": 3}, {"limit": 3}), ({"least": 4}, {"least": 4})):
        for found, source in zip(run(calls("greedy", options)), SOURCES, strict=True):
            same(found, greedy(model, [ids(model, source)], **settings).found[0])


@pytest.mark.slow
def test_forced_decoding_gives_the_same_log_probabilities(both):
    model, run = both
    target = [5, 7, 4, 4, 9]
    for found, source in zip(run(calls("forced", target=target)), SOURCES, strict=True):
        same(found, forced(model, [ids(model, source)], [target]).found[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ({}, {}),
        ({"width": 1}, {"width": 1}),
        ({"width": 3, "normalise": "none", "limit": 4}, {"width": 3, "normalise": "none", "limit": 4}),
        ({"width": 2, "normalise": "wu", "alpha": 0.7, "least": 3},) * 2,
        ({"width": 3, "preferFinished": True, "limit": 3}, {"width": 3, "prefer_finished": True, "limit": 3}),
        ({"width": 40}, {"width": 40}),  # wider than the vocabulary
    ],
    ids=lambda one: " ".join(f"{name}={value}" for name, value in one.items()),
)
def test_beam_search_ranks_the_same_hypotheses(both, options, settings):
    model, run = both
    for found, source in zip(run(calls("beam", options)), SOURCES, strict=True):
        wanted = beam_search(model, [ids(model, source)], **settings).hypotheses[0]
        assert [one["score"] for one in found] == pytest.approx([one.score for one in wanted], abs=1e-4)
        for one in found:  # an untrained model has ties, which rounding may rank the other way
            same(one, next(two for two in wanted if two.words == one["words"]))


@pytest.mark.slow
def test_sampling_inverts_the_cumulative_probability_at_the_uniform_number(both):
    model, run = both
    given = greedy(model, [ids(model, SOURCES[2])], limit=1).columns[0].log_probs[0]
    (found,) = run([{"search": "sample", "source": SOURCES[2], "options": {"limit": 1, "temperature": 0.5}}])
    given = given.index_fill(0, torch.tensor([PAD, BOS]), -math.inf)  # never drawn
    shares = (given.double() / 0.5).softmax(-1).cumsum(-1)
    assert found["words"] == [int((shares <= UNIFORM[0]).sum())]


@pytest.mark.slow
def test_no_search_chooses_padding_or_the_start(probe):
    """Nor an ensemble; with a vocabulary of three choices and a beam wider than that, as in Python."""
    members = [tiny(seed, targets="n", dtype=torch.float32, **MODELS["groundhog"]) for seed in (0, 1)]
    with torch.no_grad():
        for one in members:
            one.decoder.output.bias[[PAD, BOS]] = 5.0  # otherwise they would be chosen
    options = {"width": 9, "limit": 4}
    asked = calls("beam", options) + calls("greedy", {"limit": 4}) + calls("sample", {"limit": 4})
    one, both = exported(members[0]), {"members": [exported(member) for member in members]}
    for model, given in ((members[0], one), (Ensemble(members), both)):
        found = probe("searches", given | {"calls": asked, "uniform": UNIFORM})
        beams, paths = found[: len(SOURCES)], found[len(SOURCES) :]
        assert {word for path in (*itertools.chain(*beams), *paths) for word in path["words"]} <= {UNK, EOS, 4}
        for beam, path, source in zip(beams, paths, SOURCES, strict=False):
            source = ids(model, source)
            same(path, greedy(model, [source], 4).found[0])
            for ours, wanted in zip(beam, beam_search(model, [source], **options).hypotheses[0], strict=True):
                same(ours, wanted)


@pytest.mark.slow
@pytest.mark.parametrize("temperature", ["0", "-1", "Infinity", "NaN"])
def test_a_temperature_that_is_not_above_0_and_finite_is_refused(probe, temperature):
    given = exported(tiny(dtype=torch.float32, **MODELS["groundhog"]))
    asked = [{"search": "sample", "source": [4], "options": {"temperature": temperature}}]
    found = probe.failure("searches", given | {"calls": asked})
    assert found == f"temperature must be above 0 and finite, not {temperature}"


@pytest.mark.slow
def test_an_ensemble_takes_the_mean_of_its_members_probabilities(probe):
    """Greedy, forced and beam search, and the attention of both members, numbered through."""
    members = [tiny(dtype=torch.float32, name=name, **MODELS[name]) for name in ("luong-local-p", "transformer")]
    model = Ensemble(members)
    given = {"json": None, "weights": None, "members": [exported(one) for one in members]}
    target = [5, 7, 4]
    for source in SOURCES:
        asked = [{"search": one, "source": source, "target": target} for one in ("greedy", "forced", "beam")]
        found, of_target, ranked = probe("searches", given | {"calls": asked})
        same(found, greedy(model, [source]).found[0])
        same(of_target, forced(model, [source], [target]).found[0])
        same(ranked[0], beam_search(model, [source]).found[0])
        (recorded,) = probe("forcedSteps", given | {"calls": [asked[1]]})
        for step, column in zip(recorded, forced(model, [source], [target]).columns, strict=True):
            for got, look in zip(step["weights"], column.step.looks, strict=True):
                assert got == pytest.approx(look.weights[0].tolist(), abs=1e-5)


@pytest.mark.slow
def test_an_ensemble_of_one_model_or_of_different_sources_is_refused(probe):
    (one, other) = (exported(tiny(dtype=torch.float32, **MODELS[name])) for name in ("transformer", "groundhog"))
    assert probe.failure("open", {"members": [one]}) == "an ensemble needs at least 2 models, not 1"
    found = probe.failure("open", {"members": [one, other]})
    assert found == "tiny and tiny differ in source_eos: use models with the same value"


def test_unknown_words_are_replaced_by_the_source_word_with_the_largest_weight(probe):
    target, source = ["a", "<unk>", "<unk>", "<unk>", "</s>"], ["x", "y", "z"]
    weights = [[0.0, 0.5, 0.5], [0.4, 0.4, 0.2], [0.0, 0.0, 0.0], [0.1, 0.2, 0.7], [0.0, 1.0, 0.0]]
    found = probe("replaced", [
        {"target": target, "source": source, "weights": weights, "shift": shift} for shift in (0, 1)
    ])  # fmt: skip
    for shift, words in enumerate(found):
        linked = {t: s for s, t in align_from_weights(torch.tensor(weights), shift)}
        wanted = [source[linked[t]] if word == "<unk>" and t in linked else word for t, word in enumerate(target)]
        assert words == wanted
    assert found == [["a", "x", "<unk>", "z", "</s>"], ["a", "<unk>", "z", "y", "</s>"]]


def test_without_attention_unknown_words_stay(probe):
    case = {"target": ["<unk>", "</s>"], "source": ["x"], "weights": [], "shift": 0}
    assert probe("replaced", [case]) == [["<unk>", "</s>"]]


@pytest.mark.slow
def test_translations_are_cut_off_after_the_last_learned_position(probe):
    """Also those of an ensemble with a member that has any number of positions."""
    learned = both_sides(positions="learned", longest=9)
    model, free = (tiny(dtype=torch.float32, **TRANSFORMER, **more) for more in (learned, {}))
    with torch.no_grad():
        for one in (model, free):
            one.decoder.output.bias[one.target.eos] = -1e4
    searches = [{"search": "greedy"}, {"search": "greedy", "options": {"limit": 20}}, {"search": "beam"}]
    asked = [one | {"source": SOURCES[1]} for one in [*searches, {"search": "sample"}]]
    for given in (exported(model), {"members": [exported(free), exported(model)]}):
        *found, beam, sample = probe("searches", given | {"calls": asked, "uniform": UNIFORM})
        assert [len(one["words"]) for one in (*found, *beam, sample)] == [9] * (3 + len(beam))
    whole = greedy(model, [SOURCES[1]])
    found = probe("searches", exported(model) | {"calls": asked[:1]})
    same(found[0], whole.found[0])
    short = exported(model) | {"calls": [{"search": "forced", "source": SOURCES[1], "target": [4] * 9}]}
    assert probe.failure("searches", short) == "tiny has positions for 9 words, not for 10: use a shorter target"
