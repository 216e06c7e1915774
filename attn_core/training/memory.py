"""Refuse a model whose training cannot fit in memory, before anything is computed or written."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import torch
from torch import nn

from attn_core.models.recipe import Recipe

FLOAT = 4  # bytes
# A container's limit in bytes, by version 2 and version 1 of Linux's control groups; without a limit version 2 says
# "max", and version 1 a number above any memory.
LIMITS = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")


def check_fits(build: Callable[[], nn.Module], recipe: Recipe, device: torch.device) -> None:
    """Raise ValueError, with the number of parameters, if weights, gradients and optimizer state cannot fit in memory.

    `build` makes the model; it is called on the meta device, where tensors take no memory. Activations are not counted,
    so a model that passes may still be too large for its batches.
    """
    with torch.device("meta"):
        parameters = sum(parameter.numel() for parameter in build().parameters())
    copies = 2 + (0 if recipe.optimizer == "sgd" else 2) + (1 if getattr(recipe, "average", 0) else 0)
    needed, limit = parameters * copies * FLOAT, available(device)
    if limit and needed > limit:
        raise ValueError(
            f"this model has {parameters:,} parameters: training it takes {needed / 1e9:,.0f} GB, but there are only "
            f"{limit / 1e9:,.0f} GB; reduce its sizes (hidden, embedding, layers)"
        )


def available(device: torch.device) -> int | None:
    """The memory of the device in bytes, or the container's limit if that is lower; None if neither is reported."""
    if device.type == "cuda":
        return torch.cuda.get_device_properties(device).total_memory
    return min(_limits(), default=None)


def _limits() -> Iterator[int]:
    """The memory of the machine and the limit of the container, as far as the system reports them."""
    if {"SC_PHYS_PAGES", "SC_PAGE_SIZE"} <= getattr(os, "sysconf_names", {}).keys():  # Windows has no such names
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for path in LIMITS:
        with suppress(OSError, ValueError):
            yield int(path.read_text())
