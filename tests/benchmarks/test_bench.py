"""The benchmark's arithmetic and its gate. The other toolkits are not needed: a stub takes their place."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from attn_core.data.corpus import CorpusError
from attn_core.processor import Suited, computes_bf16
from tests.benchmarks import bench
from tests.benchmarks.peers import install, table, text
from tests.benchmarks.peers.cases import CASES
from tests.benchmarks.peers.contestants import CONTESTANTS, Runner
from tests.benchmarks.peers.install import MissingError
from tests.benchmarks.peers.table import padding, printed, rows, sanity

ROOT = Path(__file__).parents[2]
OURS = CONTESTANTS[-1 if computes_bf16() else -2]
TITLES = {contestant.key: contestant.title for contestant in CONTESTANTS}


def answers(*rates):
    """Answers for ten seconds of training at each rate, in words per second."""
    return [{"words": 10 * rate, "seconds": 10.0, "padded": 20 * rate} for rate in rates]


def translations(*rates):
    """Answers for one second of translating at each rate, in sentences per second."""
    return [{"lines": ["a word"] * rate, "seconds": 1.0} for rate in rates]


FOUND = {
    "joeynmt": {"train": answers(90, 100, 400), "megabytes": 1100.0, "greedy": translations(10)},
    "onmt": {"train": answers(210, 200, 190), "megabytes": 2200.0, "greedy": translations(20)},
    "fp32": {"train": answers(1, 360, 400), "megabytes": 900.0, "greedy": translations(35)},
    "best": {"train": answers(350, 350, 350), "megabytes": 1200.0, "greedy": translations(36)},
}


@pytest.fixture(autouse=True)
def fast_bf16(monkeypatch):
    """A processor on which both of ours have target ratios."""
    monkeypatch.setattr(table, "suited", lambda: Suited("mkl", bf16=True))


def test_rows_are_medians_against_the_faster_peer():
    training, greedy, memory = rows("a", FOUND)
    assert training.values == {"joeynmt": 100, "onmt": 200, "fp32": 360, "best": 350}
    assert training.ratios == {"fp32": 1.8, "best": 1.75}
    assert training.spread["joeynmt"] == (90, 400)
    assert training.good == {"fp32": True, "best": False}  # the target is 1.8
    assert greedy.good == {"fp32": False, "best": True}  # 1.75 and 1.8
    assert memory.good == {"fp32": True}


def test_case_has_targets_of_its_own():
    found = {"joeynmt": {"train": answers(90)}, "onmt": {"train": answers(100)}, "fp32": {"train": answers(145)}}
    assert {case: rows(case, found)[0].good["fp32"] for case in CASES} == {"a": False, "b": True, "c": True}
    assert table.TRAINING.keys() == CASES.keys()


def test_bf16_has_no_target_where_the_processor_multiplies_it_slowly(monkeypatch):
    monkeypatch.setattr(table, "suited", lambda: Suited("mkl", bf16=False))
    training, *_ = rows("a", FOUND)
    assert (training.targets, training.good) == ({"fp32": 1.8}, {"fp32": True})
    assert "MISSED" not in printed([training], TITLES)


def test_missing_peer_leaves_the_other_as_the_base():
    (training,) = rows("b", {who: {"train": FOUND[who]["train"]} for who in ("joeynmt", "fp32")})
    assert training.ratios == {"fp32": 3.6}
    assert training.good == {"fp32": None}, "the missing one may be faster"
    assert "onmt" not in training.values


def test_without_peers_there_is_no_verdict():
    (training,) = rows("b", {"fp32": {"train": answers(5)}})
    assert training.ratios == training.good == {"fp32": None}
    assert "MISSED" not in printed([training], TITLES)


def test_too_much_memory_is_missed():
    assert rows("c", {"fp32": {"megabytes": 1000.0}})[0].good == {"fp32": False}


def test_table_has_measured_and_target_ratios():
    head, training, *_ = printed(rows("a", FOUND), TITLES).splitlines()
    assert all(title in head for title in TITLES.values())
    assert " ".join(training.split()) == "training (a) words/s 100 200 360 1.80 1.80 350 1.75 1.80 MISSED"
    _, alone, *_ = printed(rows("a", {"fp32": FOUND["fp32"]}), TITLES).splitlines()
    assert " ".join(alone.split()) == "training (a) words/s - - 360 1.80 - 1.80"


@pytest.fixture
def measured(monkeypatch, tmp_path, corpus):
    """Runs the command on the small corpus, with results in tmp_path; toolkits answer at once."""

    def ask(runner, command):
        name, _, path = command.partition(" ")
        if name == "save":
            Path(path).touch()
        return {"words": 10, "seconds": 1.0, "padded": 20, "loss": 1.0, "lines": ["a word"] * 2, "megabytes": 900.0}

    def start(runner, contestant, *rest, **more):
        assert contestant.key != "best" or bench.computes_bf16()
        if contestant.key == failing:
            raise MissingError("it fails")
        runner.contestant, runner.about = contestant, {"parameters": 1, "vocabulary": [1, 1]}

    def run(*words, fails=None):
        nonlocal failing
        failing = fails
        monkeypatch.setattr("sys.argv", ["bench.py", str(corpus), *words])
        return bench.main()

    failing = None
    for name, function in (("__init__", start), ("ask", ask), ("close", lambda runner: None)):
        monkeypatch.setattr(Runner, name, function)
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    monkeypatch.setattr(bench, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(bench, "OUT", tmp_path / "bench.jsonl")
    monkeypatch.setattr(bench, "PAUSE", 0)
    return run


def test_without_bf16_the_comparison_leaves_it_out_and_succeeds(measured, monkeypatch, capsys):
    monkeypatch.setattr(bench, "computes_bf16", lambda: False)
    assert measured("--only", "train", "--cases", "c") == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "bf16 is" in line]
    assert lines == ["ours, bf16 is skipped: this processor cannot compute in bf16"]
    assert measured("--only", "train", "--cases", "c", fails="fp32") == 1


def test_whole_runs_are_stored_with_their_circumstances(measured, monkeypatch, capsys, tmp_path):
    for now in ("2026-01-02T03:04:05", "2026-01-02T03:07:08"):
        about = {"date": f"{now}+00:00", "processor": "Z80", "cores": 2, "load_before": [0.5, 0, 0], "python": "3"}
        monkeypatch.setattr(bench, "circumstances", lambda packages, about=about: about)
        monkeypatch.setattr(bench, "commit", lambda: "abc1234")
        assert measured("--only", "train", "--cases", "c", "--repeats", "1") == 0
    assert "2026-01-02 03:07 UTC, commit abc1234, Z80, load before 0.5 on 2 cores" in capsys.readouterr().out
    assert measured("--quick", "--only", "train", "--cases", "c") == 0
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == [
        "bench-2026-01-02T03-04-05-part.json",
        "bench-2026-01-02T03-07-08-part.json",
        "bench-2026-01-02T03-07-08-quick.json",
    ]
    assert not (tmp_path / "bench.jsonl").exists(), "a part of the table is not stored"
    for words, reason in ((), None), (["--threads", "1"], None), ((), "it fails"):
        assert measured(*words, fails="onmt" if reason else None) == 0
    capsys.readouterr()
    assert measured("--table") == 0
    text = capsys.readouterr().out
    assert text.count("training (c)") == 2 * 2, "words a second and memory of both whole runs"
    assert text.count("2026-01-02 03:07 UTC, commit abc1234, Z80") == 2
    assert text.count("OpenNMT-py 3.5 is missing: it fails") == 1


def test_padding_is_the_share_of_positions_without_a_word():
    assert padding([{"words": 30, "padded": 40}, {"words": 30, "padded": 60}]) == pytest.approx(0.4)


def test_sanity_gives_loss_per_word_and_words_produced():
    parts = {
        "about": {"parameters": 1234, "vocabulary": [5, 6]},
        "epoch": {"words": 10, "loss": 25.0},
        "greedy": [{"lines": ["one two", "", "three"], "seconds": 1.0}],
    }
    line = sanity("a", {"fp32": parts}, TITLES, lambda lines: 7.0 * len(lines))
    assert "loss 2.500 per word" in line
    assert "greedy: 3 words, BLEU 21.0" in line


def test_words_are_counted_as_everyone_splits_them():
    lines = [text.spaced("  ein\u00a0Hund \t bellt "), text.spaced("\u00a0")]
    assert lines == ["ein Hund bellt", ""]
    assert text.count_words(lines) == 3
    assert text.count_words(lines, ends=True) == 5


def test_prepared_text_is_the_same_words_for_all(corpus):
    made = text.prepare(corpus, quick=False)
    assert (made.pairs, made.words, made.references) == (2, 6, ["b", "c"])
    assert (made.folder / "train.de").read_text("utf-8") == "a b\nb c\n"
    assert (made.folder / "vocab.en").read_text("utf-8") == "b\n"  # seen twice
    assert made.folder.is_relative_to(install.cache())
    assert text.prepare(corpus, quick=False) == made


def test_missing_text_is_named(corpus):
    (corpus / "val.lc.norm.tok.en").unlink()
    with pytest.raises(CorpusError, match=r"val\.lc\.norm\.tok\.en"):
        text.prepare(corpus, quick=False)


@pytest.mark.slow
def test_without_a_folder_the_comparison_is_skipped_with_a_message():
    run = subprocess.run(
        [sys.executable, "tests/benchmarks/bench.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "Skipped the comparison of toolkits" in run.stdout


def test_peer_that_cannot_be_installed_is_missing_with_a_reason(tmp_path, monkeypatch):
    def run(command):
        if "venv" not in command:
            raise MissingError("no space left")
        Path(command[-1]).mkdir()

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(install, "_run", run)
    with pytest.raises(MissingError, match=r"OpenNMT-py 3\.5 could not be installed: no space left"):
        install.python_of("onmt")
    assert list((tmp_path / "cache" / "attn_core-bench").iterdir()) == []


def test_gate_stands_between_a_loop_and_its_batches():
    """A loop with three batches per epoch; batch i has i words and a loss of 1.5 i nats."""
    loop = (
        "from tests.benchmarks.peers.gate import Gate\n"
        "gate = Gate({'translate': lambda beam: {'lines': ['x'] * int(beam)}})\n"
        "print('a toolkit says something')\n"
        "gate.wait({'parameters': 7})\n"
        "while True:\n"
        "    for batch in gate.through([1, 2, 3], lambda batch: (batch, 3)):\n"
        "        gate.lost(1.5 * batch)\n"
    )
    commands = "train 2\ntranslate 5\ntrain 4\nmemory\nquit\n"
    run = subprocess.run(
        [sys.executable, "-c", loop], cwd=ROOT, input=commands, capture_output=True, text=True, check=True
    )
    about, first, translated, second, memory = map(json.loads, run.stdout.splitlines())
    assert about == {"parameters": 7}
    assert {key: first[key] for key in ("updates", "words", "padded", "loss")} == {
        "updates": 2,
        "words": 1 + 2,
        "padded": 6,
        "loss": 4.5,
    }
    assert translated["lines"] == ["x"] * 5
    assert (second["words"], second["padded"]) == (3 + 1 + 2 + 3, 12)
    assert 1 < memory["megabytes"] < 10_000
    assert all(answer["seconds"] > 0 for answer in (first, translated, second))
    assert "a toolkit says something" in run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_our_runner_trains_and_translates(corpus, case):
    made = text.prepare(corpus, quick=False)
    runner = Runner(OURS, case, made.folder, threads=1)
    try:
        assert runner.about["vocabulary"] == [5, 5]  # b and the four special tokens
        answer = runner.ask("train 2")  # an epoch has one update
        assert (answer["updates"], answer["words"], answer["padded"]) == (2, 2 * made.words, 2 * made.words)
        assert 0 < answer["loss"] < 2 * made.words * 3
        assert len(runner.ask("translate 1")["lines"]) == len(runner.ask("translate 2")["lines"]) == 2
    finally:
        runner.close()
    assert runner.process.returncode == 0


@pytest.mark.slow
def test_a_toolkit_whose_process_fails_is_missing_with_its_last_message(tmp_path):
    with pytest.raises(MissingError, match=r"ended during 'start': .*nowhere"):
        Runner(OURS, "a", tmp_path / "nowhere", threads=1)
