"""Compare the time to a good model with JoeyNMT 2.3 and OpenNMT-py 3.5, at the sizes of the small presets.

The presets tie the output matrix to the target embeddings. The other toolkits cannot do this at these sizes, so their
models are larger. "ours, peers' sizes" is our model with as many weights as theirs, and in fp32 like theirs; "ours,
peers' step" is our additive model with the step of theirs: attention after the update of PyTorch's GRU.

python -m tests.benchmarks quality DATA_DIR
    DATA_DIR holds Multi30k: train and val.lc.norm.tok.de and .en, plain or .gz
    --table             train nothing; print the results
    --only KEY          only runs whose key begins with it, such as onmt, ours-shipped-b or joeynmt-documented-a-1
    --runs N            stop after N runs
    --quiet             nothing else runs on this machine, so wall time counts, not CPU time; in a table of its own
    --out FILE          finished runs, one JSON object per line (default: quality.jsonl beside this file)
    --quick             little text and few updates, as a check that everything runs

A run is a toolkit with a recipe (peers/recipes.py), a case and a seed, on one thread. After every 200 updates, off the
clock, it is validated on val: perplexity of the references, and BLEU of the greedy translations, by the same function
for all. It ends when all goals are reached, after 60 minutes on the clock, when the toolkit's own training ends, after
5,000 updates without a better perplexity or BLEU, or when it has diverged: if perplexity is above a million after 1,000
updates. Runs that are in the file for this processor and this clock are not repeated, so that the same command resumes
an interrupted comparison; seed 1 of everything comes first. All runs take days.
"""

import argparse
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attn_core.data.corpus import CorpusError
from attn_core.evaluation.bleu import bleu
from tests.benchmarks.circumstances import circumstances, processor
from tests.benchmarks.peers.cases import BATCH, CASES
from tests.benchmarks.peers.contestants import Runner
from tests.benchmarks.peers.crossings import LIMIT, Record, Row, clock, printed, reached_all
from tests.benchmarks.peers.install import MissingError
from tests.benchmarks.peers.recipes import CONTENDERS, SEEDS, Contender
from tests.benchmarks.peers.text import FILES, Text, count_words, prepare
from tests.benchmarks.records import append, commit, finished

OUT = Path(__file__).with_suffix(".jsonl")
EVERY = 200  # updates between validations
PATIENCE = 5000  # updates without a better score
GRACE, WORST = 1000, 1e6  # updates after which a perplexity above WORST, far above that of guessing, ends a run


@dataclass(frozen=True)
class Trial:
    """One run."""

    contender: Contender
    case: str
    seed: int

    @property
    def key(self) -> str:
        return f"{self.contender.key}-{self.case}-{self.seed}"

    def matches(self, wanted: str) -> bool:
        """Whether the key begins with `wanted`, at a hyphen."""
        return f"{self.key}-".startswith(f"{wanted}-")


# Case by case, the fastest one first, so that one case can be compared early.
QUEUE = [
    Trial(contender, case, seed)
    for seed in SEEDS
    for case in reversed(CASES)
    for contender in CONTENDERS
    if case in contender.cases
]


def left(records: Sequence[Record], processor: str, quiet: bool, only: str | None) -> list[Trial]:
    """The runs without results on this processor and clock, in the order of the queue."""
    done = {record["key"] for record in records if (record["processor"], record["quiet"]) == (processor, quiet)}
    return [trial for trial in QUEUE if trial.key not in done and (only is None or trial.matches(only))]


def validation(runner: Runner, text: Text, spent: dict[str, float]) -> Row:
    """Perplexity and BLEU of the model as it is. Raises MissingError if the toolkit scored other words."""
    scored, translated = runner.ask("score"), runner.ask("translate 1")
    if scored["words"] != (words := count_words(text.references, ends=True)):
        raise MissingError(f"{runner.contestant.title} scored {scored['words']} words instead of {words}")
    loss = scored["loss"] / scored["words"]
    value = math.exp(min(loss, 100)) if math.isfinite(loss) else math.exp(100)
    score = bleu(translated["lines"], text.references).score
    return spent | {"perplexity": round(value, 4), "bleu": round(score, 3)}


def stale(rows: list[Row]) -> bool:
    """Whether neither score has been the best so far for PATIENCE updates."""
    best = max(
        min(rows, key=lambda row: row["perplexity"])["updates"], max(rows, key=lambda row: row["bleu"])["updates"]
    )
    return rows[-1]["updates"] - best >= PATIENCE


def diverged(rows: list[Row]) -> bool:
    """Whether perplexity is above WORST after GRACE updates or more."""
    return rows[-1]["updates"] >= GRACE and rows[-1]["perplexity"] > WORST


