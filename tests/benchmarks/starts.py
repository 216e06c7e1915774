"""What delays a model's first epochs? Trainings that differ in one thing each, with scores every 100 updates at first.

python tests/benchmarks/starts.py DATA        (make study-starts DATA=multi30k-folder)
    --queue FILE     the trainings, one per line (default: starts.txt beside this file)
    --out FILE       finished trainings, one JSON object per line (default: starts.jsonl beside this file)
    --table          train nothing; print the results, apart for each processor and precision (DATA is not needed)

A line of the queue is a preset, settings of its model and recipe, and changes that are no settings (changes.py), as in
"luong-general-global epochs=3 rate=0.002 @identity-W_a", or a comment, which begins with #. `stop=500` ends a training
early, without shrinking its schedule. The queue is read again after each training, and trainings in the results are not
repeated, so the same command resumes an interrupted study. New lines give their precision, since only trainings of the
same precision are compared. DATA holds train and val of Multi30k (.lc.norm.tok.de and .en, or .gz).

Scores are those of val: perplexity, greedy BLEU after every epoch, and measures of the attention. Each training runs
on one thread, or on a GPU if there is one; its seconds are those of the process, without validation.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from attn_core.training.cpu_tuning import tune_cpu  # noqa: E402

if __name__ == "__main__":
    tune_cpu()  # before torch is imported; a test that imports this file keeps its process as it is

import torch  # noqa: E402

from attn_core.attention.measures import entropy  # noqa: E402
from attn_core.data.corpus import CorpusError, Files, Pairs, batches, side  # noqa: E402
from attn_core.devices import autocast, machine  # noqa: E402
from attn_core.evaluation.evaluate import negative_log_likelihood  # noqa: E402
from attn_core.evaluation.metrics import perplexity  # noqa: E402
from attn_core.models.presets import configure  # noqa: E402
from attn_core.models.translator import Translator  # noqa: E402
from attn_core.training import loop  # noqa: E402
from attn_core.training.corpus_task import Chosen, CorpusTask  # noqa: E402
from attn_core.training.distributed import World  # noqa: E402
from attn_core.training.prepare import Texts  # noqa: E402
from attn_core.training.run import configured_run  # noqa: E402
from attn_core.training.task import Event  # noqa: E402
from tests.benchmarks.changes import CHANGES, OPTIMIZERS, ORDERS  # noqa: E402
from tests.benchmarks.circumstances import circumstances  # noqa: E402
from tests.benchmarks.records import append, commit, finished, provenance  # noqa: E402

QUEUE, OUT = (Path(__file__).with_name(f"starts.{ending}") for ending in ("txt", "jsonl"))
EVERY, FIRST = 100, 1500  # updates between validations, up to this update; later each epoch ends with one
MEASURED = 256  # sentences of val whose attention is measured
PARTS = ("train.lc.norm.tok", "val.lc.norm.tok")


@torch.no_grad()
def attention_measures(model: Translator, pairs: Pairs) -> dict[str, float]:
    """How sharp the attention is, and whether it depends on the target word; empty for a model without attention.

    `flatness` is the mean entropy of the alignment weights divided by its maximum, log(source words). `first` and
    `last` are the mean weights of the first and of the last source word. `moves` is the mean distance (total variation)
    of a target word's weights from their mean over the sentence: 0 if the attention is the same for all words.
    """
    if model.config.attention is None:
        return {}
    sums: dict[str, float] = {}
    words = 0
    device = next(model.parameters()).device
    for batch in (one.map(lambda part: part.to(device)) for one in batches(pairs, 64)):
        real, lengths = batch.target_mask, batch.source_mask.sum(1)
        looks = model.steps(batch).looks
        for look in looks:
            weights = look.alignment.float()
            mean = (weights * real.unsqueeze(-1)).sum(1, keepdim=True) / real.sum(1).view(-1, 1, 1)
            last = (lengths - 1).view(-1, 1, 1).expand(-1, weights.size(1), 1)
            found = {
                "flatness": entropy(weights) / lengths.clamp(min=2).log().unsqueeze(1),
                "first": weights[..., 0],
                "last": weights.gather(-1, last).squeeze(-1),
                "moves": (weights - mean).abs().sum(-1) / 2,
            }
            for name, values in found.items():
                sums[name] = sums.get(name, 0.0) + values[real].sum().item() / len(looks)
        words += int(real.sum())
    return {name: round(total / words, 4) for name, total in sums.items()}


class Stop(Exception):
    """The training has taken as many updates as its line asks for."""


class Changed(CorpusTask):
    """The task of a translator, with some of CHANGES made to the new model, and of ORDERS to its batches."""

    changes: frozenset[str] = frozenset()

    def begin(self, model: Translator) -> None:
        for name, change in CHANGES.items():
            if name in self.changes:
                change(model)
        super().begin(model)

    def epoch(self, number: int) -> Sequence[Chosen]:
        chosen = super().epoch(number)
        for name in self.changes & ORDERS.keys():
            chosen = ORDERS[name](self, number, chosen)
        return chosen


class Diary:
    """An `on_event` callback: the scores after every epoch (at first, every EVERY updates), and the time without them.

    A model whose weights are averaged is not scored between epochs, as the loop averages them when an epoch ends; and
    its attention is not measured, since it would be that of other weights than its scores.
    """

    def __init__(self, task: CorpusTask, stop: int):
        self.task, self.stop = task, stop
        self.rows: list[dict[str, Any]] = []
        self.losses: list[float] = []
        self.words, self.spent, self.began = 0, 0.0, time.process_time()

    def __call__(self, event: Event) -> None:
        updates = event.progress.updates
        if event.scores is None:
            self.spent += time.process_time() - self.began
            self.words += event.words
            self.losses.append(event.loss)
        due = updates <= FIRST and updates % EVERY == 0 and not self.task.recipe.average
        if event.scores or due:
            self.rows.append(self.row(event))
            print(json.dumps(self.rows[-1]), flush=True)
            self.losses.clear()
        if updates == self.stop:
            raise Stop
        self.began = time.process_time()

    def row(self, event: Event) -> dict[str, Any]:
        model, scores, valid = self.task.model, event.scores or {}, self.task.material.valid
        training = model.training
        model.eval()
        row = {"updates": event.progress.updates, "words": self.words, "cpu_seconds": round(self.spent, 1)}
        if self.losses:
            row["loss"] = round(sum(self.losses) / len(self.losses), 4)
        row["perplexity"] = round(scores.get("perplexity") or self.perplexity(model), 3)
        if scores:
            row["bleu"] = round(scores["bleu"], 2)
        if not self.task.recipe.average:
            row |= attention_measures(model, Pairs(valid.source[:MEASURED], valid.target[:MEASURED]))
        model.train(training)
        return row

    @torch.no_grad()
    def perplexity(self, model: Translator) -> float:
        valid, recipe = self.task.material.valid, self.task.recipe
        with autocast(self.task.device, recipe.precision):
            total = negative_log_likelihood(model, valid, recipe.batch)
        return perplexity(total, sum(len(target) + 1 for target in valid.target))


@dataclass(frozen=True)
class Line:
    """A training of the queue."""

    preset: str
    settings: dict[str, str]
    changes: frozenset[str]
    stop: int  # updates after which it ends; 0: none


def parsed(line: str) -> Line:
    """Raises ValueError for a preset, a setting or a change that does not exist."""
    preset, *words = line.split()
    changes = frozenset(word.removeprefix("@") for word in words if word.startswith("@"))
    known = (*CHANGES, *OPTIMIZERS, *ORDERS)
    for name in sorted(changes.difference(known)):
        raise ValueError(f"unknown change @{name}; choose one of: {', '.join(f'@{one}' for one in known)}")
    if len(changes & OPTIMIZERS.keys()) > 1:
        raise ValueError("only one change of the optimizer is possible")
    pairs = [word.partition("=") for word in words if not word.startswith("@")]
    settings = {name: value for name, _, value in pairs}
    stop = settings.pop("stop", "0")
    if not stop.isdecimal():
        raise ValueError(f"stop takes a number of updates, not {stop!r}")
    configure(preset, dict(settings))
    return Line(preset, settings, changes, int(stop))


def texts(data: Path) -> Texts:
    """Training and validation text."""
    return Texts(*(Files(*(side(str(data / part), lang) for lang in ("de", "en"))) for part in PARTS))


def trial(line: str, data: Path, out: Path) -> None:
    """Train one line of the queue and append its results to `out`; a training may diverge."""
    print(line, flush=True)
    plan = parsed(line)
    optimizer = next((OPTIMIZERS[name] for name in plan.changes & OPTIMIZERS.keys()), loop.make_optimizer)
    torch.set_num_threads(1)
    ended = {}
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(loop, "make_optimizer", optimizer):
        try:
            with configured_run(plan.preset, {"patience": 0} | plan.settings, folder).begin(World()) as run:
                task = Changed(run, lambda: texts(data), ("de", "en"), tokenized=True)
                task.changes = plan.changes
                diary = Diary(task, plan.stop)
                task.run = replace(task.run, on_event=diary)
                loop.fit(task)
        except Stop:
            pass
        except loop.Diverged as error:
            ended = {"diverged": str(error)}
    about = circumstances(("torch",))
    record = ended | {
        "line": line,
        "seed": run.recipe.seed,
        "precision": run.recipe.precision,
        "commit": commit(),
        "date": about["date"],
        "processor": about["processor"] if task.device.type == "cpu" else machine(task.device)["hardware"],
        "rows": diary.rows,
    }
    append(out, record)


def left(queue: Path, out: Path) -> list[str]:
    """The lines of the queue that have no results yet."""
    lines = [" ".join(line.split()) for line in queue.read_text("utf-8").splitlines()]
    done = {record["line"] for record in finished(out)}
    return [line for line in lines if line and not line.startswith("#") and line not in done]


def wrong(lines: Iterable[str]) -> str:
    """The first line that cannot be trained, and why; empty if there is none."""
    for line in lines:
        try:
            parsed(line)
        except ValueError as error:
            return f"{line}: {error}"
    return ""


def table(records: list[dict[str, Any]]) -> str:
    """Perplexity of val by updates, with BLEU where an epoch ends; apart for each processor and precision."""
    lines = []
    for processor, precision in dict.fromkeys((record["processor"], record["precision"]) for record in records):
        here = [one for one in records if (one["processor"], one["precision"]) == (processor, precision)]
        lines.append(f"{processor}, {precision}; {provenance(here)}: perplexity after numbers of updates")
        for record in here:
            cells = [
                f"{row['updates']}: {row['perplexity']:.1f}" + (f" (BLEU {row['bleu']:.1f})" if "bleu" in row else "")
                for row in record["rows"]
            ]
            cells += ["diverged"] * ("diverged" in record)
            lines.append(f"{record['line']}\n    {', '.join(cells)}")
        lines.append("")
    return "\n".join(lines).rstrip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", metavar="DATA")
    parser.add_argument("--queue", type=Path, default=QUEUE)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--line", help=argparse.SUPPRESS)  # train only this; each training has a process of its own
    options = parser.parse_args()
    if options.data is None and not options.table:
        parser.error("DATA is missing: the folder of Multi30k (only --table needs none)")
    if options.line:
        trial(options.line, options.data, options.out)
        return 0
    try:
        if not options.table:
            found = texts(options.data)
            for text in (found.training, found.validation):
                text.identity()
    except CorpusError as error:
        print(error, file=sys.stderr)
        return 2
    while not options.table and (lines := left(options.queue, options.out)):
        if reason := wrong(lines):
            print(reason, file=sys.stderr)
            return 2
        command = [sys.executable, __file__, options.data, "--line", lines[0], "--out", options.out]
        if subprocess.run(command, check=False).returncode:
            print(f"the study stops, since this training failed: {lines[0]}", file=sys.stderr)
            return 1
    print(table(finished(options.out)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
