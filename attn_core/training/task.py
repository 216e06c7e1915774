"""What a training loop is given: one `Run`, and one `Task` that knows the model and its data.

The loop (loop.py) knows no kind of model. corpus_task.py is the task of translators, which read a corpus;
drawn_task.py that of models whose examples are drawn as they are needed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from jaxtyping import Float
from torch import Tensor, nn

from attn_core.devices import AUTO, best_precision
from attn_core.files import CheckpointError
from attn_core.models.recipe import Recipe
from attn_core.training.distributed import World
from attn_core.training.run_state import Progress, begun_with

OnProgress = Callable[[str, int], None]  # what is being done, and how many lines of it are


@dataclass(frozen=True)
class Event:
    """What `on_event` is given: after every update, and with `scores` after every epoch.

    The losses stay on the GPU until they are printed or compared, which waits for it: do so now and then.
    """

    progress: Progress
    updates_per_epoch: int
    words: int  # what the loss is summed over: target words of this update, </s> included; with `scores`, of the epoch
    total: Float[Tensor, ""]  # their loss
    so_far: Float[Tensor, ""]  # that of all words of the epoch until now
    scores: dict[str, Any] | None = None

    @property
    def loss(self) -> float:
        """Nats per target word of this update, with `scores` of the epoch."""
        return self.total.item() / self.words


@dataclass(frozen=True)
class Run:
    """One training: what is trained, how, where it is written, and who is informed."""

    config: Any  # of the model
    recipe: Recipe
    out: Path  # folder of the model, its metrics and its state
    name: str = "untrained"  # of the model
    about: dict[str, Any] = field(default_factory=dict)  # for config.json: data, hardware
    resume: bool = False
    world: World = field(default_factory=World)
    on_event: Callable[[Event], None] = lambda event: None
    on_progress: OnProgress = lambda what, lines: None

    def begin(self, world: World) -> Self:
        """This run in a world of processes, with the precision settled that "auto" stands for.

        Raises CheckpointError for a folder that holds a model already, when it is not to be resumed, and ValueError
        for a recipe that this world cannot run.
        """
        self.recipe.check_hardware(world.device.type, world.size)
        world.lead(self._check_folder)
        return replace(self, world=world, recipe=settle(self.recipe, self.out, self.resume, world))

    def _check_folder(self) -> None:
        if not self.resume and any((self.out / one).exists() for one in ("state.safetensors", "config.json")):
            raise CheckpointError(f"{self.out} holds a model already; go on with --resume, or name another folder")


def settle(recipe: Recipe, out: Path, resume: bool, world: World) -> Recipe:
    """`recipe` with the precision that "auto" stands for: what the run in `out` began with, or suits the device."""
    if recipe.precision != AUTO:
        return recipe
    begun = (begun_with(out, "precision") if resume else None) or best_precision(world.device)
    return replace(recipe, precision=world.agree(lambda: {"precision": begun})["precision"])


@dataclass(frozen=True)
class Part:
    """What this process computes at a time."""

    read: Callable[[], tuple[Any, ...]]  # the arguments of the task's loss, on the model's device
    counts: bool = True  # False: nothing is left for this process; it computes this for nothing, as others wait for it


@dataclass(frozen=True)
class Update:
    """One update: its parts in this process, and what their losses are divided by."""

    parts: Sequence[Part]
    words: int  # what the loss that is reported is summed over, in all processes
    divisor: float  # of the loss whose gradient is taken, in all processes


class Task:
    """What `loop.fit` must know of a model and its data.

    `loss` is a module whose `forward` takes what a Part reads and gives the loss, summed over its words.
    """

    updates: int  # in an epoch
    average = 0.0  # decay of the running mean of the weights, which is validated and kept; 0: none
    patience = 0  # epochs without improvement before training stops; 0: never
    save_every = 0  # updates after which the state is saved; 0: when an epoch ends

    def __init__(self, run: Run, model: nn.Module, loss: nn.Module):
        self.run, self.model, self.loss = run, model, loss

    def epoch(self, number: int) -> Sequence[Any]:
        """The updates of an epoch (from 0) in their order, which depends on seed and epoch only; see `update`."""
        raise NotImplementedError

    def update(self, chosen: Any, epoch: int) -> Update:
        """One of those updates."""
        raise NotImplementedError

    def example(self, epoch: int) -> tuple[Any, ...]:
        """Arguments of `loss` that use all parameters an update of this epoch uses."""
        raise NotImplementedError

    def settled(self, epoch: int) -> bool:
        """Whether the model is by now trained as it will be used; before, an epoch tries nobody's patience."""
        return True

    def scores(self) -> dict[str, Any]:
        """Scores of the model after an epoch; it is in evaluation mode."""
        raise NotImplementedError

    def finite(self, scores: dict[str, Any]) -> bool:
        """Whether the scores are those of a model that has not diverged."""
        return True

    def value(self, scores: dict[str, Any]) -> float | None:
        """What decides which epoch is kept, the larger the better; None: the last one is."""
        return None

    def line(self, progress: Progress, scores: dict[str, Any]) -> dict[str, Any]:
        """What metrics.jsonl says of the epoch that has ended; `progress.epoch` counts it."""
        raise NotImplementedError

    def about(self, progress: Progress) -> dict[str, Any]:
        """What config.json says of the training of the model that is kept."""
        raise NotImplementedError

    def shared(self) -> dict[str, Any]:
        """What a resumed run must share with the one that it continues."""
        raise NotImplementedError

    def load_progress(self, progress: Progress) -> None:
        """Take over what `save_progress` noted."""

    def save_progress(self, progress: Progress) -> None:
        """Note in `progress` what of the task's own a resumed run needs."""
