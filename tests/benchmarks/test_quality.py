"""The comparison of time to quality: its queue, its clocks, its table, and a run of our own toolkit."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from attn_core.models.presets import configure
from attn_core.training.loop import rate_at
from tests.benchmarks import quality, records
from tests.benchmarks.peers import crossings, our_recipe
from tests.benchmarks.peers.cases import Conditions
from tests.benchmarks.peers.contestants import CONTESTANTS, Runner
from tests.benchmarks.peers.crossings import NEVER, crossing, minutes, printed, ratio, shown, updates, words
from tests.benchmarks.peers.install import MissingError
from tests.benchmarks.peers.recipes import CONTENDERS, SEEDS
from tests.benchmarks.peers.settings import small_settings
from tests.benchmarks.peers.text import prepare
from tests.helpers.support import both_sides

ROOT = Path(__file__).parents[2]
ROWS = [
    {"updates": 200, "words": 2000, "cpu_seconds": 60.0, "wall_seconds": 120.0, "perplexity": 20.0, "bleu": 10.0},
    {"updates": 400, "words": 4000, "cpu_seconds": 120.0, "wall_seconds": 240.0, "perplexity": 12.0, "bleu": 30.0},
    {"updates": 600, "words": 6000, "cpu_seconds": 180.0, "wall_seconds": 360.0, "perplexity": 16.0, "bleu": 20.0},
]


def record(toolkit="ours", recipe="shipped", case="a", seed=1, processor="one", slower=1.0, quiet=False):
    """A training with ROWS, on clocks that are `slower`."""
    rows = [row | {name: slower * row[name] for name in ("cpu_seconds", "wall_seconds")} for row in ROWS]
    made = {"key": f"{toolkit}-{recipe}-{case}-{seed}", "toolkit": toolkit, "recipe": recipe, "case": case}
    made |= {"date": f"2026-01-0{seed}T03:04:05+00:00", "commit": f"abc{seed}"}
    made["about"] = {"parameters": 2_821_729, "precision": "bf16" if toolkit == "ours" else "fp32"}
    return made | {"seed": seed, "processor": processor, "quiet": quiet, "rows": rows}


def test_a_crossing_is_interpolated_between_two_validations():
    """Perplexity falls by 8 in 200 updates, so by 5 in 125; BLEU rises by 20, so by 15 in 150."""
    assert crossing(ROWS, "perplexity", 15, "updates") == pytest.approx(325)
    assert crossing(ROWS, "bleu", 25, "updates") == pytest.approx(350)
    assert crossing(ROWS, "bleu", 25, "words") == pytest.approx(3500)
    assert crossing(ROWS, "perplexity", 20, "updates") == 200, "reached at the first validation"
    assert crossing(ROWS, "bleu", 31, "updates") == crossing([], "bleu", 1, "updates") == NEVER


def test_minutes_are_those_of_the_processor_unless_nothing_else_ran():
    assert minutes(record(), "perplexity", 15) == pytest.approx(1 + 5 / 8)
    assert minutes(record(quiet=True), "perplexity", 15) == pytest.approx(2 * (1 + 5 / 8))


def test_a_goal_reached_after_an_hour_is_not_reached():
    before, after = (record(slower=minute / (1 + 5 / 8)) for minute in (59, 61))
    assert minutes(before, "perplexity", 15) == pytest.approx(59)
    assert updates(before, "perplexity", 15) == pytest.approx(325)
    assert [unit(after, "perplexity", 15) for unit in (minutes, updates, words)] == [NEVER] * 3


def test_seeds_are_shown_by_their_median_and_range():
    assert shown([3.0, 1.0, 2.0], 1) == "2.0 (1.0 to 3.0)"
    assert shown([3.0, NEVER, 2.0], 1) == "3.0 (2.0 to -)"
    assert shown([1234.0], 0) == "1,234"
    assert shown([2.0, NEVER], 1) == "- (2.0 to -)", "half of the seeds are not enough"


def test_a_ratio_is_to_the_better_peer():
    assert ratio({1: 2.0}, [{1: 9.0}, {1: 5.0}]) == "2.50 x"
    assert ratio({1: 2.0}, [{1: NEVER}, {1: 5.0}]) == "2.50 x"
    assert ratio({1: 2.0}, [{1: NEVER}]) == "> 30.0 x", "60 minutes were not enough"
    assert ratio({1: NEVER}, [{1: 5.0}]) == ratio({1: 2.0}, []) == ""


def test_a_ratio_is_on_the_seeds_of_both():
    assert ratio({1: 2.0, 2: 8.0, 3: 8.0}, [{1: 9.0}]) == "4.50 x"
    assert ratio({1: 2.0, 2: 8.0}, [{1: 9.0}, {1: 20.0, 2: 10.0}]) == "3.00 x", "15 minutes for 5, and 9 for 2"
    assert ratio({1: 2.0}, [{2: 9.0}]) == ""


def test_ratios_name_the_only_peer():
    one = [record(), record("onmt", "adam", slower=2.0)]
    both = [*one, record("joeynmt", "documented", slower=3.0)]
    named = [[line.split(" / ")[0].strip() for line in crossings.ratios(given)] for given in ([record()], one, both)]
    assert named == [[], ["OpenNMT-py"], ["better peer"]]


def test_the_table_has_minutes_updates_and_words_apart_for_each_processor():
    given = [record(), record("onmt", "adam", slower=2.0), record(processor="another")]
    lines = [" ".join(line.split()) for line in printed(given, {"a": "additive", "b": "general"}).splitlines()]
    assert lines[0] == "one; minutes are CPU minutes of one core, since other programs ran at the same time"
    assert "(b) general" not in lines
    assert "ours, as shipped, bf16 2.8 M 1 1.6 - - 1.8 - -" in lines
    assert "OpenNMT-py / ours, as shipped, bf16 2.00 x 2.00 x" in lines
    assert lines.count("ours, as shipped, bf16 2.8 M 1 325 - - 350 - -") == 2, "updates on each processor"
    assert lines.count("OpenNMT-py, Adam, fp32 2.8 M 1 3 - - 4 - -") == 1, "3,250 words, in thousands"
    assert [line for line in lines if line.startswith("another; ")]


def test_cpu_minutes_and_wall_minutes_have_tables_of_their_own():
    given = [record(), record("onmt", "adam", seed=2), record("onmt", "adam", quiet=True)]
    lines = printed(given, {"a": "additive"}).splitlines()
    heads = [i for i, line in enumerate(lines) if line.startswith("one; ")]
    assert [lines[i].split("minutes are ")[1][:4] for i in heads] == ["CPU ", "wall"]
    plain, quiet = lines[: heads[1]], lines[heads[1] :]
    assert [sum("OpenNMT-py, Adam" in line for line in part) for part in (plain, quiet)] == [3, 3]
    assert not any("ours" in line for line in quiet), "CPU minutes are not compared with wall minutes"
    assert "one, 2026-01-01 to 2026-01-02, commits abc1, abc2" in plain
    assert quiet[-1] == "one, 2026-01-01, commit abc1"


def test_the_queue_has_seed_1_of_everything_first():
    first = quality.QUEUE[: len(quality.QUEUE) // len(SEEDS)]
    assert {trial.seed for trial in first} == {SEEDS[0]}
    assert len({trial.key for trial in quality.QUEUE}) == sum(len(one.cases) for one in CONTENDERS) * len(SEEDS)


def test_runs_with_results_on_this_processor_are_not_repeated():
    done = [record(), record("onmt", "adam", processor="another")]
    keys = [trial.key for trial in quality.left(done, "one", quiet=False, only=None)]
    assert "ours-shipped-a-1" not in keys
    assert len(keys) == len(quality.QUEUE) - 1
    assert quality.left(done, "one", quiet=True, only=None) == quality.QUEUE, "CPU time is not wall time"


def test_a_selection_ends_at_a_hyphen():
    keys = [trial.key for trial in quality.left([], "one", quiet=False, only="onmt-ours")]
    assert len(keys) == len(quality.CASES) * len(SEEDS)
    assert all(key.startswith("onmt-ours-") for key in keys)
    one = quality.left([], "one", quiet=False, only="ours-before-b-1")
    assert [trial.key for trial in one] == ["ours-before-b-1"]
    assert quality.left([], "one", quiet=False, only="our") == []


def test_a_run_is_given_up_when_no_score_improves():
    rows = [{"updates": 200 * i, "perplexity": 9.0 + i, "bleu": min(i, 5)} for i in range(1, 31)]
    assert quality.stale(rows), "the best BLEU was at update 1,000, which 6,000 is 5,000 after"
    assert not quality.stale(rows[:-1])
    assert not quality.stale([*rows, {"updates": 6200, "perplexity": 40.0, "bleu": 6}])


def test_a_run_has_diverged_if_its_perplexity_is_above_a_million_after_1000_updates():
    assert not quality.diverged([{"updates": 800, "perplexity": 1e19, "bleu": 0}])
    assert quality.diverged([{"updates": 1000, "perplexity": 1e19, "bleu": 0}])
    assert not quality.diverged([{"updates": 1000, "perplexity": 9e5, "bleu": 0}])


def test_scores_of_other_words_are_refused():
    answers = {"score": {"loss": 6.0, "words": 3}, "translate 1": {"lines": ["a b"]}}
    runner = SimpleNamespace(ask=answers.get, contestant=CONTESTANTS[0])
    text = SimpleNamespace(references=["a b"])
    row = quality.validation(runner, text, {"updates": 200})
    assert row["perplexity"] == pytest.approx(7.3891, abs=1e-4), "e^2: two words and </s>"
    answers["score"]["words"] = 4
    with pytest.raises(MissingError, match="scored 4 words instead of 3"):
        quality.validation(runner, text, {"updates": 200})


def test_a_record_that_cannot_be_written_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "runs.jsonl"
    records.append(path, {"key": 1})
    with pytest.raises(TypeError):
        records.append(path, {"key": object()})
    records.append(path, {"key": 2})
    assert records.finished(path) == [{"key": 1}, {"key": 2}]


def test_a_commit_is_marked_if_code_differs_from_it(tmp_path, monkeypatch):
    def git(*words):
        return subprocess.run(("git", *words), cwd=tmp_path, check=True, capture_output=True, text=True).stdout.strip()

    monkeypatch.setattr(records, "ROOT", tmp_path)
    for name in ("code.py", "runs.jsonl"):
        (tmp_path / name).write_text("1\n", "utf-8")
    git("init", "-q")
    git("add", ".")
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "first")
    head = git("rev-parse", "--short", "HEAD")
    (tmp_path / "runs.jsonl").write_text("2\n", "utf-8")
    assert records.commit() == head, "results are no code"
    (tmp_path / "code.py").write_text("2\n", "utf-8")
    assert records.commit() == f"{head}+"


def test_committed_results_are_runs_of_the_queue():
    keys = {trial.key for trial in quality.QUEUE}
    found = records.finished(quality.OUT)
    assert {one["key"] for one in found} <= keys
    assert len({(one["key"], one["processor"], one["quiet"]) for one in found}) == len(found), "each run once"
    assert crossings.printed(found, dict.fromkeys("abc", "")) or not found


def test_a_gate_stops_its_clocks_and_answers_when_the_training_has_ended():
    """A loop of three batches; the toolkit's own validation, during the second, takes half a second of both clocks."""
    loop = (
        "import time\n"
        "from tests.benchmarks.peers.gate import Gate\n"
        "gate = Gate({})\n"
        "gate.wait({})\n"
        "for batch in gate.through([1, 2, 3], lambda batch: (batch, 3)):\n"
        "    if batch == 2:\n"
        "        with gate.stopped():\n"
        "            began = time.process_time()\n"
        "            while time.process_time() - began < 0.5: pass\n"
        "gate.ended()\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", loop],
        cwd=ROOT,
        input="train 2\ntrain 5\ntrain 5\n",
        capture_output=True,
        text=True,
        check=True,
    )
    _, first, second, third = map(json.loads, run.stdout.splitlines())
    assert [answer["updates"] for answer in (first, second, third)] == [2, 1, 0]
    assert (second["words"], third["words"]) == (3, 0)
    assert 0 < first["cpu_seconds"] < 0.5, "the validation would be more"


