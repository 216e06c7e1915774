"""Date, hardware and package versions of a measurement."""

import os
import platform
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil


def circumstances(packages: Iterable[str]) -> dict[str, Any]:
    """Date, hardware, load and versions, as recorded in every file of results."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 2**30, 1),
        "load_before": [round(load, 2) for load in os.getloadavg()],
        "system": platform.platform(),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in packages},
    }


def processor() -> str:
    """The processor's name and instructions: two that are both called AMD EPYC differ in speed by a factor of 3."""
    from attn_core.processor import description

    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        name = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor()
    return f"{name} ({description()})"


def gpu() -> dict[str, Any] | None:
    """Name, memory, CUDA and driver version of the first GPU, or None."""
    import torch

    if not torch.cuda.is_available():
        return None
    about = torch.cuda.get_device_properties(0)
    query = ("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader", "--id=0")
    try:
        driver = subprocess.run(query, capture_output=True, text=True, check=True, timeout=30).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        driver = None
    memory = round(about.total_memory / 2**30, 1)
    return {"name": about.name, "memory_gb": memory, "cuda": torch.version.cuda, "driver": driver}
