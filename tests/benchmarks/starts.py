"""What delays a model's first epochs? Trainings that differ in one thing each, with scores every 100 updates at first.

python tests/benchmarks/starts.py DATA        (make study-starts DATA=multi30k-folder)
    --queue FILE     the trainings, one per line (default: starts.txt beside this file)
    --out FILE       finished trainings, one JSON object per line (default: starts.jsonl beside this file)
    --table          train nothing; print the results

A line of the queue is a preset, settings of its model and recipe, and changes that are no settings (CHANGES), as in
"luong-general-global epochs=3 rate=0.002 @identity-W_a". `stop=500` ends a training early, without shrinking its
schedule. The queue is read again after each training, and trainings in the results are not repeated, so the same
command resumes an interrupted study. DATA holds train and val of Multi30k (.lc.norm.tok.de and .en, or .gz).

Scores are those of val: perplexity, greedy BLEU after every epoch, and measures of the attention. Each training runs
on one thread; its seconds are those of the processor, without validation.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from attn_core.training.cpu_tuning import tune_cpu  # noqa: E402

if __name__ == "__main__":
    tune_cpu()  # before torch is imported; a test that imports this file keeps its process as it is

import torch  # noqa: E402
from torch import nn  # noqa: E402

from attn_core.attention.measures import entropy  # noqa: E402
from attn_core.data.corpus import Files, Pairs, batches, side  # noqa: E402
from attn_core.evaluation.evaluate import negative_log_likelihood  # noqa: E402
from attn_core.evaluation.metrics import perplexity  # noqa: E402
from attn_core.models.recipe import TrainConfig  # noqa: E402
from attn_core.models.translator import Translator  # noqa: E402
from attn_core.training import loop  # noqa: E402
from attn_core.training.corpus_task import CorpusTask, autocast  # noqa: E402
from attn_core.training.distributed import World  # noqa: E402
from attn_core.training.run import configured_run  # noqa: E402
from attn_core.training.task import Event  # noqa: E402
from tests.benchmarks.circumstances import circumstances  # noqa: E402
from tests.benchmarks.records import append, commit, finished  # noqa: E402

QUEUE, OUT = (Path(__file__).with_name(f"starts.{ending}") for ending in ("txt", "jsonl"))
EVERY, FIRST = 100, 1500  # updates between validations, up to this update; later each epoch ends with one
MEASURED = 256  # sentences of val whose attention is measured
PARTS = ("train.lc.norm.tok", "val.lc.norm.tok")


def per_gate(model: Translator) -> None:
    """The fan-out of Glorot's bound is the size of one gate, not of all gates that torch stacks into a matrix."""
    for name, parameter in model.named_parameters():
        if "weight_ih" in name:
            for gate in parameter.chunk(4):
                nn.init.xavier_uniform_(gate)


def identity(model: Translator) -> None:
    """W_a is the identity, so that the general score begins as the dot product."""
    score = cast(Any, model.decoder.attention).score
    nn.init.eye_(score.W_a.weight)


def embeddings(deviation: float, *sides: str) -> Callable[[Translator], None]:
    """The embeddings of these sides ("encoder", "decoder") are drawn from N(0, deviation^2)."""

    def change(model: Translator) -> None:
        for name in sides:
            getattr(model, name).embed.weight.data.normal_(std=deviation)

    return change


def drop_words(probability: float, *sides: str) -> Callable[[Translator], None]:
    """In training, whole words are dropped from these sides' input: their embeddings are 0 with this probability."""

    def drop(embed: nn.Module, _: object, embedded: torch.Tensor) -> torch.Tensor:
        if not embed.training:
            return embedded
        return embedded * (torch.rand_like(embedded[..., :1]) >= probability)

    def change(model: Translator) -> None:
        for name in sides:
            getattr(model, name).embed.register_forward_hook(drop)

    return change


def output(model: Translator) -> None:
    """The output matrix, where it is not tied to the embeddings, is drawn from N(0, 0.3^2)."""
    model.decoder.output.weight.data.normal_(std=0.3)


def random_v(model: Translator) -> None:
    """The v_a of an additive score is drawn from U[-0.1, 0.1]; it starts at 0 otherwise."""
    score = cast(Any, model.decoder.attention).score
    nn.init.uniform_(score.v_a, -0.1, 0.1)


