"""Training on examples that are drawn as they are needed, so that none is seen twice; for models of made-up data.

The loop beside `training.fit`, which reads a corpus; optimiser, rates and state are the same.
"""

import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

from attn_core.config import Config, TrainConfig
from attn_core.distributed import World
from attn_core.files import FORMAT, CheckpointError, find, read_record, replacing
from attn_core.state import Progress, restore, store
from attn_core.trace import Record
from attn_core.training import Diverged, Interrupted, autocast, make_optimizer, rate_at, stopping


def fit_drawn(
    model: nn.Module,
    draw: Callable[[int], Record],
    updates: int,
    recipe: TrainConfig,
    folder: Path,
    *,
    kind: str,
    measure: Callable[[], dict[str, Any]],
    about: dict[str, Any] | None = None,
    resume: bool = False,
    watch: Callable[[dict[str, Any]], None] = lambda scores: None,
) -> Progress:
    """Train `model`, which has a `config`, a `name` and a `loss(batch)`, on `draw(0)`, `draw(1)`, ...

    An epoch is `updates` updates. After each one `measure` gives the scores; they go to `watch` and to metrics.jsonl,
    and the model to `folder` (see `save`), with a state from which `resume` goes on. `draw` must give the same batch
    for the same number. Raises Diverged when the loss is no number, Interrupted after Ctrl-C, once the state is saved.
    """
    if not resume and any((folder / one).exists() for one in ("state.safetensors", "config.json")):
        raise CheckpointError(f"{folder} holds a model already; go on with --resume, or name another folder")
    optimizer, world, device = make_optimizer(model, recipe), World(), next(model.parameters()).device
    run = model.config.to_json() | {name: value for name, value in recipe.to_json().items() if name != "epochs"}
    progress = restore(folder, model, optimizer, {}, run, world) if resume else Progress()
    with stopping() as stop:
        while progress.epoch < recipe.epochs:
            model.train()
            while progress.update < updates:
                began = time.perf_counter()
                for group in optimizer.param_groups:
                    group["lr"] = rate_at(recipe, progress.updates, progress.epoch, updates)
                optimizer.zero_grad()
                with autocast(device, recipe):
                    loss = model.loss(draw(progress.updates).map(lambda part: part.to(device)))
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
                optimizer.step()
                progress.loss += loss.item()
                progress.update += 1
                progress.updates += 1
                progress.seconds += time.perf_counter() - began
                if not math.isfinite(progress.loss):
                    raise Diverged(f"training diverged; start anew with a lower rate than {recipe.rate:g}")
                if stop.is_set():
                    store(folder, model, optimizer, {}, progress, run, world)
                    raise Interrupted(f"stopped in epoch {progress.epoch + 1}; go on with --resume")
            progress.epoch += 1
            scores = {"epoch": progress.epoch, "loss": progress.loss / updates, "seconds": progress.seconds}
            model.eval()
            with torch.inference_mode():
                scores |= measure()
            progress.history.append(scores)
            progress.update, progress.loss, progress.seconds = 0, 0.0, 0.0
            with replacing(folder / "metrics.jsonl") as part:
                part.write_text("".join(json.dumps(line, allow_nan=False) + "\n" for line in progress.history), "utf-8")
            save(model, kind, recipe, folder, (about or {}) | {"examples": progress.updates * recipe.batch})
            store(folder, model, optimizer, {}, progress, run, world)
            watch(scores)
    return progress


def save(model: nn.Module, kind: str, recipe: TrainConfig, folder: Path, about: dict[str, Any]) -> None:
    """config.json with its `kind`, and the weights in float16; the config last: a folder that has it is complete."""
    weights = {name: tensor.detach().half().contiguous() for name, tensor in model.state_dict().items()}
    with replacing(folder / "model.safetensors") as part:
        save_file(weights, part)
    record = {"format": FORMAT, "kind": kind, "name": model.name, "model": model.config.to_json()}
    record |= {"train": recipe.to_json(), "about": about}
    with replacing(folder / "config.json") as part:
        part.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")


def load(name_or_path: str | Path, kind: str, config: type[Config], build: Callable[[Any, str], nn.Module]) -> Any:
    """The model that `save` wrote, float32 and in evaluation mode, by its name in `pretrained/` or its folder's path.

    `build` makes it from its config and name. Raises CheckpointError for an unknown name, a model of another kind, and
    a folder that is damaged.
    """
    folder = find(name_or_path)
    record = read_record(folder, kind)
    try:
        model = build(config.from_json(record["model"]), str(record["name"]))
        weights = load_file(folder / "model.safetensors")
        strange = [name for name, tensor in weights.items() if not tensor.isfinite().all()]
        if strange:
            raise ValueError(f"{strange[0]} has entries that are not finite")
        model.load_state_dict({name: tensor.float() for name, tensor in weights.items()})
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        reason = " ".join(str(error).split())[:200]
        raise CheckpointError(f"{folder} is damaged: its files do not fit each other ({reason})") from error
    return model.eval().requires_grad_(False)
