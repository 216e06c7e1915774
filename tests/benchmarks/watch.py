"""Record the kernel times of torch operations by part of the model, and replay the matrix products alone.

The model is not changed. A forward operation belongs to the part whose source file calls it (PLACES); a backward
operation belongs to the part of its forward operation, found by autograd's sequence numbers.
"""

import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

import attn_core

CORE = str(Path(attn_core.__file__).parent)
aten = torch.ops.aten

# The part of the operations called by a file or folder of attn_core; in some files it depends on the function, where ""
# stands for all others. Files not listed (training/speed, models/gathered_gradients.py) work for their caller.
PLACES: dict[str, str | dict[str, str]] = {
    "attention": "attention",
    "models/cells": "gates",
    "models/encoders": "gates",
    "models/decoders": {
        **dict.fromkeys(("logits", "log_probs"), "output layer"),
        **dict.fromkeys(("combined", "_attend"), "readout"),
        "": "gates",
    },
    **dict.fromkeys(("models/cross_entropy", "models/translator", "training/objective"), "loss"),
    **dict.fromkeys(("decoding/beam", "decoding/search"), "search"),
    "trace": {"cat": "record"},
    "data/corpus": "batch",
}
PARTS = (
    "attention",  # keys, scores, window, weights, context
    "gates",  # the cells of encoder and decoder, with the projection of their inputs
    "readout",  # the input of the output layer: h~ (Luong), the maxout units (Bahdanau)
    "output layer",
    "loss",
    "embeddings",
    "optimiser",  # with the clipping of the gradients
    "search",  # candidates, and the choice of rows
    "record",  # concatenation of steps
    "reading",  # the whole encoder in a search, where it runs once for many steps
    "batch",  # word ids as padded tensors
    "rest",  # operations that belong to no part
)
PRODUCTS = (aten.mm, aten.addmm, aten.bmm, aten.baddbmm, torch.ops.mkldnn._linear_pointwise)

Product = tuple[torch._ops.OpOverload, tuple, dict[str, Any]]


class Watch(TorchDispatchMode):
    """Time every kernel in the block, and keep every matrix product. CPU only, where kernels run synchronously.

    `searching` attributes the whole encoder to "reading"; without `keep`, products are timed but not kept.
    """

    def __init__(self, searching: bool = False, keep: bool = True):
        super().__init__()
        self.searching, self.keep, self.outer = searching, keep, "rest"
        self.times: dict[str, list[float]] = defaultdict(list)
        self.unknown: dict[str, int] = defaultdict(int)  # operations of the rest, by name
        self.products: list[Product] = []
        self._part_of: dict[int, str] = {}  # sequence number of a node of autograd -> part
        self._seen = torch.autograd._get_sequence_nr()

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict[str, Any] | None = None) -> Any:
        kwargs = kwargs or {}
        if func._can_decompose():  # in inference mode `linear` and `matmul` are single operations
            with self:
                found = func.decompose(*args, **kwargs)
            if found is not NotImplemented:
                return found
        part = self._part(func)
        began = time.perf_counter()
        found = func(*args, **kwargs)
        self.times[part].append(time.perf_counter() - began)
        if not self.keep:
            return found
        if func.overloadpacket in PRODUCTS:
            self.products.append((func, args, kwargs))
        elif func.overloadpacket in (aten.mkldnn_rnn_layer, aten.mkldnn_rnn_layer_backward):
            self.products += of_lstm(args, back=func.overloadpacket is aten.mkldnn_rnn_layer_backward)
        return found

    def within(self, part: str) -> None:
        """Attribute the following operations that no file of attn_core calls to `part`."""
        self.outer = part

    def _part(self, func: Any) -> str:
        node = torch._C._current_autograd_node()
        if node is not None:  # backward; accumulating gradients counts for the optimiser
            return self._part_of.get(node._sequence_nr(), "optimiser")
        part = place(self.searching) or self.outer
        if "embedding" in func.overloadpacket.__name__ and part in ("gates", "rest"):
            part = "embeddings"
        if part == "loss" and func.overloadpacket in PRODUCTS:
            part = "output layer"  # a loss that computes its own logits
        if part == "rest":
            self.unknown[str(func)] += 1
        now = torch.autograd._get_sequence_nr()
        self._part_of |= dict.fromkeys(range(self._seen, now), part)
        self._seen = now
        return part


def seconds(turns: list[dict[str, list[float]]]) -> dict[str, float]:
    """Seconds in the kernels of each part: the sum over operations of their median time over `turns` of the same work.

    The time of an empty operation is subtracted; it belongs to Python and the dispatcher.
    """
    idle = nothing()
    found = {}
    for part in turns[0]:
        each = zip(*(turn[part] for turn in turns), strict=True)
        found[part] = max(0.0, sum(statistics.median(times) - idle for times in each))
    return found


def place(searching: bool) -> str | None:
    """The part of the running Python code; None if no file of attn_core determines it."""
    frame: FrameType | None = sys._getframe(1)
    part = None
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(CORE):
            names = Path(code.co_filename).relative_to(CORE).with_suffix("").parts[:2]
            if searching and names == ("models", "translator") and code.co_name == "encode":
                return "reading"
            if part is None and not code.co_name.startswith("<"):
                here = PLACES.get("/".join(names)) or PLACES.get(names[0])
                part = here.get(code.co_name) or here.get("") if isinstance(here, dict) else here
                if part and not searching:
                    return part
        frame = frame.f_back
    return part


def nothing() -> float:
    """The median seconds of an empty operation."""
    tensor, times = torch.zeros(8), []
    for _ in range(200):
        began = time.perf_counter()
        aten.alias.default(tensor)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def of_lstm(args: tuple, back: bool) -> list[Product]:
    """The matrix products inside torch's fused LSTM layer of one direction, which multiplies its states step by step.

    Only the shapes matter to their time, not the numbers.
    """
    inputs, W, U = args[:3]  # time, batch, features
    steps, batch, features = inputs.shape
    gates, hidden = U.shape
    rows = inputs.new_ones(steps * batch, features)
    if not back:
        return [(aten.mm.default, (rows, W.mT), {})] + steps * [
            (aten.mm.default, (inputs.new_ones(batch, hidden), U.mT), {})
        ]
    slopes, states = inputs.new_ones(steps * batch, gates), inputs.new_ones(steps * batch, hidden)
    into = [(slopes, W), (slopes.mT, rows), (slopes.mT, states)]  # the gradients of inputs, W and U
    through = steps * [(slopes[:batch], U)]
    return [(aten.mm.default, pair, {}) for pair in into + through]


@torch.no_grad()
def replay(products: list[Product]) -> float:
    """Seconds of the recorded products alone, in order and with their own operands."""
    began = time.perf_counter()
    for func, args, kwargs in products:
        func(*args, **kwargs)
    return time.perf_counter() - began


def operations(products: list[Product]) -> int:
    """The number of additions and multiplications of all products."""
    total = 0
    for func, args, _ in products:
        matrices = args[1:3] if func.overloadpacket in (aten.addmm, aten.baddbmm) else args[:2]
        left, right = (matrix.shape for matrix in matrices)
        # mkldnn's linear takes the weight as stored, [outputs, inputs]
        columns = right[-2] if func.overloadpacket is torch.ops.mkldnn._linear_pointwise else right[-1]
        total += 2 * left.numel() * columns
    return total
