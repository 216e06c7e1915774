"""The axes of attention (score, window, attention type), and the settings of every value on them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attn_core.registry import Registry
from attn_core.settings import Part, Settings, check_choice, setting

if TYPE_CHECKING:
    from attn_core.attention.scores import Score
    from attn_core.attention.types import AttentionType
    from attn_core.attention.windows import Window

# Where the Gaussian acts: Luong 2015 eq. 10 multiplies after the softmax and does not renormalise; "renorm" divides by
# the sum; "on_scores" is nmt.matlab's normLocalAttn, softmax(score * gaussian).
GAUSSIANS = ("after_softmax", "renorm", "on_scores")


@dataclass(frozen=True)
class ScoreSettings(Part):
    """Settings of a score that has none of its own: dot, scaled_dot, and scores that a reader adds."""


@dataclass(frozen=True)
class GeneralSettings(ScoreSettings):
    name: str = "general"
    rank: int | None = setting(None, "rank of W_a, which is then U_a^T V_a; none: full", least=1)
    scale: bool = setting(False, "multiply the scores by a learned number", source="tf-nmt, scaled_luong")
    bias: bool = setting(False, "a bias beside the projected query")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bias and self.rank is not None:
            raise ValueError("bias is for the full W_a of the general score: leave rank out")


@dataclass(frozen=True)
class AdditiveSettings(ScoreSettings):
    name: str = "additive"
    hidden: int = setting(256, "n', rows of W_a", source="Bahdanau 2015, A.1.2", least=1, size=True)
    bias: bool = setting(False, "a bias within tanh")
    normed: bool = setting(False, "g v_a / |v_a| in place of v_a", source="tf-nmt, normed_bahdanau")


@dataclass(frozen=True)
class ConcatSettings(ScoreSettings):
    name: str = "concat"
    hidden: int = setting(256, "rows of W_a", source="Luong 2015, eq. 7", least=1, size=True)
    identity_source: bool = setting(False, "no matrix on the source's side", source="nmt.matlab")
    bias: bool = setting(False, "a bias within tanh")


@dataclass(frozen=True)
class LocationSettings(ScoreSettings):
    name: str = "location"
    width: int = setting(50, "rows of W_a: the longest source", source="Luong 2015, eq. 8", least=1, size=True)
    unmasked_fixed: bool = setting(
        False, "softmax over all rows, also those beyond the sentence", source="nmt.matlab of August 2015"
    )
    bias: bool = setting(False, "a bias beside W_a")


@dataclass(frozen=True)
class WindowSettings(Part):
    """Settings of a window that has none of its own: global."""

    @property
    def gaussian_width(self) -> float | None:
        """The Gaussian's sigma in words; None where there is no Gaussian."""
        return None

    @property
    def gaussian(self) -> str:
        """Where the Gaussian acts, one of GAUSSIANS; of a window without one, nowhere."""
        return "after_softmax"

    @property
    def is_local(self) -> bool:
        """Whether some source words may be out of view."""
        return isinstance(self, LocalSettings)


@dataclass(frozen=True)
class LocalSettings(WindowSettings):
    """Settings of a window around a centre p_t (Luong 2015, section 3.2)."""

    half_width: int = setting(10, "D in words", source="Luong 2015, section 3.2", least=0, unit="words")
    sigma: float | None = setting(
        None, "the Gaussian's width in words; none: D / 2 for local-p, no Gaussian for local-m", above=0, unit="words"
    )
    center_rule: str = setting(
        "floor",
        "floor: floor(p_t) - D to floor(p_t) + D, as in nmt.matlab; real: |s - p_t| <= D",
        source="Luong 2015, section 3.2",
        allowed=("floor", "real"),
    )
    gaussian: str = setting(
        "after_softmax",
        "after_softmax: eq. 10; on_scores: the scores are multiplied (nmt.matlab, normLocalAttn); renorm: the weights "
        "are divided by their sum (no source)",
        source="Luong 2015, eq. 10",
        allowed=GAUSSIANS,
    )

    @property
    def gaussian_width(self) -> float | None:
        return self.sigma


@dataclass(frozen=True)
class LocalMSettings(LocalSettings):
    name: str = "local-m"
    rule: str = setting(
        "clamp",
        "clamp: p_t = min(t, S - 1), as in nmt.matlab; text: p_t = t",
        source="Luong 2015, section 3.2",
        allowed=("clamp", "text"),
    )


