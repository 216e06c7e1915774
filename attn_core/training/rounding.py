"""What determines the rounding of this process, and how to repeat the rounding of an earlier one.

A floating-point sum depends on the order of its terms. The number of threads and the kind of processor determine that
order, so a training state records both; see run_state.py.
"""

from collections.abc import Mapping
from typing import Any

import torch

from attn_core.files import CheckpointError
from attn_core.processor import description
from attn_core.training.speed.cpu_tuning import tune_cpu
from attn_core.training.speed.threads import usable_cores


def rounding() -> dict[str, Any]:
    """The number of threads and the kind of processor of this process."""
    return {"threads": torch.get_num_threads(), "processor": description()}


def round_like(recorded: Mapping[str, Any], threads: int | None) -> None:
    """Set this process's threads to the number in `recorded` (a result of `rounding`), or to this machine's default.

    The default is used if that is None or exceeds the cores of this machine. `threads` overrides both.
    """
    tune_cpu()
    possible = recorded["threads"] if (recorded["threads"] or 0) <= _most_threads() else None
    if threads or possible:
        torch.set_num_threads(threads or int(possible or 1))


def check_rounding(recorded: Mapping[str, Any], threads: int | None) -> None:
    """Raise CheckpointError, with advice, if this process rounds differently from the one that wrote `recorded`.

    Call `round_like` before, with the same arguments.
    """
    now, how = rounding(), "to continue anyway, with results that differ by rounding, add --allow-rounding"
    if recorded["threads"] and recorded["threads"] > _most_threads() and not threads:
        raise CheckpointError(
            f"training began with {recorded['threads']} threads, but this machine has {usable_cores()} cores; for the "
            f"same result add --threads {recorded['threads']} (slow here), or {how}"
        )
    if recorded["processor"] and recorded["processor"] != now["processor"]:
        raise CheckpointError(
            f"training began on a processor that rounds differently ({recorded['processor']}; this one is "
            f"{now['processor']}); {how}"
        )


def _most_threads() -> int:
    """The largest number of threads that this process uses unasked: OMP_NUM_THREADS may ask for more than cores."""
    return max(usable_cores(), torch.get_num_threads())
