"""The axes of attention (score, window, attention type), and the settings of each value."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from attn_core.messages import N_, _
from attn_core.registry import Registry
from attn_core.settings import POSITIONS, UNITS, Part, Settings, check_choice, meaning_of_part, setting

if TYPE_CHECKING:
    from attn_core.attention.scores import Score
    from attn_core.attention.types import AttentionType
    from attn_core.attention.windows import Window

# Where the Gaussian acts: "after_softmax" is Luong 2015 eq. 10, without renormalisation; "renorm" then divides by the
# sum; "on_scores" is nmt.matlab's normLocalAttn, softmax(score * gaussian).
GAUSSIANS = ("after_softmax", "renorm", "on_scores")

# The scores that the heads of a Transformer may have: dot products, with a fixed factor (see scores.Dot.scale).
HEAD_SCORES = ("scaled_dot", "dot")


@dataclass(frozen=True)
class ScoreSettings(Part):
    """Settings of scores without settings of their own: dot, scaled_dot, and user-defined scores."""


@dataclass(frozen=True)
class GeneralSettings(ScoreSettings):
    name: str = "general"
    rank: int | None = setting(None, "rank of W_a, factored as U_a^T V_a; none: full rank", least=1, most=UNITS)
    scale: bool = setting(False, "multiply the scores by a learned scalar", source="tf-nmt, scaled_luong")
    bias: bool = setting(False, "add a bias to the projected query")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bias and self.rank is not None:
            raise ValueError(_("the general score cannot have both a bias and a rank: set bias=false or rank=none"))


@dataclass(frozen=True)
class AdditiveSettings(ScoreSettings):
    name: str = "additive"
    hidden: int = setting(
        256, "hidden size n', the rows of W_a", source="Bahdanau 2015, A.1.2", least=1, most=UNITS, size=True
    )
    bias: bool = setting(False, "add a bias inside tanh")
    normed: bool = setting(False, "use g v_a / |v_a|, with a learned scalar g", source="tf-nmt, normed_bahdanau")


@dataclass(frozen=True)
class ConcatSettings(ScoreSettings):
    name: str = "concat"
    hidden: int = setting(
        256, "hidden size, the rows of W_a", source="Luong 2015, eq. 7", least=1, most=UNITS, size=True
    )
    identity_source: bool = setting(
        False, "no matrix on the source side: tanh(W_a h_t + h_s)", source="Luong 2015, footnote 15"
    )
    bias: bool = setting(False, "add a bias inside tanh")


@dataclass(frozen=True)
class LocationSettings(ScoreSettings):
    name: str = "location"
    width: int = setting(
        50,
        "rows of W_a: the largest number of source words",
        source="Luong 2015, eq. 8",
        least=1,
        most=POSITIONS,
        size=True,
    )
    unmasked_fixed: bool = setting(
        False, "softmax over all rows of W_a, including those beyond the sentence", source="nmt.matlab of August 2015"
    )
    bias: bool = setting(False, "add a bias to W_a h_t")


@dataclass(frozen=True)
class WindowSettings(Part):
    """Settings of windows without settings of their own: global.

    `multiples` are live settings that stand for a multiple of another one where they are none, by name. `unset` has the
    texts of the button of a page that sets a live setting to none, by name: its label and its title.
    """

    multiples: ClassVar[Mapping[str, tuple[str, float]]] = {}
    unset: ClassVar[Mapping[str, tuple[str, str]]] = {}
    gaussian = "after_softmax"  # where the Gaussian acts, one of GAUSSIANS; unused by a window without a Gaussian
    learned = False  # whether p_t is computed with trained parameters; such a window is widened in training
    whole_centers = False  # whether p_t is always a whole number

    @property
    def in_force(self) -> dict[str, float | None]:
        """The live settings by name, with what none stands for; None: without effect, as a Gaussian of width 0."""
        found: dict[str, float | None] = {}
        for name in self.live():
            value = getattr(self, name)
            if value is None and name in self.multiples:
                other, factor = self.multiples[name]
                value = factor * getattr(self, other) or None
            found[name] = value
        return found

    @property
    def gaussian_width(self) -> float | None:
        """The Gaussian's sigma in words; None without a Gaussian."""
        return None

    @property
    def is_local(self) -> bool:
        """Whether some source words may be out of view."""
        return isinstance(self, LocalSettings)


