"""The Explorer without a browser: the models, the data of the page, and what the server translates."""

import gc
import json
import weakref
from dataclasses import replace
from functools import reduce
from operator import getitem
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from app.explorer.record import group, lowest, record
from app.explorer.setup_words import WORDS, setting_in_words
from app.service import cache, catalogue, decode, first
from app.service.catalogue import AXES, Shipped, choices, varying
from app.service.decode import translate_request
from app.service.request import Request
from attn_core import dump, load, translate
from attn_core.browser.limits import MOST_PIECES, MOST_WORDS
from attn_core.data import language as words
from attn_core.data.captions import captions
from attn_core.data.tokenizer import Tokenizer
from attn_core.models import folders
from attn_core.models.config import ModelConfig
from attn_core.models.translator import Translator
from tests.helpers.shipped import MODELS, rewritten, ship
from tests.helpers.terminal import SMALL
from tests.helpers.trainings import training

ROOT = Path(__file__).parents[2]
EXAMPLE = first.TEXT
LOCAL_P = "luong-general-local-p"
GONE = object()
pytestmark = pytest.mark.usefixtures("models")


# The models.


def test_the_catalogue_reads_every_model_and_its_scores(models):
    assert sorted(models) == sorted(MODELS)
    assert models[LOCAL_P].scores == {"bleu": 12.34, "perplexity": 5.678}
    assert models[LOCAL_P].measured_on == "synthetic (beam 5)"
    point = {"score": "none", "window": None, "order": "attend-then-update", "feeding": "no", "size": "14"}
    point |= {"update": None, "heads": None, "normalizer": None, "corpus": None, "join": "1"}
    assert models["fixed-vector"].point == point


def test_only_values_that_a_model_has_are_offered(models):
    offered = {axis.name: choices(models, axis) for axis in AXES}
    assert offered == {
        "score": ["dot", "scaled_dot", "general", "additive", "none"],
        "window": ["global", "local-m", "local-p"],
        "order": ["attend-then-update", "update-then-attend", "transformer"],
        "feeding": ["no"],
        "size": ["14", "22"],
        "update": ["groundhog"],
        "heads": ["1", "2"],
        "normalizer": ["softmax"],
        "corpus": [],
        "join": ["1"],
    }


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("model",), GONE, "model"),
        *((("train",), recipe, "train must be a JSON object, not ") for recipe in (None, [], "fast")),
        *((("train", "join"), number, "join") for number in ("many", None)),
        (("model", "decoder", "hidden"), "many", "hidden"),
        (("model", "attention", "score"), 3, "score"),
        (("model", "decoder", "update"), None, "update"),
        (("model", "decoder", "name"), ["x"], "unknown order"),
    ],
)
def test_a_damaged_config_is_named_and_the_others_stay(tmp_path, monkeypatch, path, value, said):
    ship(tmp_path, "luong-general-global", "bahdanau")
    *way, last = path

    def damage(record: dict[str, Any]) -> None:
        reduce(getitem, way, record)[last] = value

    rewritten(tmp_path / "bahdanau", dict.clear if value is GONE else damage)
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    found, (line,) = catalogue.catalogue()
    assert list(found) == ["luong-general-global"]
    assert "bahdanau" in line
    assert said in line
    assert value is GONE or repr(value) in line


def test_a_number_in_quotation_marks_is_read_as_on_the_command_line(tmp_path, monkeypatch):
    ship(tmp_path, "bahdanau")
    rewritten(tmp_path / "bahdanau", lambda record: record["train"].update(join="4"))
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    assert catalogue.catalogue()[0]["bahdanau"].point["join"] == "4"


def test_what_a_config_leaves_out_is_as_in_python(tmp_path, monkeypatch):
    ship(tmp_path, "luong-general-global")
    for part, name in (("attention", "score"), ("attention", "window"), ("decoder", "feeding")):  # the defaults
        rewritten(tmp_path / "luong-general-global", lambda record, p=part, name=name: record["model"][p].pop(name))
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    found, broken = catalogue.catalogue()
    assert broken == []
    point = {"score": "general", "window": "global", "order": "update-then-attend", "feeding": "no", "size": "14"}
    assert point.items() <= found["luong-general-global"].point.items()
    assert found["luong-general-global"].config == load(tmp_path / "luong-general-global").config


