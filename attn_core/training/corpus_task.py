"""The task of translators: sentence pairs of a corpus, in one process or several."""

import hashlib
import json
import math
import random
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, cast

import numpy as np
import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn

from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.data.bpe_dropout import Splitter, split_again
from attn_core.data.corpus import Batch, Corpus, Pairs, batch_order
from attn_core.data.tokenizer import NO_LANGUAGE, Tokenizer
from attn_core.decoding.beam import best_outputs
from attn_core.devices import autocast, machine
from attn_core.evaluation.bleu import bleu_score
from attn_core.evaluation.evaluate import (
    bleu_options,
    count_words,
    lines_for_bleu,
    negative_log_likelihood,
    translation_text,
)
from attn_core.evaluation.metrics import perplexity
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from attn_core.training.distributed import World
from attn_core.training.memory import check_fits
from attn_core.training.objective import objective
from attn_core.training.prepare import Material, Texts, prepare, prepared
from attn_core.training.run_state import TRAINING_TEXT, VALIDATION_TEXT, Progress, check
from attn_core.training.snapshots import Pair, Snapshots, own_sentences
from attn_core.training.speed.cuda_graphs import Replay
from attn_core.training.task import Part, Run, Task, Update

Chosen = Integer[np.ndarray, "_"]  # indices of sentence pairs
Measure = Callable[[Translator], dict[str, float]]


