"""The loss and its optional terms, computed one sentence at a time, and combinations that are not allowed."""

from contextlib import nullcontext

import pytest
import torch

from attn_core.attention.measures import coverage_loss, doubly_stochastic, entropy
from attn_core.data.corpus import make_batch
from attn_core.models.config import ModelConfig
from attn_core.models.presets import configure
from attn_core.models.recipe import TrainConfig, check_together
from attn_core.training.objective import TERMS, objective, terms
from tests.helpers.support import BAHDANAU, LUONG, TRANSFORMER, both_sides, close, tiny

pytestmark = pytest.mark.checked

PAIRS = [([4, 5, 6, 7], [4, 5]), ([6, 5], [5, 4, 6, 6])]
BATCH = make_batch([source for source, _ in PAIRS], [target for _, target in PAIRS])
ALONE = {
    "doubly_stochastic": doubly_stochastic,
    "coverage": coverage_loss,
    "attention_entropy": lambda align: entropy(align).sum(),
}


@pytest.mark.parametrize("settings", [BAHDANAU, LUONG | {"heads": 3, "head_size": 2}], ids=["one", "heads"])
@pytest.mark.parametrize("name", TERMS)
def test_a_term_is_its_metric_of_each_sentence_without_padding(name, settings):
    model = tiny(**settings)
    wanted = 0.0
    for source, target in PAIRS:
        looks = model.steps(make_batch([source], [target])).looks
        wanted += sum(ALONE[name](look.alignment[0]).item() for look in looks) / len(looks)
    found = terms(model.steps(BATCH).looks, BATCH, TrainConfig(**{name: 0.5}))
    assert found.item() == pytest.approx(0.5 * wanted, rel=1e-9)
    baseline = torch.zeros(())
    whole = objective(model, BATCH, TrainConfig(**{name: 0.5}), baseline)
    close(whole, model.loss(BATCH, 0.1) + found, 1e-9)


@pytest.mark.parametrize("name", TERMS)
def test_terms_apply_to_a_transformers_cross_attention(name):
    """It is recorded only for these terms; without a term nothing is recorded, and the loss is the same."""
    model = tiny(**TRANSFORMER)
    recipe = TrainConfig(**{name: 0.5})
    recorded = objective(model, BATCH, recipe, torch.zeros(()))
    assert len(model.steps(BATCH).looks) == 6
    assert model.train().steps(BATCH).looks == ()
    trained = objective(model, BATCH, recipe, torch.zeros(()))
    close(trained, recorded, 1e-5)
    gradient = torch.autograd.grad(trained, model.decoder.layers[0].cross.W_K.weight)[0]
    plain = torch.autograd.grad(model.loss(BATCH, 0.1), model.decoder.layers[0].cross.W_K.weight)[0]
    assert (gradient - plain).abs().max() > 1e-5
    assert model.steps(BATCH).looks == ()


def test_terms_add_up_and_none_is_none():
    model = tiny(**BAHDANAU)
    looks = model.steps(BATCH).looks
    assert terms(looks, BATCH, TrainConfig()).item() == 0.0
    one_by_one = sum(terms(looks, BATCH, TrainConfig(**{name: 0.5})) for name in TERMS)
    close(terms(looks, BATCH, TrainConfig(**dict.fromkeys(TERMS, 0.5))), one_by_one, 1e-5)


@pytest.mark.parametrize("name", TERMS)
def test_the_gradient_of_a_term_reduces_it(name):
    """A step against its own gradient makes a term smaller."""
    model = tiny(**LUONG)
    recipe = TrainConfig(**{name: 1.0})

    def value():
        return terms(model.steps(BATCH).looks, BATCH, recipe)

    before = value()
    learned = torch.autograd.grad(before, list(model.decoder.attention.parameters()))
    with torch.no_grad():
        for parameter, gradient in zip(model.decoder.attention.parameters(), learned, strict=True):
            parameter -= 1e-3 * gradient
    assert value() < before


def test_the_entropy_of_a_window_has_a_gradient():
    model = tiny(**LUONG, window="local-p")
    loss = objective(model.train(), BATCH, TrainConfig(attention_entropy=0.1), torch.zeros(()))
    assert all(part.isfinite().all() for part in torch.autograd.grad(loss, list(model.parameters())))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rank": 3, "score": "dot"}, "rank belongs to score general and has no effect in dot"),
        ({"identity_source": True}, "identity_source belongs to score concat and has no effect in general"),
        ({"width": 9}, "width belongs to encoder conv and to score location and has no effect in rnn and general"),
        ({"score": "location", "unmasked_fixed": True, "window": "local-m"}, "unmasked_fixed needs window=global"),
        (
            {"score": "location", "unmasked_fixed": True, "type": "hard-sample"},
            "an attention type other than hard-sample",
        ),
        ({"type": "hard-sample", "window": "local-p"}, "set gaussian=on_scores, or use a window without"),
        ({"heads": 3}, "decoder.hidden must be a multiple of heads, not 256 with 3 heads; or set head_size"),
        ({"heads": 2, "values": 5}, "values cannot be set with heads"),
        ({"heads": 0}, "heads must be at least 1, not 0"),
        ({"values": 0}, "values must be at least 1, not 0"),
        ({"readout": "s_cur"}, "readout belongs to order attend-then-update"),
    ],
)
def test_settings_that_are_not_allowed_together(settings, message):
    with pytest.raises(ValueError, match=message):
        ModelConfig().set(settings)


