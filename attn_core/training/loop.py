"""The training loop, independent of the kind of model; see task.py for its arguments."""

import json
import math
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from attn_core.files import replacing
from attn_core.models.checkpoint import save
from attn_core.models.recipe import Recipe
from attn_core.training.course import METRICS
from attn_core.training.distributed import World
from attn_core.training.run_state import STATE, Progress, State
from attn_core.training.task import Event, Task, Update


class Diverged(ValueError):
    """The loss is NaN or infinite; the message suggests a remedy. Files saved earlier are unchanged."""


class Interrupted(Exception):
    """Training was stopped by a signal; its state has been saved. `status` is the exit status of a program."""

    def __init__(self, message: str, number: int = signal.SIGINT):
        super().__init__(message)
        self.status = 128 + number


class Stop(threading.Event):
    """An event that a signal sets; `number` is that of the signal."""

    number: int = signal.SIGINT


def fit(task: Task) -> Progress:
    """Train the model of `task`, keep the best epoch in the run's folder `out`, and return the progress.

    `out` gets the model (see checkpoint.py), metrics.jsonl with a line per epoch, and state.safetensors, from which
    `run.resume` continues: on the CPU the losses equal those of an uninterrupted run to the bit. Ctrl-C and SIGTERM
    save the state and raise Interrupted; during the last validation they are ignored. Raises Diverged when the loss is
    NaN or infinite, CheckpointError for a state that does not fit.

    Of several processes each computes its share of every update; only the first one writes, validates and calls
    `on_event`.
    """
    task.prepare()
    run, model, world = task.run, task.model, task.run.world
    recipe, device = run.recipe, next(model.parameters()).device
    torch.manual_seed(recipe.seed + world.rank)
    optimizer = make_optimizer(model, recipe)
    mean = {name: tensor.detach().clone() for name, tensor in model.named_parameters()} if task.average else {}
    state = State(run.out, model, optimizer, mean, task.shared(), world, recipe.epochs)
    progress = state.restore() if run.resume else Progress()
    task.load_progress(progress)
    if progress.epoch and progress.update == 0 and not _published(run.out):
        _publish(task, progress, mean)

    def keep_state() -> None:
        progress.loss = so_far.item()
        task.save_progress(progress)
        if not math.isfinite(progress.loss):
            raise Diverged(_diverged(progress, recipe, ""))
        state.store(progress)

    started, before = time.monotonic(), progress.updates

    def status() -> dict[str, Any]:
        done, total = progress.updates, recipe.epochs * task.updates
        each = (time.monotonic() - started) / max(done - before, 1)  # with validation
        loss = so_far.item() / progress.words
        return {
            "update": done,
            "updates": total,
            "epoch": progress.epoch,
            "epochs": recipe.epochs,
            "loss": loss if math.isfinite(loss) else None,
            "words_per_second": progress.words / max(progress.seconds, 1e-9),
            "seconds_left": each * (total - done),
        }

    def goes_on() -> bool:
        return progress.epoch < recipe.epochs and not (task.patience and progress.stale >= task.patience)

    with stopping() as stop:
        while goes_on():
            model.train()
            so_far = torch.tensor(progress.loss, dtype=torch.float64, device=device)
            began = time.perf_counter()
            updates, epoch = task.epoch(progress.epoch), progress.epoch
            replica = world.replicate(task.loss, partial(task.example, epoch))
            for chosen in updates[progress.update :]:
                for group in optimizer.param_groups:
                    group["lr"] = rate_at(recipe, progress.updates, epoch, task.updates)
                update = task.update(chosen, epoch + progress.update / task.updates)
                total = take_update(replica, optimizer, update, recipe, world)
                _blend(mean, model, decay_at(task.average, progress.updates))
                so_far = so_far + total
                progress.words += update.words
                progress.update += 1
                progress.updates += 1
                progress.seconds += time.perf_counter() - began
                if world.first:
                    task.updated(progress.updates, total, update.words)
                    if progress.updates in task.snapshots:
                        _snapshot(task, progress, mean)
                    run.on_event(Event(progress, task.updates, update.words, total, so_far))
                    run.announce(status)
                began = time.perf_counter()
                if world.any(stop.is_set()):
                    keep_state()
                    raise Interrupted(f"stopped in epoch {epoch + 1}; continue with --resume", stop.number)
                if task.save_every and progress.updates % task.save_every == 0:
                    keep_state()
            progress.loss = so_far.item()  # wait for the GPU
            progress.seconds += time.perf_counter() - began
            words = progress.words
            model.eval()
            with _averaged(model, mean):
                scores = world.agree(task.scores)
                if not (math.isfinite(progress.loss) and task.finite(scores)):
                    raise Diverged(_diverged(progress, recipe, f": loss {progress.loss / words:.4g}, {_named(scores)}"))
            line, total = _close_epoch(task, progress, scores), so_far
            so_far = torch.zeros_like(so_far)
            keep_state()  # first, since the model can be rewritten from it
            _publish(task, progress, mean)
            if world.first:
                run.on_event(Event(progress, task.updates, words, total, total, line))
            if world.any(stop.is_set()) and goes_on():
                raise Interrupted(f"stopped after epoch {progress.epoch}; continue with --resume", stop.number)
        if world.first and task.snapshots:
            _snapshot(task, progress, mean)
    return progress


