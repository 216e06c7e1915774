"""The task of models whose examples are drawn on the fly, so that none is used twice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import torch
from jaxtyping import Float
from torch import Tensor, nn

from attn_core.devices import AUTO, autocast
from attn_core.models.presets import configure
from attn_core.models.recipe import DrawnConfig
from attn_core.trace import Record
from attn_core.training.distributed import alone
from attn_core.training.loop import fit
from attn_core.training.memory import check_fits
from attn_core.training.run import configured_run
from attn_core.training.run_state import Progress
from attn_core.training.task import Event, Part, Run, Task, Update


@dataclass(frozen=True)
class Drawn:
    """How to build, train and evaluate a kind of model whose examples are drawn on the fly."""

    recipes: Mapping[str, tuple[Any, DrawnConfig]]  # config and recipe by preset
    build: Callable[[Any, str], nn.Module]  # (config, name) -> model with `config`, `name` and `loss(batch)`
    draw: Callable[[Any, int, tuple[int, int]], Record]  # (config, size, seed) -> batch, the same for the same seed
    measure: Callable[[Any, int], dict[str, Any]]  # (model, seed) -> scores after an epoch

    def learn(
        self,
        preset: str,
        out: str | Path,
        *,
        settings: dict[str, Any] | None = None,
        resume: bool = False,
        device: str = AUTO,
        on_event: Callable[[Event], None] = lambda event: None,
    ) -> Progress:
        """Train one of `recipes` and write the model to the folder `out`; `device` as in devices.device_of.

        `settings` override fields of config and recipe by name. `on_event` is called after every update, and after
        every epoch with `event.scores`: epoch, mean loss, seconds, and the scores of `measure`.

        Raises ValueError for an unknown preset, setting or device, for a model that does not fit in memory, and under
        torchrun; CheckpointError for an `out` that holds a model already (or, with `resume`, no compatible one), and
        what `loop.fit` raises.
        """
        configured = partial(configure, presets=self.recipes)
        run = configured_run(preset, settings or {}, out, configured, resume=resume, on_event=on_event)
        with run.begin(alone(device)) as begun:
            return fit(DrawnTask(begun, self))


class DrawnTask(Task):
    """Training of a model on the batches that `drawn` draws for the seeds (seed, 0), (seed, 1), ..."""

    def __init__(self, run: Run, drawn: Drawn):
        super().__init__(run)
        self.recipe, self.drawn = cast(DrawnConfig, run.recipe), drawn
        self.updates = self.recipe.updates
        self.device = run.world.device

    def prepare(self) -> None:
        check_fits(self._build, self.recipe, self.device)
        torch.manual_seed(self.recipe.seed)
        self.model = self._build().to(self.device)
        self.loss = Loss(self.model, self.recipe.precision)

    def _build(self) -> nn.Module:
        return self.drawn.build(self.run.config, self.run.name)

    def epoch(self, number: int) -> Sequence[int]:
        return range(number * self.updates, (number + 1) * self.updates)

    def update(self, chosen: int, epochs_done: float) -> Update:
        return Update([Part(lambda: self._draw(chosen))], 1, 1)  # the loss is already a mean

    def example(self, epoch: int) -> tuple[Record]:
        return self._draw(0)

    def _draw(self, number: int) -> tuple[Record]:
        batch = self.drawn.draw(self.run.config, self.recipe.batch, (self.recipe.seed, number))
        return (batch.map(lambda part: part.to(self.device)),)

    def scores(self) -> dict[str, Any]:
        with torch.inference_mode():
            return self.drawn.measure(self.model, self.recipe.seed)

    def line(self, progress: Progress, scores: dict[str, Any]) -> dict[str, Any]:
        loss = progress.loss / self.updates
        return {"epoch": progress.epoch, "loss": loss, "seconds": progress.seconds} | scores

    def about(self, progress: Progress) -> dict[str, Any]:
        return {"examples": progress.updates * self.recipe.batch}

    def shared(self) -> dict[str, Any]:
        recipe = {name: value for name, value in self.recipe.to_json().items() if name != "epochs"}
        return self.run.config.to_json() | recipe


class Loss(nn.Module):
    """A module whose `forward` is the model's loss in the recipe's precision."""

    def __init__(self, model: nn.Module, precision: str):
        super().__init__()
        self.model, self.precision = model, precision

    def forward(self, batch: Any) -> Float[Tensor, ""]:
        with autocast(next(self.model.parameters()).device, self.precision):
            return cast(Callable[[Any], Tensor], self.model.loss)(batch)
