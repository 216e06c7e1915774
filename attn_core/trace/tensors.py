"""Conversions of tensors and of records of tensors."""

from dataclasses import fields
from typing import Any

import torch
from torch import Tensor

from attn_core.trace import Record


def wide(values: Tensor) -> Tensor:
    """`values` in at least float32: autocast's half precision is promoted, float64 is kept."""
    return values.to(torch.promote_types(values.dtype, torch.float32))


def cat(records: list, dim: int) -> Any:
    """Records of one class as a single record, every tensor concatenated along `dim`."""
    first = records[0]
    if len(records) == 1:
        return first
    if isinstance(first, Tensor):
        return torch.cat(records, dim)
    if isinstance(first, Record):
        return type(first)(**{f.name: cat([getattr(r, f.name) for r in records], dim) for f in fields(first)})
    if isinstance(first, tuple):
        return tuple(cat(list(items), dim) for items in zip(*records, strict=True))
    return first
