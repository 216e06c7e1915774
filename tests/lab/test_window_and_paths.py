"""The Window lab, Heads and Paths pages: the data that the dashboard sends to their stages."""

import pytest

from app.lab.kit.records import trace_record
from app.lab.kit.sentences import REORDERED
from app.lab.window.data import reach
from app.service import catalogue
from attn_core.attention.settings import GAUSSIANS
from attn_core.data.captions import captions
from tests.browser import traces
from tests.lab import stages
from tests.lab.apptest import sent, visit

LOCAL_P = "luong-general-local-p"
STAGES = {"window": "lab_window", "heads": "lab_heads", "paths": "lab_paths"}


@pytest.mark.parametrize("page", STAGES)
def test_a_page_offers_sentences_and_the_models_that_it_can_show(page):
    live = sent(visit(f"app.lab.{page}.page"), STAGES[page])["live"]
    reordered = [] if page == "heads" else [pair.de for pair in REORDERED]
    assert live["sentences"] == [*reordered, *(one.de for one in captions())]
    assert live["needed"] == ({} if page == "heads" else {pair.de: pair.needed for pair in REORDERED})
    for choice in live["choices"]:
        assert choice["first"] in choice["models"]
        assert "fixed-vector" not in choice["models"]
        for name in choice["models"]:
            assert catalogue.catalogue()[0][name].languages == (live["language"], "en") == ("de", "en")
            assert live["addresses"][name]["record"].startswith(f"/model/{name}/")
    orders = {choice["name"]: choice["models"] for choice in live["choices"]}
    if page == "paths":
        assert "bahdanau" in orders["paths_bahdanau"]
        assert "bahdanau" not in orders["paths_luong"]


def test_corpus_offers_the_models_of_every_pair_that_it_has_sentences_for():
    data = sent(visit("app.lab.corpus.page"), "lab_corpus")
    offered = {catalogue.catalogue()[0][name].languages for name in data["live"]["choices"][0]["models"]}
    assert offered == {tuple(pair.split("-")) for pair in data["pairs"]}


def test_the_window_lab_has_every_treatment_of_the_gaussian():
    assert sent(visit("app.lab.window.page"), "lab_window")["modes"] == list(GAUSSIANS)


@pytest.mark.slow
@pytest.mark.usefixtures("untrained")
def test_a_model_that_is_not_exported_is_not_offered():
    live = sent(visit("app.lab.window.page"), "lab_window")["live"]
    assert [choice["models"] for choice in live["choices"]] == [[]]
    assert live["addresses"] == {}


@pytest.mark.quick(1)
@pytest.mark.usefixtures("untrained")
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
        assert all(len(step["top"]) == 3 for step in run_of["trace"]["steps"])


def test_the_sentences_are_our_own_and_none_is_an_example_twice():
    texts = [pair.de for pair in REORDERED]
    assert len({*texts, *(caption.de for caption in captions())}) == len(texts) + len(captions())


def test_pieces_of_words_come_without_their_marks():
    trace = traces.make(words=(["▁ein", "▁schnee", "mann"], ["▁a", "man", "</s>"]))
    record = trace_record(trace)
    assert (record["source"], record["target"]) == (["ein", "schnee", "·mann"], ["a", "·man", "</s>"])
    assert [step["token"] for step in record["steps"]] == record["target"]
    assert not any("▁" in token for step in record["steps"] for token, _ in step["top"])
    assert [step["looks"] for step in record["steps"]] == [step["looks"] for step in stages.raw(trace)["steps"]]
