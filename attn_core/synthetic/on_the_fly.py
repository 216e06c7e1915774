"""Training on examples that are drawn as they are needed, so that none is seen twice; for models of made-up data.

The loop beside `training.fit`, which reads a corpus; optimiser, rates and state are the same.
"""

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from attn_core.devices import device_of
from attn_core.files import FORMAT, CheckpointError, find, read_record, replacing
from attn_core.models.presets import configure
from attn_core.models.recipe import TrainConfig
from attn_core.settings import Settings as Config
from attn_core.trace import Record
from attn_core.training.distributed import World
from attn_core.training.loop import Diverged, Interrupted, autocast, make_optimizer, rate_at, stopping
from attn_core.training.run_state import Progress, restore, store

Model = TypeVar("Model", bound=nn.Module)


@dataclass(frozen=True)
class DrawnConfig(Config):
    """A recipe for examples that are drawn: those settings of TrainConfig that count here, and `updates`."""

    updates: int = 1000  # in an epoch: there is no corpus that it could be a pass over
    batch: int = 64  # examples in an update
    epochs: int = 30
    optimizer: str = "adam"
    rate: float = 3e-3
    schedule: str = "cosine"
    halve_after: int = 8
    warmup: int = 200
    weight_decay: float = 0.0
    clip: float = 1.0
    precision: str = "fp32"
    seed: int = 1

    def __post_init__(self) -> None:
        if self.updates < 1:
            raise ValueError(f"updates must be 1 or more, not {self.updates}")
        self.as_train_config()

    def as_train_config(self) -> TrainConfig:
        """The same settings for what `training.fit` and `fit_drawn` share. Raises ValueError for a wrong value."""
        return TrainConfig(**{name: value for name, value in self.to_json().items() if name != "updates"})


@dataclass(frozen=True)
class Kind(Generic[Model]):
    """Models that learn from examples which are drawn: how they are made, trained, saved and loaded."""

    name: str  # in config.json
    config: type[Config]
    build: Callable[[Any, str], Model]  # from a config and a name; a model has `config`, `name` and `loss(batch)`
    recipes: Mapping[str, tuple[Config, DrawnConfig]]  # by preset
    draw: Callable[[Any, int, tuple[int, int]], Record]  # a batch of so many for a config; a seed gives the same again
    measure: Callable[[Model, int], dict[str, Any]]  # the scores after an epoch, given the recipe's seed

    def learn(
        self,
        preset: str,
        out: str | Path,
        *,
        settings: dict[str, Any] | None = None,
        resume: bool = False,
        device: str = "auto",
        watch: Callable[[dict[str, Any]], None] = lambda scores: None,
    ) -> Progress:
        """Train one of `recipes` and write the model to the folder `out`; `device` as in devices.device_of.

        `settings` override fields of its two configs by name. `watch` gets the scores of each epoch: its number, the
        mean loss, the seconds, and those of `measure`.
        Raises ValueError for an unknown preset, setting or device, and what `fit_drawn` raises.
        """
        config, recipe = configure(preset, settings or {}, self.recipes)
        torch.manual_seed(recipe.seed)
        model = self.build(config, Path(out).resolve().name).to(device_of(device))
        about = {"preset": preset, "settings": settings or {}}
        return fit_drawn(self, model, recipe, Path(out), about, resume, watch)

    def load(self, name_or_path: str | Path) -> Model:
        """What `learn` wrote, float32 and in evaluation mode, by its name in `pretrained/` or the path of its folder.

        Raises CheckpointError for an unknown name, a model of another kind, and a folder that is damaged.
        """
        folder = find(name_or_path)
        record = read_record(folder, self.name)
        try:
            model = self.build(self.config.from_json(record["model"]), str(record["name"]))
            weights = load_file(folder / "model.safetensors")
            strange = [name for name, tensor in weights.items() if not tensor.isfinite().all()]
            if strange:
                raise ValueError(f"{strange[0]} has entries that are not finite")
            model.load_state_dict({name: tensor.float() for name, tensor in weights.items()})
        except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
            reason = " ".join(str(error).split())[:200]
            raise CheckpointError(f"{folder} is damaged: its files do not fit each other ({reason})") from error
        return model.eval().requires_grad_(False)


def fit_drawn(
    kind: Kind[Model],
    model: Model,
    recipe: DrawnConfig,
    folder: Path,
    about: dict[str, Any],
    resume: bool = False,
    watch: Callable[[dict[str, Any]], None] = lambda scores: None,
) -> Progress:
    """Train `model` on the batches that its `kind` draws for (seed, 0), (seed, 1), ...

    After each epoch its scores go to `watch` and to metrics.jsonl, and the model to `folder` (see `save`), with a state
    from which `resume` goes on.

    Raises CheckpointError for a `folder` that holds a model already or, with `resume`, no state that fits this model
    and recipe; Diverged when the loss is no number; Interrupted after Ctrl-C, once the state is saved.
    """
    shared, updates = recipe.as_train_config(), recipe.updates
    if not resume and any((folder / one).exists() for one in ("state.safetensors", "config.json")):
        raise CheckpointError(f"{folder} holds a model already; go on with --resume, or name another folder")
    optimizer, world, device = make_optimizer(model, shared), World(), next(model.parameters()).device
    config, loss_of = cast(Config, model.config), cast(Callable[[Any], Tensor], model.loss)
    run = config.to_json() | {name: value for name, value in recipe.to_json().items() if name != "epochs"}
    progress = restore(folder, model, optimizer, {}, run, world) if resume else Progress()
    with stopping() as stop:
        while progress.epoch < recipe.epochs:
            model.train()
            while progress.update < updates:
                began = time.perf_counter()
                for group in optimizer.param_groups:
                    group["lr"] = rate_at(shared, progress.updates, progress.epoch, updates)
                optimizer.zero_grad()
                batch = kind.draw(config, recipe.batch, (recipe.seed, progress.updates))
                with autocast(device, shared):
                    loss = loss_of(batch.map(lambda part: part.to(device)))
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
                scores |= kind.measure(model, recipe.seed)
            progress.history.append(scores)
            progress.update, progress.loss, progress.seconds = 0, 0.0, 0.0
            with replacing(folder / "metrics.jsonl") as part:
                part.write_text("".join(json.dumps(line, allow_nan=False) + "\n" for line in progress.history), "utf-8")
            save(model, kind.name, recipe, folder, about | {"examples": progress.updates * recipe.batch})
            store(folder, model, optimizer, {}, progress, run, world)
            watch(scores)
    return progress


def save(model: nn.Module, kind: str, recipe: DrawnConfig, folder: Path, about: dict[str, Any]) -> None:
    """config.json with its `kind`, and the weights in float16; the config last: a folder that has it is complete."""
    weights = {name: tensor.detach().half().contiguous() for name, tensor in model.state_dict().items()}
    with replacing(folder / "model.safetensors") as part:
        save_file(weights, part)
    record = {"format": FORMAT, "kind": kind, "name": model.name, "model": cast(Config, model.config).to_json()}
    record |= {"train": recipe.to_json(), "about": about}
    with replacing(folder / "config.json") as part:
        part.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
