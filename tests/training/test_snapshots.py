"""Snapshots of a training: their updates, their numbers, and that they change nothing."""

import json
import math
from pathlib import Path

import pytest
import torch

from attn_core.data.tokenizer import Tokenizer
from attn_core.data.toy_tasks import TASKS
from attn_core.models.checkpoint import load
from attn_core.training import loop
from attn_core.training.loop import Interrupted
from attn_core.training.practice import practise, shown
from attn_core.training.snapshots import SENTENCES, Snapshots, own_sentences, spaced
from attn_core.training.snapshots_file import FILE, damaged
from tests.helpers.support import tiny
from tests.helpers.trainings import loss_collector

SMALL = {"embedding": 7, "attentional": 7, "decoder.hidden": 6, "encoder.hidden": 3, "dropout": 0.1}
SMALL |= {"epochs": 2, "batch": 16, "warmup": 2}


def written(folder: Path) -> dict:
    return json.loads((folder / FILE).read_text("utf-8"))


def train(out: Path, stop_at: int | None = None, resume: bool = False, preset: str = "bahdanau", **settings):
    """Train on 64 pairs, four updates in each epoch; returns the losses of the updates."""
    losses: list[float] = []
    on_event = loss_collector(losses, stop_at)
    practise("reverse", preset, out, examples=64, settings=SMALL | settings, resume=resume, on_event=on_event)
    return losses


def test_the_updates_of_snapshots_are_evenly_spaced_in_log_scale():
    assert spaced(1000, 4) == [1, 10, 100, 1000]
    assert spaced(16, 5) == [1, 2, 4, 8, 16]
    assert spaced(6, 5) == [1, 2, 3, 4, 6], "6 ** (k / 4) is 1, 1.6, 2.4, 3.8, 6, and 2 is taken when 2.4 is rounded"
    assert spaced(3, 24) == [1, 2, 3]
    assert spaced(7, 1) == [7]
    assert spaced(7, 0) == spaced(0, 5) == []
    for total in (24, 25, 100, 9060):
        found = spaced(total, 24)
        assert (len(set(found)), found[0], found[-1]) == (24, 1, total)
        assert found == sorted(found)


def test_a_loss_is_the_mean_per_word_since_the_entry_before(tmp_path):
    """Of 4 updates with 1 snapshot, losses are due at spaced(4, 8): all. Of 16 with 1: 16 ** (k / 7)."""
    record = Snapshots(tmp_path, [], 1, per_epoch=16, epochs=1)
    for update in range(1, 17):
        record.add(update, torch.tensor(2.0 * update), 4)
    assert [update for update, _ in record.losses] == [1, 2, 3, 4, 5, 7, 11, 16]
    assert record.losses[-1] == (16, 2 * (12 + 13 + 14 + 15 + 16) / 20)


@pytest.mark.slow
@pytest.mark.checked
def test_a_snapshot_has_the_weights_that_the_model_computes_step_by_step(tmp_path):
    """The last one is of the model that the run stored, in float16, as it has one epoch."""
    train(tmp_path, epochs=1, average=0.5)
    found, model = written(tmp_path), load(tmp_path)
    assert [one["update"] for one in found["snapshots"]] == [1, 2, 3, 4]
    for sentence, recorded in zip(found["sentences"], found["snapshots"][-1]["sentences"], strict=True):
        ids = torch.tensor([model.source.ids(sentence["source"])])
        mask = torch.ones_like(ids, dtype=torch.bool)
        memory, carry = model.encode(ids, mask)
        last = Tokenizer.bos
        for t, word in enumerate([*model.target.ids(sentence["target"][:-1]), Tokenizer.eos]):
            step, carry = model.step(torch.tensor([[last]]), carry, memory)
            assert step.looks[0].weights[0, 0].tolist() == pytest.approx(recorded["weights"][t], abs=2e-3)
            log_prob = model.log_probs(step.attentional)[0, 0, word].item()
            assert log_prob == pytest.approx(recorded["log_probs"][t], abs=1e-2)
            last = word
        assert recorded["centers"] is None
        assert len(recorded["weights"]) == len(sentence["target"])
    assert [len(one["source"]) for one in found["sentences"]] == [4, 6, 8, 10]
    assert damaged(found) is None
    found["snapshots"][0]["sentences"][1]["weights"].pop()
    assert damaged(found) == "the weights of update 1 do not fit the sentences"