def _diverged(progress: Progress, recipe: Recipe, how: str) -> str:
    return f"training diverged in epoch {progress.epoch + 1}{how}; start again with a rate below {recipe.rate:g}"


def _named(scores: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in scores.items() if isinstance(value, int | float))


def take_update(
    replica: nn.Module, optimizer: torch.optim.Optimizer, update: Update, recipe: Recipe, world: World
) -> Float[Tensor, ""]:
    """Take one optimizer step; returns the loss of the update, summed over its words.

    This process computes its share in parts. The accumulated gradients equal those of one batch: the loss of each part
    is divided by the divisor of the whole update, and multiplied by `world.size` since processes average gradients.
    """
    optimizer.zero_grad()
    total = torch.zeros((), device=next(replica.parameters()).device)
    for number, part in enumerate(update.parts, 1):
        last = number == len(update.parts)
        if not (part.counts or (last and world.size > 1)):
            continue
        arguments = part.read()
        with nullcontext() if last else world.accumulating(replica):
            loss = replica(*arguments) * (1 if part.counts else 0)
            (loss / (update.divisor / world.size)).backward()
        total += loss.detach()
    nn.utils.clip_grad_norm_(replica.parameters(), recipe.clip)
    optimizer.step()
    return world.total(total)


def make_optimizer(model: nn.Module, recipe: Recipe) -> torch.optim.Optimizer:
    """Adam with Vaswani 2017's betas and epsilon (5.3), SGD, or Adadelta with Bahdanau 2015's rho and epsilon (B.2)."""
    parameters = list(model.parameters())
    if recipe.optimizer == "sgd":
        return torch.optim.SGD(parameters, recipe.rate, weight_decay=recipe.weight_decay)
    if recipe.optimizer == "adadelta":
        return torch.optim.Adadelta(parameters, recipe.rate, rho=0.95, eps=1e-6, weight_decay=recipe.weight_decay)
    return torch.optim.Adam(
        parameters, recipe.rate, betas=(0.9, 0.98), eps=1e-9, weight_decay=recipe.weight_decay, fused=True
    )


