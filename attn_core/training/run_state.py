"""Save and restore training state for exact resume."""

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from attn_core.aliases import renamed
from attn_core.files import CheckpointError, replacing
from attn_core.training.distributed import World
from attn_core.training.products import current_library


@dataclass
class Progress:
    """The progress of training, saved with the weights."""

    epoch: int = 0
    update: int = 0  # within the epoch
    updates: int = 0  # in total
    loss: float = 0.0  # summed over this epoch's words
    words: int = 0
    seconds: float = 0.0
    best: float = -math.inf
    stale: int = 0  # epochs since the best
    baseline: float = 0.0  # see reinforce.py
    history: list[dict[str, Any]] = field(default_factory=list)


def store(
    folder: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    mean: dict[str, Tensor],
    progress: Progress,
    run: dict[str, Any],
    world: World,
) -> None:
    """Write everything that a resumed run needs to one file, by the first process."""
    tensors = {"random": world.gather(torch.get_rng_state())}
    if torch.cuda.is_available():
        tensors["random.cuda"] = world.gather(torch.cuda.get_rng_state())
    if not world.first:
        return
    tensors |= {f"model.{name}": parameter.detach() for name, parameter in model.named_parameters()}
    tensors |= {f"mean.{name}": tensor for name, tensor in mean.items()}
    for index, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{index}.{key}": torch.as_tensor(value) for key, value in state.items()}
    with replacing(folder / "state.safetensors") as part:
        settings = run | {"products": current_library()}
        save_file(tensors, part, metadata={"progress": json.dumps(asdict(progress)), "run": json.dumps(settings)})


def check(folder: Path, run: dict[str, Any]) -> Progress:
    """The progress of the run in `folder`. Raises CheckpointError if there is none, or one with other settings."""
    path = folder / "state.safetensors"
    if not path.is_file():
        raise CheckpointError(f"{folder} has no {path.name}, so there is nothing to resume; train without --resume")
    with _fitting(path), safe_open(path, "pt") as file:
        metadata = file.metadata()
        before = renamed(json.loads(metadata.get("run", "{}")))
        for name in before.keys() & run.keys():
            if before[name] != run[name]:
                raise ValueError(f"{name} was {before[name]}, not {run[name]}")
        return Progress(**json.loads(metadata["progress"]))


def begun_with(folder: Path, name: str) -> Any:
    """A setting of the run in `folder`; None if there is no readable run."""
    try:
        with safe_open(folder / "state.safetensors", "pt") as file:
            return json.loads(file.metadata().get("run", "{}")).get(name)
    except (OSError, ValueError, SafetensorError):  # `check` reports the error
        return None


def restore(
    folder: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    mean: dict[str, Tensor],
    run: dict[str, Any],
    world: World,
) -> Progress:
    """Restore what `store` wrote. With another number of processes the random numbers differ from here on."""
    progress = check(folder, run)
    path = folder / "state.safetensors"
    with _fitting(path):
        with safe_open(path, "pt") as file:
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
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
        random = tensors["random"].reshape(-1, torch.get_rng_state().numel())
        if len(random) == world.size:
            torch.set_rng_state(random[world.rank].clone())  # set_rng_state ignores the offset of a view
            if "random.cuda" in tensors and torch.cuda.is_available():
                torch.cuda.set_rng_state(tensors["random.cuda"].reshape(len(random), -1)[world.rank].clone())
        else:
            torch.manual_seed(torch.initial_seed() + progress.updates)
    return progress


@contextmanager
def _fitting(path: Path) -> Iterator[None]:
    """Turn any error about the state at `path` into a CheckpointError that says what to do."""
    try:
        yield
    except Exception as error:
        reason = " ".join(str(error).split())[:200]
        raise CheckpointError(
            f"{path} does not fit this model, recipe and text ({reason}); "
            "resume with the original ones, or train in another folder"
        ) from error