def test_joeynmt_accepts_how_often_it_validates():
    """It refuses a `validation_freq` that is no multiple of `logging_freq`; Multi30k has 454 updates an epoch."""
    (contender,) = (one for one in CONTENDERS if one.once_an_epoch)
    for epoch in (1, 10, 454):
        training = contender.contestant(seed=1, per_epoch=epoch).conditions["options"]["training"]
        assert training["validation_freq"] == epoch
        assert epoch % training["logging_freq"] == 0


def test_the_peers_step_is_luongs_with_additive_scores_and_a_gru():
    (contender,) = (one for one in CONTENDERS if one.recipe == "peers-step")
    assert contender.cases == ("a",)
    conditions = Conditions(**contender.contestant(seed=1, per_epoch=9).conditions)
    model, recipe = small_settings(quality.CASES["a"], conditions)
    assert model == configure("luong-additive-global", {**both_sides(cell="torch-gru"), "feeding": True})[0]
    assert recipe == small_settings(quality.CASES["a"], Conditions(sizes="small"))[1]


def test_our_recipe_has_our_rates_in_other_toolkits():
    """At every update of 21 epochs of 9 updates; a toolkit gets the number of updates only with our recipe."""
    recipe = configure("luong-general-global", {})[1]
    rates = [rate_at(recipe, update, epoch=0, per_epoch=9) for update in range(21 * 9)]
    assert [our_recipe.rate(update, 9) for update in range(21 * 9)] == pytest.approx(rates)
    epochs = {one.key: one.contestant(seed=1, per_epoch=9).conditions["our_updates_per_epoch"] for one in CONTENDERS}
    assert {key: epoch for key, epoch in epochs.items() if epoch} == {"onmt-ours": 9, "joeynmt-ours": 9}


