"""The training loop. It knows nothing of attention; callers watch through a callback."""

import json
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn

from attn_core import devices
from attn_core.attention.settings import LocalPSettings
from attn_core.data.corpus import Batch, Corpus, Pairs, batch_order
from attn_core.decoding.beam import best_words
from attn_core.evaluation.bleu import bleu
from attn_core.evaluation.evaluate import negative_log_likelihood
from attn_core.evaluation.metrics import perplexity
from attn_core.files import replacing
from attn_core.models.checkpoint import save
from attn_core.models.config import ModelConfig
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from attn_core.training.cuda_graphs import Replay
from attn_core.training.distributed import World
from attn_core.training.objective import objective
from attn_core.training.run_state import Progress, restore, store


@dataclass(frozen=True)
class Event:
    """What a callback is told: after every update, and with `scores` after every epoch.

    The losses stay on the GPU until somebody reads them, which means to wait for it: show them now and then.
    """

    progress: Progress
    updates_per_epoch: int
    words: int  # target words of this update, </s> included; with `scores`, of the epoch
    total: Float[Tensor, ""]  # their loss
    so_far: Float[Tensor, ""]  # that of all words of the epoch until now
    scores: dict[str, float] | None = None

    @property
    def loss(self) -> float:
        """Nats per target word of this update, with `scores` of the epoch."""
        return self.total.item() / self.words


class Diverged(ValueError):
    """The loss is no number any more; the message says what to try. What was saved before is as it was."""


class Interrupted(Exception):
    """Training was stopped from outside, after its state had been saved."""


def fit(
    model: Translator,
    train: Corpus,
    valid: Pairs,
    valid_references: list[str],
    recipe: TrainConfig,
    folder: Path,
    about: dict[str, Any] | None = None,
    resume: bool = False,
    watch: Callable[[Event], None] = lambda event: None,
    world: World | None = None,
    measure: Callable[[Translator], dict[str, float]] = lambda model: {},
) -> Progress:
    """Fit `model` to `train`, keep the best of its epochs in `folder`, and return how it went.

    `folder` gets the model (see checkpoint.py), metrics.jsonl with a line per epoch, and state.safetensors, from which
    `resume` goes on: on the CPU the losses are, to the bit, those of a run that was not interrupted. Ctrl-C and SIGTERM
    save that state before they raise Interrupted. `valid_references` are the validation set's target lines, tokenised.

    `measure` gives more scores of the model after each epoch, which go where those of the validation set go.

    In a `world` of several processes each computes its share of every update. The first alone writes, validates and
    calls `watch`; it alone needs `valid`.
    """
    world = world or World()
    check_graphs(recipe, world)
    device = next(model.parameters()).device
    torch.manual_seed(recipe.seed + world.rank)
    optimizer = make_optimizer(model, recipe)
    mean = {name: tensor.detach().clone() for name, tensor in model.named_parameters()} if recipe.average else {}
    run = settings_of_run(model.config, recipe, world) | words_of(train)
    progress = restore(folder, model, optimizer, mean, run, world) if resume else Progress()
    per_epoch = math.ceil(len(train) / pairs_per_update(recipe, world))
    loss = Loss(model, recipe)
    loss.baseline.fill_(progress.baseline)

    def keep_state() -> None:
        progress.loss, progress.baseline = so_far.item(), loss.baseline.item()
        if not math.isfinite(progress.loss):
            raise Diverged(
                f"training diverged in epoch {progress.epoch + 1}; start anew with a lower rate than {recipe.rate:g}"
            )
        store(folder, model, optimizer, mean, progress, run, world)

    with stopping() as stop:
        while progress.epoch < recipe.epochs and not (recipe.patience and progress.stale >= recipe.patience):
            model.train()
            wide = (
                widening(recipe, progress.epoch)
                if isinstance(model.config.attention and model.config.attention.window, LocalPSettings)
                else 1.0
            )
            settled = wide == 1
            so_far = torch.tensor(progress.loss, dtype=torch.float64, device=device)
            began = time.perf_counter()
            order = batch_order(train, pairs_per_update(recipe, world), recipe.seed, progress.epoch)
            replica = world.replicate(loss, lambda: _to(train.batch(np.arange(1)), device))
            for chosen in order[progress.update :]:
                for group in optimizer.param_groups:
                    group["lr"] = rate_at(recipe, progress.updates, progress.epoch, per_epoch)
                words = int(train.lengths[1][chosen].sum()) + len(chosen)
                total = _update(replica, optimizer, train, chosen, words, recipe, world, wide)
                _blend(mean, model, recipe.average)
                so_far = so_far + total
                progress.words += words
                progress.update += 1
                progress.updates += 1
                progress.seconds += time.perf_counter() - began
                if world.first:
                    watch(Event(progress, per_epoch, words, total, so_far))
                began = time.perf_counter()
                if world.any(stop.is_set()):
                    keep_state()
                    raise Interrupted(f"stopped in epoch {progress.epoch + 1}; go on with --resume")
                if recipe.save_every and progress.updates % recipe.save_every == 0:
                    keep_state()
            progress.loss = so_far.item()  # waits for the GPU
            progress.seconds += time.perf_counter() - began
            with _averaged(model, mean):
                scores = world.agree(lambda: validate(model.eval(), valid, valid_references, recipe) | measure(model))
                words = progress.words
                if not math.isfinite(progress.loss + scores["perplexity"]):
                    raise Diverged(
                        f"training diverged in epoch {progress.epoch + 1}: loss {progress.loss / words:.4g} a word, "
                        f"perplexity {scores['perplexity']:.4g}; start anew with a lower rate than {recipe.rate:g}"
                    )
                _keep(model, recipe, folder, about or {}, progress, scores, settled, world)
            if world.first:
                watch(Event(progress, per_epoch, words, so_far, so_far, scores))
            so_far = torch.zeros_like(so_far)
            keep_state()
            if world.any(stop.is_set()):
                raise Interrupted(f"stopped after epoch {progress.epoch}; go on with --resume")
    return progress


