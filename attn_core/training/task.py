"""The arguments of the training loop: a `Run`, and a `Task`, which builds the model and reads its data.

The loop (loop.py) is independent of the kind of model. corpus_task.py is the task of translators, which are trained on
a corpus; drawn_task.py that of models whose examples are drawn on the fly.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from jaxtyping import Float
from torch import Tensor, nn

from attn_core.devices import usable_precision
from attn_core.files import CheckpointError, remove_leftovers
from attn_core.models.own_files import check_training
from attn_core.models.recipe import Recipe
from attn_core.training.distributed import World
from attn_core.training.in_progress import Announce, announced, silent
from attn_core.training.run_state import STATE, Progress, provisional, recorded_setting

OnProgress = Callable[[str, int], None]  # (current work, number of lines done)


@dataclass(frozen=True)
class Event:
    """The argument of `on_event`, after every update and, with `scores`, after every epoch.

    The losses stay on the GPU; reading them waits for it, so do it rarely.
    """

    progress: Progress
    updates_per_epoch: int
    words: int  # target words of this update, </s> included; with `scores`, of the epoch
    total: Float[Tensor, ""]  # loss summed over these words
    so_far: Float[Tensor, ""]  # loss summed over all words of the epoch until now
    scores: dict[str, Any] | None = None

    @property
    def loss(self) -> float:
        """Nats per target word of this update; with `scores`, of the epoch."""
        return self.total.item() / self.words


@dataclass(frozen=True)
class Run:
    """A training run: config, recipe, output folder and callbacks."""

    config: Any  # of the model
    recipe: Recipe
    out: Path  # folder for the model, metrics and training state
    name: str = "untrained"  # of the model
    about: dict[str, Any] = field(default_factory=dict)  # for config.json: data, hardware
    resume: bool = False
    world: World = field(default_factory=World)
    on_event: Callable[[Event], None] = lambda event: None
    on_progress: OnProgress = lambda what, lines: None
    announce: Announce = silent  # of a run that has begun

    @contextmanager
    def begin(self, world: World) -> Iterator[Self]:
        """This run in `world`, with the precision "auto" resolved; within the block no other process trains in `out`.

        A resumed run without the setting epochs continues with the recorded number of epochs. Removes the temporary
        files that a killed run left in the folder. If the block fails before a state is saved, a folder that this run
        created is removed.

        Raises CheckpointError if another process trains in `out`, and if `out` holds a model and `resume` is false;
        Unreplaceable if `out` holds other files of the names that a training writes, ValueError for a recipe that this
        world cannot run.
        """
        self.recipe.check_hardware(world.device.type, world.size)
        world.lead(lambda: check_training(self.out))
        created = [folder for folder in (self.out, *self.out.parents) if not folder.exists()]
        with (
            announced(self.out, world.first) as announce,
            provisional(self.out, created) if world.first else nullcontext(),
        ):
            world.lead(self._enter_folder)
            run = self._with_recorded_epochs(world)
            recipe = settle_precision(run.recipe, self.out, self.resume, world)
            yield replace(run, world=world, recipe=recipe, announce=announce)

    def _with_recorded_epochs(self, world: World) -> Self:
        """This run with the number of epochs that is recorded in `out`, if it is resumed without the setting epochs."""
        settings = self.about.get("settings")
        if not self.resume or settings is None or "epochs" in settings:
            return self
        epochs = world.agree(lambda: {"epochs": recorded_setting(self.out, "epochs")})["epochs"]
        if epochs in (None, self.recipe.epochs):
            return self
        about = self.about | {"settings": settings | {"epochs": epochs}}
        return replace(self, recipe=replace(self.recipe, epochs=epochs), about=about)

    def _enter_folder(self) -> None:
        if not self.resume and any((self.out / name).exists() for name in (STATE, "config.json")):
            raise CheckpointError(
                f"{self.out} already holds a model; continue with --resume (in Python, resume=True), or choose another "
                "folder"
            )
        for folder in (self.out, self.out / "corpus"):
            remove_leftovers(folder)


def settle_precision(recipe: Recipe, out: Path, resume: bool, world: World) -> Recipe:
    """`recipe` with a precision that the device can compute.

    "auto", and a precision that it cannot compute, become that of the run to resume in `out`, if there is one.
    """
    if recipe.precision == "fp32":
        return recipe
    usable = usable_precision(world.device, recipe.precision)
    settled = (recorded_setting(out, "precision") if resume and usable != recipe.precision else None) or usable
    return replace(recipe, precision=world.agree(lambda: {"precision": settled})["precision"])


@dataclass(frozen=True)
class Part:
    """One forward and backward pass of this process."""

    read: Callable[[], tuple[Any, ...]]  # returns the arguments of the task's loss, on the model's device
    counts: bool = True  # False: computed only to stay in step with the other processes, and ignored


@dataclass(frozen=True)
class Update:
    """One update: its parts in this process, and the divisor of their losses."""

    parts: Sequence[Part]
    words: int  # over which the reported loss is summed, in all processes
    divisor: float  # of the loss for the gradient, in all processes


class Task:
    """The interface through which `loop.fit` uses a model and its data.

    `prepare` sets the attributes that have no value here.
    """

    model: nn.Module
    loss: nn.Module  # its `forward` takes the result of `Part.read` and returns the loss, summed over its words
    updates: int  # per epoch
    average = 0.0  # decay of the running mean of the weights, which is validated and saved; 0: none
    patience = 0  # epochs without improvement before training stops; 0: never
    save_every = 0  # updates between saves of the state; 0: only at the end of an epoch
    snapshots: Collection[int] = ()  # updates after which `snapshot` is called

    def __init__(self, run: Run):
        self.run = run

    def prepare(self) -> None:
        """Read the data and build the model, on the run's device. `fit` calls it once, before everything else."""
        raise NotImplementedError

    def epoch(self, number: int) -> Sequence[Any]:
        """The updates of an epoch (from 0), in an order that depends only on seed and epoch; see `update`."""
        raise NotImplementedError

    def update(self, chosen: Any, epochs_done: float) -> Update:
        """One element of `epoch` as an Update. `epochs_done`: 2.5 is in the middle of the third epoch."""
        raise NotImplementedError

    def example(self, epoch: int) -> tuple[Any, ...]:
        """Arguments of `loss` for the first update of this epoch. Later ones may use more parameters, never fewer."""
        raise NotImplementedError

    def settled(self, epoch: int) -> bool:
        """Whether the model has its final form from the start of this epoch; others do not count for `patience`."""
        return True

    def scores(self) -> dict[str, Any]:
        """Scores of the model after an epoch; the model is in evaluation mode."""
        raise NotImplementedError

    def finite(self, scores: dict[str, Any]) -> bool:
        """Whether the scores are finite, that is, the model has not diverged."""
        return True

    def value(self, scores: dict[str, Any]) -> tuple[float, ...] | None:
        """The criterion for the best epoch, larger is better; later numbers break ties. None keeps the last epoch."""
        return None

    def updated(self, update: int, loss: Float[Tensor, ""], words: int) -> None:
        """Called by the first process after every update, with its loss, summed over `words` words."""

    def snapshot(self, update: int) -> None:
        """Record the model after an update, for a view of the training; the model is in evaluation mode.

        The first process calls it after each of `snapshots`, and at the end of the training.
        """

    def line(self, progress: Progress, scores: dict[str, Any]) -> dict[str, Any]:
        """The line of metrics.jsonl for the last epoch, which `progress.epoch` already counts."""
        raise NotImplementedError

    def about(self, progress: Progress) -> dict[str, Any]:
        """The entries about training in the config.json of the kept model."""
        raise NotImplementedError

    def shared(self) -> dict[str, Any]:
        """The settings that a resumed run must share with the original run."""
        raise NotImplementedError

    def load_progress(self, progress: Progress) -> None:
        """Restore the state that `save_progress` wrote."""

    def save_progress(self, progress: Progress) -> None:
        """Write the task's own state for a resumed run into `progress`."""
