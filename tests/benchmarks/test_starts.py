"""The study of starts: its queue, its changes, its measures of attention, and a training from one line."""

import json
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from attn_core.data.corpus import Pairs
from attn_core.data.toy_tasks import TASKS
from attn_core.models.recipe import TrainConfig
from tests.benchmarks import changes, starts
from tests.helpers.support import tiny

SIZES = "embedding=8 encoder.hidden=4 decoder.hidden=8 attentional=8 vocabulary=50 batch=16 warmup=2 epochs=2"


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
    queue.write_text("# Two.\nbahdanau  epochs=2\n\nbahdanau epochs=3\n", "utf-8")
    assert starts.left(queue, out) == ["bahdanau epochs=2", "bahdanau epochs=3"]
    out.write_text(json.dumps({"line": "bahdanau epochs=2"}) + "\n", "utf-8")
    assert starts.left(queue, out) == ["bahdanau epochs=3"]


def test_every_line_that_has_results_is_in_the_queue():
    lines = {" ".join(line.split()) for line in starts.QUEUE.read_text("utf-8").splitlines()}
    assert {record["line"] for record in starts.finished(starts.OUT)} <= lines


def test_lines_without_results_exist_and_give_their_precision():
    lines = starts.left(starts.QUEUE, starts.OUT)
    assert starts.wrong(lines) == ""
    assert all("precision" in starts.parsed(line).settings for line in lines)


@pytest.fixture
def study(monkeypatch, tmp_path, capsys):
    """Runs the study of these lines; each training ends at once, with this exit status. Returns status and errors."""

    def run(*lines, data=(), status=0):
        def train(command, check):
            trained.append(command[command.index("--line") + 1])
            starts.append(tmp_path / "out.jsonl", record(line=trained[-1]))
            return subprocess.CompletedProcess(command, status)

        trained = []
        monkeypatch.setattr(subprocess, "run", train)
        queue = tmp_path / "queue.txt"
        queue.write_text("\n".join(lines), "utf-8")
        out = ["--queue", str(queue), "--out", str(tmp_path / "out.jsonl")]
        monkeypatch.setattr("sys.argv", ["starts.py", *map(str, data), *out])
        found = starts.main()
        return found, trained, capsys.readouterr().err

    return run


def record(line, processor="Z80", precision="fp32", commit="abc", **more):
    rows = [{"updates": 100, "perplexity": 9.0}]
    known = {"date": "2026-01-02T03:04:05+00:00", "line": line, "processor": processor, "precision": precision}
    return known | {"commit": commit, "rows": rows} | more


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("bahdanau @embed-2", "unknown change @embed-2; choose one of: @embed-1, "),
        ("bahdanau widht=2", "unknown setting 'widht'"),
        ("bahdanow epochs=2", "unknown preset 'bahdanow'"),
        ("bahdanau epochs=two", "setting epochs must be a whole number"),
        ("bahdanau stop=-1", "stop takes a number of updates, not '-1'"),
        ("bahdanau @eps-1e-8 @score-rate-0.03", "only one change of the optimizer is possible"),
    ],
)
def test_a_wrong_line_is_named_before_anything_is_trained(line, message, study, data):
    status, trained, errors = study("bahdanau epochs=2", line, data=[data])
    assert (status, trained) == (2, [])
    assert errors.startswith(f"{line}: {message}")
    assert errors.count("\n") == 1


def test_a_failed_training_stops_the_study_with_its_line(study, data):
    status, trained, errors = study("bahdanau epochs=2", "bahdanau epochs=3", data=[data], status=1)
    assert (status, trained) == (1, ["bahdanau epochs=2"])
    assert errors == "the study stops, since this training failed: bahdanau epochs=2\n"
    assert study("bahdanau epochs=4", "bahdanau epochs=5", data=[data])[:2] == (
        0,
        ["bahdanau epochs=4", "bahdanau epochs=5"],
    )


def test_text_that_is_missing_is_named(study, tmp_path):
    status, trained, errors = study("bahdanau epochs=2", data=[tmp_path / "nowhere"])
    assert (status, trained) == (2, [])
    assert "nowhere/train.lc.norm.tok.de: no such file" in errors