@dataclass(frozen=True)
class LocalPSettings(LocalSettings):
    name: str = "local-p"
    one_based: bool = setting(False, "p_t is a position that counts from 1", source="nmt.matlab")

    @property
    def gaussian_width(self) -> float | None:
        if self.sigma is None and self.half_width == 0:
            return None  # one word in view, and nothing to favour
        return self.half_width / 2 if self.sigma is None else self.sigma


SCORES: "Registry[Score]" = Registry("score", ScoreSettings)
SCORES.at("dot", "attn_core.attention.scores:Dot")
SCORES.at("scaled_dot", "attn_core.attention.scores:ScaledDot")
SCORES.at("general", "attn_core.attention.scores:General", GeneralSettings)
SCORES.at("additive", "attn_core.attention.scores:Additive", AdditiveSettings)
SCORES.at("concat", "attn_core.attention.scores:Concat", ConcatSettings)
SCORES.at("location", "attn_core.attention.scores:Location", LocationSettings)

WINDOWS: "Registry[Window]" = Registry("window", WindowSettings)
WINDOWS.at("global", "attn_core.attention.windows:Global")
WINDOWS.at("local-m", "attn_core.attention.windows:LocalM", LocalMSettings)
WINDOWS.at("local-p", "attn_core.attention.windows:LocalP", LocalPSettings)

ATTENTION_TYPES: "Registry[AttentionType]" = Registry("attention type", Part)
ATTENTION_TYPES.at("soft", "attn_core.attention.types:Soft")
ATTENTION_TYPES.at("hard-argmax", "attn_core.attention.types:HardArgmax")
ATTENTION_TYPES.at("hard-sample", "attn_core.attention.types:HardSample")


@dataclass(frozen=True)
class AttentionSettings(Settings):
    """One attention: a score, a window and a type, with one head or several."""

    score: ScoreSettings = field(default_factory=GeneralSettings)
    window: WindowSettings = field(default_factory=lambda: WindowSettings("global"))
    type: str = setting(
        "soft",
        "soft: the weighted sum of all states; hard-argmax: the state with the largest weight; hard-sample: one drawn "
        "by the weights",
        source="Xu 2015, section 4",
    )
    heads: int = setting(
        1, "attentions at a time, each with projections of its own", source="Vaswani 2017, 3.2.2", least=1
    )
    head_size: int | None = setting(None, "d_k = d_v; none: hidden / heads, and with one head no projections", least=1)
    values: int | None = setting(
        None, "rows of W_v, where values differ from keys; none: the encoder's states are the values", least=1
    )
    normalizer: str = setting(
        "softmax", "from scores to weights", source="Martins 2016 for sparsemax", allowed=("softmax", "sparsemax")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("attention type", self.type, ATTENTION_TYPES)
        for conflict in self._conflicts():
            raise ValueError(conflict)

    @property
    def projected(self) -> bool:
        """Whether keys and values are projections that each head makes."""
        return self.heads > 1 or self.head_size is not None

    @property
    def unmasked_fixed(self) -> bool:
        """Whether the softmax runs over slots beyond the sentence too."""
        return isinstance(self.score, LocationSettings) and self.score.unmasked_fixed

    @property
    def gaussian(self) -> str:
        """Where the Gaussian acts, one of GAUSSIANS; empty where there is none."""
        window = self.window
        return window.gaussian if isinstance(window, LocalSettings) and window.gaussian_width is not None else ""

    def _conflicts(self) -> Iterator[str]:
        """Why these settings do not go together."""
        if self.normalizer == "sparsemax" and self.unmasked_fixed:
            yield "unmasked_fixed is for normalizer=softmax"
        if self.unmasked_fixed and (self.window.is_local or self.type == "hard-sample"):
            yield (
                "unmasked_fixed needs window=global and an attention type other than hard-sample: a place beyond the "
                "sentence has no state"
            )
        if self.type == "hard-sample" and self.gaussian not in ("", "on_scores"):
            yield (
                "hard-sample draws from the softmax, which must have the Gaussian in it: set gaussian=on_scores, or a "
                "window without a Gaussian"
            )
        if self.projected and self.values is not None:
            yield "values belongs to attention without heads; heads have values of head_size units each"
