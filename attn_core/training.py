"""The training loop. It knows nothing of attention; callers watch through a callback."""

import json
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from attn_core.checkpoint import save
from attn_core.config import TrainConfig
from attn_core.corpora import Batch, Pairs, batches
from attn_core.files import CheckpointError, replacing
from attn_core.metrics import bleu, perplexity
from attn_core.model import Translator
from attn_core.search import best_words


@dataclass
class Progress:
    """Where training stands; saved with the weights so that a resumed run goes on as if it had not stopped."""

    epoch: int = 0
    update: int = 0  # within the epoch
    updates: int = 0  # in all
    loss: float = 0.0  # summed over this epoch's words
    words: int = 0
    seconds: float = 0.0
    best: float = -math.inf
    stale: int = 0  # epochs since the best
    history: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Event:
    """What a callback is told: after every update, and with `scores` after every epoch."""

    progress: Progress
    updates_per_epoch: int
    loss: float  # nats per target word, of this update's batch
    words: int  # target words of this update's batch, </s> included
    scores: dict[str, float] | None = None


class Interrupted(Exception):
    """Training was stopped from outside, after its state had been saved."""


def fit(
    model: Translator,
    train: Pairs,
    valid: Pairs,
    valid_references: list[str],
    recipe: TrainConfig,
    folder: Path,
    about: dict[str, Any] | None = None,
    resume: bool = False,
    watch: Callable[[Event], None] = lambda event: None,
) -> Progress:
    """Fit `model` to `train`, keep the best of its epochs in `folder`, and return how it went.

    `folder` gets the model (see checkpoint.py), metrics.jsonl with a line per epoch, and state.safetensors, from which
    `resume` goes on: on the CPU the losses are, to the bit, those of a run that was not interrupted. Ctrl-C and SIGTERM
    save that state before they raise Interrupted. `valid_references` are the validation set's target lines, tokenised.
    """
    device = next(model.parameters()).device
    torch.manual_seed(recipe.seed)
    optimizer = make_optimizer(model, recipe)
    mean = {name: tensor.detach().clone() for name, tensor in model.named_parameters()} if recipe.average else {}
    run = _run(model, train, recipe)
    progress = _restore(folder, model, optimizer, mean, run) if resume else Progress()
    per_epoch = math.ceil(len(train) / recipe.batch)
    with _stopping() as stop:
        while progress.epoch < recipe.epochs and not (recipe.patience and progress.stale >= recipe.patience):
            model.train().widen(widening(recipe, progress.epoch))
            for number, batch in enumerate(batches(train, recipe.batch, recipe.seed, progress.epoch)):
                if number < progress.update:
                    continue
                began = time.perf_counter()
                loss, words = _update(model, optimizer, batch.map(lambda t: t.to(device)), recipe, progress, per_epoch)
                _blend(mean, model, recipe.average)
                progress.loss += loss
                progress.words += words
                progress.seconds += time.perf_counter() - began
                progress.update += 1
                progress.updates += 1
                watch(Event(progress, per_epoch, loss / words, words))
                if stop.is_set():
                    _store(folder, model, optimizer, mean, progress, run)
                    raise Interrupted(f"stopped in epoch {progress.epoch + 1}; go on with --resume")
            model.widen(1.0)
            with _averaged(model, mean):
                scores = validate(model.eval(), valid, valid_references, recipe)
                _keep(model, recipe, folder, about or {}, progress, scores)
            watch(Event(progress, per_epoch, scores["train_loss"], 0, scores))
            _store(folder, model, optimizer, mean, progress, run)
            if stop.is_set():
                raise Interrupted(f"stopped after epoch {progress.epoch}; go on with --resume")
    return progress


def make_optimizer(model: nn.Module, recipe: TrainConfig) -> torch.optim.Optimizer:
    """Adam, plain SGD, or Adadelta with Bahdanau 2015's rho = 0.95 and epsilon = 1e-6."""
    parameters = list(model.parameters())
    if recipe.optimizer == "sgd":
        return torch.optim.SGD(parameters, recipe.rate, weight_decay=recipe.weight_decay)
    if recipe.optimizer == "adadelta":
        return torch.optim.Adadelta(parameters, recipe.rate, rho=0.95, eps=1e-6, weight_decay=recipe.weight_decay)
    return torch.optim.Adam(
        parameters, recipe.rate, betas=(0.9, 0.98), eps=1e-9, weight_decay=recipe.weight_decay, fused=True
    )


def rate_at(recipe: TrainConfig, updates: int, epoch: int, per_epoch: int) -> float:
    """The learning rate of an update (counted from 0), in an epoch (from 0)."""
    warm = min(1.0, (updates + 1) / recipe.warmup) if recipe.warmup else 1.0
    if recipe.schedule == "halving":
        return recipe.rate * warm * 0.5 ** max(0, epoch + 1 - recipe.halve_after)
    if recipe.schedule == "cosine":
        return recipe.rate * warm * (0.5 + 0.5 * math.cos(math.pi * min(1.0, updates / (recipe.epochs * per_epoch))))
    return recipe.rate * warm


def widening(recipe: TrainConfig, epoch: int) -> float:
    """How many times as wide as it will be a learned window is in an epoch (from 0); see Translator.widen."""
    return math.inf if epoch < recipe.wide else max(1.0, 4 * 0.5 ** (epoch - recipe.wide)) if recipe.wide else 1.0


