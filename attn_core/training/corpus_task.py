"""The task of translators: sentence pairs of a corpus, in one process or several."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn

from attn_core import devices
from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.attention.settings import LocalPSettings
from attn_core.data.corpus import Batch, Corpus, Pairs, Text, batch_order
from attn_core.decoding.beam import best_words
from attn_core.evaluation.bleu import bleu
from attn_core.evaluation.evaluate import negative_log_likelihood
from attn_core.evaluation.metrics import perplexity
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from attn_core.training.cuda_graphs import Replay
from attn_core.training.distributed import World
from attn_core.training.objective import objective
from attn_core.training.prepare import Material, prepare, prepared
from attn_core.training.run_state import Progress, check
from attn_core.training.task import Part, Run, Task, Update

Chosen = Integer[np.ndarray, "_"]  # indices of sentence pairs
Measure = Callable[[Translator], dict[str, float]]


class CorpusTask(Task):
    """Training of a translator on a corpus, with a validation set.

    `references` are the tokenised target lines of the validation set. `measure` returns additional scores of the model
    after each epoch. Only the first process needs `valid`.
    """

    def __init__(
        self,
        run: Run,
        model: Translator,
        train: Corpus,
        valid: Pairs,
        references: list[str],
        measure: Measure = lambda model: {},
    ):
        self.recipe = cast(TrainConfig, run.recipe)
        self.objective = Loss(model, self.recipe)
        super().__init__(run, model, self.objective)
        self.translator, self.train, self.valid, self.references = model, train, valid, references
        self.measure = measure
        self.device = next(model.parameters()).device
        self.updates = math.ceil(len(train) / pairs_per_update(self.recipe, run.world))
        self.average, self.patience, self.save_every = (
            self.recipe.average,
            self.recipe.patience,
            self.recipe.save_every,
        )

    def epoch(self, number: int) -> Sequence[Chosen]:
        return batch_order(self.train, pairs_per_update(self.recipe, self.run.world), self.recipe.seed, number)

    def update(self, chosen: Chosen, epoch: int) -> Update:
        words = int(self.train.lengths[1][chosen].sum()) + len(chosen)
        shares = share(chosen, self.recipe, self.run.world)
        # At the end of an epoch a process may have no pairs left; it computes on one pair that does not count.
        parts = [Part(partial(self._read, one if len(one) else chosen[:1], epoch), len(one) > 0) for one in shares]
        return Update(parts, words, words if self.recipe.loss_per == "word" else len(chosen))

    def example(self, epoch: int) -> tuple[Batch, Mode]:
        return self._read(np.arange(1), epoch)

    def _read(self, chosen: Chosen, epoch: int) -> tuple[Batch, Mode]:
        """The pairs on the device; a GPU copies them while it computes on the previous ones."""
        batch = self.train.batch(chosen)
        if self.device.type != "cpu":
            batch = batch.map(lambda tensor: tensor.pin_memory().to(self.device, non_blocking=True))
        return batch, Mode(widening=widening_of(self.translator, self.recipe, epoch))

    def settled(self, epoch: int) -> bool:
        return widening_of(self.translator, self.recipe, epoch) == 1

    def scores(self) -> dict[str, float]:
        return validate(self.translator, self.valid, self.references, self.recipe) | self.measure(self.translator)

    def finite(self, scores: dict[str, Any]) -> bool:
        return math.isfinite(scores["perplexity"])

    def value(self, scores: dict[str, Any]) -> float:
        return scores["bleu"] if self.recipe.criterion == "bleu" else -scores["perplexity"]

    def line(self, progress: Progress, scores: dict[str, Any]) -> dict[str, Any]:
        return scores | {
            "epoch": progress.epoch,
            "train_loss": progress.loss / max(progress.words, 1),
            "words_per_second": progress.words / max(progress.seconds, 1e-9),
            "seconds": progress.seconds,
        }

    def about(self, progress: Progress) -> dict[str, Any]:
        scores, seconds = progress.history[-1], sum(line["seconds"] for line in progress.history)
        valid = {key: round(scores[key], 4) for key in ("bleu", "perplexity")}
        return {"valid": valid, "epoch": progress.epoch, "train_seconds": round(seconds)}

    def shared(self) -> dict[str, Any]:
        source, target = (int(lengths.sum()) for lengths in self.train.lengths)
        text = {"pairs": len(self.train), "source words": source, "target words": target}
        return settings_of_run(self.run) | text

    def load_progress(self, progress: Progress) -> None:
        self.objective.baseline.fill_(progress.baseline)

    def save_progress(self, progress: Progress) -> None:
        progress.baseline = self.objective.baseline.item()


Texts = Callable[[], tuple[Text, Text]]  # returns the training text and the validation text


def prepared_task(
    run: Run,
    texts: Texts,
    langs: tuple[str, str],
    *,
    tokenized: bool,
    measure: Measure = lambda model: {},
) -> CorpusTask:
    """The task of a new translator with the run's config, and its text; see `gather`."""
    return new_task(run, gather(run, texts, langs, tokenized=tokenized), measure)


