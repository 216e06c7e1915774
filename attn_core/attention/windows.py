"""Which source positions may be looked at, and how the window favours its centre (Luong 2015, section 3.2).

A window turns a query and a time into a Focus: the positions inside, the Gaussian over them, and the centre p_t.
Positions are 0-based in the order of writing, and S counts real words only.
"""

import math
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn_core.registry import Registry, letters
from attn_core.tensors import wide
from attn_core.trace import Focus

WINDOWS: "Registry[Window]" = Registry("window")
# What the settings of the same names may be; the first is the default.
CENTER_RULES = ("floor", "real")
LOCAL_M_RULES = ("clamp", "text")


class Window(nn.Module):
    """Base of all windows.

    `query` is the size of h_t; `half_width` is D in words, `sigma` the Gaussian's width in words (None: the window's
    default); `center_rule` is "floor" (the authors' code: floor(p_t) - D .. floor(p_t) + D) or "real" (|s - p_t| <= D).
    `options` names the settings of a ModelConfig that the constructor takes beside the size and that count here.
    """

    name: str
    formula: str
    options: tuple[str, ...] = ("half_width", "sigma", "center_rule")
    stays_in_sentence = True  # a centre outside the sentence is an accident of rounding, not the rule

    def __init__(self, query: int, half_width: int = 0, sigma: float | None = None, center_rule: str = "floor"):
        super().__init__()
        self.half_width, self.sigma, self.center_rule = half_width, sigma, center_rule
        self.widening = 1.0  # how many times as wide the window is while training begins

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        """p_t and the positions in view, in LaTeX, as a model with this ModelConfig computes them."""
        raise NotImplementedError

    @classmethod
    def view(cls, config: Any) -> str:
        """The positions in view of a window that has a centre (see `around`)."""
        x = letters(config.order)
        center = f"p_{x.step}"
        if config.center_rule == "real":
            view = rf"|{x.place} - {center}| \le D"
        elif config.half_width == 0 and cls is LocalP:  # p_t of local-m is a position already, or left where it is
            view = rf"{x.place} = \max(0, \min(\lfloor {center} \rfloor, {x.length} - 1))"
        else:
            view = rf"{x.place} \in \lfloor {center} \rfloor \pm D"
        return rf"{view}, \quad D = {config.half_width}"

    @property
    def reach(self) -> float:
        """D as it is now, in words; inf where all words are in view."""
        return self.half_width * self.widening if self.widening < math.inf else math.inf

    def center(
        self, queries: Float[Tensor, "*b tgt q"], lengths: Int[Tensor, "*b"], t: int
    ) -> Float[Tensor, "*b tgt"] | None:
        """p_t of each query, the first of them made at decoding step `t`; None for a window without a centre."""
        raise NotImplementedError

    def forward(self, queries: Float[Tensor, "*b tgt q"], src_mask: Bool[Tensor, "*b src"], t: int) -> Focus:
        """The focus of each query over all positions; the first of the queries is made at decoding step `t`."""
        lengths = src_mask.sum(-1)
        positions = torch.arange(src_mask.size(-1), device=src_mask.device)
        center = self.center(queries, lengths, t)
        assert center is not None  # a window without one has a `forward` of its own
        return self.around(center, positions, src_mask.unsqueeze(-2), lengths)

    def middle(self, center: Float[Tensor, "*b tgt"], lengths: Int[Tensor, "*b"]) -> Float[Tensor, "*b tgt"]:
        """floor(p_t), the position that the window stands on, as a whole number."""
        middle = center.detach().floor()
        if self.half_width == 0 and self.stays_in_sentence:
            # A saturated sigmoid gives p_t = S, one past the last word: nothing would be left in view.
            middle = middle.clamp(min=0).minimum(lengths.unsqueeze(-1) - 1)
        return middle

    def around(
        self,
        center: Float[Tensor, "*b tgt"],
        positions: Int[Tensor, "..."],
        real: Bool[Tensor, "..."],
        lengths: Int[Tensor, "*b"],
    ) -> Focus:
        """The window around p_t, clipped to the sentence, over `positions` of which the `real` ones are in it.

        Both are `*b tgt src`, with 1 or nothing for what all queries share.
        """
        if self.reach == math.inf:
            inside = real.expand(*center.shape, real.size(-1))
            return Focus(inside, inside.to(center.dtype), center)
        distance = positions - center.unsqueeze(-1)
        if self.center_rule == "real":
            near = distance.abs() <= self.reach
        else:
            near = (positions - self.middle(center, lengths).unsqueeze(-1)).abs() <= self.reach
        inside = near & real
        gaussian = inside.to(center.dtype)
        if self.width is not None:
            gaussian = gaussian * torch.exp(-distance.square() / (2 * (self.width * self.widening) ** 2))
        return Focus(inside, gaussian, center)

    @classmethod
    def bell(cls, half_width: int, sigma: float | None) -> float | None:
        """The Gaussian's sigma in words where `sigma` is set to this; None: there is no Gaussian."""
        return sigma

    @property
    def width(self) -> float | None:
        """The Gaussian's sigma in words; None: there is no Gaussian."""
        return self.bell(self.half_width, self.sigma)