def check_graphs(recipe: TrainConfig, world: World) -> None:
    """Raises ValueError where CUDA graphs are asked for and cannot be."""
    if recipe.graphs and world.device.type != "cuda":
        raise ValueError(f"graphs=true needs a GPU, and this run is on {world.device}; leave it out")
    if recipe.graphs and world.size > 1:
        raise ValueError(f"graphs=true is for one process, not {world.size}; leave it out")


class Loss(nn.Module):
    """A model's loss as a `forward`, which is what DistributedDataParallel watches; see `objective`."""

    baseline: Tensor

    def __init__(self, model: Translator, recipe: TrainConfig):
        super().__init__()
        self.model, self.recipe = model, recipe
        self.replay = Replay(model, recipe.precision) if recipe.graphs else None
        self.register_buffer("baseline", torch.zeros((), device=next(model.parameters()).device))

    def forward(self, batch: Batch, widening: float = 1.0) -> Float[Tensor, ""]:
        with autocast(batch.source.device, self.recipe):
            if self.replay:
                return self.model.loss_of(self.replay(batch, widening), batch, self.recipe.label_smoothing)
            return objective(self.model, batch, self.recipe, self.baseline, widening)


def pairs_per_update(recipe: TrainConfig, world: World) -> int:
    """`batch` is what one process reads at a time; an update is what all of them read until the weights change."""
    return recipe.batch * recipe.accumulate * world.size