def test_a_window_has_its_centers_and_a_model_without_attention_only_its_losses(tmp_path):
    train(tmp_path / "local", preset="luong-general-local-p", epochs=1)
    for one in written(tmp_path / "local")["snapshots"][-1]["sentences"]:
        assert len(one["centers"]) == len(one["weights"])
        assert all(0 <= place <= len(one["weights"][0]) for place in one["centers"])
    train(tmp_path / "none", preset="luong-base", epochs=1)
    found = written(tmp_path / "none")
    assert found["sentences"] == []
    assert [update for update, _ in found["losses"]] == [1, 2, 3, 4]


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"type": "hard-sample", "dropout": 0.3, "average": 0.9}])
def test_snapshots_change_nothing_in_the_training(tmp_path, settings):
    with_them = train(tmp_path / "a", **settings)
    assert train(tmp_path / "b", snapshots=0, **settings) == with_them
    assert len(with_them) == 8
    assert not (tmp_path / "b" / FILE).exists()


@pytest.mark.slow
@pytest.mark.parametrize("stop_at", [3, 4])
def test_a_resumed_run_has_the_same_snapshots(tmp_path, stop_at):
    """With 3 of 8 snapshots at 1, 3 and 8; what a killed run wrote after its state is made again."""
    train(tmp_path / "whole", snapshots=3)
    with pytest.raises(Interrupted):
        train(tmp_path / "parts", stop_at, snapshots=3)
    early = written(tmp_path / "parts")
    assert [one["update"] for one in early["snapshots"]] == [1, 3]
    later = {"losses": [*early["losses"], [7, 9.0]], "snapshots": [*early["snapshots"], {"update": 8, "sentences": []}]}
    (tmp_path / "parts" / FILE).write_text(json.dumps(early | later), "utf-8")
    train(tmp_path / "parts", resume=True, snapshots=3)
    assert (tmp_path / "parts" / FILE).read_bytes() == (tmp_path / "whole" / FILE).read_bytes()
    assert [one["update"] for one in written(tmp_path / "whole")["snapshots"]] == [1, 3, 8]


@pytest.mark.slow
def test_a_run_that_was_killed_between_two_states_has_the_same_snapshots(tmp_path, monkeypatch):
    train(tmp_path / "whole")
    original, calls = loop.take_update, []

    def failing(*arguments):
        calls.append(original(*arguments))
        if len(calls) == 6:
            raise RuntimeError("power cut")
        return calls[-1]

    monkeypatch.setattr(loop, "take_update", failing)
    with pytest.raises(RuntimeError, match="power cut"):
        train(tmp_path / "cut")
    assert [one["update"] for one in written(tmp_path / "cut")["snapshots"]] == [1, 2, 3, 4, 5]
    monkeypatch.setattr(loop, "take_update", original)
    train(tmp_path / "cut", resume=True)
    assert (tmp_path / "cut" / FILE).read_bytes() == (tmp_path / "whole" / FILE).read_bytes()


def test_a_training_that_stops_early_ends_with_a_snapshot(tmp_path):
    """A model that does not learn is never better than after its first epoch, so that patience ends the training."""
    train(tmp_path, epochs=40, rate=1e-12, schedule="constant", patience=1, snapshots=2, criterion="bleu")
    taken = [one["update"] for one in written(tmp_path)["snapshots"]]
    assert taken[0] == 1
    assert taken[-1] % 4 == 0
    assert taken[-1] < 160


def test_the_sentences_are_our_own_captions_in_the_languages_of_the_model():
    german = own_sentences(("de", "en"))
    assert [len(source.split()) for source, _ in german] == [12, 10, 5, 20]
    assert german[0][0].endswith("zu fangen .")
    assert own_sentences(("en", "de")) == [(target, source) for source, target in german]
    assert own_sentences(("de", "fr")) == own_sentences(("fr", "en")) == own_sentences(("zxx", "zxx")) == []
    for names in SENTENCES:
        source, target = names.split("-")
        assert len(own_sentences((source, target))) == 4


def test_numbers_of_a_diverged_training_are_null(tmp_path):
    model = tiny(dtype=torch.float32)
    with torch.no_grad():
        model.decoder.output.weight.fill_(math.nan)
    record = Snapshots(tmp_path, [("a b", "n o")], 2, per_epoch=2, epochs=1)
    record.add(1, torch.tensor(math.nan), 3)
    record.add_snapshot(1, model)
    assert written(tmp_path)["losses"] == [[1, None]]
    assert written(tmp_path)["snapshots"][0]["sentences"][0]["log_probs"] == [None, None, None]


def test_the_examples_shown_have_four_lengths():
    pairs = shown(TASKS["copy"]().sample(40, (3, 10)))
    assert [len(source.split()) for source, _ in pairs] == sorted(len(source.split()) for source, _ in pairs)
    assert max(len(source.split()) for source, _ in pairs) == 10