def test_models_are_looked_for_in_one_place(tmp_path, monkeypatch):
    ship(tmp_path, "bahdanau")
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    assert folders.shipped() == ["bahdanau"]
    assert folders.find("bahdanau") == tmp_path / "bahdanau" == catalogue.catalogue()[0]["bahdanau"].folder


# Sentences.


@pytest.fixture
def model(models):
    return load(models[LOCAL_P].folder)


def test_our_german_is_taken_for_german_and_our_english_for_english(model):
    for pair in captions():
        german, english = (words.read(t, model.source, model.target) for t in (pair.de_tokens, pair.en_tokens))
        assert (german.swapped, german.unknown) == (False, ()), pair.de
        assert english.swapped, pair.en


@pytest.mark.parametrize("text", ["", " \n\t", " ".join(["hund"] * 61), "?!", "\u200b"])
def test_what_cannot_be_translated_has_no_trace(model, text):
    found = translate_request(model, Request(text))
    assert (found["trace"], found["text"], found["most"]) == (None, "", 60)
    assert found["words"] == len(model.source.moses(text).split())


def test_a_sentence_of_the_greatest_length_is_translated(model):
    assert translate_request(model, Request(" ".join(["hund"] * 60)))["trace"]


def test_words_are_counted_and_not_their_pieces():
    pieces = Tokenizer.train(["ein hund läuft", "ein hund"], "de", "bpe", min_frequency=1, size=22)
    model = Translator(ModelConfig.of(SMALL), pieces, pieces.speaking("en")).eval()
    line = " ".join(["hundläuft"] * 15)
    assert len(pieces.tokens(line)) > MOST_WORDS
    assert translate_request(model, Request(line), max_length=4)["trace"]
    assert translate_request(model, Request(" ".join(["hundläuft"] * 61)))["words"] == 61
    reading = words.read(["ein", "hundläuft", "quxhund", "."], pieces, pieces)
    assert (reading.known, reading.unknown) == (("ein", "hundläuft"), ("quxhund",))


def test_a_word_of_very_many_pieces_is_refused():
    """In a vocabulary of letters alone, a word has a piece for each letter and one for the mark of its start."""
    pieces = Tokenizer.train(["a b"], "de", "bpe")
    assert len(pieces.tokens("ab")) == 3  # the mark of a word's start, and two letters
    model = Translator(ModelConfig.of(SMALL), pieces, pieces.speaking("en")).eval()
    found = translate_request(model, Request("a" * MOST_PIECES), max_length=2)
    assert found["trace"] is None
    assert (found["words"], found["most"], found["unit"]) == (MOST_PIECES + 1, MOST_PIECES, "pieces")
    found = translate_request(model, Request("a" * (MOST_PIECES - 1)), max_length=2)
    assert found["trace"]
    assert (found["words"], found["most"], found["unit"]) == (1, 60, "words")


def test_the_answer_is_what_the_model_computes(model):
    found = translate_request(model, Request("Ein Hund & ein Blimblam", beam=3, live=(("half_width", 1),)))
    assert found["trace"] == json.loads(dump(translate(model, "Ein Hund & ein Blimblam", beam=3, half_width=1)))
    assert found["reading"] == {"known": ("ein", "hund", "ein"), "unknown": ("blimblam",), "swapped": False}


def test_hard_attention_draws_the_same_again(models):
    model = load(models["luong-general-global"].folder)

    def weights(draw: int) -> list:
        trace = translate_request(model, Request(EXAMPLE, type="hard-sample", draw=draw))["trace"]
        return [step["looks"][0]["weights"] for step in trace["steps"]]

    assert weights(1) == weights(1) != weights(2)
    assert all(sorted(row)[-2:] == [0.0, 1.0] for row in weights(1))


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"text": "a", "beam": "many"},
        {"text": "a", "beam": 99},
        {"text": "a", "draw": -1},
        {"text": "a", "centers": [1]},
        {"text": "a", "centers": {"x": 1}},
    ],
)
def test_a_message_that_is_no_request_is_refused(message):
    with pytest.raises(ValueError, match=r"not a request|must be from"):
        Request.of(message)


