"""The Explorer without a browser: links, the choice of a model, and messages about a sentence."""

import weakref
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.service import cache, catalogue, first
from app.service.answer import MOST_WORDS, refused
from app.service.catalogue import AXES, Shipped, choices, moved, nearest
from app.service.decode import _odd, made
from app.service.view import AS_TRAINED, BEAMS, View, Window, fitting, read, write
from app.shell.markdown import escaped
from attn_core import dump, load, translate
from attn_core.data import language as words
from attn_core.data.captions import captions
from attn_core.data.tokenizer import Tokenizer
from attn_core.models import folders
from attn_core.models.config import ModelConfig
from attn_core.models.translator import Translator
from tests.helpers.shipped import MODELS, rewritten, ship

ROOT = Path(__file__).parents[2]
EXAMPLE = first.example()
LOCAL_P = "luong-general-local-p"
pytestmark = pytest.mark.usefixtures("models")


def asked(text: str, **how) -> View:
    """The settings of a loaded model that the page uses."""
    return View(text, LOCAL_P, **how)


# Choosing a model.


def test_the_catalogue_reads_every_model_and_its_scores(models):
    assert sorted(models) == sorted(MODELS)
    assert models[LOCAL_P].scores == {"bleu": 12.34, "perplexity": 5.678}
    assert models[LOCAL_P].measured_on == "synthetic, a beam of 5"
    assert models["fixed-vector"].point == {
        "score": "none", "window": None, "order": None, "feeding": None, "size": "14"
    }  # fmt: skip


def test_only_values_that_a_model_has_are_offered(models):
    offered = {axis.name: choices(models, axis) for axis in AXES}
    assert offered == {
        "score": ["additive", "dot", "scaled_dot", "general", "none"],
        "window": ["global", "local-m", "local-p"],
        "order": ["attend-then-update", "update-then-attend", "transformer"],
        "feeding": ["no"],
        "size": ["14", "22"],
    }


@pytest.mark.parametrize(
    ("model", "axis", "value", "leads_to"),
    [
        (LOCAL_P, "window", "local-m", "luong-general-local-m"),
        (LOCAL_P, "score", "dot", "luong-dot-global"),
        (LOCAL_P, "score", "additive", "bahdanau"),
        (LOCAL_P, "order", "attend-then-update", "bahdanau"),
        (LOCAL_P, "score", "none", "fixed-vector"),
        (LOCAL_P, "order", "transformer", "transformer"),
        ("transformer", "order", "attend-then-update", "bahdanau"),
        ("fixed-vector", "score", "general", "luong-general-global"),
        ("luong-dot-global", "window", "local-p", LOCAL_P),
        (LOCAL_P, "size", "22", "luong-large"),
        ("luong-large", "window", "local-m", "luong-general-local-m"),
    ],
)
def test_a_choice_leads_to_the_nearest_model(models, model, axis, value, leads_to):
    assert nearest(models, models[model].point | {axis: value}, axis).name == leads_to


def test_nearest_honours_the_choice_and_moves_as_few_axes_as_any_model_would(models):
    for before in models.values():
        for axis in AXES:
            for value in choices(models, axis):
                after = nearest(models, before.point | {axis.name: value}, axis.name)
                assert after.point[axis.name] == value
                fitting_ones = [model for model in models.values() if model.point[axis.name] == value]
                fewest = min(len(moved(before, model, axis.name)) for model in fitting_ones)
                assert len(moved(before, after, axis.name)) == fewest
        assert nearest(models, before.point, "score").point == before.point


def test_a_damaged_config_is_named_and_the_others_stay(tmp_path, monkeypatch):
    ship(tmp_path, "luong-general-global", "bahdanau")
    (tmp_path / "bahdanau" / "config.json").write_text("{}", "utf-8")
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    found, broken = catalogue.catalogue()
    assert list(found) == ["luong-general-global"]
    assert len(broken) == 1
    assert "bahdanau" in broken[0]


def test_what_a_config_leaves_out_is_as_in_python(tmp_path, monkeypatch):
    ship(tmp_path, "luong-general-global")
    for part, name in (("attention", "score"), ("attention", "window"), ("decoder", "feeding")):  # the defaults
        rewritten(tmp_path / "luong-general-global", lambda record, p=part, name=name: record["model"][p].pop(name))
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    found, broken = catalogue.catalogue()
    assert broken == []
    point = {"score": "general", "window": "global", "order": "update-then-attend", "feeding": "no", "size": "14"}
    assert found["luong-general-global"].point == point
    assert found["luong-general-global"].config == load(tmp_path / "luong-general-global").config


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [("decoder", "hidden", "many"), ("attention", "score", 3), ("decoder", "update", None), ("decoder", "name", ["x"])],
)
def test_a_field_of_another_type_is_named(tmp_path, monkeypatch, part, name, value):
    ship(tmp_path, "bahdanau")
    rewritten(tmp_path / "bahdanau", lambda record: record["model"][part].update({name: value}))
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    found, broken = catalogue.catalogue()
    assert not found
    assert repr(value) in broken[0]
    assert (part if name == "name" else name) in broken[0].replace("unknown order", "decoder")


