"""The Window lab and the Paths page: data sent to the browser, and messages when a model is missing."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from streamlit.testing.v1 import AppTest

from app.lab.kit.records import wire
from app.lab.kit.sentences import REORDERED, first_step
from app.lab.paths.pairs import partners
from app.lab.window.page import reach
from app.service import first
from app.shell.markdown import escaped
from attn_core import load, translate
from attn_core.attention.settings import GAUSSIANS
from attn_core.data.captions import captions
from attn_core.trace import Trace, dump
from tests.helpers.serving import ROOT
from tests.helpers.shipped import ship
from tests.lab.apptest import run, sent, visit
from tests.web import traces

LOCAL_P = "luong-general-local-p"
FIRST = REORDERED[0].de


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return ship(tmp_path_factory.mktemp("pretrained"))


@pytest.fixture(autouse=True)
def models(folder, monkeypatch) -> None:
    monkeypatch.setenv("ATTN_PRETRAINED", str(folder))


def test_the_window_is_moved_over_what_the_model_recorded(folder):
    app = visit("app.lab.window.page")
    data = sent(app, "window_lab")
    model = load(folder / LOCAL_P)
    with torch.inference_mode():
        trace = translate(model, FIRST)
    assert data["trace"]["source"] == list(trace.source)
    assert data["trace"]["model"] == LOCAL_P
    assert data["modes"] == list(GAUSSIANS)
    for step, word in zip(data["trace"]["steps"], trace.words, strict=True):
        assert step["looks"][0]["scores"] == pytest.approx(word.step.looks[0].scores.tolist(), abs=1e-5)
        weights = word.step.looks[0].weights
        square = weights @ torch.tensor(data["gram"]) @ weights
        assert square.sqrt().item() == pytest.approx(word.step.looks[0].context.norm().item(), rel=1e-3)


@pytest.mark.slow
def test_sentence_and_model_come_from_the_link_and_can_be_typed():
    app = visit("app.lab.window.page", window_text=captions()[3].de, window_model="bahdanau")
    data = sent(app, "window_lab")
    assert data["trace"]["model"] == "bahdanau"
    assert data["trace"]["settings"]["window"] == "global"
    assert app.selectbox(key="window_text").value == captions()[3].de
    app = visit("app.lab.window.page", window_text="Ein Hund sitzt.")  # a typed sentence, not an example
    assert sent(app, "window_lab")["trace"]["source"] == ["ein", "hund", "sitzt", "."]
    app = visit("app.lab.window.page", text="Ein Hund sitzt.")  # as in the Explorer's links
    assert sent(app, "window_lab")["trace"]["source"] == ["ein", "hund", "sitzt", "."]
    assert sent(app, "window_lab")["address"] == {"window_text": "Ein Hund sitzt."}
    app = visit("app.lab.window.page", text="Ein Hund sitzt.", window_text=captions()[3].de)
    assert app.selectbox(key="window_text").value == captions()[3].de


def test_only_models_that_look_are_offered():
    assert "fixed-vector" not in visit("app.lab.window.page").selectbox(key="window_model").options
    app = visit("app.lab.paths.page")
    assert app.selectbox(key="paths_bahdanau").options == ["bahdanau"]
    assert "bahdanau" not in app.selectbox(key="paths_luong").options


@pytest.mark.parametrize("page", ["window", "paths"])
def test_a_sentence_that_cannot_be_read_is_answered_in_words(page):
    app = visit(f"app.lab.{page}.page", **{f"{page}_text": "?! ..."})
    assert any("punctuation but no words" in info.value for info in app.info)
    assert sent(app, f"{page.removesuffix('s')}_lab") is None


@pytest.mark.quick(1)
@pytest.mark.parametrize("pair", REORDERED, ids=range(len(REORDERED)))
def test_the_same_sentence_is_said_by_all_three_windows(pair):
    data = reach(pair)
    assert [run["label"] for run in data["runs"]] == ["local-m", "local-p", "global"]
    assert data["source"][data["needed"]["source"]] == pair.needed
    assert data["target"][data["needed"]["target"]] == pair.word
    assert data["source"].count(pair.needed) == data["target"].count(pair.word) == 1
    for run_of in data["runs"]:
        assert run_of["trace"]["target"] == data["target"]
        assert run_of["trace"]["settings"]["window"] == run_of["label"]


def test_without_a_model_the_page_says_what_is_missing(tmp_path, monkeypatch):
    ship(tmp_path, "bahdanau")
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    app = visit("app.lab.window.page")
    assert any(escaped("luong-general-local-m is not in pretrained") in info.value for info in app.info)
    assert sent(app, "window_lab")["trace"]["model"] == "bahdanau"
    app = visit("app.lab.paths.page")
    assert any("update-then-attend" in info.value for info in app.info)
    assert [path["model"] for path in sent(app, "path_lab")["paths"]] == ["bahdanau"]


def test_the_paths_hold_the_numbers_of_both_models(folder):
    paths = sent(visit("app.lab.paths.page"), "path_lab")["paths"]
    assert [(path["order"], path["model"]) for path in paths] == [
        ("attend-then-update", "bahdanau"),
        ("update-then-attend", LOCAL_P),
    ]
    for path in paths:
        model = load(folder / path["model"])
        with torch.inference_mode():
            trace = translate(model, FIRST)
        shapes = {node["id"]: node["shape"] for node in path["nodes"]}
        assert shapes["memory"] == list(trace.memory.states.shape)
        assert shapes["output"] == [len(model.target)]
        assert [step["token"] for step in path["steps"]] == list(trace.target)
        for step, word in zip(path["steps"], trace.words, strict=True):
            found = step["values"]
            assert found["context"] == pytest.approx(word.step.looks[0].context.tolist(), rel=1e-3, abs=1e-5)
            assert found["readout"] == pytest.approx(word.step.attentional.tolist(), rel=1e-3, abs=1e-5)
            assert [len(found["weights"])] == shapes["weights"] == [len(trace.source)]


def test_a_step_of_one_path_has_its_partner_in_the_other():
    """The step with the largest weight on the same source word, also with other numbers and subwords."""
    words = traces.make(words=(["ein", "schneemann", "läuft"], ["a", "man", "runs", "</s>"]))
    pieces = traces.make(words=(["▁ein", "▁schnee", "mann", "▁läuft", "</s>"], ["▁x", "▁y", "▁z"]))
    own = [(0.1, 0.2, 0.7), (0.8, 0.1, 0.1), (0, 0, 0), (0, 1, 0)]
    other = [(0.5, 0.1, 0.1, 0.1, 0.2), (0.0, 0.2, 0.3, 0.5, 0.0), (0.1, 0.3, 0.1, 0.4, 0.9)]
    words, pieces = weighed(words, own), weighed(pieces, other)
    steps = [{"word": "läuft", "step": 1}, {"word": "ein", "step": 0}, None]
    assert partners(words, pieces) == [*steps, {"word": "schneemann", "step": 1}]
    steps = [{"word": "ein", "step": 1}, {"word": "schneemann", "step": 3}, {"word": "</s>", "step": None}]
    assert partners(pieces, words) == steps
    data = sent(visit("app.lab.paths.page"), "path_lab")
    assert [len(pairs) for pairs in data["pairs"]] == [len(path["steps"]) for path in data["paths"]]


def weighed(trace: Trace, rows: list[tuple[float, ...]]) -> Trace:
    """The trace with other attention weights."""
    words = []
    for word, row in zip(trace.words, rows, strict=True):
        look = replace(word.step.looks[0], weights=torch.tensor([float(weight) for weight in row]))
        words.append(replace(word, step=replace(word.step, looks=(look,))))
    return replace(trace, words=tuple(words))


@pytest.mark.slow
def test_a_sentence_is_carried_from_page_to_page():
    app = AppTest.from_file(str(ROOT / "app" / "dashboard.py"), default_timeout=120)
    run(app)
    pages = {"window": "app.lab.window.page", "paths": "app.lab.paths.page", "heads": "app.lab.heads.page"}
    opened = {name: visit(module).selectbox(key=f"{name}_text").value for name, module in pages.items()}
    assert first.example() not in (opened["window"], opened["paths"])  # a sentence that was not typed is not passed on
    app.text_input(key="text_0").set_value("Ein Hund springt.").run()
    for name, module in pages.items():
        other = AppTest.from_string(f"import {module} as module; module.page()", default_timeout=120)
        other.session_state["said"] = app.session_state["said"]
        assert run(other).selectbox(key=f"{name}_text").value == "Ein Hund springt."
    other.selectbox(key="heads_text").set_value(captions()[1].de)
    assert run(other).session_state["said"] == {"de": captions()[1].de}
    assert sent(other, "head_lab")["address"] == {"heads_text": captions()[1].de}
    linked = visit("app.lab.paths.page", paths_text=captions()[2].de)
    assert linked.session_state["said"] == {"de": captions()[2].de}


def test_as_printed_there_are_shapes_and_no_numbers():
    app = visit("app.lab.paths.page")
    app.segmented_control(key="paths_update").set_value("paper")
    bahdanau, luong = sent(run(app), "path_lab")["paths"]
    assert ["next", "readout"] in bahdanau["edges"]
    assert bahdanau["bare"]
    assert not any(step["values"] for step in bahdanau["steps"])
    assert not luong["bare"]
    assert all(step["values"] for step in luong["steps"])
    linked = visit("app.lab.paths.page", paths_update="paper")
    assert sent(linked, "path_lab")["paths"] == [bahdanau, luong]


def test_the_sentences_are_our_own_and_none_is_an_example_twice():
    texts = [pair.de for pair in REORDERED]
    assert len({*texts, *(caption.de for caption in captions())}) == len(texts) + len(captions())


def test_a_page_opens_at_the_step_that_needs_the_word_at_the_end(monkeypatch):
    """For the shipped models."""
    monkeypatch.delenv("ATTN_PRETRAINED")
    for name, word in (("bahdanau", "repair"), ("luong-general-local-p", "fix")):
        trace = translate(load(name), FIRST)
        assert trace.target[first_step(FIRST, trace)] == word
    assert first_step("Ein Hund sitzt.", trace) == 0


def test_pieces_of_words_come_without_their_marks():
    trace = traces.make(words=(["▁ein", "▁schnee", "mann"], ["▁a", "man", "</s>"]))
    record = wire(trace)
    assert (record["source"], record["target"]) == (["ein", "schnee", "·mann"], ["a", "·man", "</s>"])
    assert [step["token"] for step in record["steps"]] == record["target"]
    assert not any("▁" in token for step in record["steps"] for token, _ in step["top"])
    assert [step["looks"] for step in record["steps"]] == [step["looks"] for step in json.loads(dump(trace))["steps"]]
