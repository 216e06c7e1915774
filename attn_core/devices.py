"""Choice of device and precision, and what a run is computed on."""

import functools
import os
import platform
from pathlib import Path
from typing import Any

import torch

from attn_core.messages import print_warning
from attn_core.processor import computes_bf16, multiplies_bf16

AUTO = "auto"


def device_of(name: str = AUTO) -> torch.device:
    """The torch device `name`: "cpu", "cuda", "cuda:1", or "auto" for a GPU if there is one, otherwise the CPU.

    On a GPU, cuDNN's recurrent layers are set to full fp32: torch's default allows TF32, whose mantissa has 10 bits.
    Raises ValueError for an invalid name, and for a GPU that this machine, or this build of torch, lacks.
    """
    gpus = torch.cuda.device_count()
    try:
        device = torch.device(("cuda" if gpus else "cpu") if name == AUTO else name)
    except RuntimeError:
        device = None
    if device is None or device.type not in ("cpu", "cuda"):
        raise ValueError(f"device must be auto, cpu, cuda or cuda:N, not {name!r}")
    if device.type == "cuda":
        if (device.index or 0) >= gpus:
            found = f"only {gpus}" if gpus else "none"
            raise ValueError(f"device {name} is a GPU, but torch {torch.__version__} finds {found} here; use cpu")
        # Not cudnn.rnn.fp32_precision: torch.export then fails, since it reads this older flag, which must agree.
        torch.backends.cudnn.allow_tf32 = False
    return device


def best_precision(device: torch.device) -> str:
    """bf16 on a GPU that has it, and on a processor where its products were measured to be faster; otherwise fp32."""
    faster = torch.cuda.is_bf16_supported(including_emulation=False) if device.type == "cuda" else multiplies_bf16()
    return "bf16" if faster else "fp32"


def usable_precision(device: torch.device, precision: str) -> str:
    """`best_precision` for "auto"; fp32, with a warning, for bf16 on a processor without it; otherwise `precision`."""
    if precision == AUTO:
        return best_precision(device)
    if precision == "bf16" and device.type == "cpu" and not computes_bf16():
        _say_without_bf16()
        return "fp32"
    return precision


@functools.cache
def _say_without_bf16() -> None:
    """Once in a process: each training step asks."""
    print_warning("this processor cannot compute in bf16, so precision fp32 is used")


def autocast(device: torch.device, precision: str, cache: bool = True) -> torch.autocast:
    """A context manager for matrix products in bf16, if `usable_precision` is bf16.

    Each weight is cast once in the block, unless `cache` is False.
    """
    bf16 = usable_precision(device, precision) == "bf16"
    return torch.autocast(device.type, torch.bfloat16, enabled=bf16, cache_enabled=cache)


def machine(device: torch.device | None = None) -> dict[str, Any]:
    """Hardware, threads and torch version of this process; `device` defaults to the one that would be used."""
    device = device or device_of()
    if device.type == "cuda":
        hardware = torch.cuda.get_device_name(device)
    else:
        hardware = f"{_processor()}, {os.cpu_count()} cores"
    return {"hardware": hardware, "threads": torch.get_num_threads(), "torch": torch.__version__.split("+")[0]}


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
