"""Training on a synthetic task, from Python and the command line, with the alignment as a score."""

import json

import pytest
import torch

from attn_core.cli import main
from attn_core.data.toy_tasks import TASKS, draw_texts
from attn_core.decoding.translate import force
from attn_core.models.checkpoint import load
from attn_core.models.presets import PRESETS
from attn_core.training.practice import Diary, alignment, practise, score, small
from tests.helpers.engine import unchecked
from tests.helpers.terminal import set_options

TINY = {"embedding": 16, "attentional": 16, "decoder.hidden": 32, "encoder.hidden": 16, "rate": 0.01}


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """A small model trained to reverse two to four letters, and the scores of its epochs."""
    diary = Diary(TASKS["reverse"]().sample(1, 3, seed=3)[0])

    def on_event(event, model):
        assert not (event.scores and model.training)
        diary(event, model)

    folder = tmp_path_factory.mktemp("practice") / "mine"
    settings = TINY | {"epochs": 4}
    model = practise("reverse", "bahdanau", folder, examples=2000, length=(2, 4), settings=settings, on_event=on_event)
    return model, diary


@pytest.mark.slow
def test_a_model_learns_to_reverse_and_its_alignment_appears(learnt):
    model, diary = learnt
    scores = diary.scores
    assert [row["epoch"] for row in scores] == [1, 2, 3, 4]
    assert scores[0]["alignment"] < 0.6
    assert scores[-1]["alignment"] > 0.9
    assert scores[-1]["exact"] > 0.9
    assert list(diary.traces) == [f"after epoch {epoch}" for epoch in (1, 2, 3, 4)]
    assert {trace.target for trace in diary.traces.values()} == {(*diary.example.target, "</s>")}
    first, last = diary.traces["after epoch 1"].weights(), diary.traces["after epoch 4"].weights()
    assert not torch.allclose(first, last, atol=0.1)
    said = " ".join(diary.example.source), " ".join(diary.example.target)
    assert torch.allclose(last, force(model, *said, tokenized=True).weights(), atol=1e-2)  # stored in float16


@pytest.mark.slow
def test_hard_attention_learns_as_well_as_soft_attention(learnt, tmp_path):
    """REINFORCE, evaluated with argmax and with samples: exact outputs within 5 points of the soft model."""
    settings = TINY | {"epochs": 5}
    model = practise("reverse", "xu-hard", tmp_path / "hard", examples=2000, length=(2, 4), settings=settings)
    examples = draw_texts("reverse", 1, (2, 4), held_out=200, seed=9)[1].examples
    wanted = score(learnt[0], examples)["exact"] - 0.05
    for read in ("hard-argmax", "soft"):
        assert score(model.with_attention_type(read), examples)["exact"] >= wanted
    weights = force(model, " ".join(examples[0].source), " ".join(examples[0].target), tokenized=True).weights()
    assert set(weights.flatten().tolist()) == {0.0, 1.0}, "the weights are one-hot"


@pytest.mark.slow
def test_the_alignment_of_one_example_is_counted_by_hand(learnt):
    """Against gold links of a copy, only the middle of an odd length is right: 1 of 3 words."""
    model, _ = learnt
    (example,) = TASKS["reverse"]().sample(1, 3, seed=11)
    (wrong,) = TASKS["copy"]().sample(1, 3, seed=11)
    assert example.source == wrong.source
    found = alignment(model, [example])
    assert (found.links, found.possible_hits, found.precision) == (3, 3, 1)
    assert alignment(model, [type(wrong)(example.source, example.target, wrong.gold)]).precision == pytest.approx(1 / 3)
    assert score(model, [example, wrong])["exact"] == 0.5


def test_words_without_a_gold_link_do_not_count():
    """Hyphens have no gold link, so eight of the ten characters of a date can be right."""
    from tests.helpers.support import tiny

    (example,) = TASKS["dates"]().sample(1)
    assert alignment(tiny(), [example]).links == 8


def test_a_model_without_attention_has_no_alignment():
    from tests.helpers.support import BAHDANAU, tiny

    model = tiny(**BAHDANAU | {"score": None, "window": None, "bidirectional": False})
    assert set(score(model, TASKS["copy"]().sample(3))) == {"exact"}


@pytest.mark.quick(20)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_small_size(preset):
    config, recipe = small(preset)
    for axis in ("encoder", "score", "window", "order"):
        assert config[axis] == PRESETS[preset][0][axis]
    assert config.hidden == 64
    assert recipe.criterion == "perplexity"


@pytest.mark.slow
def test_the_command_line_trains_on_a_task_and_resumes(tmp_path, capsys):
    out = tmp_path / "out"
    sets = set_options(TINY | {"epochs": 1})
    call = ["train", "luong-dot-global", "--task", "copy", "--examples", "200", "--length", "2-3", "--out", str(out)]
    assert main([*call, *sets]) == 0
    assert "alignment" in capsys.readouterr().out
    assert main([*call, *sets, "--set", "epochs=2", "--resume"]) == 0
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines] == [1, 2]
    assert all({"alignment", "exact", "perplexity"} <= line.keys() for line in lines)
    assert load(out).config.hidden == 32
    assert load(out).target.detokenize(["a", "b", "."]) == "a b ."  # its symbols have no language
    assert json.loads((out / "config.json").read_text())["about"]["data"]["task"] == "copy"


@pytest.mark.slow
def test_training_ends_with_the_export_for_the_browser_and_succeeds_without_it(tmp_path, capsys, monkeypatch):
    out, other = tmp_path / "out", tmp_path / "other"
    sets = set_options(TINY | {"epochs": 1})
    call = ["train", "luong-dot-global", "--task", "copy", "--examples", "200", "--length", "2-3", "--export", *sets]
    with unchecked():
        assert main([*call, "--out", str(out)]) == 0
    assert json.loads((out / "browser.json").read_text("utf-8"))["name"] == "out"
    assert "browser.json" not in capsys.readouterr().err

    def fail(folder):
        raise RuntimeError("no\ngraph")

    monkeypatch.setattr("attn_core.export.document.write", fail)
    assert main([*call, "--out", str(other)]) == 0
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("browser.json was not written (RuntimeError: no graph); the model is complete.")
    assert last.endswith(f"python -m attn_core export {other} --to browser")
    assert load(other).name == "other"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--task", "nosuch"], "unknown task 'nosuch'; choose one of: copy, reverse"),
        (["--task", "copy", "--train", "x"], "generates its own text"),
        (["--task", "copy", "--length", "long"], "expected a number or a range"),
        (["--task", "sort", "--length", "60"], "lengths from 1 to 50"),
        ([], "--hub, or --task"),
    ],
)
def test_a_wrong_call_is_an_error(words, message, tmp_path, capsys):
    assert main(["train", "bahdanau", "--out", str(tmp_path / "out"), *words]) != 0
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
