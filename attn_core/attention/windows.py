"""Windows: the source positions that may be attended to, and the Gaussian over them (Luong 2015, section 3.2).

A window maps a query and a step index to a Focus: the positions inside, the Gaussian over them, and the centre p_t.
Positions count from 0 in written order, and S counts real words only.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn_core.attention.notation import Quantity, live
from attn_core.attention.settings import (
    WINDOWS,
    LocalMSettings,
    LocalPSettings,
    WindowSettings,
)
from attn_core.messages import N_
from attn_core.trace import Focus
from attn_core.trace.tensors import wide

__all__ = ["WINDOWS", "Global", "Local", "LocalM", "LocalP", "Window"]


class Window(nn.Module):
    """Base class of windows; `query` is the size of h_t."""

    settings: Any  # WindowSettings of the window's own class

    def __init__(self, query: int, settings: WindowSettings):
        super().__init__()
        self.settings = settings

    @classmethod
    def quantities(cls, config: Any, query: tuple[str, ...]) -> tuple[Quantity, ...]:
        """p_t and the positions in view; `query` holds the ids of the quantities that form the query."""
        raise NotImplementedError

    def slots(self, widening: float = 1.0) -> float:
        """The number of positions that the window can hold; inf for all."""
        return math.inf

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], src_mask: Bool[Tensor, "*b src"], t: int, widening: float = 1.0
    ) -> Focus:
        """The focus of each query over all positions; the first of the queries belongs to decoding step `t`.

        `widening` multiplies D and sigma of a window that learns p_t (inf: all words in view); others ignore it.
        """
        raise NotImplementedError


class Global(Window):
    """All source words in view, without a Gaussian (Luong 2015, section 3.1; Bahdanau 2015)."""

    @classmethod
    def quantities(cls, config: Any, query: tuple[str, ...]) -> tuple[Quantity, ...]:
        x = config.decoder.letters
        last = x.length if config.source_eos else f"{x.length} - 1"  # S does not count </s>
        lines = (rf"{x.place} = 0 \dots {last}",)
        return (Quantity("view", "window", x.place, N_("positions in view"), lines, (), ("S",), given=True),)

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], src_mask: Bool[Tensor, "*b src"], t: int, widening: float = 1.0
    ) -> Focus:
        inside = src_mask.unsqueeze(-2).expand(*queries.shape[:-1], src_mask.size(-1))
        return Focus(inside, inside.to(torch.promote_types(queries.dtype, torch.float32)), None)


class Local(Window):
    """Base class of windows around a centre p_t."""

    settings: Any  # LocalSettings
    centers: Mapping[int, float] = MappingProxyType({})  # p_t by step, set by hand in place of the window's own

    @classmethod
    def quantities(cls, config: Any, query: tuple[str, ...]) -> tuple[Quantity, ...]:
        x = config.decoder.letters
        learned = config.attention.window.learned
        symbol, inputs = f"p_{x.step}", query if learned else ()
        line = f"{symbol} = {cls.latex(config)}"
        center = Quantity(
            "center", "window", symbol, N_("centre of the window"), (line,), inputs, (), given=not learned
        )
        view = Quantity("view", "window", x.place, N_("positions in view"), (cls.view(config),), ("center",), ("S",))
        return center, view

    @classmethod
    def latex(cls, config: Any) -> str:
        """p_t in LaTeX, as a model with this ModelConfig computes it."""
        raise NotImplementedError

    @classmethod
    def view(cls, config: Any) -> str:
        """The positions in view in LaTeX (see `around`)."""
        x, own = config.decoder.letters, config.attention.window
        center = f"p_{x.step}"
        if own.center_rule == "real":
            view = rf"|{x.place} - {center}| \le D"
        elif own.half_width == 0 and own.learned:  # see `middle`; p_t of local-m is an integer
            view = rf"{x.place} = \max(0, \min(\lfloor {center} \rfloor, {x.length} - 1))"
        else:
            view = rf"{x.place} \in \lfloor {center} \rfloor \pm D"
        return rf"{view}, \quad D = {live('half_width', own.half_width)}"

    @property
    def stays_in_sentence(self) -> bool:
        """Whether a centre outside the sentence can only result from rounding."""
        return True

    @property
    def is_single(self) -> bool:
        """Whether no word but the middle one can be in view."""
        return self.settings.half_width == 0

    def slots(self, widening: float = 1.0) -> float:
        return 2 * self.reach(widening) + 1

    def reach(self, widening: float = 1.0) -> float:
        """D in words, times `widening` if p_t is learned; inf if all words are in view."""
        if not self.settings.learned:
            return self.settings.half_width
        return self.settings.half_width * widening if widening < math.inf else math.inf

    def center(self, queries: Float[Tensor, "*b tgt q"], lengths: Int[Tensor, "*b"], t: int) -> Float[Tensor, "*b tgt"]:
        """p_t of each query, the first of which belongs to decoding step `t`."""
        raise NotImplementedError

    def forward(
        self, queries: Float[Tensor, "*b tgt q"], src_mask: Bool[Tensor, "*b src"], t: int, widening: float = 1.0
    ) -> Focus:
        lengths = src_mask.sum(-1)
        positions = torch.arange(src_mask.size(-1), device=src_mask.device)
        center = self.by_hand(self.center(queries, lengths, t), t)
        return self.around(center, positions, src_mask.unsqueeze(-2), lengths, widening)

    def by_hand(self, center: Float[Tensor, "*b tgt"], t: int) -> Float[Tensor, "*b tgt"]:
        """`center`, p_t of the steps from `t` on, with those that are set by hand in place of the window's own."""
        for step, place in self.centers.items():
            if 0 <= step - t < center.size(-1):
                center = center.index_fill(-1, torch.tensor([step - t], device=center.device), place)
        return center

    def middle(self, center: Float[Tensor, "*b tgt"], lengths: Int[Tensor, "*b"]) -> Float[Tensor, "*b tgt"]:
        """floor(p_t), the middle position of the window."""
        middle = center.detach().floor()
        if self.is_single and self.stays_in_sentence:
            # A saturated sigmoid gives p_t = S, one past the last word, and no word would be in view.
            middle = middle.clamp(min=0).minimum(lengths.unsqueeze(-1) - 1)
        return middle

    def in_view(
        self,
        center: Float[Tensor, "*b tgt"],
        positions: Int[Tensor, "..."],
        lengths: Int[Tensor, "*b"],
        reach: float,
    ) -> Bool[Tensor, "*b tgt src"]:
        """Which `positions` are at most `reach` words from p_t, whether they are in the sentence or not."""
        middle = center if self.settings.center_rule == "real" else self.middle(center, lengths)
        return (positions - middle.unsqueeze(-1)).abs() <= reach

    def around(
        self,
        center: Float[Tensor, "*b tgt"],
        positions: Int[Tensor, "..."],
        real: Bool[Tensor, "..."],
        lengths: Int[Tensor, "*b"],
        widening: float = 1.0,
    ) -> Focus:
        """The focus of a window around p_t over `positions`, of which only the `real` ones are in the sentence.

        Both broadcast to `*b tgt src`.
        """
        if (reach := self.reach(widening)) == math.inf:
            inside = real.expand(*center.shape, real.size(-1))
            return Focus(inside, inside.to(center.dtype), center)
        distance = positions - center.unsqueeze(-1)
        inside = self.in_view(center, positions, lengths, reach) & real
        gaussian = inside.to(center.dtype)
        if (sigma := self.settings.gaussian_width) is not None:
            width = sigma * (widening if self.settings.learned else 1.0)
            gaussian = gaussian * torch.exp(-distance.square() / (2 * width**2))
        return Focus(inside, gaussian, center)


