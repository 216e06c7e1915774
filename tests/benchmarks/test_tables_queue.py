"""The queue of the papers' tables: finished runs are kept at once and never twice, and killed ones start again."""

import json
import sys
from pathlib import Path

import pytest
import torch

from attn_core.data.captions import captions
from attn_core.data.toy_tasks import TASKS
from attn_core.models import paper_tables
from attn_core.models.paper_tables import TABLES
from tests.benchmarks.records import finished
from tests.benchmarks.tables import __main__ as tables
from tests.benchmarks.tables import models, one
from tests.benchmarks.tables.models import ENSEMBLE, MEMBERS, Model, fingerprint
from tests.benchmarks.tables.queue import Job
from tests.benchmarks.tables.store import alone, beside, collect, keep_about
from tests.benchmarks.tables.text import gold_pairs, joined, sentences

# A stand-in for one.py: the first time it dies after half of its work, or it writes a record that is complete.
RUN = """
import json, os, pathlib, sys
out, text = pathlib.Path(sys.argv[1]), sys.argv[2]
begun = out.with_suffix(".begun")
if not begun.exists() and "reverse" in out.name:
    begun.touch()
    out.with_suffix(".part").write_text(text[: len(text) // 2])
    os.kill(os.getpid(), 9)
out.write_text(text)
"""


@pytest.fixture
def data(tmp_path):
    """A corpus of reversed letters under the names of Multi30k's files."""
    folder = tmp_path / "data"
    folder.mkdir()
    for seed, (part, count) in enumerate((("train", 48), ("valid", 12), ("test", 12))):
        examples = TASKS["reverse"]().sample(count, seed=seed)
        for lang, side in (("en", "source"), ("de", "target")):
            text = "".join(" ".join(getattr(example, side)) + "\n" for example in examples)
            (folder / f"{models.PARTS[part]}.{lang}").write_text(text, "utf-8")
    return folder


@pytest.fixture
def place(tmp_path, data, monkeypatch):
    """Options of the command in a folder of their own, with a stand-in for training."""
    work = tmp_path / "work"
    work.mkdir()
    (work / "dictionary.json").write_text("{}", "utf-8")
    about = sentences(data)

    def command(session, job):
        n = len(about["reference"])
        rows = {"bleu": [[2, 1, 0, 0, 0]] * n, "nll": [3.0] * n}
        record = {"model": job.model, "seed": job.seed, "settings": fingerprint(job.model), "sentences": rows}
        record |= {"cpu_minutes": 1.0, "processor": "one", "date": "2026-01-02", "updates": 9}
        return [sys.executable, "-c", RUN, str(work / f"{job.name}.json"), json.dumps(record)]

    monkeypatch.setattr(tables.Session, "command", command)
    monkeypatch.setattr(tables, "POLL", 0.02)
    runs, out = tmp_path / "runs.jsonl", tmp_path
    return ["ladder", str(data), "--work", str(work), "--runs", str(runs), "--out", str(out), "--only", "base,reverse"]


def test_a_killed_run_leaves_nothing_and_is_started_again(place, tmp_path, capsys):
    runs = tmp_path / "runs.jsonl"
    assert tables.main([*place, "--jobs", "1"]) == 1
    assert "16 runs are left" in capsys.readouterr().out.splitlines()[0]
    first = [(record["model"], record["seed"]) for record in finished(runs)]
    assert first == [("base", seed) for seed in range(1, 9)]
    assert tables.main(place) == 0, "the second time the runs go through"
    both = [(record["model"], record["seed"]) for record in finished(runs)]
    assert both[:8] == first, "finished runs are neither repeated nor moved"
    assert sorted(both[8:]) == [("reverse", seed) for seed in range(1, 9)]
    assert [path.name for path in (tmp_path / "work").glob("*-[0-9].json")] == []
    found = paper_tables.measured(TABLES["ladder"], tmp_path)
    assert {name: row["seeds"] for name, row in found["rows"].items()} == {"base": 8, "reverse": 8}
    assert paper_tables.table.judged(found["claims"][0]) == "undecided"
    assert "undecided: " in capsys.readouterr().out
    assert tables.main(place) == 0
    assert len(finished(runs)) == 16