@dataclass(frozen=True)
class LocalSettings(WindowSettings):
    """Settings of a window around a centre p_t (Luong 2015, section 3.2)."""

    half_width: int = setting(
        10,
        "half-width D of the window",
        source="Luong 2015, sections 3.2 and 4.1",
        least=0,
        most=1000,
        unit=N_("words"),
        symbol="D",
        label=N_("Half-width D in words"),
        live=True,
    )
    sigma: float | None = setting(
        None,
        "standard deviation of the Gaussian; none: D / 2 for local-p with D above 0, otherwise no Gaussian",
        least=0.01,  # the square of a tiny sigma is 0 in float32, and the Gaussian 0 / 0
        most=POSITIONS,
        unit=N_("words"),
        symbol="σ",
        label=N_("Width σ of the Gaussian in words"),
        live=True,
    )
    center_rule: str = setting(
        "floor",
        "positions in the window; floor: floor(p_t) - D to floor(p_t) + D, as in nmt.matlab; real: |s - p_t| <= D",
        source="Luong 2015, section 3.2",
        allowed=("floor", "real"),
    )
    gaussian: str = setting(
        "after_softmax",
        "where the Gaussian acts; after_softmax: it multiplies the alignment weights (eq. 10); on_scores: it "
        "multiplies the scores (nmt.matlab, normLocalAttn); renorm: as after_softmax, then the weights are divided by "
        "their sum (no source)",
        source="Luong 2015, eq. 10",
        allowed=GAUSSIANS,
    )

    @property
    def gaussian_width(self) -> float | None:
        return self.in_force["sigma"]


@dataclass(frozen=True)
class LocalMSettings(LocalSettings):
    name: str = "local-m"
    whole_centers = True
    unset: ClassVar[Mapping[str, tuple[str, str]]] = {
        "sigma": (N_("no Gaussian"), N_("In the paper, local-m has no Gaussian"))
    }
    rule: str = setting(
        "clamp",
        "centre of the window; clamp: p_t = min(t, S - 1), as in nmt.matlab; text: p_t = t",
        source="Luong 2015, section 3.2",
        allowed=("clamp", "text"),
    )


@dataclass(frozen=True)
class LocalPSettings(LocalSettings):
    name: str = "local-p"
    learned = True
    multiples: ClassVar[Mapping[str, tuple[str, float]]] = {"sigma": ("half_width", 0.5)}  # Luong 2015, eq. 10
    unset: ClassVar[Mapping[str, tuple[str, str]]] = {"sigma": ("σ = D / 2", N_("Link σ to D / 2, as in the paper"))}
    one_based: bool = setting(
        False, "count p_t = S sigmoid(...) from 1, not from 0", source="another reading of Luong 2015, eq. 9"
    )


def unequal(score: str, query: int, memory: int) -> str:
    """Why a dot product of queries and encoder states of these sizes is impossible."""
    return _(
        "the {name} score needs decoder and encoder states of equal size, not {query} and {memory}: change the sizes, "
        "or use score=general"
    ).format(name=score, query=query, memory=memory)


SCORES: "Registry[Score]" = Registry("score", ScoreSettings)
SCORES.at(
    "dot",
    "attn_core.attention.scores:Dot",
    about=N_("No parameters: the lengths of the two vectors and the angle between them determine the score"),
)
SCORES.at(
    "scaled_dot",
    "attn_core.attention.scores:ScaledDot",
    label=N_("scaled dot"),
    about=N_("No parameters: dot divided by the square root of the number of dimensions"),
)
SCORES.at(
    "general",
    "attn_core.attention.scores:General",
    GeneralSettings,
    about=N_("A matrix transforms every key before the dot product"),
)
SCORES.at(
    "additive",
    "attn_core.attention.scores:Additive",
    AdditiveSettings,
    about=N_("A small network: two matrices, tanh, and $v_a$, which turns a vector into one score"),
)
SCORES.at(
    "concat",
    "attn_core.attention.scores:Concat",
    ConcatSettings,
    about=N_(
        "The same network with one matrix for both vectors: it is $[W_a\\ U_a]$ of additive, so the scores are equal"
    ),
)
SCORES.at(
    "location",
    "attn_core.attention.scores:Location",
    LocationSettings,
    about=N_("One row for each position: the keys are not used"),
)

