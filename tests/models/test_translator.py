"""Whole models: records recomputed from their parts, changed windows, published initializations, checkpoints."""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
import torch
from torch import nn

from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.attention.settings import WINDOWS, LocalSettings
from attn_core.attention.windows import Local
from attn_core.data.corpus import make_batch
from attn_core.decoding.translate import force, translate
from attn_core.explain.step_graph import step_graph
from attn_core.models.checkpoint import load, save
from attn_core.models.initialization import STARTS
from attn_core.models.presets import PRESETS
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from attn_core.models.variants import VARIANTS as NAMED
from attn_core.trace import dump
from attn_core.training.corpus_task import widening_of
from tests.helpers.recomputed import check
from tests.helpers.support import BAHDANAU, LUONG, RECURRENT, VARIANTS, both_sides, close, drawn, tiny

TEXTS = ["c a f e", "b", "g g d a b x c"]  # x is not in the vocabulary
TARGETS = ["q n v", "u o o p r", "n"]
each_variant = pytest.mark.parametrize("settings", RECURRENT.values(), ids=RECURRENT)


def shrunk(name):
    """The config of a preset with small sizes; D = 1, so that windows matter."""
    if name in NAMED:
        sizes = {"embedding": 5, "decoder.hidden": 6, "attention.score.hidden": 11, "attentional": 2, "tied": False}
        sizes |= {"half_width": 1} if NAMED[name].config().has("half_width") else {}
        return NAMED[name].config(**sizes, dropout=0.0, output_dropout=0.0)
    config, _ = PRESETS[name]
    both, luong = 1 + config.encoder.bidirectional, config["order"] == "update-then-attend"
    sizes = {
        "embedding": 5,
        "encoder.hidden": 3,
        "decoder.hidden": 3 * both if luong else 7,
        "attention.score.hidden": 11,
        "half_width": 1,
    }
    sizes |= {"attentional": 5 if config.tied else 2, **both_sides(layers=min(config["encoder.layers"], 2))}
    sizes |= {"init": "glorot", "dropout": 0.0, "output_dropout": 0.0}
    return config.set({key: value for key, value in sizes.items() if config.has(key)})


HOW = {
    "greedy": lambda model: translate(model, TEXTS, tokenized=True, max_length=9),
    "beam": lambda model: translate(model, TEXTS, tokenized=True, max_length=9, beam=3),
    "sample": lambda model: translate(model, TEXTS, tokenized=True, max_length=9, temperature=1.0, seed=3),
    "forced": lambda model: force(model, TEXTS, TARGETS, tokenized=True),
}


@pytest.mark.quick(12)
@each_variant
@pytest.mark.parametrize("how", HOW)
@torch.no_grad()
def test_a_record_follows_from_its_own_parts(settings, how):
    model = tiny(**settings)
    for text, trace in zip(TEXTS, HOW[how](model), strict=True):
        end = ["</s>"] if model.config.source_eos else []
        assert trace.source == (*text.split(), *end)
        assert trace.unknown == ((5,) if "x" in text else ())
        check(model, trace)
        assert trace.settings["search"] == how
        assert trace.model == "tiny"


@pytest.mark.quick(6)
@pytest.mark.parametrize("name", [name for name in PRESETS if PRESETS[name][0]["order"] != "transformer"])
@torch.no_grad()
def test_every_presets_record_follows_from_its_own_parts(name):
    model = drawn(shrunk(name))
    together = HOW["beam"](model)
    if model.config.padding != "masked":  # a batch would be part of the record
        together = [translate(model, text, tokenized=True, max_length=9, beam=3) for text in TEXTS]
    for trace in together:
        check(model, trace)
        settings = PRESETS[name][0]
        for key in ("score", "window", "order", "feeding"):
            assert trace.settings[key] == (settings[key] or (False if key == "feeding" else None))
        assert not trace.settings["intervention"]