def test_the_table_needs_no_text_and_is_apart_for_each_processor_and_precision(study, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    for one in (
        record("a"),
        record("b", precision="bf16"),
        record("c", commit="def", diverged="NaN"),
        record("d", "6502"),
    ):
        starts.append(out, one)
    with pytest.raises(SystemExit):
        study()
    assert "DATA is missing" in capsys.readouterr().err
    assert study(data=["--table"])[0] == 0
    blocks = [block.splitlines() for block in starts.table(starts.finished(out)).split("\n\n")]
    assert [block[0].split(":")[0] for block in blocks] == [
        "Z80, fp32; 2026-01-02, commits abc, def",
        "Z80, bf16; 2026-01-02, commit abc",
        "6502, fp32; 2026-01-02, commit abc",
    ]
    assert [block[1::2] for block in blocks] == [["a", "c"], ["b"], ["d"]]
    assert blocks[0][-1] == "    100: 9.0, diverged"


@pytest.mark.parametrize("score", ["general", "additive"])
def test_w_a_begins_as_its_change_says(score):
    model = tiny(score=score)
    matrix = model.decoder.attention.score.W_a.weight
    changes.CHANGES["orthogonal-W_a"](model)
    product = matrix @ matrix.T if matrix.size(0) <= matrix.size(1) else matrix.T @ matrix
    assert torch.allclose(product, torch.eye(len(product), dtype=product.dtype))
    changes.CHANGES["zero-W_a"](model)
    assert not matrix.any()


@pytest.mark.parametrize(
    ("order", "name", "gates"),
    [
        ("update-then-attend", "encoder.rnn.weight_ih_l0", 4),
        ("attend-then-update", "encoder.directions.0.W.weight", 3),
        ("attend-then-update", "decoder.C.weight", 3),
    ],
)
def test_glorot_by_gate_has_wider_bounds(order, name, gates):
    """Over stacked gates the bound is sqrt(6 / (inputs + gates n)); by gate it is sqrt(6 / (inputs + n))."""
    model = tiny(order=order, **{"encoder.cell": "lstm" if gates == 4 else "gru"})
    matrix = model.get_parameter(name)
    changes.per_gate(model)
    n = matrix.size(0) // gates
    stacked, alone = ((6 / (matrix.size(1) + units)) ** 0.5 for units in (gates * n, n))
    assert stacked < matrix.abs().max() <= alone


def test_adams_epsilon_is_that_of_the_change():
    made = [make(torch.nn.Linear(2, 2), TrainConfig()) for make in (changes.make_optimizer, changes.epsilon(1e-8))]
    assert [one.param_groups[0]["eps"] for one in made] == [1e-9, 1e-8]
    assert [one.param_groups[0]["betas"] for one in made] == [(0.9, 0.98)] * 2


def test_orders_of_batches_keep_every_pair():
    """Sources of 1 to 12 words, in batches of four similar ones."""
    train = Pairs([[4] * n for n in range(1, 13)], [[4]] * 12)
    task = SimpleNamespace(train=train, recipe=SimpleNamespace(seed=1))
    batches = [np.arange(start, start + 4) for start in (4, 8, 0)]
    short, mixed = (changes.ORDERS[name](task, 0, batches) for name in ("short-first", "any-length"))
    assert [batch.tolist() for batch in short] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    assert sorted(np.concatenate(mixed)) == list(range(12))
    assert [len(batch) for batch in mixed] == [4, 4, 4]
    assert all(batch.tolist() == sorted(batch, reverse=True) for batch in mixed), "the longest source comes first"
    assert max(np.ptp(batch) for batch in mixed) > 3
    other = changes.any_length(task, 1, batches)
    assert [batch.tolist() for batch in other] != [batch.tolist() for batch in mixed], "another order in each epoch"


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
    for extra in ("", "stop=3", "@embed-1", "@short-first", "average=0.9"):
        starts.trial(f"luong-general-global init=glorot {SIZES} {extra}".strip(), data, out)
    whole, short, changed, ordered, averaged = (record["rows"] for record in starts.finished(out))
    assert [row["updates"] for row in whole] == [4, 8]
    assert all(row["bleu"] >= 0 for row in whole)
    assert short == []
    assert whole[0]["words"] == changed[0]["words"] == ordered[0]["words"]
    assert whole[0]["loss"] != ordered[0]["loss"]
    assert whole[0]["loss"] < changed[0]["loss"], "larger embeddings, larger logits"
    assert "flatness" in whole[0]
    assert "flatness" not in averaged[0], "attention would be that of other weights than the scores"


def test_a_training_that_diverges_is_a_result(monkeypatch, tmp_path):
    def fit(task):
        raise starts.loop.Diverged("training diverged in epoch 1")

    monkeypatch.setattr(starts.loop, "fit", fit)
    starts.trial("bahdanau precision=fp32", tmp_path, tmp_path / "out.jsonl")
    (found,) = starts.finished(tmp_path / "out.jsonl")
    assert (found["line"], found["diverged"]) == ("bahdanau precision=fp32", "training diverged in epoch 1")


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
    line = f"luong-general-global {SIZES} rate=0.01 warmup=0 schedule=constant @{changes.SLOW_SCORE} @keep"
    starts.trial(line.replace("warmup=2 ", ""), data, tmp_path / "out.jsonl")
    assert moved["decoder.W_c.weight"] == pytest.approx(0.01, rel=0.01)
    assert moved["decoder.attention.score.W_a.weight"] == pytest.approx(0.0003, rel=0.01)


def test_dropped_words_have_no_embedding_in_training_only():
    model = tiny()
    changes.drop_words(0.5, "encoder")(model)
    words = torch.full((1, 1000), 4)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        dropped = (model.train().encoder.embed(words) == 0).all(-1)
    assert 400 < dropped.sum() < 600
    assert not (model.eval().encoder.embed(words) == 0).all(-1).any()
    assert not (model.train().decoder.embed(words) == 0).all(-1).any()