def test_models_are_looked_for_in_one_place(tmp_path, monkeypatch):
    ship(tmp_path, "bahdanau")
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    assert folders.shipped() == ["bahdanau"]
    assert folders.find("bahdanau") == tmp_path / "bahdanau" == catalogue.catalogue()[0]["bahdanau"].folder


# Links.

VIEWS = some.builds(
    View,
    text=some.text(max_size=30),
    model=some.just(LOCAL_P),
    beam=some.sampled_from(BEAMS),
    replace_unk=some.booleans(),
    window=some.builds(
        Window,
        window=some.sampled_from([None, "local-m", "local-p"]),
        half_width=some.none() | some.integers(0, 60),
        sigma=some.none() | some.integers(1, 240).map(lambda quarter: quarter / 4),
    ),
    step=some.just(0),
    attention_type=some.sampled_from([None, "hard-argmax"]),
    draw=some.integers(0, 999),
)


@given(view=VIEWS)
def test_a_link_reopens_the_same_view(view):
    models = {LOCAL_P: Shipped(LOCAL_P, Path(), ModelConfig.of(window="local-p", half_width=2), {}, "")}
    query = dict(parse_qsl(write(view), keep_blank_values=True, errors="surrogatepass"))
    assert read(query, models, "another text") == (view, [])


@pytest.mark.parametrize("query", [{"step": "5"}, {"v": "2", "step": "4"}])
def test_a_link_opens_the_same_step_with_a_version_and_without_one(models, query):
    view, notices = read(query, models, EXAMPLE)
    assert (view.step, notices) == (4, [])


def test_a_link_with_older_names_is_read(models):
    view, notices = read({"read": "hard-argmax"}, models, EXAMPLE)
    assert (view.attention_type, notices) == ("hard-argmax", [])
    assert dict(parse_qsl(write(view)))["attention_type"] == "hard-argmax"


def test_an_empty_link_is_the_first_example(models):
    assert read({}, models, EXAMPLE) == (View(EXAMPLE, LOCAL_P), [])


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"model": "gpt"}, "There is no model “gpt”"),
        ({"beam": "4"}, "beam in the link must be one of 1, 2, 3, 5, 8, 12"),
        ({"beam": "many"}, "not “many”"),
        ({"D": "-1"}, "D in the link must be a whole number from 0 to 60"),
        ({"D": "2.5"}, "D in the link"),
        ({"sigma": "0"}, "sigma in the link must be a number above 0"),
        ({"sigma": "nan"}, "sigma in the link"),
        ({"sigma": "inf"}, "sigma in the link"),
        ({"step": "-3"}, "step in the link"),
        ({"step": "0"}, "step in the link must be a whole number from 1"),  # as links without a version count
        ({"v": "2", "step": "-1"}, "step in the link must be a whole number from 0"),
        ({"step": "9" * 5000}, "step in the link"),
        ({"unk": "keep"}, "unk in the link"),
        ({"window": "round"}, "window in the link must be one of global, local-m, local-p"),
        ({"model": "luong-general-global", "D": "2"}, "a global window has no half-width and no sigma"),
        ({"model": "luong-general-global", "window": "local-p"}, "was not trained to predict p_t"),
        ({"model": "fixed-vector", "D": "2"}, "has no attention"),
        ({"model": "transformer", "window": "local-m"}, "heads attend to all words"),
        ({"model": "fixed-vector", "attention_type": "hard-argmax"}, "has no attention, so there is no attention type"),
        ({"model": "transformer", "attention_type": "hard-argmax"}, "has soft attention in every head"),
        (
            {"attention_type": "half"},
            "attention_type in the link must be one of soft, hard-argmax, hard-sample, not “half”",
        ),
        ({"attention_type": "hard-sample"}, "Sampling needs weights that sum to 1"),
        (
            {"model": "transformer", "look": "1.9"},
            "look in the link must be a layer and a head of transformer, from 1.1",
        ),
        ({"look": "1.1"}, "has a single head"),
        ({"draw": "-1"}, "draw in the link must be a whole number from 0 to 999"),
    ],
)
def test_what_a_link_cannot_mean_is_said_and_left_out(models, query, said):
    view, notices = read(query, models, EXAMPLE)
    assert len(notices) == 1
    assert said in notices[0]
    assert replace(view, model=LOCAL_P) == View(EXAMPLE, LOCAL_P)