def test_forced_traces_spell_the_target_and_end_it():
    trace = force(tiny(**LUONG), "a b", "n x", tokenized=True)
    assert trace.target == ("n", "x", "</s>")
    assert trace.words[2].t == 2
    unknown = force(tiny(**LUONG), "a b", "n <unk>", tokenized=True)
    assert trace.words[1].log_prob == unknown.words[1].log_prob


def test_greedy_chooses_the_most_probable_word():
    trace = translate(tiny(**LUONG), "a b c", tokenized=True, top=3)
    for word in trace.words:
        words = [one for one in word.top if one[0] not in ("<pad>", "<s>")]  # which no search chooses
        assert words[0] == (word.token, word.log_prob)
        assert len(word.top) == 3


# Windows that were not trained.


def weights_of(model, **window):
    return translate(model, "a b c d e f g", tokenized=True, max_length=5, **window)


def test_a_view_shares_the_weights_and_leaves_the_model_alone():
    model = tiny(**LUONG, window="local-p", tied=True)
    before = dump(weights_of(model), vectors=True)
    view = model.with_window("local-m", 2)
    ours, theirs = (dict(one.named_parameters(remove_duplicate=False)) for one in (model, view))
    assert ours.keys() == theirs.keys()
    assert all(theirs[name] is ours[name] for name in ours)
    assert (view.config["window"], view.config["half_width"]) == ("local-m", 2)
    assert (model.config["window"], model.config["half_width"]) == ("local-p", 1)
    assert (view.name, view.source, view.target) == (model.name, model.source, model.target)
    assert dump(weights_of(model), vectors=True) == before
    assert model.with_window() is model


@pytest.mark.parametrize(
    ("trained", "asked", "in_force"),
    [
        ("local-p", {}, ("local-p", 1, 0.5, False)),
        ("local-p", {"half_width": 1}, ("local-p", 1, 0.5, False)),
        ("local-p", {"half_width": 1, "sigma": 0.5}, ("local-p", 1, 0.5, False)),
        ("local-p", {"half_width": 3}, ("local-p", 3, 1.5, True)),
        ("local-p", {"sigma": 2.0}, ("local-p", 1, 2.0, True)),
        ("local-p", {"half_width": 0}, ("local-p", 0, None, True)),
        ("local-p", {"window": "global"}, ("global", True)),
        ("local-p", {"window": "local-m"}, ("local-m", 1, None, True)),
        ("local-m", {"half_width": 2, "sigma": 1.0}, ("local-m", 2, 1.0, True)),
        ("global", {"window": "global"}, ("global", False)),
        ("global", {"window": "local-m", "half_width": 2}, ("local-m", 2, None, True)),
    ],
)
def test_a_trace_records_the_window_that_was_used(trained, asked, in_force):
    settings = weights_of(tiny(**LUONG, window=trained), **asked).settings
    names = ("window", "half_width", "sigma")  # a global window has no D and no sigma
    *live, intervention = in_force
    assert {name: settings[name] for name in names if name in settings} == dict(zip(names, live, strict=False))
    assert settings["intervention"] == intervention
    was = {"local-p": ("local-p", 1, 0.5), "local-m": ("local-m", 1, None), "global": ("global",)}[trained]
    assert settings["trained_window"] == dict(zip(names, was, strict=False))


def test_a_new_half_width_brings_its_own_sigma():
    """Unless sigma is given; without arguments the trained window stays."""
    model = tiny(**LUONG, window="local-p", sigma=2.0)
    for asked, sigma in (({}, 2.0), ({"half_width": 3}, 1.5), ({"half_width": 3, "sigma": 0.7}, 0.7)):
        assert model.with_window("local-p", **asked).settings["sigma"] == sigma


@torch.no_grad()
def test_a_view_computes_with_its_settings():
    for window in ("global", "local-m", "local-p"):
        model = tiny(**LUONG, window="local-p", feeding=True).with_window(window, *([2] if window != "global" else []))
        check(model, weights_of(model))


