"""The menus of the Explorer over the shipped models: where each value leads, what the note names, and the way back."""

import pytest

from app.explorer.record import PAIR, record
from app.service import catalogue
from attn_core.data.examples import PAIRS


@pytest.fixture(scope="module")
def page(page_probe):
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("ATTN_PRETRAINED", raising=False)
        models, broken = catalogue.catalogue()
        assert broken == []
        page = record(models, {}, {"model": catalogue.first(models)})
    return page | {"models": page_probe("modelsOf", page)}


@pytest.fixture(scope="module")
def models(page):
    return {model["name"]: model for model in page["models"]}


@pytest.fixture(scope="module")
def menus(page_probe, page):
    """By model: its menus, each with the options by value."""
    return {
        model["name"]: {axis: {one.pop("value"): one for one in reached} for axis, reached in found}
        for model, found in zip(page["models"], page_probe("allMenus", page), strict=True)
    }


def enabled(menus, name):
    """The options of a model's menus that lead to another model, by axis and value."""
    return {
        (axis, value): one
        for axis, options in menus[name].items()
        for value, one in options.items()
        if one["to"] != name and not one["others"]
    }


def moved(one, other) -> set[str]:
    """The axes on which two models differ, without those that do not apply to one of them."""
    pairs = {axis: (value, other["point"][axis]) for axis, value in one["point"].items()}
    return {axis for axis, (a, b) in pairs.items() if a != b and None not in (a, b)}


def test_a_value_changes_its_axis_only_or_a_note_names_what_else(page, models, menus):
    labels = {axis["name"]: axis["label"].lower() for axis in page["axes"]}
    for name, model in models.items():
        for (axis, value), one in enabled(menus, name).items():
            other = models[one["to"]]
            assert other["point"][axis] == value
            also = moved(model, other) - {axis}
            if axis == PAIR:
                assert set(one["note"]) == {labels[one] for one in also}, (name, value)
                continue
            between = axis == "order" and any(which.startswith("transformer") for which in (name, one["to"]))
            allowed = {"size", "heads"} if between else set()
            assert also <= allowed, (name, axis, value)
            settings = {
                key for key, own in model["setup"].items() if key in other["setup"] and other["setup"][key] != own
            }
            assert set(one["note"]) == {labels[one] for one in also} | settings, (name, axis, value)


def test_no_attention_is_the_model_with_the_same_decoder(models, menus):
    sizes = {model["point"]["size"] for model in models.values() if model["point"]["score"] == "none"}
    for name, model in models.items():
        if model["point"]["score"] == "none" or model["point"][PAIR] != "de-en" or "everyday" in name:
            continue
        to = menus[name]["score"]["none"]
        if model["point"]["size"] not in sizes:
            assert to["others"]
            continue
        base = "luong-base" if model["point"]["order"] == "update-then-attend" else "fixed-vector"
        fed = "-feed" if model["point"]["feeding"] == "yes" else ""
        assert (to["to"], to["others"]) == (base + ("-long" if name.endswith("-long") else fed), [])
        # RNNencdec's encoder is one-directional; this start suits it better.
        changed = {"width of the encoder", "directions of the encoder", "initial weights"}
        assert set(to["note"]) - {"first input of the decoder"} == (changed if base == "fixed-vector" else set())


@pytest.mark.parametrize(
    ("name", "to"),
    [
        ("luong-base", {"dot": "luong-dot-global", "general": "luong-general-global", "concat": "luong-concat-global"}),
        ("fixed-vector", {"additive": "bahdanau", "dot": "bahdanau-dot", "general": "bahdanau-general"}),
        ("luong-base-long", {"general": "luong-general-global-long"}),
    ],
)
def test_attention_is_added_to_the_decoder_that_is_there(menus, name, to):
    options = menus[name]["score"]
    assert {value: one["to"] for value, one in options.items() if value in to and not one["others"]} == to
    other = "additive" if name != "fixed-vector" else "concat"
    assert "order" in options[other]["others"]


def test_the_settings_that_a_value_needs_have_a_menu(menus):
    for name, own in menus.items():
        for axis, options in own.items():
            needed = {other for one in options.values() for other in one["others"]}
            assert needed <= own.keys(), (name, axis)


@pytest.mark.parametrize(
    ("name", "axis", "value", "to"),
    [
        ("luong-general-global-heads", "heads", "1", "luong-general-global"),
        ("luong-general-global-sparsemax", "normalizer", "softmax", "luong-general-global"),
        ("luong-general-global-long", "join", "1", "luong-general-global-feed"),
        ("best-de-en", "size", "256", "bahdanau"),
        ("bahdanau-printed", "update", "groundhog", "bahdanau"),
        ("everyday-de-en", "corpus", "captions", "luong-general-global"),
        ("transformer", "order", "update-then-attend", "luong-scaled_dot-global"),
    ],
)
def test_an_unusual_setting_has_a_menu_that_leads_back(menus, name, axis, value, to):
    assert menus[name][axis][value]["to"] == to
    assert menus[name][axis][value]["others"] == []


def test_usual_models_have_the_usual_menus(page, menus):
    usual = [axis["name"] for axis in page["axes"] if axis["chip"]]
    for name in ("bahdanau", "luong-general-global", "luong-dot-local-m", "luong-general-global-en-fr"):
        assert list(menus[name]) == usual
    assert list(menus["luong-base"]) == [axis for axis in usual if axis != "window"]
    assert list(menus["transformer"]) == [axis for axis in usual if axis != "feeding"]


def test_the_kinds_of_models_and_the_pairs_of_languages(models):
    kinds = {name: model["point"]["corpus"] for name, model in models.items()}
    everyday = {name for name, kind in kinds.items() if kind == "everyday"}  # remarks.js has these values
    assert everyday == {name for name in models if "everyday" in name or name.endswith("-zh-en")}
    assert {kind for name, kind in kinds.items() if name not in everyday} == {"captions"}
    assert all(model.get("joined", False) == name.endswith("-long") for name, model in models.items())
    assert {model["point"][PAIR] for model in models.values()} == {"-".join(pair) for pair in PAIRS}


def test_every_model_can_be_left(models, menus):
    """Models of German to English lead to the usual ones without the menu of models."""
    for name in models:
        assert enabled(menus, name)
        seen, ahead = {name}, [name]
        while ahead:
            steps = enabled(menus, ahead.pop())
            new = {one["to"] for (axis, _value), one in steps.items() if axis != PAIR} - seen
            seen |= new
            ahead += new
        assert models[name]["point"][PAIR] != "de-en" or {"bahdanau", "luong-general-global"} <= seen, name


def test_languages_there_and_back(models, menus):
    def to(name: str, pair: str) -> str:
        assert menus[name][PAIR][pair]["others"] == []
        return menus[name][PAIR][pair]["to"]

    for name, model in models.items():
        own = model["point"][PAIR]
        for pair in menus[name][PAIR]:
            there = to(name, pair)
            back = to(there, own)
            assert to(back, pair) == there, (name, pair)
    for name in ("bahdanau", "luong-general-global", "luong-general-local-p"):
        for pair in ("en-de", "en-fr"):
            assert (to(name, pair), to(f"{name}-{pair}", "de-en")) == (f"{name}-{pair}", name)
            assert menus[name][PAIR][pair]["note"] == []
    assert menus["luong-dot-local-m"][PAIR]["en-fr"] == {
        "to": "luong-general-global-en-fr",
        "others": [],
        "note": ["score", "window"],
    }
