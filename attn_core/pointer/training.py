"""Making a pointer network: examples drawn as they are needed, by the recipe of the paper at a small size."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from attn_core import drawn
from attn_core.config import TrainConfig
from attn_core.devices import device_of
from attn_core.pointer.measures import measure
from attn_core.pointer.net import STOP, Examples, PointerConfig, PointerNet
from attn_core.problems import PROBLEMS
from attn_core.recipes import configure
from attn_core.state import Progress

KIND = "pointer"
UPDATES = 1000  # in an epoch
EXAMPLES = 500  # that an epoch is measured on

# Vinyals 2015, section 4.1, but for the optimiser: Adam learns in minutes what SGD at rate 1 takes a million examples
# and a larger network for.
SMALL = TrainConfig(
    batch=64, epochs=30, rate=3e-3, schedule="cosine", warmup=200, clip=2.0, label_smoothing=0.0, precision="fp32"
)
PAPER = TrainConfig(
    batch=128,
    epochs=8,
    optimizer="sgd",
    rate=1.0,
    schedule="constant",
    warmup=0,
    clip=2.0,
    label_smoothing=0.0,
    precision="fp32",
)
# By name: a problem and an output, in two sizes.
RECIPES: dict[str, tuple[PointerConfig, TrainConfig]] = {
    f"{prefix}-{problem}{size}": (PointerConfig(problem, output, *widths), recipe)
    for prefix, output in (("pointer", "pointer"), ("plain", "vocabulary"))
    for problem in PROBLEMS
    for size, widths, recipe in (("", (96, 48), SMALL), ("-paper", (512, 512), PAPER))
}


def draw_batch(config: PointerConfig, size: int, dice: np.random.Generator) -> Examples:
    """`size` examples of one length that the config has, with their answers."""
    problem = PROBLEMS[config.problem]()
    n = int(dice.integers(config.shortest, config.longest + 1))
    inputs = problem.draw(size, n, dice)
    answers = [problem.answer(one) for one in inputs.tolist()]
    pointed = np.full((size, max(map(len, answers)) + 1), -1)
    for row, answer in zip(pointed, answers, strict=True):
        row[: len(answer)] = answer
        row[: len(answer)] += 1
        row[len(answer)] = STOP
    return Examples(torch.from_numpy(inputs), torch.from_numpy(pointed))


def learn(
    name: str,
    out: str | Path,
    *,
    settings: dict[str, Any] | None = None,
    resume: bool = False,
    device: str = "auto",
    watch: Callable[[dict[str, Any]], None] = lambda scores: None,
) -> Progress:
    """Train one of RECIPES and write it to the folder `out`; `device` as in devices.device_of.

    `settings` override fields of its PointerConfig and TrainConfig. `watch` gets the scores of each epoch: the loss
    in nats a choice, and the problem's measures at `shortest` and `longest` as `accuracy@5` and so on.
    Raises ValueError for an unknown name or setting, CheckpointError for an `out` that holds a model already.
    """
    config, recipe = configure(name, settings or {}, RECIPES)
    torch.manual_seed(recipe.seed)
    model = PointerNet(config, Path(out).resolve().name).to(device_of(device))

    def draw(number: int) -> Examples:
        return draw_batch(config, recipe.batch, np.random.default_rng((recipe.seed, number)))

    def scores() -> dict[str, Any]:
        lengths = sorted({config.shortest, config.longest})
        found = {n: measure(model, n, EXAMPLES, seed=recipe.seed) for n in lengths}
        return {f"{key}@{n}": value for n, one in found.items() for key, value in one.items()}

    about = {"preset": name, "settings": settings or {}}
    return drawn.fit_drawn(
        model, draw, UPDATES, recipe, Path(out), kind=KIND, measure=scores, about=about, resume=resume, watch=watch
    )


def load(name_or_path: str | Path) -> PointerNet:
    """A trained pointer network by its name in `pretrained/` or the path of its folder; see `drawn.load`."""
    return drawn.load(name_or_path, KIND, PointerConfig, PointerNet)