CHANGES: dict[str, Callable[[Translator], None]] = {
    "embed-1": embeddings(1.0, "encoder", "decoder"),
    "embed-0.3": embeddings(0.3, "encoder", "decoder"),
    "embed-0.15": embeddings(0.15, "encoder", "decoder"),
    "source-embed-1": embeddings(1.0, "encoder"),
    "drop-words-0.1": drop_words(0.1, "encoder", "decoder"),
    "drop-source-words-0.1": drop_words(0.1, "encoder"),
    "output-0.3": output,
    "per-gate": per_gate,
    "random-v_a": random_v,
    "identity-W_a": identity,
}
SLOW_SCORE = "score-rate-0.03"  # the score's parameters learn at 0.03 times the rate


def slow_score(model: nn.Module, recipe: TrainConfig) -> torch.optim.Optimizer:
    """`loop.make_optimizer`, with a lower rate for the parameters of the score."""
    apart: tuple[list[nn.Parameter], list[nn.Parameter]] = [], []
    for name, parameter in model.named_parameters():
        apart["score" in name].append(parameter)
    groups = [{"params": parameters} for parameters in apart]
    found = torch.optim.Adam(groups, recipe.rate, betas=(0.9, 0.98), eps=1e-9, fused=True)
    score = found.param_groups[1]
    found.register_step_pre_hook(lambda *_: score.update(lr=score["lr"] * 0.03))
    return found


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
    for batch in batches(pairs, 64):
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
    """The task of a translator, with some of CHANGES made to the new model."""

    changes: frozenset[str] = frozenset()

    def begin(self, model: Translator) -> None:
        for name, change in CHANGES.items():
            if name in self.changes:
                change(model)
        super().begin(model)


class Diary:
    """An `on_event` callback: the scores after every epoch (at first, every EVERY updates), and the time without them.

    Between epochs, a model whose weights are averaged is not scored, as the loop averages them when an epoch ends.
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
        row |= attention_measures(model, Pairs(valid.source[:MEASURED], valid.target[:MEASURED]))
        model.train(training)
        return row

    @torch.no_grad()
    def perplexity(self, model: Translator) -> float:
        valid, recipe = self.task.material.valid, self.task.recipe
        with autocast(self.task.device, recipe):
            total = negative_log_likelihood(model, valid, recipe.batch)
        return perplexity(total, sum(len(target) + 1 for target in valid.target))


def trial(line: str, data: Path, out: Path) -> None:
    """Train one line of the queue and append its results to `out`."""
    print(line, flush=True)
    preset, *words = line.split()
    changes = frozenset(word.removeprefix("@") for word in words if word.startswith("@"))
    settings = dict(word.split("=", 1) for word in words if not word.startswith("@"))
    stop = int(settings.pop("stop", 0))
    optimizer = slow_score if SLOW_SCORE in changes else loop.make_optimizer
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(loop, "make_optimizer", optimizer):
        train, valid = (Files(*(side(str(data / part), lang) for lang in ("de", "en"))) for part in PARTS)
        run = configured_run(preset, {"patience": 0} | settings, folder).begin(World())
        task = Changed(run, lambda: (train, valid), ("de", "en"), tokenized=True)
        task.changes = changes
        diary = Diary(task, stop)
        task.run = replace(task.run, on_event=diary)
        with suppress(Stop):
            loop.fit(task)
    about = circumstances(("torch",))
    record = {
        "line": line,
        "seed": run.recipe.seed,
        "precision": run.recipe.precision,
        "commit": commit(),
        "date": about["date"],
        "processor": about["processor"],
        "rows": diary.rows,
    }
    append(out, record)


def left(queue: Path, out: Path) -> list[str]:
    """The lines of the queue that have no results yet."""
    lines = [" ".join(line.split()) for line in queue.read_text("utf-8").splitlines()]
    done = {record["line"] for record in finished(out)}
    return [line for line in lines if line and line not in done]


def table(records: list[dict[str, Any]]) -> str:
    """Perplexity of val by updates, with BLEU where an epoch ends."""
    lines = []
    for record in records:
        cells = [
            f"{row['updates']}: {row['perplexity']:.1f}" + (f" (BLEU {row['bleu']:.1f})" if "bleu" in row else "")
            for row in record["rows"]
        ]
        lines.append(f"{record['line']}\n    {', '.join(cells)}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("--queue", type=Path, default=QUEUE)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--line", help=argparse.SUPPRESS)  # train only this; each training has a process of its own
    options = parser.parse_args()
    if options.line:
        trial(options.line, options.data, options.out)
        return
    while not options.table and (lines := left(options.queue, options.out)):
        subprocess.run([sys.executable, __file__, options.data, "--line", lines[0], "--out", options.out], check=True)
    print(table(finished(options.out)))


if __name__ == "__main__":
    main()
