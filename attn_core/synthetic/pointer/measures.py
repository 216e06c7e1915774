"""Evaluate a pointer network, at the input lengths of training and beyond."""

from typing import Any

import numpy as np
import torch

from attn_core.synthetic.pointer.net import PointerNet
from attn_core.synthetic.pointer.problems import PROBLEMS
from attn_core.synthetic.pointer.search import beam_search, greedy

BATCH = 200
HELD_OUT = 2**31  # added to the seed of test inputs, so that training has drawn none of them


def measure(
    model: PointerNet, n: int, examples: int = 1000, *, beam: int = 1, constraint: str = "none", seed: int = 0
) -> dict[str, float | None]:
    """The problem's measures (see `problems.PROBLEMS`) of the model's outputs for `examples` inputs of `n` points each.

    Raises ValueError for less than 1 example, for an `n` outside the model's range, for a beam below 1, and for an
    unknown constraint.
    """
    if examples < 1:
        raise ValueError(f"examples must be at least 1, not {examples}")
    if n < 1:
        raise ValueError(f"n must be at least 1 point, not {n}")
    problem = PROBLEMS[model.config.problem]()
    dice = np.random.default_rng((HELD_OUT + seed, n))
    inputs = problem.draw(examples, n, dice)
    outputs: list[list[int]] = []
    for start in range(0, examples, BATCH):
        batch = torch.from_numpy(inputs[start : start + BATCH]).to(model.start.device)
        found = greedy(model, batch, constraint) if beam == 1 else beam_search(model, batch, beam, constraint)
        outputs += found.outputs()
    return problem.measure(inputs.tolist(), outputs)


def report(
    model: PointerNet,
    examples: int = 1000,
    lengths: tuple[int, ...] = (5, 10, 15, 20),
    beam: int = 1,
    constraint: str = "none",
) -> dict[str, Any]:
    """The measures at several lengths as `rows`, with a `headline`; None for lengths too long for the model.

    Raises ValueError as `measure` does.
    """
    problem, config, rows = PROBLEMS[model.config.problem](), model.config, []
    for n in lengths:
        if config.output == "vocabulary" and n > config.longest:
            rows.append({"n": n, **dict.fromkeys(problem.measures)})
        else:
            rows.append({"n": n, **measure(model, n, examples, beam=beam, constraint=constraint)})
    what = "Pointer network" if config.output == "pointer" else "Attention model with an output word for each position"
    exact = ", ".join(f"{row['accuracy']:.1%} at n = {row['n']}" for row in rows if row["accuracy"] is not None)
    headline = f"{what}, {problem.what.format(f'{config.shortest} to {config.longest}')}: exact {exact}"
    return {"headline": headline, "examples": examples, "beam": beam, "constraint": constraint, "rows": rows}