class CorpusTask(Task):
    """Training of a translator with the run's config on the texts that `texts` returns.

    `langs` are the languages of source and target. Raw text is tokenised by Moses; `tokenized` text is only split at
    spaces. `measure` returns additional scores of the model after each epoch. `shown` are the tokenised sentence pairs
    of the snapshots, by default four of our own captions, if they are in these languages.
    """

    model: Translator
    loss: "Loss"

    def __init__(
        self,
        run: Run,
        texts: Callable[[], Texts],
        langs: tuple[str, str],
        *,
        tokenized: bool,
        measure: Measure = lambda model: {},
        shown: Sequence[Pair] | None = None,
    ):
        super().__init__(run)
        self.shown = own_sentences(langs) if shown is None else shown
        self.texts, self.langs, self.tokenized, self.measure = texts, langs, tokenized, measure
        self.recipe = cast(TrainConfig, run.recipe)
        self.device = run.world.device
        self.average, self.patience, self.save_every = (
            self.recipe.average,
            self.recipe.patience,
            self.recipe.save_every,
        )

    @cached_property
    def material(self) -> Material:
        """Vocabularies and corpus in the run's folder, written by the first process; see prepare.py.

        Before the text is read it raises CheckpointError for a run to resume that does not fit, and ValueError for a
        model that does not fit in memory.
        """
        return self.run.world.lead(self._write_material) or prepared(self.run.out)

    def _write_material(self) -> Material:
        if self.run.resume:
            check(self.run.out, settings_of_run(self.run))
        side = Tokenizer.train(["-"], NO_LANGUAGE, min_frequency=1)  # the smallest vocabulary there is
        self._check_fits(side, side)
        return prepare(self.run, self.texts(), self.langs, tokenized=self.tokenized, check=self._check_fits)

    def _check_fits(self, source: Tokenizer, target: Tokenizer) -> None:
        """Raises ValueError if the model of these vocabularies does not fit in memory."""
        config = self.run.config.set({"init": "none"})  # only shapes matter
        check_fits(lambda: Translator(config, source, target), self.recipe, self.device)

    def prepare(self) -> None:
        source, target = self.material.source, self.material.target
        self._check_fits(source, target)
        torch.manual_seed(self.recipe.seed)
        self.begin(Translator(self.run.config, source, target, self.run.name).to(self.device))

    def begin(self, model: Translator) -> None:
        """Train `model` on the material."""
        self.model, self.loss = model, Loss(model, self.recipe)
        self.train: Corpus = self.material.train
        self.updates = math.ceil(len(self.material.train) / pairs_per_update(self.recipe, self.run.world))
        short = [pair for pair in self.shown if self._fits(*pair)]
        recipe = self.recipe
        self.record = Snapshots(self.run.out, short, recipe.snapshots, self.updates, recipe.epochs)
        self.snapshots = self.record.due

    def _fits(self, source: str, target: str) -> bool:
        """Whether a sentence pair has at most as many tokens as those that the model is trained on."""
        sides = self.model.source.tokens(source, True), self.model.target.tokens(target, True)
        return max(map(len, sides)) <= self.recipe.max_length

    def epoch(self, number: int) -> Sequence[Chosen]:
        recipe, seed = self.recipe, self.recipe.seed
        if recipe.subword_dropout:
            self.train = self.material.train  # frees the pieces of the epoch before
            dice = random.Random(f"{seed} {number}")
            self.train = split_again(self.material.train, self._splitters, recipe.max_length, dice)
        return batch_order(self.train, pairs_per_update(recipe, self.run.world), seed, number)

    @cached_property
    def _splitters(self) -> tuple[Splitter, Splitter]:
        dropout = self.recipe.subword_dropout
        return Splitter(self.material.source, dropout), Splitter(self.material.target, dropout)

    def update(self, chosen: Chosen, epochs_done: float) -> Update:
        words = int(self.train.lengths[1][chosen].sum()) + len(chosen)
        shares = share(chosen, self.recipe, self.run.world)
        # At the end of an epoch a process may have no pairs left; it computes on one pair that does not count.
        work = [(pairs, True) if len(pairs) else (chosen[:1], False) for pairs in shares]
        parts = [Part(partial(self._read, pairs, epochs_done, counts), counts) for pairs, counts in work]
        return Update(parts, words, words if self.recipe.loss_per == "word" else len(chosen))

    def example(self, epoch: int) -> tuple[Batch, Mode, bool]:
        return self._read(np.arange(1), epoch, False)

    def _read(self, chosen: Chosen, epochs_done: float, counts: bool) -> tuple[Batch, Mode, bool]:
        """The arguments of `Loss`, on the device; a GPU copies them while it computes on the previous ones."""
        batch = self.train.batch(chosen)
        if self.device.type != "cpu":
            batch = batch.map(lambda tensor: tensor.pin_memory().to(self.device, non_blocking=True))
        return batch, Mode(widening=widening_of(self.model, self.recipe, epochs_done)), counts

    def settled(self, epoch: int) -> bool:
        return widening_of(self.model, self.recipe, epoch) == 1

    def scores(self) -> dict[str, float]:
        valid, references = self.material.valid, self.material.references
        return validate(self.model, valid, references, self.recipe, self.tokenized) | self.measure(self.model)

    def finite(self, scores: dict[str, Any]) -> bool:
        return math.isfinite(scores["perplexity"])

    def value(self, scores: dict[str, Any]) -> tuple[float, ...]:
        # BLEU is exactly 0 in every epoch if the lines have fewer than four words.
        by_perplexity = (-scores["perplexity"],)
        return (scores["bleu"], *by_perplexity) if self.recipe.criterion == "bleu" else by_perplexity

    def line(self, progress: Progress, scores: dict[str, Any]) -> dict[str, Any]:
        return scores | {
            "epoch": progress.epoch,
            "train_loss": progress.loss / max(progress.words, 1),
            "words_per_second": progress.words / max(progress.seconds, 1e-9),
            "seconds": progress.seconds,
        }

    def _form(self) -> dict[str, Any]:
        """The form of the text that BLEU compares in validation; `signature` is part of sacrebleu's."""
        target = self.model.target
        options = bleu_options(target, self.tokenized, target.form)
        form = {"tokenized": self.tokenized, "lowercased": target.form.lower}
        if not options:
            return form
        case = "lc" if options["lowercase"] else "mixed"
        return form | {"signature": f"case:{case}|tok:{options['tokenize']}"}

    def about(self, progress: Progress) -> dict[str, Any]:
        scores, seconds = progress.history[-1], sum(line["seconds"] for line in progress.history)
        valid = {key: round(scores[key], 4) for key in ("bleu", "perplexity")} | self._form()
        processes = self.run.world.size
        data = self.run.about.get("data", {}) | {"pairs": self.material.lines, "tokenized": self.tokenized}
        return {
            "source_lang": self.langs[0],
            "target_lang": self.langs[1],
            "data": data,
            "machine": machine(self.device) | ({"processes": processes} if processes > 1 else {}),
            "valid": valid,
            "epoch": progress.epoch,
            "train_seconds": round(seconds),
        }

    def shared(self) -> dict[str, Any]:
        train = self.material.train
        source, target = (int(lengths.sum()) for lengths in train.lengths)
        sizes = {"pairs": len(train), "source words": source, "target words": target}
        digests = self.run.world.agree(lambda: {TRAINING_TEXT: train.digest(), VALIDATION_TEXT: _digest(self.material)})
        return settings_of_run(self.run) | sizes | digests

    def load_progress(self, progress: Progress) -> None:
        self.loss.baseline.fill_(progress.baseline)
        self.record.loss, self.record.words = progress.recent_loss, progress.recent_words
        if self.run.resume:
            self.record.restore(progress.updates)

    def save_progress(self, progress: Progress) -> None:
        progress.baseline = self.loss.baseline.item()
        progress.recent_loss, progress.recent_words = float(self.record.loss), self.record.words
        if self.run.world.first and self.snapshots:
            self.record.write()

    def updated(self, update: int, loss: Float[Tensor, ""], words: int) -> None:
        self.record.add(update, loss, words)

    def snapshot(self, update: int) -> None:
        self.record.add_snapshot(update, self.model)