def test_a_window_as_wide_as_the_sentence_is_no_window():
    """With D = 6 the first word's window reaches the last of seven words."""
    model = tiny(**LUONG, feeding=True)
    wide, all_of_it = (weights_of(model, **window) for window in ({"window": "local-m", "half_width": 6}, {}))
    close(wide.weights(), all_of_it.weights(), 1e-6)
    assert wide.target == all_of_it.target


def test_a_view_of_a_view_goes_back_to_what_was_trained():
    """A local-m view has no W_p and v_p; its own local-p view has the trained ones."""
    model = tiny(**LUONG, window="local-p")
    again = model.with_window("local-m").with_window("local-p", 2)
    assert not any(parameter.is_meta for parameter in again.parameters())
    assert dump(weights_of(again)) == dump(weights_of(model, half_width=2))


def test_views_nest_and_share_everything_but_how_they_attend():
    """A view is a config and a mode for the same modules; it changes neither the model nor other views."""
    model = tiny(**LUONG, window="local-p", gaussian="on_scores")
    before = model.state_dict()
    hard = model.with_attention_type("hard-argmax")
    both = hard.with_window("local-m", 2)
    back = both.with_attention_type("soft").with_window("local-p", 1)
    for view in (hard, both, back):
        assert view.decoder is model.decoder
        assert view.encoder is model.encoder
        assert view.trained is model.config
    assert (model.mode, hard.mode.window) == (AS_BUILT, None)
    assert (both.config["window"], both.config["type"]) == ("local-m", "hard-argmax")
    assert (hard.config["window"], hard.config["type"]) == ("local-p", "hard-argmax")
    assert set(weights_of(both).weights().flatten().tolist()) == {0.0, 1.0}
    close(weights_of(back).weights(), weights_of(model).weights())
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


def test_a_view_shares_the_current_parameters():
    """W_p and v_p of a view are those of the model, also after further training."""
    model = tiny(**LUONG, window="local-p")
    view = model.with_window(half_width=2)
    before = weights_of(view).words[0].step.looks[0].focus.center.item()
    with torch.no_grad():
        model.decoder.attention.window.v_p.weight.mul_(-1)
    assert weights_of(view).words[0].step.looks[0].focus.center.item() == pytest.approx(7 - before)


def test_windows_that_cannot_be_set_raise_value_errors():
    local, everywhere, blind = (tiny(**VARIANTS[n]) for n in ("luong-dot-local-p", "luong-dot-global", "fixed-vector"))
    with pytest.raises(ValueError, match="tiny has no attention, so no window can be set"):
        blind.with_window(half_width=2)
    with pytest.raises(ValueError, match="tiny was not trained to predict p_t: use window local-m"):
        everywhere.with_window("local-p")
    with pytest.raises(
        ValueError, match="a global window has no half-width or sigma: set the window of tiny to local-m too"
    ):
        everywhere.with_window(half_width=2)
    with pytest.raises(ValueError, match="the model has no attention, so no window can be set"):
        blind.config.with_window(half_width=2)
    with pytest.raises(ValueError, match="half_width must be at least 0 words, not -1"):
        local.with_window(half_width=-1)
    wrong = ((0.009, "at least 0.01"), (-1.0, "at least 0.01"), (math.nan, "a number"), (math.inf, "from 0.01"))
    for sigma, wanted in wrong:
        with pytest.raises(ValueError, match=f"sigma must be {wanted}"):
            local.with_window(sigma=sigma)
    with pytest.raises(ValueError, match="unknown window 'wide'; choose one of: global, local-m, local-p"):
        local.with_window("wide")


def test_viewers_with_different_windows_do_not_disturb_one_another():
    model = tiny(**LUONG, window="local-p", feeding=True)
    windows = [{}, {"half_width": 0}, {"half_width": 3, "sigma": 0.7}, {"window": "local-m"}, {"window": "global"}] * 3
    one_by_one = [dump(weights_of(model, beam=2, **window), vectors=True) for window in windows]
    assert len(set(one_by_one)) == 5
    with ThreadPoolExecutor(2) as viewers:
        together = viewers.map(lambda window: dump(weights_of(model, beam=2, **window), vectors=True), windows)
        assert list(together) == one_by_one


