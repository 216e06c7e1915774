"""Compute the weight gradients of a loop over time in one matrix product."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode


@contextmanager
def gathered_gradients() -> Iterator[None]:
    """Within the block, `linear` and `embedding` gather their inputs and compute each weight's gradient once.

    The loop in the block follows the paper's equations. For each step, autograd would compute and add a gradient of
    the weight's size. Instead, the inputs and output gradients of all steps are stored and multiplied once, which gives
    the same sum in another order. Likewise, an embedding's gradient is allocated once, not at every step.
    """
    if not torch.is_grad_enabled():
        yield
        return
    with _Gathering():
        yield


class _Gathering(TorchFunctionMode):
    def __init__(self) -> None:
        super().__init__()
        self.layers: dict[int, tuple[Tensor, _Layer]] = {}
        self.tables: dict[tuple[int, torch.Size], tuple[Tensor, _Table]] = {}

    def __torch_function__(self, func: Callable, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        if func is F.linear:
            return self.linear(*args, **(kwargs or {}))
        if func is torch.embedding and len(args) == 2:
            return self.embedding(*args)
        return func(*args, **(kwargs or {}))

    def embedding(self, table: Tensor, rows: Tensor) -> Tensor:
        key = table.data_ptr(), table.shape  # each step may have a new view of the same table
        if key not in self.tables:
            found = _Table(table)
            self.tables[key] = _Rows.apply(table, found), found
        return _Taken.apply(rows, *self.tables[key])

    def linear(self, inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        if id(weight) not in self.layers:
            layer = _Layer(weight, bias, _precision(inputs))
            self.layers[id(weight)] = _Weights.apply(weight, bias, layer), layer
        return _Product.apply(inputs, *self.layers[id(weight)])


def _precision(inputs: Tensor) -> torch.dtype:
    kind = inputs.device.type
    return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else inputs.dtype


class _Layer:
    """A weight in the precision of its products, with the inputs and output gradients of all steps."""

    def __init__(self, weight: Tensor, bias: Tensor | None, precision: torch.dtype):
        self.original = weight  # a reference, so that its id is not reused
        self.weight = weight.detach().to(precision)
        self.bias = None if bias is None else bias.detach().to(precision)
        self.rows: list[tuple[Tensor, Tensor]] = []


class _Weights(Function):
    """An input of all products of a layer, so that its backward pass runs after all of theirs."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, bias: Tensor | None, layer: _Layer) -> Tensor:
        ctx.layer = layer
        return weight.new_zeros(())

    @staticmethod
    def backward(ctx: Any, _: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        layer: _Layer = ctx.layer
        if not layer.rows:
            return None, None, None
        inputs, gradients = (torch.cat([row[side].flatten(0, -2) for row in layer.rows]) for side in (0, 1))
        layer.rows.clear()
        kind = layer.original.dtype
        return (
            (gradients.T @ inputs).to(kind),
            None if layer.bias is None else gradients.sum(0, dtype=kind),
            None,
        )


class _Product(Function):
    @staticmethod
    def forward(ctx: Any, inputs: Tensor, _: Tensor, layer: _Layer) -> Tensor:
        ctx.set_materialize_grads(False)
        ctx.layer, ctx.kind = layer, inputs.dtype
        ctx.inputs = inputs.detach().to(layer.weight.dtype)
        return F.linear(ctx.inputs, layer.weight, layer.bias)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor | None) -> tuple[Tensor | None, Tensor | None, None]:
        if gradient is None:
            return None, None, None
        ctx.layer.rows.append((ctx.inputs, gradient))
        back = (gradient @ ctx.layer.weight).to(ctx.kind) if ctx.needs_input_grad[0] else None
        return back, gradient.new_zeros((), dtype=ctx.layer.original.dtype), None


class _Table:
    """An embedding table, with the indices and output gradients of all steps."""

    def __init__(self, table: Tensor):
        self.table = table.detach()
        self.rows: list[tuple[Tensor, Tensor]] = []


class _Rows(Function):
    """An input of all lookups in a table, so that its backward pass runs after all of theirs."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, found: _Table) -> Tensor:
        ctx.found = found
        return table.new_zeros(())

    @staticmethod
    def backward(ctx: Any, _: Tensor) -> tuple[Tensor | None, None]:
        found: _Table = ctx.found
        total = torch.zeros_like(found.table)
        for rows, gradient in found.rows:
            total.index_add_(0, rows.flatten(), gradient.flatten(0, -2))
        found.rows.clear()
        return total, None


class _Taken(Function):
    @staticmethod
    def forward(ctx: Any, rows: Tensor, _: Tensor, found: _Table) -> Tensor:
        ctx.set_materialize_grads(False)
        ctx.rows, ctx.found = rows, found
        return torch.embedding(found.table, rows)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor | None) -> tuple[None, Tensor | None, None]:
        if gradient is None:
            return None, None, None
        ctx.found.rows.append((ctx.rows, gradient))
        return None, gradient.new_zeros(()), None