WINDOWS: "Registry[Window]" = Registry("window", WindowSettings)
WINDOWS.at("global", "attn_core.attention.windows:Global", about=N_("Global: attention to every source word."))
WINDOWS.at(
    "local-m",
    "attn_core.attention.windows:LocalM",
    LocalMSettings,
    about=N_("local-m, as trained: the window advances by one word per step."),
)
WINDOWS.at(
    "local-p",
    "attn_core.attention.windows:LocalP",
    LocalPSettings,
    about=N_(
        "local-p, as trained: the model predicts p_{t} from the decoder state alone, so the window can miss the right "
        "source word."
    ),
)

ATTENTION_TYPES: "Registry[AttentionType]" = Registry("attention type", Part)
ATTENTION_TYPES.at("soft", "attn_core.attention.types:Soft", label=N_("soft"))
ATTENTION_TYPES.at("hard-argmax", "attn_core.attention.types:HardArgmax", label=N_("hard (argmax)"))
ATTENTION_TYPES.at("hard-sample", "attn_core.attention.types:HardSample", label=N_("hard (sampled)"))


@dataclass(frozen=True)
class AttentionSettings(Settings):
    """Settings of attention: score, window, attention type, heads, values and normalizer."""

    score: ScoreSettings = field(
        default_factory=GeneralSettings,
        metadata=meaning_of_part(
            "score function, which compares the query with each key; none: no attention, the same context vector at "
            "every step",
            "Luong 2015, 3.1; Bahdanau 2015, A.1.2",
        ),
    )
    window: WindowSettings = field(
        default_factory=lambda: WindowSettings("global"),
        metadata=meaning_of_part(
            "source positions in view; global: all; local-m: a window that moves one word per step; local-p: a window "
            "around a predicted position",
            "Luong 2015, section 3",
        ),
    )
    type: str = setting(
        "soft",
        "soft: weighted sum of all states; hard-argmax: the state with the largest weight; hard-sample: one state, "
        "sampled with its weight as probability",
        source="Xu 2015, section 4",
    )
    heads: int = setting(
        1, "number of heads, each with its own projections", source="Vaswani 2017, 3.2.2", least=1, most=1000
    )
    head_size: int | None = setting(
        None, "head size d_k = d_v; none: hidden / heads, and no projections with one head", least=1, most=UNITS
    )
    values: int | None = setting(
        None, "size of the values W_v h, the rows of W_v; none: the encoder states are the values", least=1, most=UNITS
    )
    normalizer: str = setting(
        "softmax",
        "function from scores to weights",
        source="Martins 2016 for sparsemax",
        allowed=("softmax", "sparsemax"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("attention type", self.type, ATTENTION_TYPES)
        for conflict in self._conflicts():
            raise ValueError(conflict)

    @property
    def projected(self) -> bool:
        """Whether heads project keys and values."""
        return self.heads > 1 or self.head_size is not None

    @property
    def unmasked_fixed(self) -> bool:
        """Whether the softmax includes slots beyond the sentence."""
        return isinstance(self.score, LocationSettings) and self.score.unmasked_fixed

    @property
    def gaussian(self) -> str:
        """Where the Gaussian acts, one of GAUSSIANS; empty without a Gaussian."""
        window = self.window
        return window.gaussian if isinstance(window, LocalSettings) and window.gaussian_width is not None else ""

    def _conflicts(self) -> Iterator[str]:
        """An error message for each combination of settings that is not supported."""
        if self.normalizer == "sparsemax" and self.unmasked_fixed:
            yield _("unmasked_fixed needs normalizer=softmax")
        if self.unmasked_fixed and (self.window.is_local or self.type == "hard-sample"):
            yield _(
                "unmasked_fixed needs window=global and an attention type other than hard-sample: slots beyond the "
                "sentence have no encoder state"
            )
        if self.type == "hard-sample" and self.gaussian not in ("", "on_scores"):
            yield _(
                "hard-sample samples from the softmax, so the Gaussian must act on the scores: set gaussian=on_scores, "
                "or use a window without a Gaussian"
            )
        if self.projected and self.values is not None:
            yield _("values cannot be set with heads, whose values have head_size units each: set values=none")