class LocalM(Local):
    """Monotonic: the window moves one word per step (Luong 2015, section 3.2).

    `rule` "clamp" is the authors' code, p_t = min(t, S - 1). "text" is p_t = t: once t > S + D - 1, no word is in view,
    and weights and context are zero. There is no Gaussian unless `sigma` is set, which the paper does not do.
    """

    settings: LocalMSettings

    @classmethod
    def latex(cls, config: Any) -> str:
        x = config.decoder.letters
        return rf"\min({x.t}, {x.length} - 1)" if config.attention.window.rule == "clamp" else x.t

    @property
    def stays_in_sentence(self) -> bool:
        return self.settings.rule == "clamp"

    def center(self, queries: Float[Tensor, "*b tgt q"], lengths: Int[Tensor, "*b"], t: int) -> Float[Tensor, "*b tgt"]:
        kind = torch.promote_types(queries.dtype, torch.float32)
        steps = torch.arange(t, t + queries.size(-2), device=queries.device, dtype=kind).expand(queries.shape[:-1])
        return steps.minimum(lengths.unsqueeze(-1) - 1.0) if self.settings.rule == "clamp" else steps


class LocalP(Local):
    """Predictive: p_t is a real number computed from h_t alone, before any score (Luong 2015, eq. 9 and 10).

    The Gaussian (sigma = D / 2 unless set) is centred at p_t; W_p and v_p receive gradient only through the Gaussian.
    D = 0 without a sigma has no Gaussian, so it is only for models that were trained with a larger D.
    The paper does not state whether S * sigmoid counts from 0 or from 1. The default counts from 0, which equals the
    authors' code (it counts from 1, and adds 1); `one_based` counts from 1, so p_t is one word further left.
    """

    settings: LocalPSettings

    def __init__(self, query: int, settings: LocalPSettings):
        super().__init__(query, settings)
        self.W_p = nn.Linear(query, query, bias=False)
        self.v_p = nn.Linear(query, 1, bias=False)

    @classmethod
    def latex(cls, config: Any) -> str:
        x = config.decoder.letters
        less = " - 1" if config.attention.window.one_based else ""
        return rf"{x.length} \cdot \operatorname{{sigmoid}}(v_p^\top \tanh(W_p {x.query})){less}"

    def center(self, queries: Float[Tensor, "*b tgt q"], lengths: Int[Tensor, "*b"], t: int) -> Float[Tensor, "*b tgt"]:
        share = torch.sigmoid(wide(self.v_p(torch.tanh(self.W_p(queries))).squeeze(-1)))
        center = lengths.unsqueeze(-1).to(share.dtype) * share
        return center - 1 if self.settings.one_based else center
