"""The study of starts: its queue, its measures of attention, and a training from one line."""

import json

import pytest
import torch

from attn_core.data.corpus import Pairs
from attn_core.data.toy_tasks import TASKS
from tests.benchmarks import starts
from tests.helpers.support import tiny

SIZES = "embedding=8 encoder_hidden=4 hidden=8 attentional=8 vocabulary=50 batch=16 warmup=2 epochs=2"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for seed, part in enumerate(starts.PARTS):
        examples = TASKS["reverse"]().sample(60, seed=seed)
        for lang, name in (("de", "source"), ("en", "target")):
            text = "".join(" ".join(getattr(example, name)) + "\n" for example in examples)
            (folder / f"{part}.{lang}").write_text(text, "utf-8")
    return folder


def test_a_queue_goes_on_with_the_lines_that_lack_results(tmp_path):
    queue, out = tmp_path / "queue.txt", tmp_path / "out.jsonl"
    queue.write_text("bahdanau  epochs=2\n\nbahdanau epochs=3\n", "utf-8")
    assert starts.left(queue, out) == ["bahdanau epochs=2", "bahdanau epochs=3"]
    out.write_text(json.dumps({"line": "bahdanau epochs=2"}) + "\n", "utf-8")
    assert starts.left(queue, out) == ["bahdanau epochs=3"]


def test_every_line_that_has_results_is_in_the_queue():
    lines = {" ".join(line.split()) for line in starts.QUEUE.read_text("utf-8").splitlines()}
    assert {record["line"] for record in starts.finished(starts.OUT)} <= lines


def test_attention_that_ignores_the_target_is_flat_and_does_not_move():
    """With W_a = 0 all scores are 0: weights of 1/4 and 1/2, the maximum of the entropy."""
    model = tiny(score="general").eval()
    torch.nn.init.zeros_(model.decoder.attention.score.W_a.weight)
    four = starts.attention_measures(model, Pairs([[4, 5, 6, 7]], [[5, 6]]))
    assert four == pytest.approx({"flatness": 1.0, "first": 0.25, "last": 0.25, "moves": 0.0}, abs=1e-4)
    both = starts.attention_measures(model, Pairs([[4, 5, 6, 7], [4, 5]], [[5, 6], [5]]))
    assert both["last"] == pytest.approx((3 * 0.25 + 2 * 0.5) / 5, abs=1e-4), "a mean over words, padding left out"
    assert starts.attention_measures(tiny(score=None).eval(), Pairs([[4, 5]], [[5]])) == {}


@pytest.mark.slow
def test_a_line_is_trained_with_its_changes_and_stops_where_it_says(data, tmp_path):
    out = tmp_path / "out.jsonl"
    for extra in ("", "stop=3", "@embed-1"):
        starts.trial(f"luong-general-global init=glorot {SIZES} {extra}".strip(), data, out)
    whole, short, changed = (record["rows"] for record in starts.finished(out))
    assert [row["updates"] for row in whole] == [4, 8]
    assert all(row["bleu"] >= 0 for row in whole)
    assert short == []
    assert whole[0]["words"] == changed[0]["words"]
    assert whole[0]["loss"] < changed[0]["loss"], "larger embeddings, larger logits"


@pytest.mark.slow
def test_a_slow_score_learns_at_its_own_rate(data, tmp_path, monkeypatch):
    """Adam's first step has the size of the rate."""
    moved = {}

    def stop(self, event):
        for name, parameter in self.task.model.named_parameters():
            if name in begun:
                moved[name] = (parameter - begun[name]).abs().max().item()
        raise starts.Stop

    begun = {}
    monkeypatch.setattr(starts.Diary, "__call__", stop)
    keep = lambda model: begun.update({name: value.detach().clone() for name, value in model.named_parameters()})  # noqa: E731
    monkeypatch.setitem(starts.CHANGES, "keep", keep)
    line = f"luong-general-global {SIZES} rate=0.01 warmup=0 schedule=constant @{starts.SLOW_SCORE} @keep"
    starts.trial(line.replace("warmup=2 ", ""), data, tmp_path / "out.jsonl")
    assert moved["decoder.W_c.weight"] == pytest.approx(0.01, rel=0.01)
    assert moved["decoder.attention.score.W_a.weight"] == pytest.approx(0.0003, rel=0.01)


def test_dropped_words_have_no_embedding_in_training_only():
    model = tiny()
    starts.drop_words(0.5, "encoder")(model)
    words = torch.full((1, 1000), 4)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        dropped = (model.train().encoder.embed(words) == 0).all(-1)
    assert 400 < dropped.sum() < 600
    assert not (model.eval().encoder.embed(words) == 0).all(-1).any()
    assert not (model.train().decoder.embed(words) == 0).all(-1).any()