def _update(
    replica: nn.Module,
    optimizer: torch.optim.Optimizer,
    train: Corpus,
    chosen: Integer[np.ndarray, "b"],
    words: int,
    recipe: TrainConfig,
    world: World,
    wide: float = 1.0,
) -> Float[Tensor, ""]:
    """One step of the optimiser on the chosen pairs of `words` target words; their loss, summed over the words.

    This process takes its share in parts. The gradients of all of them are those of one batch, as each part's loss is
    divided by what all parts hold together; times `world.size`, since the processes' gradients are averaged.
    """
    optimizer.zero_grad()
    device = next(replica.parameters()).device
    total = torch.zeros((), device=device)
    parts = share(chosen, recipe, world)
    for number, part in enumerate(parts, 1):
        last = number == len(parts)
        if not (len(part) or last):
            continue
        # At the end of an epoch a process may have nothing left. It reads a pair for nothing: the others wait for it.
        batch = _to(train.batch(part if len(part) else chosen[:1]), device)
        with nullcontext() if last else world.accumulating(replica):
            loss = replica(batch, wide) * (1 if len(part) else 0)
            (loss / ((words if recipe.loss_per == "word" else len(chosen)) / world.size)).backward()
        total += loss.detach()
    nn.utils.clip_grad_norm_(replica.parameters(), recipe.clip)
    optimizer.step()
    return world.total(total)


def share(chosen: Integer[np.ndarray, "b"], recipe: TrainConfig, world: World) -> list[Integer[np.ndarray, "_"]]:
    """The parts of an update that fall to this process: as many for each, of sizes that differ by one at most."""
    return np.array_split(chosen, recipe.accumulate * world.size)[world.rank :: world.size]


def _to(batch: Batch, device: torch.device) -> Batch:
    """`batch` on the device; a GPU fetches it while it still works on the one before."""
    if device.type == "cpu":
        return batch
    return batch.map(lambda tensor: tensor.pin_memory().to(device, non_blocking=True))


def make_optimizer(model: nn.Module, recipe: TrainConfig) -> torch.optim.Optimizer:
    """Adam with Vaswani 2017's betas and epsilon (5.3), SGD, or Adadelta with Bahdanau 2015's rho and epsilon (B.2)."""
    parameters = list(model.parameters())
    if recipe.optimizer == "sgd":
        return torch.optim.SGD(parameters, recipe.rate, weight_decay=recipe.weight_decay)
    if recipe.optimizer == "adadelta":
        return torch.optim.Adadelta(parameters, recipe.rate, rho=0.95, eps=1e-6, weight_decay=recipe.weight_decay)
    return torch.optim.Adam(
        parameters, recipe.rate, betas=(0.9, 0.98), eps=1e-9, weight_decay=recipe.weight_decay, fused=True
    )


def rate_at(recipe: TrainConfig, updates: int, epoch: int, per_epoch: int) -> float:
    """The learning rate of an update (counted from 0), in an epoch (from 0).

    "inverse-sqrt" is Vaswani 2017, eq. 3, d^-0.5 min(s^-0.5, s warmup^-1.5), whose peak `rate` is (d warmup)^-0.5.
    """
    warm = min(1.0, (updates + 1) / recipe.warmup) if recipe.warmup else 1.0
    if recipe.schedule == "halving":
        return recipe.rate * warm * 0.5 ** max(0, epoch + 1 - recipe.halve_after)
    if recipe.schedule == "cosine":
        return recipe.rate * warm * (0.5 + 0.5 * math.cos(math.pi * min(1.0, updates / (recipe.epochs * per_epoch))))
    if recipe.schedule == "inverse-sqrt":
        return recipe.rate * warm * math.sqrt(max(recipe.warmup, 1) / max(updates + 1, recipe.warmup, 1))
    return recipe.rate * warm


def widening(recipe: TrainConfig, epoch: int) -> float:
    """How many times as wide as it will be a learned window is in an epoch (from 0); see attention.mode.Mode."""
    return math.inf if epoch < recipe.wide else max(1.0, 4 * 0.5 ** (epoch - recipe.wide)) if recipe.wide else 1.0