def test_our_recipe_begins_as_ours_in_other_toolkits():
    """Compare each kind of weight in a toolkit's model with the distribution from which ours is drawn."""
    model = nn.ModuleDict(
        {
            "words": nn.Embedding(300, 50),
            "encoder": nn.LSTM(50, 64),
            "decoder": nn.GRUCell(50, 64),
            "v_a": nn.Linear(64, 1),
            "output": nn.Linear(64, 300),
        }
    )
    our_recipe.begin(model, model["output"].weight, seed=1)
    own = {name: parameter.detach() for name, parameter in model.named_parameters()}
    assert own["words.weight"].std() == pytest.approx(0.3, rel=0.05)
    assert own["output.weight"].std() == pytest.approx(3.6 / 8, rel=0.05)
    for gate in (*own["encoder.weight_hh_l0"].chunk(4), *own["decoder.weight_hh"].chunk(3)):
        assert torch.allclose(gate @ gate.T, torch.eye(64), atol=1e-5)
    assert own["encoder.weight_ih_l0"].abs().max() == pytest.approx((6 / (50 + 4 * 64)) ** 0.5, rel=0.01)
    assert own["encoder.bias_ih_l0"].view(4, 64).mean(1).tolist() == [0, 1, 0, 0], "open forget gates"
    zero = ("encoder.bias_hh_l0", "decoder.bias_ih", "decoder.bias_hh", "v_a.weight", "v_a.bias", "output.bias")
    assert not any(own[name].any() for name in zero)


