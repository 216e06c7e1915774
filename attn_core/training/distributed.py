"""The processes that train one model together, started by torchrun; usually a single process.

DistributedDataParallel averages the gradients, with NCCL on GPUs and gloo on CPUs. Control messages (stop requests,
scores) always use gloo, so that they do not wait for a GPU.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import timedelta
from typing import Any, TypeVar, cast

import torch
from jaxtyping import UInt8
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from attn_core.devices import AUTO, device_of

Result = TypeVar("Result")
PATIENCE = timedelta(days=2)  # how long the others wait while the first process tokenises or validates


class Lost(ValueError):
    """Another process of this training has ended."""


class World:
    """A single training process on `device`."""

    rank, size = 0, 1

    def __init__(self, device: torch.device | None = None):
        self.device = device or device_of()

    @property
    def first(self) -> bool:
        """Whether this process writes files, validates and prints."""
        return self.rank == 0

    def replicate(self, module: nn.Module, example: Callable[[], tuple[Any, ...]]) -> nn.Module:
        """`module` with gradients averaged over all processes, as long as it uses the same parameters.

        The used parameters are found with `example`, which returns arguments of the module's `forward` (the loss).
        """
        return module

    def accumulating(self, module: nn.Module) -> AbstractContextManager[None]:
        """A context in which gradients accumulate in this process and are exchanged later."""
        return nullcontext()

    def total(self, value: Tensor) -> Tensor:
        """The sum of the values of all processes."""
        return value

    def any(self, answer: bool) -> bool:
        """Whether `answer` is true in any process."""
        return answer

    def agree(self, values: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The first process's `values`, a JSON object, in all processes."""
        return values()

    def gather(self, value: UInt8[Tensor, "n"]) -> UInt8[Tensor, "all n"]:
        """The values of all processes, one per row."""
        return value.unsqueeze(0)

    def lead(self, work: Callable[[], Result]) -> Result | None:
        """Call `work` in the first process only, while the others wait; they exit if it fails."""
        return work()