@pytest.mark.parametrize(
    ("preset", "settings", "message"),
    [
        ("luong-location-global", {"max_length": 51}, "may have 51 words, but attention.score.width is 50: increase"),
        ("luong-location-global", {"source_eos": True}, "may have 51 words, but attention.score.width is 50"),
        (
            "transformer",
            {"encoder.positions": "learned", "encoder.longest": 49},
            "sources may have 50 words, but encoder.longest is 49: increase encoder.longest, or decrease max_length",
        ),
        (
            "transformer",
            {"encoder.positions": "learned", "encoder.longest": 50, "source_eos": True},
            "sources may have 51 words, but encoder.longest is 50",
        ),
        (
            "transformer",
            {"decoder.positions": "learned", "decoder.longest": 50},
            "targets with <s> may have 51 words, but decoder.longest is 50",
        ),
        (
            "bahdanau",
            {"encoder": "conv", "longest": 49, "start": "mean"},
            "sources may have 50 words, but encoder.longest is 49",
        ),
        (
            "bahdanau",
            {"type": "hard-argmax"},
            "attention type hard-argmax has no gradient: train with soft or hard-sample",
        ),
        ("luong-dot-local-p", {"half_width": 0}, "half_width=0 gives p_t no gradient .*: set a sigma with gaussian"),
        ("fixed-vector", {"attention_entropy": 0.1}, "attention_entropy need attention"),
        ("luong-dot-local-m", {"coverage": 1.0, "attention_entropy": 1.0}, "coverage sums .* set window=global"),
        ("transformer", {"graphs": True}, "loop, which a Transformer does not have"),
        ("bahdanau", {"subword_dropout": 0.1}, "no effect on whole words: set subword=bpe"),
        ("bahdanau", {"coverage": -1.0}, "coverage must be at least 0, not -1"),
        ("bahdanau", {"soft_share": 1.5}, "soft_share must be from 0 to 1"),
        ("bahdanau", {"attention_entropy": float("nan")}, "attention_entropy must be a number"),
        ("bahdanau", {"credit": "word"}, "credit has no effect without attention.type=hard-sample"),
        ("fixed-vector", {"reward": 1.0}, "reward has no effect without attention.type=hard-sample"),
        ("xu-hard", {"type": "soft", "soft_share": 0}, "soft_share has no effect"),
        ("bahdanau", {"halve_after": 3}, "halve_after has no effect without schedule=halving: set that too, or omit"),
        ("luong-base-paper", {"schedule": "cosine", "halve_after": 4}, "halve_after has no effect"),
        ("bahdanau", {"credit": "all"}, "credit must be one of sentence, to_go, word, not 'all'"),
    ],
)
def test_models_that_a_recipe_cannot_train(preset, settings, message):
    with pytest.raises(ValueError, match=message):
        configure(preset, settings)


@pytest.mark.parametrize(
    ("sigma", "gaussian", "learns"),
    [(1.0, "after_softmax", True), (None, "after_softmax", False), (1.0, "renorm", False), (1.0, "on_scores", False)],
)
def test_with_one_word_in_view_p_t_learns_only_from_a_gaussian_that_multiplies_the_weights(sigma, gaussian, learns):
    """The weight of one word is 1, whatever its score is multiplied by; so is a weight divided by itself."""
    settings = {"half_width": 0, "sigma": sigma, "gaussian": gaussian}
    model = tiny(**LUONG, window="local-p", **settings)
    model.loss(BATCH).backward()
    gradients = [parameter.grad for parameter in model.decoder.attention.window.parameters()]
    assert any(gradient is not None and gradient.abs().max() > 1e-9 for gradient in gradients) == learns
    with nullcontext() if learns else pytest.raises(ValueError, match="gives p_t no gradient"):
        configure("luong-dot-local-p", settings)


@pytest.mark.parametrize(
    ("preset", "settings"),
    [
        ("bahdanau", {"halve_after": 3, "schedule": "halving"}),
        ("bahdanau", {"halve_after": 8, "soft_share": 0.5}),  # the defaults
        ("luong-base-paper", {"schedule": "cosine"}),  # halve_after is 5 in this preset
        ("luong-base-paper", {"schedule": "cosine", "halve_after": 5}),
        ("xu-hard", {"credit": "word", "reward": 1.0, "soft_share": 0}),
        ("bahdanau", {"type": "hard-sample", "credit": "word"}),
    ],
)
def test_settings_with_an_effect_and_those_that_nobody_chose_are_accepted(preset, settings):
    _, recipe = configure(preset, settings)
    assert all(recipe[name] == value for name, value in settings.items() if name in recipe.names())


def test_a_wider_score_may_read_longer_sentences():
    model, recipe = configure("luong-location-global", {"max_length": 80, "width": 80})
    check_together(model, recipe)
    assert model["width"] == 80


def test_the_last_position_may_be_used():
    """Sinusoidal positions have no end."""
    longest = {"encoder.longest": 50, "decoder.longest": 51}
    configure("transformer", longest | both_sides(positions="learned"))
    configure("transformer", {"max_length": 300})