def run(trial: Trial, text: Text, quiet: bool, every: int, most: float) -> Record:
    """Train until the goals are reached, or for at most `most` updates. Raises MissingError if the toolkit fails."""
    about = circumstances(("torch",))
    per_epoch = math.ceil(text.pairs / BATCH)
    contestant = trial.contender.contestant(trial.seed, per_epoch)
    runner = Runner(contestant, trial.case, text.folder, threads=1, training=True)
    record: Record = {
        "key": trial.key,
        "toolkit": trial.contender.name,
        "recipe": trial.contender.recipe,
        "case": trial.case,
        "seed": trial.seed,
        "commit": commit(),
        "date": about["date"],
        "processor": about["processor"],
        "cores": about["cores"],
        "load_before": about["load_before"],
        "quiet": quiet,
        "threads": 1,
        "text": text.key,
        "conditions": contestant.conditions,
        "about": runner.about,
        "rows": (rows := []),
    }
    spent = {"updates": 0, "words": 0, "cpu_seconds": 0.0, "wall_seconds": 0.0}
    ended = ""
    try:
        while not ended:
            answer = runner.ask(f"train {every}")
            for name, value in zip(spent, ("updates", "words", "cpu_seconds", "seconds"), strict=True):
                spent[name] = round(spent[name] + answer[value], 2)
            if answer["updates"]:
                rows.append(validation(runner, text, spent))
                print(f"  {trial.key}  " + ", ".join(f"{name} {value}" for name, value in rows[-1].items()), flush=True)
            if reached_all(rows):
                ended = "all goals were reached"
            elif answer["updates"] < every:
                ended = "the toolkit's training ended"
            elif spent[clock(record)] >= 60 * LIMIT or spent["updates"] >= most:
                ended = "the time was over"
            elif diverged(rows):
                ended = "it diverged"
            elif stale(rows):
                ended = f"no better score in {PATIENCE} updates"
    finally:
        runner.close()
    return record | {"ended": ended, "load_after": [round(load, 2) for load in os.getloadavg()]}


def arguments() -> argparse.Namespace:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("data", nargs="?", type=Path, metavar="DATA_DIR", help="the folder with Multi30k")
    reader.add_argument("--table", action="store_true", help="train nothing; print the results")
    reader.add_argument("--only", metavar="KEY", help="only runs whose key begins with it, such as onmt-adam")
    reader.add_argument("--runs", type=int, default=len(QUEUE), metavar="N", help="stop after N runs")
    reader.add_argument("--quiet", action="store_true", help="nothing else runs here: wall time counts")
    reader.add_argument("--out", type=Path, default=OUT, help="finished runs (quality.jsonl beside this file)")
    reader.add_argument("--quick", action="store_true", help="little text, few updates: a check that everything runs")
    options = reader.parse_args()
    if options.only is not None and not any(trial.matches(options.only) for trial in QUEUE):
        keys = ", ".join(contender.key for contender in CONTENDERS)
        reader.error(f"--only: no run's key begins with {options.only!r}; keys are one of {keys}, with -CASE and -SEED")
    if options.data is None and not options.table:
        reader.error("DATA_DIR is missing: the folder of Multi30k (only --table needs none)")
    if options.quick and options.out == OUT:
        reader.error("--quick needs --out FILE: its results do not count")
    return options


def train(options: argparse.Namespace) -> set[str]:
    """Take the runs of the queue, one after the other; returns the keys of those that failed."""
    text = prepare(options.data, options.quick, FILES["valid"])
    here = processor()
    every, most = (5, 10) if options.quick else (EVERY, math.inf)
    failed: set[str] = set()
    for _ in range(options.runs):
        trials = left(finished(options.out), here, options.quiet, options.only)
        trials = [one for one in trials if one.key not in failed]
        if not trials:
            break
        print(f"{trials[0].key}: {trials[0].contender.title}, ({trials[0].case}), seed {trials[0].seed}", flush=True)
        try:
            record: dict[str, Any] = run(trials[0], text, options.quiet, every, most)
        except MissingError as error:
            failed.add(trials[0].key)
            print(f"{trials[0].key} failed: {error}", file=sys.stderr, flush=True)
        else:
            append(options.out, record)
    return failed


def main() -> int:
    options = arguments()
    try:
        failed = set() if options.table else train(options)
    except CorpusError as error:
        print(f"{error}\n{options.data} should hold Multi30k's *.lc.norm.tok files", file=sys.stderr)
        return 2
    print(printed(finished(options.out), {case: CASES[case].text for case in CASES}))
    return 1 if failed else 0