@pytest.mark.slow
@pytest.mark.parametrize("case", quality.CASES)
def test_our_contenders_score_the_references_and_end_with_their_schedule(corpus, case):
    text = prepare(corpus, quick=False, test="val.lc.norm.tok")
    contender = CONTENDERS[0]
    contestant = contender.contestant(seed=2, per_epoch=1)
    contestant.conditions["options"]["epochs"] = 3  # of one update
    runner = Runner(contestant, case, text.folder, threads=1)
    try:
        assert runner.ask("score")["words"] == 2, "a word and </s>"
        assert runner.ask("train 2")["updates"] == 2
        assert runner.ask("train 2")["updates"] == 1
        assert len(runner.ask("translate 1")["lines"]) == 1
    finally:
        contestant.conditions["options"].clear()
        runner.close()


@pytest.mark.slow
def test_the_command_goes_on_with_the_next_run_and_prints_the_table(corpus, tmp_path):
    out = tmp_path / "runs.jsonl"
    command = [
        sys.executable,
        "tests/benchmarks/quality.py",
        corpus,
        "--quick",
        "--out",
        out,
        "--only",
        "ours-shipped-c",
    ]
    for _ in range(2):
        done = subprocess.run([*command, "--runs", "1"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert [one["key"] for one in records.finished(out)] == ["ours-shipped-c-1", "ours-shipped-c-2"]
    assert [row["updates"] for row in records.finished(out)[0]["rows"]] == [5, 10]
    assert "(c) general attention, LSTM, no input feeding" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--only", "keras"], "no run's key begins with 'keras'"),
        ([], "DATA_DIR is missing"),
        (["data", "--quick"], "--quick needs --out FILE"),
    ],
)
def test_wrong_arguments_are_named_in_one_line(words, message):
    run = subprocess.run(
        [sys.executable, "tests/benchmarks/quality.py", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert message in run.stderr.splitlines()[-1]