@WINDOWS.add("global", r"s = 1 \dots S")
class Global(Window):
    """All source words in view, none favoured (Luong 2015, section 3.1; Bahdanau 2015)."""

    options = ()

    @classmethod
    def bell(cls, half_width: int, sigma: float | None) -> None:
        return None

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        x = letters(config.order)
        last = x.length if config.source_eos else f"{x.length} - 1"  # S counts words, and </s> is none
        return [rf"{x.place} = 0 \dots {last}"]

    @property
    def reach(self) -> float:
        return math.inf

    def forward(self, queries: Float[Tensor, "*b tgt q"], src_mask: Bool[Tensor, "*b src"], t: int) -> Focus:
        inside = src_mask.unsqueeze(-2).expand(*queries.shape[:-1], src_mask.size(-1))
        return Focus(inside, inside.to(torch.promote_types(queries.dtype, torch.float32)), None)


@WINDOWS.add("local-m", r"p_t = t")
class LocalM(Window):
    """Monotonic: the window moves one word a step, whatever the sentence (Luong 2015, section 3.2).

    `local_m_rule` "clamp" is the authors' code, p_t = min(t, S - 1); "text" leaves p_t = t, and once t > S + D - 1
    nothing is in view: weights and context are zero. There is no Gaussian unless `sigma` is set, which the paper does
    not do.
    """

    options = (*Window.options, "local_m_rule")

    def __init__(
        self,
        query: int,
        half_width: int = 0,
        sigma: float | None = None,
        center_rule: str = "floor",
        local_m_rule: str = "clamp",
    ):
        super().__init__(query, half_width, sigma, center_rule)
        self.rule = local_m_rule
        self.stays_in_sentence = local_m_rule == "clamp"

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        x = letters(config.order)
        center = rf"\min({x.t}, {x.length} - 1)" if config.local_m_rule == "clamp" else x.t
        return [f"p_{x.step} = {center}", cls.view(config)]

    def center(self, queries: Float[Tensor, "*b tgt q"], lengths: Int[Tensor, "*b"], t: int) -> Float[Tensor, "*b tgt"]:
        kind = torch.promote_types(queries.dtype, torch.float32)
        steps = torch.arange(t, t + queries.size(-2), device=queries.device, dtype=kind).expand(queries.shape[:-1])
        return steps.minimum(lengths.unsqueeze(-1) - 1.0) if self.rule == "clamp" else steps


@WINDOWS.add("local-p", r"p_t = S \cdot \sigma(v_p^\top \tanh(W_p h_t))")
class LocalP(Window):
    """Predictive: p_t is a real position computed from h_t alone, before any score (Luong 2015, eq. 9 and 10).

    The Gaussian, sigma = D / 2 unless set, is centred at the real p_t and alone carries gradient to W_p and v_p.
    The text leaves the base of S * sigmoid unsaid. On 0-based positions, the default, it equals the authors' code
    (whose positions are 1-based, and which adds 1); `one_based` reads it as a 1-based position and points one word
    further left.
    """

    options = (*Window.options, "one_based")

    def __init__(
        self,
        query: int,
        half_width: int = 0,
        sigma: float | None = None,
        center_rule: str = "floor",
        one_based: bool = False,
    ):
        super().__init__(query, half_width, sigma, center_rule)
        self.one_based = one_based
        self.W_p = nn.Linear(query, query, bias=False)
        self.v_p = nn.Linear(query, 1, bias=False)

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        x = letters(config.order)
        less = " - 1" if config.one_based else ""
        center = rf"{x.length} \cdot \sigma(v_p^\top \tanh(W_p {x.query})){less}"
        return [f"p_{x.step} = {center}", cls.view(config)]

    @classmethod
    def bell(cls, half_width: int, sigma: float | None) -> float | None:
        if sigma is None and half_width == 0:
            return None  # one word in view, and nothing to favour
        return half_width / 2 if sigma is None else sigma

    def center(self, queries: Float[Tensor, "*b tgt q"], lengths: Int[Tensor, "*b"], t: int) -> Float[Tensor, "*b tgt"]:
        share = torch.sigmoid(wide(self.v_p(torch.tanh(self.W_p(queries))).squeeze(-1)))
        center = lengths.unsqueeze(-1).to(share.dtype) * share
        return center - 1 if self.one_based else center


def gaussian_width(config: Any) -> float | None:
    """sigma in force with a ModelConfig; None: no Gaussian (a global window, local-m unless set, D = 0)."""
    return None if config.window is None else WINDOWS[config.window].bell(config.half_width, config.sigma)
