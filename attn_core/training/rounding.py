"""Let a resumed training round as it did before: same library, same number of threads, same kind of processor.

A sum of floating-point numbers depends on the order of its terms, which these three decide. They are recorded in the
training's state, see run_state.py.
"""

import os
from pathlib import Path
from typing import Any

import torch

from attn_core.files import CheckpointError
from attn_core.training.cpu_tuning import tune_cpu
from attn_core.training.distributed import World
from attn_core.training.run_state import begun_with, rounding


def round_as_begun(out: Path | None, threads: int | None, world: World, anyway: bool = False) -> None:
    """Set this process up as suits the machine, or for `out` as the training recorded there was.

    `threads` overrides what was recorded. Raises CheckpointError, which says what to do, where this machine cannot
    round as the one before; with `anyway` it goes on as suits this machine.
    """
    recorded = {name: begun_with(out, name) if out and world.device.type == "cpu" else None for name in rounding()}
    begun: dict[str, Any] = world.agree(lambda: recorded)
    tune_cpu(begun["products"])
    cores = os.cpu_count() or 1
    possible = begun["threads"] if (begun["threads"] or 0) <= cores else None
    if threads or possible:
        torch.set_num_threads(threads or int(possible or 1))
    if not anyway:
        world.lead(lambda: _check(begun, threads, cores))


def _check(begun: dict[str, Any], threads: int | None, cores: int) -> None:
    """Raises CheckpointError where this process rounds otherwise than the one that `begun` describes."""
    now, how = rounding(), "to go on all the same, with results that differ by rounding, add --allow-rounding"
    if begun["threads"] and begun["threads"] > cores and not threads:
        raise CheckpointError(
            f"training began with {begun['threads']} threads, and this machine has {cores} cores; for the same result "
            f"add --threads {begun['threads']} (slow here), or {how}"
        )
    if begun["products"] and begun["products"] != now["products"]:
        raise CheckpointError(
            f"training began with matrix products by {begun['products']}, which cannot be used here; {how}"
        )
    if begun["processor"] and begun["processor"] != now["processor"]:
        raise CheckpointError(
            f"training began on a processor that rounds differently ({begun['processor']}; this one is "
            f"{now['processor']}); {how}"
        )
