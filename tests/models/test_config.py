"""Settings of the parts: meanings and allowed values, names, combinations, and their JSON in config.json."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

from attn_core.attention.settings import WINDOWS, AttentionSettings, LocalPSettings
from attn_core.models.by_name import AXES
from attn_core.models.composition import Composition
from attn_core.models.config import ModelConfig
from attn_core.models.presets import PRESETS, configure
from attn_core.models.recipe import TrainConfig
from attn_core.settings import About, Settings
from tests.helpers.support import both_sides, tiny

FIXED = {
    "score": None,
    "order": "attend-then-update",
    "encoder.cell": "gru",
    "bidirectional": False,
    "encoder.hidden": 256,
}

PARTS = {f"{path} {name}": (registry, name) for path, registry in AXES.items() for name in registry}
OWNERS: dict[str, Settings] = {name: registry.settings(key) for name, (registry, key) in PARTS.items()}
OWNERS |= {"attention": AttentionSettings(), "model": Composition(), "recipe": TrainConfig()}


def described() -> Iterator[tuple[str, str, About]]:
    """Every setting of every part: the part, the name, and the metadata."""
    for owner, settings in OWNERS.items():
        for name, about in settings.about().items():
            yield owner, name, about


def wrong(about: About, default: Any) -> Iterator[Any]:
    """Values that the metadata forbids."""
    if about.allowed:
        yield "nothing like it"
        return
    if about.least is not None:
        yield about.least - 1
    if about.above is not None:
        yield about.above
    if about.most is not None:
        yield about.most + 1
    if about.below is not None:
        yield about.below
    if isinstance(default, float):
        yield float("nan")
    yield "nothing like it"


@pytest.mark.parametrize("owner", OWNERS)
def test_every_setting_has_a_meaning_and_a_valid_default(owner):
    settings = OWNERS[owner]
    described = settings.about() | settings.parts()
    for one in fields(settings):
        if one.name in described:
            assert len(described[one.name].meaning.split()) > 1, one.name
        else:
            assert one.name == "name" or owner == "recipe", one.name
    assert settings.set({name: str(value) for name, value in settings.defaults().items()}) == settings


@pytest.mark.parametrize(("owner", "name"), [(owner, name) for owner, name, _ in described()])
def test_a_value_that_the_metadata_forbids_is_refused_by_name(owner, name):
    settings = OWNERS[owner]
    for value in wrong(settings.about()[name], settings.defaults()[name]):
        if isinstance(settings.defaults()[name], str) and not settings.about()[name].allowed:
            continue  # `type` of attention, whose values are those of a registry
        with pytest.raises(ValueError, match=rf"(^|setting ){name} must be "):
            settings.set({name: value})


def test_a_value_of_the_wrong_type_is_refused():
    with pytest.raises(ValueError, match=r"setting half_width must be a whole number, not 2\.5"):
        LocalPSettings().set({"half_width": 2.5})
    with pytest.raises(ValueError, match="setting half_width must be a whole number, not True"):
        LocalPSettings().set({"half_width": True})
    with pytest.raises(ValueError, match="setting one_based must be true or false, not 'perhaps'"):
        LocalPSettings().set({"one_based": "perhaps"})
    assert LocalPSettings(sigma=1).sigma == 1, "an int is accepted for a float"
    assert LocalPSettings(sigma=2.0).set({"sigma": "none"}).sigma is None


# Names.


@pytest.mark.parametrize(
    ("values", "path", "found"),
    [
        ({"decoder.hidden": 64, "bidirectional": False, "encoder.hidden": 64}, "decoder.hidden", 64),
        ({"score": "additive", "attention.score.hidden": 9}, "attention.score.hidden", 9),
        ({"rank": 3}, "attention.score.rank", 3),
        ({"rank": "3"}, "attention.score.rank", 3),
        ({"feeding": "yes"}, "decoder.feeding", True),
        ({"type": "hard-argmax"}, "attention.type", "hard-argmax"),
        ({"normalizer": "sparsemax"}, "attention.normalizer", "sparsemax"),
        (both_sides(cell="torch-gru"), "decoder.cell", "torch-gru"),
        ({"order": "attend-then-update", "cell": "gru"}, "encoder.cell", "gru"),  # the decoder has no setting `cell`
        ({"window": "local-m", "rule": "text"}, "attention.window.rule", "text"),
        ({"score": "location", "width": 7}, "attention.score.width", 7),
        ({"decoder": "attend-then-update"}, "decoder", "attend-then-update"),
        ({"order": "attend-then-update", "layers": 3}, "encoder.layers", 3),
        ({"order": "transformer", "encoder": "transformer", "score": "dot"}, "attention.score", "dot"),
        ({"encoder": "transformer", "start": "mean", "heads": 4, "score": "none"}, "encoder.heads", 4),
        ({"score": "none"}, "attention.score", None),
    ],
)
def test_a_setting_is_named_by_its_path_or_its_last_word_and_a_part_by_its_axis(values, path, found):
    config = ModelConfig.of(values)
    assert config.flat()[path] == found
    assert config[path] == found
    assert config.has(path)


def test_settings_that_the_chosen_parts_lack_are_none_and_unknown_ones_an_error():
    config = ModelConfig()
    assert config["half_width"] is config["decoder.reset"] is config["attention.score.normed"] is None
    assert not config.has("half_width")
    for name in ("colour", "decoder.colour", "encoder.half_width"):
        with pytest.raises(KeyError, match=f"unknown setting '{name}'"):
            config[name]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"feedng": True}, r"unknown setting 'feedng' \(did you mean 'feeding'\?\)"),
        ({"colour": 1}, "unknown setting 'colour'; choose one of: encoder, score, window, order"),
        ({"score": "adaptive"}, r"unknown score 'adaptive' \(did you mean 'additive'\?\); choose one of: dot"),
        ({"window": "wide"}, "unknown window 'wide'; choose one of: global, local-m, local-p"),
        (
            {"order": "sideways"},
            "unknown order 'sideways'; choose one of: update-then-attend, attend-then-update, gnmt",
        ),
        ({"encoder": "rnnn"}, r"unknown encoder 'rnnn' \(did you mean 'rnn'\?\)"),
        (
            {"score": "additive", "bias": True, "order": "transformer", "longest": 0},
            "longest must be at least 1",
        ),
        ({"encoder": "conv", "width": 3, "score": "location"}, "several parts have a setting 'width': use one of"),
        ({"half_width": 3}, "half_width belongs to window local-m, local-p and has no effect in global"),
        (
            {"hidden": 3},
            "several parts have a setting 'hidden': use one of decoder.hidden, encoder.hidden",
        ),
        ({"attention": "additive"}, r"unknown setting 'attention' \(did you mean 'attention.\w+'\?\)"),
        (
            {"attention.score.hidden": 3},
            "attention.score.hidden belongs to score additive, concat and has no effect in general",
        ),
        ({"order": "attend-then-update", "cell": "gru", "layers": 2}, "encoder of cell gru has one layer"),
        (
            {"order": "gnmt", "tied": False, "attentional": 5},
            "attentional belongs to order update-then-attend, attend-",
        ),
        (
            {"encoder": "conv", "bidirectional": True},
            "bidirectional belongs to encoder rnn and has no effect in conv",
        ),
        (
            {"window": "local-p", "center_rule": "flor"},
            r"one of floor, real in local-p, not 'flor' \(did you mean 'floor",
        ),
    ],
)
def test_an_unknown_name_or_value_is_an_error_that_lists_the_known_ones(values, message):
    with pytest.raises(ValueError, match=message):
        ModelConfig.of(values)


@pytest.mark.parametrize("window", ["local-m", "none"])
def test_a_window_is_not_set_without_a_score(window):
    fixed = ModelConfig.of(score=None)
    if window == "none":
        assert fixed.set({"window": window}) == fixed
    else:
        with pytest.raises(ValueError, match="a window needs a score"):
            fixed.set({"window": window})
    assert fixed.set({"score": "dot", "window": "local-m"})["window"] == "local-m"


def test_changing_a_part_keeps_what_both_have():
    wide = ModelConfig.of(window="local-p", half_width=3, gaussian="renorm", one_based=True)
    assert wide.set({"window": "local-m"}).attention.window.half_width == 3
    assert wide.set({"window": "local-m"})["gaussian"] == "renorm"
    deep = ModelConfig.of(**both_sides(layers=2), **{"decoder.hidden": 64, "encoder.hidden": 32}).set(
        {"order": "gnmt", "tied": False}
    )
    assert (deep["decoder.layers"], deep.hidden) == (2, 64)


def test_changed_settings_are_those_that_are_not_at_the_defaults_of_their_part():
    config = ModelConfig.of(
        score="additive", order="attend-then-update", **{"encoder.cell": "gru"}, update="groundhog", dropout=0.2
    )
    wanted = {"encoder.cell": "gru", "decoder.update": "groundhog", "dropout": 0.2}
    assert config.changed_settings() == wanted
    assert ModelConfig().changed_settings() == {}


# Combinations.


@pytest.mark.parametrize(
    "setting",
    [
        {"values": 5},
        {"heads": 4},
        {"head_size": 3},
        {"type": "hard-argmax"},
        {"normalizer": "sparsemax"},
    ],
    ids=str,
)
def test_a_model_without_attention_has_no_settings_of_it(setting):
    ModelConfig.of(**FIXED)
    (name,) = setting
    with pytest.raises(ValueError, match=f"{name} is a setting of attention, but the model has none"):
        ModelConfig.of(**(FIXED | setting))


@pytest.mark.parametrize(
    "setting",
    [{"gaussian": "renorm"}, {"rank": 3}, {"identity_source": True}, {"unmasked_fixed": True}, {"normed": True}],
    ids=str,
)
def test_nor_settings_of_its_parts(setting):
    (name,) = setting
    with pytest.raises(ValueError, match=rf"{name} belongs to (score|window) .* and has no effect in a model without"):
        ModelConfig.of(**(FIXED | setting))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"score": None, "window": "local-m"}, "a window needs a score"),
        (FIXED | {"bidirectional": True}, "bidirectional=false"),
        (
            {"order": "attend-then-update", "cell": "gru", "biases": False},
            "an encoder of cell gru has biases",
        ),
        ({"reset": "after"}, "reset has no effect in an encoder of cell lstm"),
        ({"heads": 3}, "decoder.hidden must be a multiple of heads"),
        ({"attentional": 100}, r"size 144 \(embedding\), not 100 \(attentional\)"),
        ({"order": "gnmt", **both_sides(layers=2)}, r"not 256 \(decoder.hidden\)"),
        ({"type": "hard-sample", "window": "local-m", "sigma": 2.0}, "samples from the softmax"),
        ({"encoder": "conv", "start": "copy"}, "the encoder conv has no last state: set start=mean"),
        ({"encoder": "conv", "width": 4}, "width must be odd, so that a convolution has a centre, not 4"),
        ({"score": None, "combine": "state"}, r"size 144 \(embedding\), not 256 \(decoder.hidden\)"),
        ({"combine": "state", "tied": False}, "combine=state ignores the context"),
        ({"score": None, "order": "gnmt", **both_sides(layers=2), "tied": False}, "order gnmt needs attention"),
        (
            {"score": "dot", "start": "mean", "decoder.hidden": 8, "encoder.hidden": 3, "tied": False},
            "the dot score needs decoder and encoder states of equal size, not 8 and 6",
        ),
        (
            {"window": "local-p", "half_width": 0, "center_rule": "real"},
            "leaves no word in view: set center_rule=floor",
        ),
        ({"encoder.hidden": 64}, "hidden must equal the size of that state, 128, not 256"),
        (
            {"order": "attend-then-update", "start": "copy"},  # copies the state of one direction
            "hidden must equal the size of that state, 128, not 256",
        ),
    ],
)
def test_a_combination_that_is_not_allowed_gives_the_reason(settings, message):
    with pytest.raises(ValueError, match=message):
        ModelConfig.of(**settings)


OF_WINDOWS = {
    "half_width": 3,
    "sigma": 2.0,
    "center_rule": "real",
    "rule": "text",
    "one_based": True,
    "gaussian": "renorm",
}


def test_the_settings_of_windows_are_those_that_windows_name():
    own = {name for window in WINDOWS for name in WINDOWS.settings_class(window).about()}
    assert set(OF_WINDOWS) == own


CASES = [(window, name) for window in (None, *WINDOWS) for name in OF_WINDOWS]


@pytest.mark.parametrize(("window", "name"), CASES)
def test_a_setting_that_changes_nothing_in_a_window_is_not_trained_with(window, name):
    preset = "fixed-vector" if window is None else f"luong-general-{window}"
    model, _ = configure(preset, {})
    # local-m has a Gaussian only if sigma is set.
    if model.has(name) and (window, name) != ("local-m", "gaussian"):
        assert configure(preset, {name: OF_WINDOWS[name]})[0][name] == OF_WINDOWS[name]
    else:
        with pytest.raises(ValueError, match=rf"{name}( belongs to window|=renorm has no effect in a window)"):
            configure(preset, {name: OF_WINDOWS[name]})


def test_the_gaussian_counts_where_there_is_one():
    configure("luong-general-local-m", {"gaussian": "renorm", "sigma": 2.0})
    with pytest.raises(ValueError, match="has no effect in a window without a Gaussian"):
        configure("luong-general-local-p", {"gaussian": "renorm", "half_width": 0})


def test_a_view_through_another_window_keeps_the_settings_of_its_own():
    view = tiny(window="local-p", half_width=3, gaussian="renorm", one_based=True).with_window("global")
    assert view.trained["half_width"] == 3
    assert view.with_window("local-p").config["one_based"]


def test_a_local_window_without_a_gaussian_can_be_drawn_from():
    ModelConfig.of(type="hard-sample", window="local-m")


def test_presets_take_settings_of_the_model_and_of_the_recipe_by_any_name():
    settings = {"window": "local-m", "half_width": "2", "type": "soft", "rate": "0.01"}
    model, recipe = configure("bahdanau", settings)
    assert (model["window"], model["half_width"], recipe.rate) == ("local-m", 2, 0.01)
    with pytest.raises(ValueError, match=r"unknown setting 'epoch' \(did you mean 'epochs'\?\)"):
        configure("bahdanau", {"epoch": 3})
    with pytest.raises(ValueError, match=r"unknown preset 'bahdanu' \(did you mean 'bahdanau'\?\)"):
        configure("bahdanu", {})


# The JSON of a config.


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_comes_back_from_its_json(name):
    config, recipe = PRESETS[name]
    written = json.loads(json.dumps(config.to_json()))
    assert ModelConfig.from_json(written) == config
    assert type(recipe).from_json(json.loads(json.dumps(recipe.to_json()))) == recipe
    assert isinstance(written["encoder"], dict), "a part is an object of its own"
    assert written["decoder"]["name"] == config["order"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"encoder": "rnn"}, "encoder must be a JSON object with a name, not 'rnn'"),
        ({"encoder": {"name": "transfomer"}}, r"unknown encoder 'transfomer' \(did you mean 'transformer'\?\)"),
        ({"encoder": {"name": "rnn", "hiden": 3}}, r"unknown setting 'hiden' \(did you mean 'hidden'\?\)"),
        ({"encoder": {"name": "rnn"}, "attention": 3}, "attention must be a JSON object or null, not 3"),
        ({"encoder": {"name": "rnn"}, "attention": False}, "attention must be a JSON object or null, not False"),
        ({"encoder": {"name": "rnn"}, "dropuot": 0}, r"unknown setting 'dropuot' \(did you mean 'dropout'\?\)"),
        ({"score": "dot", "order": "transformer"}, "unknown setting 'score'"),  # settings of parts in a flat object
    ],
)
def test_json_of_another_kind_raises_an_error(record, message):
    with pytest.raises(ValueError, match=message):
        ModelConfig.from_json(record)


@pytest.mark.parametrize("module", ["models.config", "models.presets", "models.variants", "attention.settings"])
def test_settings_are_known_without_torch(module):
    code = f"import sys, attn_core.{module}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
