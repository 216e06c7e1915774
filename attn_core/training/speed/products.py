"""Choose the library for this process's fp32 matrix products on the CPU, MKL or oneDNN. See cpu_tuning.py."""

import warnings
from typing import Any

import torch
from torch import Tensor

from attn_core.processor import suited

LIBRARIES = ("mkl", "onednn")
# Below this number of multiplications the overhead of a call dominates: in a step of a single sentence, the products of
# a small model take 7 microseconds with MKL and 19 with oneDNN.
WORTH = 2**20
_overrides: list[torch.library.Library] = []


def multiply_with(library: str | None) -> str:
    """Compute this process's fp32 matrix products on the CPU with "onednn" or "mkl"; returns the library in use.

    None selects the library that suits the processor, by the rates in processor.py; torch's default is MKL. Both
    accumulate in fp32; their results differ by rounding. If torch was built without one of the two, nothing changes.
    """
    if library not in (None, *LIBRARIES):
        raise ValueError(f"the library for matrix products must be {' or '.join(LIBRARIES)}, not {library!r}")
    if not _overrides and (library or suited().products) == "onednn" and _both():
        _override()
    return current_library()


def current_library() -> str:
    """The library in use: "onednn", or "mkl" for torch's default."""
    return "onednn" if _overrides else "mkl"


def _both() -> bool:
    return torch.backends.mkldnn.is_available() and torch.backends.mkl.is_available()


def _onednn(left: Tensor, right: Tensor, bias: Tensor | None = None) -> Tensor:
    return torch.ops.mkldnn._linear_pointwise.default(left, right.T, bias, "none", [], "")


def _dense(matrix: Tensor) -> bool:
    """Whether `matrix` is contiguous; oneDNN is slow for a slice of a wider matrix."""
    return matrix.is_contiguous() or matrix.T.is_contiguous()


def _override() -> None:
    plain_mm, plain_addmm = (torch.library.get_kernel(f"aten::{name}", "CPU") for name in ("mm", "addmm"))

    def worth(left: Tensor, right: Tensor) -> bool:
        fp32 = left.dtype is right.dtype is torch.float32
        return fp32 and left.numel() * right.size(1) >= WORTH and _dense(left) and _dense(right)

    def mm(keys: Any, left: Tensor, right: Tensor) -> Tensor:
        return _onednn(left, right) if worth(left, right) else plain_mm.call_boxed(keys, left, right)

    def addmm(keys: Any, added: Tensor, left: Tensor, right: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
        if added.dim() == 1 and beta == alpha == 1 and added.dtype is torch.float32 and worth(left, right):
            return _onednn(left, right, added)
        return plain_addmm.call_boxed(keys, added, left, right, beta=beta, alpha=alpha)

    library = torch.library.Library("aten", "IMPL")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns about overridden kernels
        library.impl("mm", mm, "CPU", with_keyset=True)
        library.impl("addmm", addmm, "CPU", with_keyset=True)
    _overrides.append(library)  # the overrides live as long as this object