class Several(World):
    """One of several processes, as torchrun's environment variables describe it."""

    def __init__(self, device: torch.device):
        super().__init__(device)
        self.rank, self.size = distributed.get_rank(), distributed.get_world_size()
        self._control = distributed.new_group(backend="gloo", timeout=PATIENCE)
        self._replica: DistributedDataParallel | None = None

    def replicate(self, module: nn.Module, example: Callable[[], tuple[Any, ...]]) -> nn.Module:
        with torch.random.fork_rng(devices=[self.device] if self.device.type == "cuda" else []):
            module(*example()).backward()
        idle = any(parameter.grad is None for parameter in module.parameters())
        module.zero_grad()
        replica = self._replica
        if replica is None or replica.module is not module or replica.find_unused_parameters != idle:
            self._replica = replica = None  # two replicas at a time would hold the gradients twice
            self._replica = replica = DistributedDataParallel(module, find_unused_parameters=idle)
        return replica

    def accumulating(self, module: nn.Module) -> AbstractContextManager[None]:
        return cast(DistributedDataParallel, module).no_sync()

    def total(self, value: Tensor) -> Tensor:
        distributed.all_reduce(value)
        return value

    def any(self, answer: bool) -> bool:
        count = torch.tensor(int(answer))
        distributed.all_reduce(count, group=self._control)
        return bool(count)

    def agree(self, values: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        text = json.dumps(values()).encode() if self.first else b""
        size = torch.tensor(len(text))
        distributed.broadcast(size, 0, group=self._control)
        content = (
            torch.tensor(list(text), dtype=torch.uint8) if self.first else torch.empty(int(size), dtype=torch.uint8)
        )
        distributed.broadcast(content, 0, group=self._control)
        return json.loads(bytes(content.tolist()))

    def gather(self, value: UInt8[Tensor, "n"]) -> UInt8[Tensor, "all n"]:
        rows = [torch.empty_like(value) for _ in range(self.size)]
        distributed.all_gather(rows, value, group=self._control)
        return torch.stack(rows)

    def lead(self, work: Callable[[], Result]) -> Result | None:
        result, done = None, False
        try:
            if self.first:
                result, done = work(), True
        finally:
            well = self.agree(lambda: {"done": done})["done"]
        if not well:  # the first process prints the reason
            raise SystemExit(1)
        return result


@contextmanager
def join(device_name: str = AUTO) -> Iterator[World]:
    """The processes of this training, for use within the block. Raises Lost if another process ends before the block.

    `device_name` is as for `device_of`; if a machine has several processes, each uses its own GPU. Raises ValueError if
    some of the environment variables that describe several processes are missing.
    """
    if os.environ.get("WORLD_SIZE", "1") == "1":
        yield World(device_of(device_name))
        return
    _check_environment()
    device = _own_device(device_name)
    if device.type == "cuda":
        torch.cuda.set_device(device)
    try:
        distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
    except RuntimeError as error:
        raise ValueError(
            f"the processes of this training could not connect ({str(error).splitlines()[0][:200]}): check that "
            "MASTER_ADDR can be reached and that nothing else uses MASTER_PORT"
        ) from error
    try:
        world = Several(device)
        yield world
        world.any(False)  # wait for the others before closing the connection
    except RuntimeError as error:
        if _is_loss(error):
            raise Lost(
                "another process of this training has ended, so this one ends too; continue from the last saved state "
                f"with --resume ({str(error).splitlines()[0][:200]})"
            ) from error
        raise
    finally:
        if distributed.is_initialized():
            distributed.destroy_process_group()


def alone(device_name: str = AUTO) -> World:
    """The world of a training that one process does alone. Raises ValueError when torchrun started several."""
    if os.environ.get("WORLD_SIZE", "1") != "1":
        raise ValueError("models of synthetic data are trained by one process: start it without torchrun")
    return World(device_of(device_name))


def _check_environment() -> None:
    """Raise ValueError if WORLD_SIZE is above 1 but other variables that torchrun sets are missing or invalid.

    A process with a RANK that no other process expects would wait for minutes.
    """
    numbers = ("WORLD_SIZE", "RANK", "LOCAL_RANK", "MASTER_PORT")
    wrong = [name for name in numbers if not os.environ.get(name, "").isdecimal()]
    wrong += ["MASTER_ADDR"] if not os.environ.get("MASTER_ADDR") else []
    if wrong:
        raise ValueError(
            f"WORLD_SIZE={os.environ['WORLD_SIZE']} asks for several processes, but {', '.join(wrong)} "
            f"{'is' if len(wrong) == 1 else 'are'} missing or not a number: start with torchrun, or unset WORLD_SIZE"
        )
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    if rank >= size:
        raise ValueError(f"RANK={rank} is not below WORLD_SIZE={size}: start with torchrun, or unset WORLD_SIZE")


def _own_device(name: str) -> torch.device:
    """The device of this process for a `name` as in `device_of`: its own GPU, or the CPU.

    Raises ValueError for a GPU with a number, and when the machine has fewer GPUs than processes.
    """
    local, gpus = int(os.environ["LOCAL_RANK"]), torch.cuda.device_count()
    if name == "cpu" or (name == AUTO and not gpus):
        return torch.device("cpu")
    if name not in (AUTO, "cuda"):
        raise ValueError(
            f"device must be auto, cuda or cpu with several processes (each uses its own GPU), not {name!r}"
        )
    if 0 < gpus <= local:
        raise ValueError(f"more processes than GPUs ({gpus}); start one process per GPU (--nproc-per-node {gpus})")
    return device_of(f"cuda:{local}")


def _is_loss(error: RuntimeError) -> bool:
    """Whether `error` is a lost connection; gloo raises plain RuntimeErrors."""
    signs = ("connection", "gloo", "nccl", "socket", "peer")
    return isinstance(error, distributed.DistError) or any(sign in str(error).lower() for sign in signs)