def test_a_request_of_a_page_is_read():
    message = {"text": "a", "beam": 3, "replace_unk": True, "draw": 2, "type": "soft", "centers": {"2": 1.5}}
    message |= {"window": "local-m", "half_width": 1, "sigma": None}
    wanted = Request("a", 3, True, 2, "soft", "local-m", (("half_width", 1),), ((2, 1.5),))
    assert Request.of(message) == wanted
    assert Request.of({"text": "x" * 2000, "centers": None}) == Request("x" * 1000)


# The data of the page.


def test_the_page_has_every_model_its_axes_and_the_addresses_of_its_files(models):
    trace = translate_request(load(models[LOCAL_P].folder), Request(EXAMPLE))["trace"]
    data = record(models, {LOCAL_P: {"record": "r", "weights": "w"}}, trace)
    assert [one["name"] for one in data["models"]] == list(models)
    shared = data["shared"]
    found = {one["name"]: one for one in data["models"]}
    assert found[LOCAL_P]["files"] == {"record": "r", "weights": "w"}
    assert found["bahdanau"]["files"] is None
    assert found[LOCAL_P]["scores"] == "BLEU 12.3 · perplexity 5.7"
    assert "synthetic (beam 5)" in shared["measured"][found[LOCAL_P]["measured"]]
    assert shared["tested"][found[LOCAL_P]["tested"]] == "synthetic (beam 5)"
    groups = {name: shared["group"][one["group"]] for name, one in found.items()}
    assert (groups[LOCAL_P], groups["bahdanau"]) == ("update → attend", "attend → update")
    axes = {axis["name"]: [value for value, _word in axis["values"]] for axis in data["axes"]}
    assert list(axes) == ["score", "window", "order", "size", "heads"]  # input feeding is the same in all
    for model in data["models"]:
        point = dict(zip(data["points"], model["point"], strict=True))
        assert point == {"pair": "de-en"} | models[model["name"]].point
        assert all(point[name] in (None, *values) for name, values in axes.items())
    assert [axis["name"] for axis in data["axes"] if not axis["chip"]] == ["size", "heads"]
    differ = varying(models)
    for model in data["models"]:
        setup = models[model["name"]].setup
        values = zip(data["setups"], shared["setup"][model["setup"]], strict=True)
        shown = {name: value for name, value in values if value is not None}
        assert shown == {setting_in_words(name): str(setup[name]) for name in differ if name in setup}


def test_the_interval_of_bleu_is_shown_where_the_card_has_one(models, monkeypatch):
    monkeypatch.setitem(models[LOCAL_P].about["test"], "bleu_low", 11.04)
    monkeypatch.setitem(models[LOCAL_P].about["test"], "bleu_high", 13.96)
    data = record(models, {}, {})
    found = next(one for one in data["models"] if one["name"] == LOCAL_P)
    assert found["scores"] == "BLEU 12.3 (11.0 to 14.0) · perplexity 5.7"
    assert "95% interval of BLEU is in parentheses" in data["shared"]["measured"][found["measured"]]


def test_scores_on_further_test_sets_follow_with_their_form(models, monkeypatch):
    other = {"set": "another", "bleu": 9.87, "beam": 1, "tokenized": False, "signature": "case:lc|tok:13a"}
    monkeypatch.setitem(models[LOCAL_P].about["test"], "tokenized", True)
    monkeypatch.setitem(models[LOCAL_P].about["test"], "lowercased", True)
    monkeypatch.setitem(models[LOCAL_P].about, "more_tests", [other])
    data = record(models, {}, {})
    found = next(one for one in data["models"] if one["name"] == LOCAL_P)
    assert data["shared"]["tested"][found["tested"]] == "synthetic (tokenised, lower-cased; beam 5)"
    on_other = "on another (raw, 13a, ignoring case; greedy search): BLEU 9.9"
    assert found["scores"] == f"BLEU 12.3 · perplexity 5.7 · {on_other}"