def test_only_a_learned_window_opens_wide():
    """A monotonic window is not learned, and a view has the final width."""
    for window, opens in (("global", False), ("local-m", False), ("local-p", True)):
        model = tiny(**LUONG, window=window)
        batch = make_batch([[4, 5, 6, 7, 8, 9, 10]], [[5, 6, 7]])
        before, wide = (model.steps(batch, mode).looks[0].weights for mode in (Mode(), Mode(widening=math.inf)))
        assert torch.equal(wide, before) == (not opens)
        assert torch.equal(model.steps(batch).looks[0].weights, before), "the model is not changed"


@dataclass(frozen=True)
class HomeSettings(LocalSettings):
    name: str = "home"

    @property
    def learned(self) -> bool:
        return True


class Home(Local):
    """A window around p_t = w^T h_t."""

    def __init__(self, query: int, settings: HomeSettings):
        super().__init__(query, settings)
        self.w = nn.Linear(query, 1, bias=False)

    @classmethod
    def latex(cls, config):
        return "w^T h_t"

    def center(self, queries, lengths, t):
        return self.w(queries).squeeze(-1)


def test_a_window_states_itself_that_its_centre_is_learned():
    """It is then widened in training, computed from the query, and cannot be chosen for a model without its weights."""
    WINDOWS.add("home", HomeSettings)(Home)
    try:
        model, recipe = tiny(**LUONG, window="home", half_width=0), TrainConfig(wide=1)
        assert widening_of(model, recipe, 0) == math.inf
        assert widening_of(tiny(**LUONG, window="local-m"), recipe, 0) == 1
        graph = step_graph(model.config)
        assert graph["center"].inputs == ("state",)
        assert model.with_window("local-m").with_window("home", 2).config.attention.window == HomeSettings(half_width=2)
        for other in ("local-p", "global"):
            with pytest.raises(ValueError, match="tiny was not trained to predict p_t"):
                tiny(**LUONG, window=other).with_window("home")
    finally:
        del WINDOWS["home"]


# Initialization and checkpoints.


def fresh(init, **settings):
    """A newly initialized model."""
    torch.manual_seed(0)
    return Translator(
        tiny(**settings).config.set({"init": init}), *(getattr(tiny(), side) for side in ("source", "target"))
    )


@pytest.mark.parametrize("more", [{}, {"window": "local-p"}, {"heads": 2, "head_size": 29}, {"values": 23}], ids=str)
def test_bahdanaus_start(more):
    """B.1: recurrent matrices orthogonal, W_a and U_a from N(0, 0.001^2), v_a and biases 0, others N(0, 0.01^2)."""
    sizes = {"encoder.hidden": 31, "decoder.hidden": 37, "embedding": 41, "attentional": 47}
    sizes["attention.score.hidden"] = 43
    model = fresh("bahdanau2015", **BAHDANAU | sizes | more)
    for name, parameter in model.named_parameters():
        if "U_gates" in name or name.endswith(".U.weight"):
            for gate in parameter.split(parameter.size(1)):
                close(gate @ gate.T, torch.eye(len(gate)), 1e-5)
        elif parameter.dim() == 1:
            assert (parameter == 0).all(), name
        else:
            std = 0.001 if name.endswith(("W_a.weight", "U_a.weight")) else 0.01
            assert parameter.std().item() == pytest.approx(std, rel=0.15 if len(parameter) > 1 else 0.5), name


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("init", [init for init in STARTS if init not in ("luong2015", "none")])
def test_a_new_layer_norm_does_not_scale(init, norm):
    """Two sublayers in each of two encoder layers, three in each of two decoder layers; pre-norm ends both stacks."""
    model = fresh(init, **VARIANTS["transformer"] | both_sides(norm=norm))
    norms = [module for module in model.modules() if isinstance(module, nn.LayerNorm)]
    assert len(norms) == 10 + 2 * (norm == "pre")
    assert all((one.weight == 1).all() and (one.bias == 0).all() for one in norms)