def gather(run: Run, texts: Texts, langs: tuple[str, str], *, tokenized: bool) -> Material:
    """Vocabularies and corpus in the run's folder, written by the first process; see `prepare`.

    Raises CheckpointError for a run to resume that does not fit, before the text is read.
    """

    def first() -> Material:
        if run.resume:
            check(run.out, settings_of_run(run))
        return prepare(run, *texts(), langs, tokenized=tokenized)

    return run.world.lead(first) or prepared(run.out)


def new_task(run: Run, material: Material, measure: Measure = lambda model: {}) -> CorpusTask:
    """The task of a new translator with the run's config, on the result of `gather`; `measure` as in CorpusTask."""
    torch.manual_seed(run.recipe.seed)
    model = Translator(run.config, material.source, material.target, run.name).to(run.world.device)
    return CorpusTask(run, model, material.train, material.valid, material.references, measure)


class Loss(nn.Module):
    """A module whose `forward` is the loss, as DistributedDataParallel requires; see `objective`."""

    baseline: Tensor

    def __init__(self, model: Translator, recipe: TrainConfig):
        super().__init__()
        self.model, self.recipe = model, recipe
        self.replay = Replay(model, recipe.precision) if recipe.graphs else None
        self.register_buffer("baseline", torch.zeros((), device=next(model.parameters()).device))

    def forward(self, batch: Batch, mode: Mode = AS_BUILT) -> Float[Tensor, ""]:
        with autocast(batch.source.device, self.recipe):
            if self.replay:
                return self.model.loss_of(self.replay(batch, mode), batch, self.recipe.label_smoothing)
            return objective(self.model, batch, self.recipe, self.baseline, mode)


def settings_of_run(run: Run) -> dict[str, Any]:
    """The settings that a resumed run must share with the original run.

    Epochs and patience may change, and also the numbers of processes and parts if the updates stay the same.
    """
    changeable = ("epochs", "patience", "save_every", "batch", "accumulate", "graphs")
    settings = {name: value for name, value in run.recipe.to_json().items() if name not in changeable}
    pairs = pairs_per_update(cast(TrainConfig, run.recipe), run.world)
    return run.config.flat() | settings | {"pairs per update": pairs}


def pairs_per_update(recipe: TrainConfig, world: World) -> int:
    """The pairs of one update: `batch` is the number that one process computes at a time."""
    return recipe.batch * recipe.accumulate * world.size


def share(chosen: Chosen, recipe: TrainConfig, world: World) -> list[Chosen]:
    """The parts of an update for this process: equally many per process, of sizes that differ by at most one."""
    return np.array_split(chosen, recipe.accumulate * world.size)[world.rank :: world.size]


def widening(recipe: TrainConfig, epoch: int) -> float:
    """The factor by which a learned window is widened in an epoch (from 0); see Mode."""
    return math.inf if epoch < recipe.wide else max(1.0, 4 * 0.5 ** (epoch - recipe.wide)) if recipe.wide else 1.0


def widening_of(model: Translator, recipe: TrainConfig, epoch: int) -> float:
    """`widening` for windows with a learned center; 1 for others."""
    attention = model.config.attention
    return widening(recipe, epoch) if attention and isinstance(attention.window, LocalPSettings) else 1.0


def autocast(device: torch.device, recipe: TrainConfig) -> torch.autocast:
    """bf16 matrix products if the recipe's precision is bf16."""
    return devices.autocast(device, recipe.precision)


@torch.no_grad()
def validate(model: Translator, valid: Pairs, references: list[str], recipe: TrainConfig) -> dict[str, float]:
    """Perplexity per word, </s> included, and BLEU of greedy translations against the tokenised references."""
    with autocast(next(model.parameters()).device, recipe):
        total = negative_log_likelihood(model, valid, recipe.batch)
        found = best_words(model, valid.source, recipe.batch)
    hypotheses = [model.target.text([model.target.token(word) for word in words]) for words in found]
    tokens = sum(len(target) + 1 for target in valid.target)
    return {"perplexity": perplexity(total, tokens), "bleu": bleu(hypotheses, references).score}