def test_no_run_starts_when_the_time_is_over(place, tmp_path, capsys):
    assert tables.main([*place, "--minutes", "0"]) == 0
    assert finished(tmp_path / "runs.jsonl") == []
    assert paper_tables.measured(TABLES["ladder"], tmp_path) is None
    assert "0 of 5" in capsys.readouterr().out


def test_an_ensemble_brings_its_members(place, capsys):
    assert tables.main([*place[:-1], ENSEMBLE, "--minutes", "0"]) == 0
    assert "9 runs are left" in capsys.readouterr().out.splitlines()[0]


def test_bad_input_is_named(place, tmp_path):
    with pytest.raises(SystemExit, match="--only nobody: expected models of this table, which are base"):
        tables.main([*place[:-1], "nobody"])
    with pytest.raises(SystemExit):
        tables.main(["ladder"])
    keep_about(tmp_path / "other.jsonl", {"source": [1]})
    with pytest.raises(SystemExit, match="other test sentences"):
        keep_about(tmp_path / "other.jsonl", {"source": [2]})
    assert json.loads(beside(tmp_path / "other.jsonl").read_text("utf-8")) == {"source": [1]}


def test_a_run_that_ended_without_its_queue_is_collected_once(tmp_path):
    job, runs = Job("base", 1), tmp_path / "runs.jsonl"
    path = tmp_path / "base-1.json"
    record = {"model": "base", "seed": 1, "settings": "now"}
    assert collect(job, tmp_path, runs, "now", known=False) is None
    for known, settings in ((False, "now"), (True, "now"), (False, "later")):
        path.write_text(json.dumps(record), "utf-8")
        assert collect(job, tmp_path, runs, settings, known) == record
        assert not path.exists()
    assert finished(runs) == [record], "neither a model that was only trained again nor one with other settings"


def test_one_queue_at_a_time(tmp_path):
    with (
        alone(tmp_path / "queue.lock"),
        pytest.raises(SystemExit, match="queue is already running"),
        alone(tmp_path / "queue.lock"),
    ):
        pass
    with alone(tmp_path / "queue.lock"):
        pass


def test_gold_links_move_with_the_sentences_that_are_joined():
    """Every link of a joined pair joins the same words as in one of its parts."""
    gold = gold_pairs()
    pairs = linked_words()
    for source, target, links in zip(gold.sources, gold.targets, gold.links, strict=True):
        words, others = source.split(), target.split()
        links.check(len(words), len(others))
        assert {(words[i], others[j]) for i, j in links.sure} <= pairs
    assert sum(len(links.sure) for links in gold.links) > 300


def linked_words() -> set[tuple[str, str]]:
    return {(pair.en_tokens[j], pair.de_tokens[i]) for pair in captions() for i, j in pair.sure}


@pytest.mark.slow
def test_a_run_has_all_that_the_tables_need(data, tmp_path, monkeypatch):
    """A tiny model is trained, measured, and not trained again; an ensemble is measured from the same weights."""
    monkeypatch.chdir(Path(__file__).parents[2])
    small = {"embedding": 8, "decoder.hidden": 8, "encoder.hidden": 8, "attentional": 8, "tied": False, "epochs": 1}
    for name in (MEMBERS, "base"):
        monkeypatch.setitem(models.MODELS, name, Model(models.MODELS[name].preset, models.MODELS[name].own | small))
    monkeypatch.setattr(one, "SEEDS", (1, 2))
    (tmp_path / "dictionary.json").write_text(json.dumps({"a": "b"}), "utf-8")
    torch.set_num_threads(1)
    found = one.record(MEMBERS, 1, data, tmp_path)
    n, gold = len(joined(data, "test")[0]), len(gold_pairs().sources)
    lengths = {name: len(rows) for name, rows in found["sentences"].items()}
    assert lengths == {"bleu": n, "bleu_unk": n, "nll": n, "aer": gold, "aer_own": gold}
    assert (found["device"], found["settings"], len(found["curve"])) == ("cpu", fingerprint(MEMBERS), 1)
    again = one.record(MEMBERS, 1, data, tmp_path)
    assert again["sentences"] == found["sentences"]
    assert one.record("base", 1, data, tmp_path)["sentences"].keys() == {"bleu", "nll"}
    one.record(MEMBERS, 2, data, tmp_path)
    both = one.record(ENSEMBLE, 1, data, tmp_path)
    assert both["members"] == 2
    assert both["parameters"] == 2 * found["parameters"]
    assert both["sentences"].keys() == found["sentences"].keys()