def rate_at(recipe: Recipe, updates: int, epoch: int, per_epoch: int) -> float:
    """The learning rate of an update (from 0) in an epoch (from 0).

    "inverse-sqrt" is Vaswani 2017, eq. 3: d^-0.5 min(s^-0.5, s warmup^-1.5), with the peak `rate` = (d warmup)^-0.5.
    """
    warm = min(1.0, (updates + 1) / recipe.warmup) if recipe.warmup else 1.0
    if recipe.schedule == "halving":
        return recipe.rate * warm * 0.5 ** max(0, epoch + 1 - recipe.halve_after)
    if recipe.schedule == "cosine":
        return recipe.rate * warm * (0.5 + 0.5 * math.cos(math.pi * min(1.0, updates / (recipe.epochs * per_epoch))))
    if recipe.schedule == "inverse-sqrt":
        return recipe.rate * warm * math.sqrt(max(recipe.warmup, 1) / max(updates + 1, recipe.warmup, 1))
    return recipe.rate * warm


def decay_at(decay: float, updates: int) -> float:
    """The decay of the mean of the weights at an update (from 0): at most 1 - 9 / (10 + updates).

    The mean then spans a tenth of the updates until `decay` is reached, so that the first epochs are not scored with
    weights from before the training.
    """
    return min(decay, (1 + updates) / (10 + updates))


def _blend(mean: dict[str, Tensor], model: nn.Module, decay: float) -> None:
    """Update the running mean of the weights (Polyak averaging)."""
    if mean:
        with torch.no_grad():
            now = dict(model.named_parameters())
            torch._foreach_lerp_(list(mean.values()), [now[name].detach() for name in mean], 1 - decay)


@contextmanager
def _averaged(model: nn.Module, mean: dict[str, Tensor]) -> Iterator[None]:
    """Use the mean weights in `model` within the block."""
    trained = {name: parameter.data for name, parameter in model.named_parameters()}
    for name, parameter in model.named_parameters():
        parameter.data = mean.get(name, parameter.data)
    try:
        yield
    finally:
        for name, parameter in model.named_parameters():
            parameter.data = trained[name]


def _snapshot(task: Task, progress: Progress, mean: dict[str, Tensor]) -> None:
    """Let the task record its model with the mean weights; training then continues with the same random numbers."""
    device, training = next(task.model.parameters()).device, task.model.training
    task.model.eval()
    with _averaged(task.model, mean), torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        task.snapshot(progress.updates)
    task.model.train(training)


def _close_epoch(task: Task, progress: Progress, scores: dict[str, Any]) -> dict[str, Any]:
    """Close the epoch: decide whether its model is the best yet. Returns the line of the metrics."""
    settled = task.settled(progress.epoch)
    progress.epoch += 1
    line = task.line(progress, scores)
    value = task.value(line)
    best = task.value(progress.history[progress.kept - 1]) if progress.kept else None
    better = value is None or best is None or value > best
    progress.history.append(line)
    progress.update, progress.loss, progress.words, progress.seconds = 0, 0.0, 0, 0.0
    progress.stale = progress.stale + 1 if settled and not better else 0
    if better:
        progress.kept = progress.epoch
    return line


def _publish(task: Task, progress: Progress, mean: dict[str, Tensor]) -> None:
    """Write the metrics, and the model if that of the last epoch is the best yet."""
    run = task.run
    if not run.world.first:
        return
    with replacing(run.out / METRICS) as part:
        part.write_text("".join(json.dumps(row, allow_nan=False) + "\n" for row in progress.history), "utf-8")
    if progress.kept == progress.epoch:
        with _averaged(task.model, mean):
            save(task.model, run.recipe, run.out, run.about | task.about(progress))


def _published(out: Path) -> bool:
    """Whether the model was written after the state, false if the run was killed between the two."""
    state, model = out / STATE, out / "config.json"
    return model.exists() and model.stat().st_mtime_ns >= state.stat().st_mtime_ns


@contextmanager
def stopping() -> Iterator[Stop]:
    """An event set by Ctrl-C and SIGTERM, so that the current update finishes before training stops."""
    stop = Stop()

    def set_stop(number: int, _frame: object) -> None:
        stop.number = number
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, set_stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