def test_luongs_start():
    """Section 4.1: everything from U[-0.1, 0.1]."""
    for name, parameter in fresh("luong2015", **LUONG | {"score": "concat", "window": "local-p"}).named_parameters():
        assert parameter.abs().max() <= 0.1, name
        assert parameter.numel() < 30 or parameter.abs().max() > 0.08, name


def test_the_small_models_start():
    model = fresh("glorot", **LUONG, **both_sides(layers=2))
    for name, parameter in model.named_parameters():
        if "weight_hh" in name:
            for gate in parameter.split(7):
                close(gate @ gate.T, torch.eye(7), 1e-5)
        if "bias_ih" in name:
            assert parameter.tolist() == [0.0] * 7 + [1.0] * 7 + [0.0] * 14, "the biases of the forget gates are 1"
        if "bias_hh" in name:
            assert (parameter == 0).all()


def test_matrices_of_the_small_models_start_uniform():
    """Glorot and Bengio 2010, eq. 16: U[-r, r], r = sqrt(6 / (fan in + fan out)), the output layer's too."""
    parameters = dict(fresh("glorot", **LUONG | {"tied": False}).named_parameters())
    for name in ("decoder.W_c.weight", "decoder.output.weight", "decoder.attention.score.W_a.weight"):
        bound = (6 / sum(parameters[name].shape)) ** 0.5
        assert 0.85 * bound < parameters[name].abs().max() <= bound, name


@pytest.mark.parametrize("tied", [True, False])
def test_large_embeddings_change_only_the_embeddings_and_the_output_matrix(tied):
    sizes = LUONG | {"tied": tied, "embedding": 61, "attentional": 61}
    large, small = (fresh(init, **sizes) for init in ("large-embeddings", "glorot"))
    named = [name for name, _ in large.named_parameters() if name.endswith(("embed.weight", "output.weight"))]
    assert len(named) == (2 if tied else 3)
    for name, parameter in large.named_parameters():
        assert torch.equal(parameter, small.get_parameter(name)) == (name not in named), name
    for name in named:
        wanted = 0.3 if name == "encoder.embed.weight" or ("embed" in name and not tied) else 3.6 / 61**0.5
        assert large.get_parameter(name).std().item() == pytest.approx(wanted, rel=0.15), name


@pytest.mark.parametrize("name", ["luong-bidirectional-tied", "luong-paper", "bahdanau", "fixed-vector", "transformer"])
def test_a_model_comes_back_from_the_disk(tmp_path, name):
    """fp16 on disk: the model that comes back is the one whose weights were rounded."""
    model = tiny(**VARIANTS[name], name=name)
    save(model, TrainConfig(), tmp_path / name, {"scores": {"bleu": 1.5}})
    found = load(tmp_path / name)
    assert sorted(path.name for path in (tmp_path / name).iterdir()) == [
        "config.json",
        "model.safetensors",
        "source.json",
        "target.json",
    ]
    assert (found.name, found.config, found.trained) == (name, model.config, model.config)
    assert not found.training
    assert not any(parameter.requires_grad for parameter in found.parameters())
    rounded = {key: tensor.half().float() for key, tensor in model.state_dict().items()}
    assert found.state_dict().keys() == rounded.keys()
    assert all(torch.equal(tensor, rounded[key]) for key, tensor in found.state_dict().items())
    if model.config.tied:
        assert found.decoder.output.weight.data_ptr() == found.decoder.embed.weight.data_ptr()
    model.load_state_dict(rounded)
    for trace, wanted in zip(HOW["beam"](found), HOW["beam"](model), strict=True):
        assert trace.target == wanted.target
        assert trace.settings == wanted.settings
        close(trace.weights(), wanted.weights(), 1e-6)
