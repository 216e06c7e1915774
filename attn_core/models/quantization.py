"""Weights in 8 bits: in model.safetensors a matrix W may be stored as two tensors.

    NAME            int8, in the shape of W: q = round(W / s), from -127 to 127
    NAME.row_scale  float32, the number s of each row (index of the first axis): the largest |W| of the row / 127

Read, W = s q in float32. Tensors with one axis, such as biases, stay in float16. The engine in the browser reads the
same format with the same result, bit for bit (browser/engine/safetensors.js).
"""

from collections.abc import Mapping

import torch
from torch import Tensor

from attn_core.messages import _

SCALES = ".row_scale"  # what the name of a matrix's scales ends with
LARGEST = 127


def packed(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of model.safetensors with all matrices in 8 bits."""
    found: dict[str, Tensor] = {}
    for name, weight in weights.items():
        if weight.dim() < 2 or not weight.is_floating_point():
            found[name] = weight.detach().half().contiguous()
            continue
        rows = weight.detach().float().flatten(1)
        scales = rows.abs().amax(1) / LARGEST
        steps = rows / scales.clamp(min=torch.finfo(torch.float32).tiny).unsqueeze(1)
        found[name] = steps.round().to(torch.int8).reshape(weight.shape).contiguous()
        found[name + SCALES] = scales
    return found


def unpacked(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """All weights in float32, from the tensors of model.safetensors.

    Raises ValueError for a matrix in 8 bits without a scale for each of its rows.
    """
    found: dict[str, Tensor] = {}
    for name, tensor in weights.items():
        base = weights.get(name.removesuffix(SCALES)) if name.endswith(SCALES) else None
        if base is not None and base.dtype is torch.int8:
            continue
        if tensor.dtype is torch.int8:
            scales = weights.get(name + SCALES)
            if scales is None or tensor.dim() < 2 or scales.shape != tensor.shape[:1]:
                raise ValueError(_("{name} has 8 bits, but not a scale for each row").format(name=name))
            found[name] = (tensor.float().flatten(1) * scales.float().unsqueeze(1)).reshape(tensor.shape)
        else:
            found[name] = tensor.float()
    return found