class Loss(nn.Module):
    """A module whose `forward` is the loss, as DistributedDataParallel requires; see `objective`.

    A pass that does not count leaves the baseline unchanged.
    """

    baseline: Tensor

    def __init__(self, model: Translator, recipe: TrainConfig):
        super().__init__()
        self.model, self.recipe = model, recipe
        self.replay = Replay(model, recipe.precision) if recipe.graphs else None
        self.register_buffer("baseline", torch.zeros((), device=next(model.parameters()).device))

    def forward(self, batch: Batch, mode: Mode = AS_BUILT, counts: bool = True) -> Float[Tensor, ""]:
        baseline = self.baseline if counts else self.baseline.clone()
        with autocast(batch.source.device, self.recipe.precision):
            if self.replay:
                return self.model.loss_of(self.replay(batch, mode), batch, self.recipe.label_smoothing)
            return objective(self.model, batch, self.recipe, baseline, mode)


def settings_of_run(run: Run) -> dict[str, Any]:
    """The settings that a resumed run must share with the original run.

    Epochs and patience may change, and also the numbers of processes and parts if the updates stay the same.
    """
    changeable = ("epochs", "patience", "save_every", "snapshots", "batch", "accumulate", "graphs")
    settings = {name: value for name, value in run.recipe.to_json().items() if name not in changeable}
    pairs = pairs_per_update(cast(TrainConfig, run.recipe), run.world)
    return run.config.flat() | settings | {"pairs per update": pairs}


def pairs_per_update(recipe: TrainConfig, world: World) -> int:
    """The pairs of one update: `batch` is the number that one process computes at a time."""
    return recipe.batch * recipe.accumulate * world.size


def share(chosen: Chosen, recipe: TrainConfig, world: World) -> list[Chosen]:
    """The parts of an update for this process: equally many per process, of sizes that differ by at most one."""
    return np.array_split(chosen, recipe.accumulate * world.size)[world.rank :: world.size]


def widening(recipe: TrainConfig, epochs_done: float) -> float:
    """The factor by which a learned window is widened after `epochs_done` epochs, such as 2.5; see Mode."""
    wide, step = recipe.wide, min(1, recipe.wide)
    stages = (wide, math.inf), (wide + step, 4.0), (wide + 2 * step, 2.0)
    return next((factor for end, factor in stages if epochs_done < end - 1e-9), 1.0)  # 0.1 + 0.2 > 0.3


def widening_of(model: Translator, recipe: TrainConfig, epochs_done: float) -> float:
    """`widening` for windows with a learned center; 1 for others."""
    attention = model.config.attention
    return widening(recipe, epochs_done) if attention and attention.window.learned else 1.0


@torch.no_grad()
def validate(
    model: Translator, valid: Pairs, references: list[str], recipe: TrainConfig, tokenized: bool
) -> dict[str, float]:
    """Perplexity per whole word, </s> included, and BLEU of greedy translations, both as `evaluate` computes them.

    The `references` are the target lines of the validation text, tokenised or raw as the text of the training.
    """
    with autocast(next(model.parameters()).device, recipe.precision):
        total = negative_log_likelihood(model, valid, recipe.batch)
        outputs = best_outputs(model, valid.source)
    target = model.target
    texts = [translation_text(target, _tokens(model, output.text_words), tokenized) for output in outputs]
    ours, wanted = (lines_for_bleu(target, lines, tokenized, target.form) for lines in (texts, references))
    score = bleu_score(ours, wanted, **bleu_options(target, tokenized, target.form))
    words = sum(count_words(target, _tokens(model, line)) + 1 for line in valid.target)
    return {"perplexity": perplexity(total, words), "bleu": score}


def _digest(text: Material) -> str:
    """A digest of the validation set, by which `--resume` recognises it."""
    return hashlib.sha256(json.dumps([text.valid.source, text.references]).encode()).hexdigest()[:16]


def _tokens(model: Translator, words: Sequence[int]) -> list[str]:
    return [model.target.token(word) for word in words]