def test_the_dashboard_links_to_the_trainings_that_it_can_show(models, folder, tmp_path, monkeypatch):
    (tmp_path / LOCAL_P).symlink_to(folder / LOCAL_P)
    for name in ("bahdanau", "fixed-vector"):  # the second has no attention to show
        training(copytree(folder / name, tmp_path / name))
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    assert record(catalogue.catalogue()[0], {}, {})["recorded"] == ["bahdanau"]
    assert record(catalogue.catalogue()[0], {}, {}, ".html")["recorded"] == []  # the site has no Training page


def test_every_setting_that_differs_between_shipped_models_has_a_name_in_words(monkeypatch):
    monkeypatch.delenv("ATTN_PRETRAINED", raising=False)
    models, _broken = catalogue.catalogue()  # those of pretrained/
    assert set(varying(models)) == WORDS.keys()
    assert len(set(WORDS.values())) == len(WORDS)
    assert setting_in_words("a.setting.of.ones.own") == "a.setting.of.ones.own"


def test_the_setup_of_the_models_has_what_the_axes_leave_out(models):
    names = varying(models)
    assert names
    assert not [name for name in names if name.startswith(catalogue.ON_AXES)]
    for name in names:
        assert len({str(model.setup[name]) for model in models.values() if name in model.setup}) > 1


def test_models_are_listed_under_the_order_of_their_step(monkeypatch):
    monkeypatch.delenv("ATTN_PRETRAINED", raising=False)
    models, _broken = catalogue.catalogue()
    headings = {
        "bahdanau": "attend → update",
        "luong-general-global": "update → attend",
        "luong-general-global-feed": "update → attend, with input feeding",
        "luong-general-global-long": "Trained on joined sentences",
        "fixed-vector": "No attention",
        "transformer": "Transformer",
    }
    assert {name: group(models[name]) for name in headings} == headings


def test_the_lowest_score_is_not_left_without_a_word(models):
    """Of the model that Luong's Table 4 has as its best, and where it is the lowest here; else there is nothing odd."""

    def scored(name: str, bleu: float, **more: Any) -> Shipped:
        return replace(models[name], about={"test": {"bleu": bleu, "mean_source_length": 12.1} | more})

    low = {name: scored(name, 40.0) for name in (LOCAL_P, "bahdanau")} | {LOCAL_P: scored(LOCAL_P, 39.0)}
    low["fixed-vector"] = scored("fixed-vector", 30.0)  # no attention
    said = "Lowest BLEU of the attention models on this test set (12 words per sentence on average)"
    assert lowest(low, low[LOCAL_P]).startswith(said)
    assert lowest(low, low["bahdanau"]) == ""
    high = low | {LOCAL_P: scored(LOCAL_P, 41.0)}
    assert [lowest(high, model) for model in high.values()] == [""] * 3
    alike = low | {LOCAL_P: scored(LOCAL_P, 40.0)}
    assert lowest(alike, alike[LOCAL_P]) == ""
    for other in ({"set": "news"}, {"beam": 5}):  # measured otherwise, so the numbers cannot be compared
        alone = low | {LOCAL_P: scored(LOCAL_P, 39.0, **other)}
        assert lowest(alone, alone[LOCAL_P]) == ""
        apart = low | {"luong-dot-global": scored("luong-dot-global", 38.0, **other)}
        assert lowest(apart, apart[LOCAL_P]).startswith(said)
    chinese = {name: replace(one, about=one.about | {"source_lang": "zh"}) for name, one in low.items()}
    assert "(12 characters per sentence on average)" in lowest(chinese, chinese[LOCAL_P])
    assert lowest(models, models[LOCAL_P]) == ""  # no scores


class Ring:
    """An object that only garbage collection frees."""

    def __init__(self) -> None:
        self.itself = self


def test_what_was_garbage_before_the_first_model_was_loaded_is_freed(folder):
    decode._freeze.cache_clear()
    seen = weakref.ref(Ring())
    cache.load(str(folder / "bahdanau"), "garbage before the first")
    assert seen() is None


def test_what_is_in_use_while_a_later_model_is_loaded_is_freed_afterwards(folder):
    cache.load(str(folder / "bahdanau"), "the first")
    ring = Ring()
    seen = weakref.ref(ring)
    cache.load(str(folder / "luong-dot-global"), "a later one")
    del ring
    gc.collect()
    assert seen() is None
