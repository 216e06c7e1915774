"""Training a pointer network on examples drawn on the fly, by the recipe of the paper at a small size."""

from pathlib import Path
from typing import Any, cast

import numpy as np
import torch

from attn_core.models.checkpoint import read
from attn_core.models.recipe import DrawnConfig
from attn_core.synthetic.pointer.measures import measure
from attn_core.synthetic.pointer.net import STOP, Examples, PointerConfig, PointerNet
from attn_core.synthetic.pointer.problems import PROBLEMS
from attn_core.training.drawn_task import Drawn

EXAMPLES = 500  # in the validation after each epoch

# Vinyals 2015, section 4.1, except for the optimiser: in minutes, Adam reaches an accuracy for which SGD with a rate
# of 1 takes a million examples and a larger network.
SMALL = DrawnConfig(clip=2.0)
PAPER = DrawnConfig(batch=128, epochs=8, optimizer="sgd", rate=1.0, schedule="constant", warmup=0, clip=2.0)
# By name: a problem and an output, in two sizes.
RECIPES: dict[str, tuple[PointerConfig, DrawnConfig]] = {
    f"{prefix}-{problem}{size}": (PointerConfig(problem, output, *widths), recipe)
    for prefix, output in (("pointer", "pointer"), ("plain", "vocabulary"))
    for problem in PROBLEMS
    for size, widths, recipe in (("", (96, 48), SMALL), ("-paper", (512, 512), PAPER))
}


def draw_batch(config: PointerConfig, size: int, seed: int | tuple[int, ...]) -> Examples:
    """`size` examples with their answers, all of one random length within the config's range; fixed by the seed."""
    problem, dice = PROBLEMS[config.problem](), np.random.default_rng(seed)
    n = int(dice.integers(config.shortest, config.longest + 1))
    inputs = problem.draw(size, n, dice)
    answers = [problem.answer(one) for one in inputs.tolist()]
    pointed = np.full((size, max(map(len, answers)) + 1), -1)
    for row, answer in zip(pointed, answers, strict=True):
        row[: len(answer)] = answer
        row[: len(answer)] += 1
        row[len(answer)] = STOP
    return Examples(torch.from_numpy(inputs), torch.from_numpy(pointed))


def scores(model: PointerNet, seed: int) -> dict[str, Any]:
    """The problem's measures at the lengths `shortest` and `longest`, named `accuracy@5` and so on."""
    lengths = sorted({model.config.shortest, model.config.longest})
    found = {n: measure(model, n, EXAMPLES, seed=seed) for n in lengths}
    return {f"{key}@{n}": value for n, one in found.items() for key, value in one.items()}


DRAWN = Drawn(RECIPES, PointerNet, draw_batch, scores)
learn = DRAWN.learn


def load(name_or_path: str | Path) -> PointerNet:
    """Load a trained pointer network by its name in `pretrained/` or the path of its folder; see `checkpoint.read`."""
    return cast(PointerNet, read(name_or_path, PointerNet.kind))
