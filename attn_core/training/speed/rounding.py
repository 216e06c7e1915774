"""Make a resumed training round as it did before: the same library, number of threads and kind of processor.

A floating-point sum depends on the order of its terms, which these three determine. They are recorded in the training
state; see run_state.py.
"""

from pathlib import Path
from typing import Any

import torch

from attn_core.files import CheckpointError
from attn_core.training.distributed import World
from attn_core.training.run_state import begun_with, rounding
from attn_core.training.speed.cpu_tuning import tune_cpu
from attn_core.training.speed.threads import usable_cores


def round_as_begun(out: Path | None, threads: int | None, world: World, anyway: bool = False) -> None:
    """Configure this process for the machine or, given `out`, as recorded in the training state in that folder.

    `threads` overrides the recorded number. Raises CheckpointError, with advice, if this machine cannot round like the
    original one; with `anyway`, the process is configured for this machine instead.
    """
    recorded = {name: begun_with(out, name) if out and world.device.type == "cpu" else None for name in rounding()}
    begun: dict[str, Any] = world.agree(lambda: recorded)
    tune_cpu(begun["products"])
    most = max(usable_cores(), torch.get_num_threads())  # OMP_NUM_THREADS may ask for more threads than cores
    possible = begun["threads"] if (begun["threads"] or 0) <= most else None
    if threads or possible:
        torch.set_num_threads(threads or int(possible or 1))
    if not anyway:
        world.lead(lambda: _check(begun, threads, most))


def _check(begun: dict[str, Any], threads: int | None, most: int) -> None:
    """Raise CheckpointError if this process rounds differently from the one that `begun` describes.

    `most` is the largest number of threads that it uses without being told to by `threads`.
    """
    now, how = rounding(), "to continue anyway, with results that differ by rounding, add --allow-rounding"
    if begun["threads"] and begun["threads"] > most and not threads:
        raise CheckpointError(
            f"training began with {begun['threads']} threads, but this machine has {usable_cores()} cores; for the "
            f"same result add --threads {begun['threads']} (slow here), or {how}"
        )
    if begun["products"] and begun["products"] != now["products"]:
        raise CheckpointError(
            f"training began with matrix products by {begun['products']}, which is not available here; {how}"
        )
    if begun["processor"] and begun["processor"] != now["processor"]:
        raise CheckpointError(
            f"training began on a processor that rounds differently ({begun['processor']}; this one is "
            f"{now['processor']}); {how}"
        )
