"""The methods of attribution and the settings of each. Does not import torch."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_core.messages import N_
from attn_core.registry import Registry
from attn_core.settings import COUNT, LAYERS, UNITS, Part, setting

if TYPE_CHECKING:
    from attn_core.attribution.method import Method


@dataclass(frozen=True)
class MethodSettings(Part):
    """Settings of methods without settings of their own, and of methods that users register."""


@dataclass(frozen=True)
class HeadSettings(MethodSettings):
    """Settings of methods that take the mean over heads or layers; counted from 0."""

    layer: int | None = setting(None, "only this layer; none: the mean of all", least=0, most=LAYERS)
    head: int | None = setting(None, "only this head of each layer; none: all heads", least=0, most=UNITS)


@dataclass(frozen=True)
class ShiftSettings(MethodSettings):
    name: str = "shift"
    layer: int | None = setting(
        None,
        "layer, from 0; none: the middle one, the lower of two",
        source="Chen 2020: the third of six layers",
        least=0,
        most=LAYERS,
    )


@dataclass(frozen=True)
class RolloutSettings(MethodSettings):
    name: str = "rollout"
    layer: int | None = setting(
        None, "layer of the cross-attention, from 0; none: the last one", source="Chefer 2021", least=0, most=LAYERS
    )


@dataclass(frozen=True)
class ValueZeroingSettings(MethodSettings):
    name: str = "value-zeroing"
    layer: int | None = setting(
        None, "layer of a Transformer's cross-attention, from 0; none: the mean of all", least=0, most=LAYERS
    )
    encoder: bool = setting(True, "multiply by the value zeroing of the layers of a Transformer's encoder")


BASELINES = ("zero", "<pad>", "<unk>")


@dataclass(frozen=True)
class IntegratedSettings(MethodSettings):
    name: str = "integrated-gradients"
    points: int = setting(
        32,
        "points of the Gauss-Legendre quadrature along the path",
        source="Sundararajan 2017, section 5: 20 to 300",
        least=1,
        most=COUNT,
    )
    baseline: str = setting(
        "zero",
        "embedding at which the path starts: the zero vector, or that of a special token",
        source="Sundararajan 2017, section 3",
        allowed=BASELINES,
    )


METHODS: "Registry[Method]" = Registry("attribution method", MethodSettings)
METHODS.at(
    "weights",
    "attn_core.attribution.attention:Weights",
    HeadSettings,
    label=N_("Attention weights"),
    about=N_("Attention weights: the weight of each source word at the step that wrote the word."),
)
METHODS.at(
    "norms",
    "attn_core.attribution.attention:Norms",
    HeadSettings,
    label=N_("Weights × size of the value"),
    about=N_("Norms: the size of what each source word adds to the step, its weight times its transformed value."),
)
METHODS.at(
    "shift",
    "attn_core.attribution.attention:Shift",
    ShiftSettings,
    label=N_("Shift-Att"),
    about=N_("Shift-Att: the attention weights of the next step, whose input is the word."),
)
METHODS.at(
    "rollout",
    "attn_core.attribution.attention:Rollout",
    RolloutSettings,
    label=N_("Attention rollout"),
    about=N_("Rollout: the weights of all layers multiplied, with the residual connections as identities."),
)
METHODS.at(
    "value-zeroing",
    "attn_core.attribution.zeroing:ValueZeroing",
    ValueZeroingSettings,
    label=N_("Value zeroing"),
    about=N_("Value zeroing: how far the step's result turns if the value of a source word is zero."),
)
METHODS.at(
    "gradient-input",
    "attn_core.attribution.gradients:GradientInput",
    label=N_("Gradient × input"),
    about=N_("Gradient × input: the gradient with respect to a source word's embedding, times the embedding."),
)
METHODS.at(
    "integrated-gradients",
    "attn_core.attribution.gradients:IntegratedGradients",
    IntegratedSettings,
    label=N_("Integrated gradients"),
    about=N_("Integrated gradients: gradient × input, averaged on the way from no sentence to the sentence."),
)
METHODS.at(
    "occlusion",
    "attn_core.attribution.removal:Occlusion",
    label=N_("Occlusion: left out"),
    about=N_("Occlusion: how much the word loses if a source word is left out of the sentence."),
)
METHODS.at(
    "occlusion-unk",
    "attn_core.attribution.removal:OcclusionUnknown",
    label=N_("Occlusion: <unk>"),
    about=N_("Occlusion by <unk>: how much the word loses if <unk> stands in place of a source word."),
)