def autocast(device: torch.device, recipe: TrainConfig) -> torch.autocast:
    """bf16 for matrix products where the recipe says so."""
    return devices.autocast(device, recipe.precision)


@torch.no_grad()
def validate(model: Translator, valid: Pairs, references: list[str], recipe: TrainConfig) -> dict[str, float]:
    """Perplexity per word, </s> included, and BLEU of greedy translations against the tokenised references."""
    with autocast(next(model.parameters()).device, recipe):
        total = negative_log_likelihood(model, valid, recipe.batch)
        said = best_words(model, valid.source, recipe.batch)
    hypotheses = [model.target.text([model.target.token(word) for word in words]) for words in said]
    tokens = sum(len(target) + 1 for target in valid.target)
    return {"perplexity": perplexity(total, tokens), "bleu": bleu(hypotheses, references).score}


def _blend(mean: dict[str, Tensor], model: nn.Module, decay: float) -> None:
    """Move the running mean of the weights a little towards the weights (Polyak averaging)."""
    if mean:
        with torch.no_grad():
            now = dict(model.named_parameters())
            torch._foreach_lerp_(list(mean.values()), [now[name].detach() for name in mean], 1 - decay)


@contextmanager
def _averaged(model: nn.Module, mean: dict[str, Tensor]) -> Iterator[None]:
    """`model` with the mean weights in place of its own, for the length of the block."""
    own = {name: parameter.data for name, parameter in model.named_parameters()}
    for name, parameter in model.named_parameters():
        parameter.data = mean.get(name, parameter.data)
    try:
        yield
    finally:
        for name, parameter in model.named_parameters():
            parameter.data = own[name]


def _keep(
    model: Translator,
    recipe: TrainConfig,
    folder: Path,
    about: dict[str, Any],
    progress: Progress,
    scores: dict[str, float],
    settled: bool,
    world: World,
) -> None:
    """Close the epoch: write its metrics, and the model if it is the best yet.

    Epochs before the window has `settled` at its own width do not try anyone's patience.
    """
    progress.epoch += 1
    scores |= {
        "epoch": progress.epoch,
        "train_loss": progress.loss / max(progress.words, 1),
        "words_per_second": progress.words / max(progress.seconds, 1e-9),
        "seconds": progress.seconds,
    }
    progress.history.append(scores)
    progress.update, progress.loss, progress.words, progress.seconds = 0, 0.0, 0, 0.0
    value = scores["bleu"] if recipe.criterion == "bleu" else -scores["perplexity"]
    better = value > progress.best
    progress.stale = progress.stale + 1 if settled and not better else 0
    if better:
        progress.best = value
    if not world.first:
        return
    with replacing(folder / "metrics.jsonl") as part:
        part.write_text("".join(json.dumps(line, allow_nan=False) + "\n" for line in progress.history), "utf-8")
    if better:
        trained = {"valid": {key: round(scores[key], 4) for key in ("bleu", "perplexity")}, "epoch": progress.epoch}
        seconds = sum(line["seconds"] for line in progress.history)
        save(model, recipe, folder, about | trained | {"train_seconds": round(seconds)})


def settings_of_run(config: ModelConfig, recipe: TrainConfig, world: World) -> dict[str, Any]:
    """What a resumed run must share with the one that it continues; more epochs and more patience are allowed.

    So are other processes and parts, as long as they make the same updates.
    """
    changeable = ("epochs", "patience", "save_every", "batch", "accumulate", "graphs")
    settings = {name: value for name, value in recipe.to_json().items() if name not in changeable}
    return config.to_json() | settings | {"pairs per update": pairs_per_update(recipe, world)}


def words_of(train: Corpus) -> dict[str, int]:
    """What a resumed run's text must share, too."""
    source, target = (int(lengths.sum()) for lengths in train.lengths)
    return {"pairs": len(train), "source words": source, "target words": target}


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set, so that the running update ends before training does."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