def _update(
    model: Translator,
    optimizer: torch.optim.Optimizer,
    batch: Batch,
    recipe: TrainConfig,
    progress: Progress,
    per_epoch: int,
) -> tuple[float, int]:
    """One step of the optimiser; the batch's loss, summed over its words, and how many they are."""
    for group in optimizer.param_groups:
        group["lr"] = rate_at(recipe, progress.updates, progress.epoch, per_epoch)
    words = int(batch.target_mask.sum())
    with autocast(batch.source.device, recipe):
        loss = model.loss(batch, recipe.label_smoothing)
    optimizer.zero_grad()
    (loss / (words if recipe.loss_per == "word" else len(batch.source))).backward()
    nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
    optimizer.step()
    return loss.item(), words


def autocast(device: torch.device, recipe: TrainConfig) -> torch.autocast:
    """bf16 for matrix products where the recipe says so."""
    return torch.autocast(device.type, torch.bfloat16, enabled=recipe.precision == "bf16")


@torch.inference_mode()
def validate(model: Translator, valid: Pairs, references: list[str], recipe: TrainConfig) -> dict[str, float]:
    """Perplexity per word, </s> included, and BLEU of greedy translations against the tokenised references."""
    device = next(model.parameters()).device
    total, words = 0.0, 0
    with autocast(device, recipe):
        for batch in batches(valid, recipe.batch):
            batch = batch.map(lambda t: t.to(device))
            total += model.loss(batch).item()
            words += int(batch.target_mask.sum())
        said = best_words(model, valid.source, recipe.batch)
    hypotheses = [model.target.text([model.target.token(word) for word in words]) for words in said]
    return {"perplexity": perplexity(total, words), "bleu": bleu(hypotheses, references).score}


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
) -> None:
    """Close the epoch: write its metrics, and the model if it is the best yet."""
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
    better, settled = value > progress.best, widening(recipe, progress.epoch - 1) == 1
    progress.stale = progress.stale + 1 if settled and not better else 0
    with replacing(folder / "metrics.jsonl") as part:
        part.write_text("".join(json.dumps(line) + "\n" for line in progress.history), "utf-8")
    if better:
        progress.best = value
        trained = {"valid": {key: round(scores[key], 4) for key in ("bleu", "perplexity")}, "epoch": progress.epoch}
        seconds = sum(line["seconds"] for line in progress.history)
        save(model, recipe, folder, about | trained | {"train_seconds": round(seconds)})


def _run(model: Translator, train: Pairs, recipe: TrainConfig) -> dict[str, Any]:
    """What a resumed run must share with the one that it continues; more epochs and more patience are allowed."""
    changeable = ("epochs", "patience")
    settings = {name: value for name, value in recipe.to_json().items() if name not in changeable}
    words = {"source words": sum(map(len, train.source)), "target words": sum(map(len, train.target))}
    return model.config.to_json() | settings | {"pairs": len(train)} | words


def _store(
    folder: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    mean: dict[str, Tensor],
    progress: Progress,
    run: dict[str, Any],
) -> None:
    """All that a resumed run needs, in one file."""
    tensors = {f"model.{name}": parameter.detach() for name, parameter in model.named_parameters()}
    tensors |= {f"mean.{name}": tensor for name, tensor in mean.items()}
    for index, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{index}.{key}": torch.as_tensor(value) for key, value in state.items()}
    tensors["random"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    with replacing(folder / "state.safetensors") as part:
        save_file(tensors, part, metadata={"progress": json.dumps(asdict(progress)), "run": json.dumps(run)})


def _restore(
    folder: Path, model: nn.Module, optimizer: torch.optim.Optimizer, mean: dict[str, Tensor], run: dict[str, Any]
) -> Progress:
    path = folder / "state.safetensors"
    if not path.exists():
        raise CheckpointError(f"{path} is missing: there is nothing to resume; train without --resume")
    try:
        with safe_open(path, "pt") as file:
            metadata = file.metadata()
            progress = Progress(**json.loads(metadata["progress"]))
            before = json.loads(metadata.get("run", "{}"))
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
        for name in before.keys() & run.keys():
            if before[name] != run[name]:
                raise ValueError(f"{name} was {before[name]}, not {run[name]}")
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                parameter.copy_(tensors[f"model.{name}"])
            for name, tensor in mean.items():
                tensor.copy_(tensors[f"mean.{name}"])
        state: dict[int, dict[str, Tensor]] = {}
        for key, tensor in tensors.items():
            if key.startswith("optimizer."):
                _, index, entry = key.split(".")
                state.setdefault(int(index), {})[entry] = tensor
        optimizer.load_state_dict(optimizer.state_dict() | {"state": state})
        torch.set_rng_state(tensors["random"])
        if "random.cuda" in tensors and torch.cuda.is_available():
            torch.cuda.set_rng_state(tensors["random.cuda"])
    except Exception as error:
        reason = " ".join(str(error).split())[:200]
        raise CheckpointError(
            f"{path} does not fit this model, recipe and text ({reason}); "
            "go on with those it was begun with, or train in another folder"
        ) from error
    return progress


@contextmanager
def _stopping() -> Iterator[threading.Event]:
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
