"""Save and restore training state for exact resume."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from json import JSONDecodeError
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from attn_core.files import CheckpointError, FullDisk, parse_json, replacing
from attn_core.models.folders import STATE
from attn_core.models.own_files import clear
from attn_core.settings import written
from attn_core.training.distributed import World
from attn_core.training.rounding import check_rounding, round_like, rounding

TRAINING_TEXT, VALIDATION_TEXT = "training text", "validation text"  # of a run; recorded as digests


@dataclass
class Progress:
    """The progress of training, saved with the weights."""

    epoch: int = 0
    update: int = 0  # within the epoch
    updates: int = 0  # in total
    loss: float = 0.0  # summed over this epoch's words
    words: int = 0
    seconds: float = 0.0
    stale: int = 0  # epochs since the best
    kept: int = 0  # the epoch whose model is the one on disk
    baseline: float = 0.0  # see reinforce.py
    recent_loss: float = 0.0  # summed over `recent_words`: those since the last entry of snapshots.py's `losses`
    recent_words: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class State:
    """Everything that a resumed run needs, as one file in `folder`."""

    folder: Path
    model: nn.Module
    optimizer: torch.optim.Optimizer
    mean: dict[str, Tensor]  # running mean of the weights, by parameter name; empty without averaging
    shared: dict[str, Any]  # settings that a resumed run must share with the original run
    world: World = field(default_factory=World)
    epochs: int | None = None  # of the run; a resumed run may change them

    def store(self, progress: Progress) -> None:
        """Write the file, by the first process."""
        tensors = {"random": self.world.gather(torch.get_rng_state())}
        if self.world.device.type == "cuda":
            tensors["random.cuda"] = self.world.gather(torch.cuda.get_rng_state(self.world.device))
        if not self.world.first:
            return
        tensors |= {f"model.{name}": parameter.detach() for name, parameter in self.model.named_parameters()}
        tensors |= {f"mean.{name}": tensor for name, tensor in self.mean.items()}
        for index, state in self.optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{index}.{key}": torch.as_tensor(value) for key, value in state.items()}
        with replacing(self.folder / STATE) as part:
            run = self.shared | rounding() | {"epochs": self.epochs}
            about = {"progress": json.dumps(asdict(progress)), "run": json.dumps(run)}
            save_file(tensors, part, metadata=about)

    def restore(self) -> Progress:
        """Restore what `store` wrote. With another number of processes the random numbers differ from here on."""
        progress = check(self.folder, self.shared)
        path = self.folder / STATE
        with _state_errors(path):
            with safe_open(path, "pt") as file:
                tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
            with torch.no_grad():
                for name, parameter in self.model.named_parameters():
                    parameter.copy_(tensors[f"model.{name}"])
                for name, tensor in self.mean.items():
                    tensor.copy_(tensors[f"mean.{name}"])
            state: dict[int, dict[str, Tensor]] = {}
            for key, tensor in tensors.items():
                if key.startswith("optimizer."):
                    _, index, entry = key.split(".")
                    state.setdefault(int(index), {})[entry] = tensor
            self.optimizer.load_state_dict(self.optimizer.state_dict() | {"state": state})
            random = tensors["random"].reshape(-1, torch.get_rng_state().numel())
            if len(random) == self.world.size:
                rank = self.world.rank
                torch.set_rng_state(random[rank].clone())  # set_rng_state ignores the offset of a view
                if "random.cuda" in tensors and self.world.device.type == "cuda":
                    state_of_gpu = tensors["random.cuda"].reshape(len(random), -1)[rank].clone()
                    torch.cuda.set_rng_state(state_of_gpu, self.world.device)
            else:
                torch.manual_seed(torch.initial_seed() + progress.updates)
        return progress


def check(folder: Path, run: dict[str, Any]) -> Progress:
    """The progress of the run in `folder`. Raises CheckpointError if there is none, or one with other settings."""
    path = folder / STATE
    if not path.is_file():
        raise CheckpointError(f"{folder} has no {path.name}, so there is nothing to resume; train without --resume")
    with _state_errors(path), safe_open(path, "pt") as file:
        metadata = file.metadata() or {}
        if "progress" not in metadata:
            raise ValueError("it contains no training progress")
        before = parse_json(metadata.get("run", "{}"), finite=False)
        changed = [name for name in before if name in run and before[name] != run[name]]
        for name in (TRAINING_TEXT, VALIDATION_TEXT):  # first, since other lengths come with another text
            if name in changed:
                raise ValueError(f"the {name} has changed since this run began")
        if changed:
            name = changed[0]
            raise ValueError(f"{name} was {before[name]}, not {run[name]}{_repeat(before, changed)}")
        return Progress(**parse_json(metadata["progress"], finite=False))


def _repeat(before: dict[str, Any], changed: Sequence[str]) -> str:
    """How to repeat these settings of a run; empty if there are many, as with another preset, or others than settings.

    The recorded facts that are not settings, such as "source words", have a space in their names.
    """
    named = [name for name in changed if " " not in name]
    sets = " ".join(f"--set {name}={written(before[name])}" for name in named)
    return f" (to resume, repeat {sets})" if 0 < len(named) <= 3 else ""


@contextmanager
def provisional(folder: Path, created: Sequence[Path]) -> Iterator[None]:
    """`folder`, removed by `clear` if the block fails before a state is saved and this run created it.

    `created` are the folders that this run created: `folder` and its parents, as far as they are new. An interruption
    is not a failure: the next run reuses what was prepared.
    """
    try:
        yield
    except Exception as error:
        saved = (folder / STATE).exists()
        if created and not saved:
            clear(folder)
            for parent in created[1:]:
                with suppress(OSError):  # translations are left, or another process has created a file there
                    parent.rmdir()
        if isinstance(error, FullDisk) and saved:
            raise FullDisk(f"{error}, then continue with --resume; the last saved state is intact") from error
        raise


def recorded_settings(folder: Path) -> dict[str, Any]:
    """The settings and the rounding of the run in `folder`, by name; empty if there is no readable run."""
    try:
        with safe_open(folder / STATE, "pt") as file:
            return parse_json((file.metadata() or {}).get("run", "{}"), finite=False)
    except (OSError, ValueError, SafetensorError):  # `check` reports the error
        return {}


def recorded_setting(folder: Path, name: str) -> Any:
    """One of the `recorded_settings`; None if there is none of this name."""
    return recorded_settings(folder).get(name)


def round_as_begun(out: Path | None, threads: int | None, world: World, anyway: bool = False) -> None:
    """Tune this process for the machine or, given `out`, as recorded in the training state in that folder.

    `threads` overrides the recorded number. Raises CheckpointError, with advice, if this machine cannot round like the
    one where training began; with `anyway`, the process is tuned for this machine instead.
    """
    settings = recorded_settings(out) if out and world.device.type == "cpu" else {}
    if "products" in settings and not anyway:
        raise CheckpointError(
            "training began with an earlier version of this program, whose sums round differently; to continue anyway, "
            "with results that differ by rounding, add --allow-rounding"
        )
    recorded = world.agree(lambda: {name: settings.get(name) for name in rounding()})
    round_like(recorded, threads)
    if not anyway:
        world.lead(lambda: check_rounding(recorded, threads))


@contextmanager
def _state_errors(path: Path) -> Iterator[None]:
    """Turn any error about the state at `path` into a CheckpointError that says what to do."""
    try:
        yield
    except (SafetensorError, JSONDecodeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise CheckpointError(
            f"cannot resume from {path}: the file is damaged ({reason}); restore a copy of it if you have one, or "
            "start a new training in another folder"
        ) from error
    except Exception as error:
        reason = " ".join(str(error).split())[:200]
        raise CheckpointError(
            f"cannot resume from {path}: {reason}; use the model, recipe and text that the run began with, or train in "
            "another folder"
        ) from error
