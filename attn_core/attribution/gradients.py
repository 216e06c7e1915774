"""Gradient × input and integrated gradients, with respect to the embeddings of the source words. Signed.

Both are derivatives along a path: embedding s is e'_s + a_s (e_s - e'_s), where e' is a baseline. The derivative with
respect to a_s is the gradient with respect to the embedding times (e_s - e'_s), summed over its units.
"""

from collections.abc import Callable
from itertools import cycle

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.attribution.case import ROWS, Case, Change
from attn_core.attribution.method import Found, Method
from attn_core.data.tokenizer import Tokenizer


class GradientInput(Method):
    """The gradient of the quantity with respect to a source word's embedding, times the embedding."""

    title, source = "Gradient × input", "Denil 2014, section 3; Shrikumar 2017, section 2"
    signed, of_quantity = True, True

    def __call__(self, case: Case) -> Found:
        return Found(slopes(case, torch.ones(1, dtype=torch.float64), torch.zeros_like))


class IntegratedGradients(Method):
    """The mean of gradient × (input - baseline) on the straight path from the baseline to the input (eq. 1).

    A row sums to quantity(input) - quantity(baseline) (the completeness of section 3, Proposition 1), but for the error
    of the quadrature, which is the `errors` of each word. Where a window or hard attention jumps, it does not vanish
    with more points.
    """

    title, source = "Integrated gradients", "Sundararajan 2017, section 3"
    signed, of_quantity = True, True

    def __call__(self, case: Case) -> Found:
        nodes, weights = np.polynomial.legendre.leggauss(self.settings.points)  # on [-1, 1]
        points, shares = torch.from_numpy((nodes + 1) / 2), torch.from_numpy(weights / 2)
        baseline = baseline_of(case, self.settings.baseline)
        values = slopes(case, points, baseline, shares)
        with torch.no_grad():
            start = case.values(case.source_ids.unsqueeze(0), baseline).squeeze(0)
        return Found(values, (values.sum(1) - (case.attributed - start)).abs())


Baseline = Callable[[Float[Tensor, "rows src m"]], Float[Tensor, "rows src m"]]


def baseline_of(case: Case, name: str) -> Baseline:
    """A function from embeddings to those of the baseline `name`, one of settings.BASELINES."""
    if name == "zero":
        return torch.zeros_like
    found: list[Tensor] = []  # of each member of an ensemble, in the order in which they encode

    def seen(embedded: Tensor) -> Tensor:
        found.append(embedded)
        return embedded

    id = {"<pad>": Tokenizer.pad, "<unk>": Tokenizer.unk}[name]
    with torch.no_grad():
        case.encode(torch.full_like(case.source_ids, id).unsqueeze(0), seen)
    turns = cycle(found)
    return lambda embedded: next(turns).expand_as(embedded)


def slopes(
    case: Case,
    points: Float[Tensor, "points"],
    baseline: Baseline,
    shares: Float[Tensor, "points"] | None = None,
) -> Float[Tensor, "tgt src"]:
    """The derivatives of each step's quantity along the path, averaged over `points` with weights `shares`.

    A batch has a row for each pair of a point and a step. Rows of early steps come first, so that a batch ends with
    the last step that one of its rows needs.
    """
    tgt, src = len(case.target_ids), len(case.source_ids)
    found = []
    for pairs in torch.cartesian_prod(torch.arange(tgt), torch.arange(len(points))).split(ROWS):
        steps, which = pairs.unbind(1)
        places = points[which].to(case.attributed)
        with torch.enable_grad():
            scale = places.unsqueeze(1).repeat(1, src).requires_grad_()
            values = case.values_at(case.source_ids.expand(len(steps), -1), steps.tolist(), _on_path(scale, baseline))
            total = values.sum() + 0 * scale.sum()  # a quantity may not depend on the source
            (slope,) = torch.autograd.grad(total, scale)
        found.append(slope)
    each = torch.cat(found).unflatten(0, (tgt, len(points)))
    weights = torch.ones(len(points)) if shares is None else shares
    return (each * weights.to(each)[:, None]).sum(1).to(case.attributed.dtype)


def _on_path(scale: Float[Tensor, "rows src"], baseline: Baseline) -> Change:
    """The change of embeddings to those at `scale` on the path from the baseline."""

    def change(embedded: Float[Tensor, "rows src m"]) -> Float[Tensor, "rows src m"]:
        start = baseline(embedded)
        return start + scale.to(embedded).unsqueeze(-1) * (embedded - start)

    return change