@pytest.mark.quick(24)
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("window", [None, "global", "local-m", "local-p"])
@pytest.mark.parametrize("half_width", [None, 0, 60])
@pytest.mark.parametrize("sigma", [None, 0.25])
def test_a_window_that_fits_is_one_that_the_model_takes(models, name, window, half_width, sigma):
    wanted = Window(window, half_width, sigma)
    fits, reason = fitting(wanted, models[name])
    model = load(models[name].folder)
    if reason:
        assert fits == AS_TRAINED
        with pytest.raises(ValueError):
            model.with_window(window, half_width, sigma)
    else:
        assert fits == wanted
        model.with_window(window, half_width, sigma)


# Sentences.


@pytest.fixture
def model(models):
    return load(models[LOCAL_P].folder)


def test_our_german_is_taken_for_german_and_our_english_for_english(model):
    for pair in captions():
        german, english = (words.read(t, model.source, model.target) for t in (pair.de_tokens, pair.en_tokens))
        assert (german.swapped, german.unknown) == (False, ()), pair.de
        assert english.swapped, pair.en


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There is no sentence yet"),
        (" \n\t", "There is no sentence yet"),
        ("x" * 1001, "1,001 characters"),
        (" ".join(["hund"] * 61), "has 61 words (punctuation counts); the limit is 60"),
        ("?!", "punctuation but no words"),
        ("\u200b", "contains no words"),
    ],
)
def test_what_cannot_be_translated_is_explained(model, text, said):
    found = refused(text)
    if not found:
        answer = made(model, asked(text))
        assert not answer.trace
        found = answer.problem
    assert said in found


def test_a_sentence_of_the_greatest_length_is_translated(model):
    assert made(model, asked(" ".join(["hund"] * 60))).trace


def test_words_are_counted_and_not_their_pieces():
    pieces = Tokenizer.train(["ein hund läuft", "ein hund"], "de", "bpe", min_frequency=1, size=22)
    sizes = {"embedding": 8, "encoder_hidden": 4, "hidden": 8, "attentional": 8}
    model = Translator(ModelConfig.of(**sizes), pieces, pieces.speaking("en")).eval()
    line = " ".join(["hundläuft"] * 31)
    assert len(pieces.tokens(line)) > MOST_WORDS
    answer = made(model, asked(line), max_length=4)
    assert answer.trace, answer.problem
    assert "61 words" in made(model, asked(" ".join(["hundläuft"] * 61))).problem
    reading = words.read(["ein", "hundläuft", "quxhund", "."], pieces, pieces)
    assert (reading.known, reading.unknown) == (("ein", "hundläuft"), ("quxhund",))
    assert "cut off after 2 word pieces" in _odd("ein hund", ("▁a", "dog"))
    assert "cut off after 2 words" in _odd("ein hund", ("a", "dog"))


def test_another_language_is_pointed_out_and_translated_all_the_same(model):
    english = made(model, asked("An old woman is selling flowers at the market."))
    assert english.problem == "This looks like English. The model translates German into English, so expect nonsense."
    mostly = made(model, asked("der blimblam quxquax"))
    outside = "words are outside the vocabulary that the model learned from photo captions: “blimblam”, “quxquax”."
    assert f"2 of 3 {outside}" in mostly.problem
    nothing = made(model, asked("Blimblam Quxquax"))
    assert f"2 of 2 {outside}" in nothing.problem
    assert nothing.trace, "a sentence of unknown words is translated too"
    assert english.trace
    assert mostly.trace


def test_the_answer_is_what_the_model_computes(model):
    found = made(model, asked("Ein Hund & ein Blimblam", beam=3, window=Window(half_width=1)))
    assert found.trace == dump(translate(model, "Ein Hund & ein Blimblam", beam=3, half_width=1))
    assert found.unknown == ("&", "blimblam")[1:]
    assert found.problem == ""


def test_words_are_shown_as_people_write_them():
    assert words.named(["a", "a", "b"]) == "“a”, “b”"
    assert words.named(list("abcd"), most=2) == "“a”, “b” and 2 more"
    assert escaped("<unk> *a* [b](c)") == r"\<unk\> \*a\* \[b\]\(c\)"


def test_what_was_garbage_before_a_model_was_loaded_is_freed(folder):
    class Ring:
        pass

    for name in ("bahdanau", "luong-dot-global"):
        ring = Ring()
        ring.itself, seen = ring, weakref.ref(ring)
        del ring
        cache.load(str(folder / name), f"garbage before {name}")
        assert seen() is None
