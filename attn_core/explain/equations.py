"""A model in formulas: what the classes of its registries say that they compute with its settings."""

import attn_core.models.gnmt  # noqa: F401  its order registers itself
from attn_core.attention.scores import SCORES
from attn_core.attention.types import ATTENTION_TYPES
from attn_core.attention.windows import WINDOWS, gaussian_width
from attn_core.models.config import ModelConfig
from attn_core.models.decoders import ORDERS, FixedVector
from attn_core.models.encoders import ENCODERS, encoder_of
from attn_core.registry import letters


def formulas(config: ModelConfig) -> dict[str, list[str]]:
    """Axis to LaTeX lines, in the order in which a step computes them; a model without attention has no window."""
    encoder = ENCODERS[encoder_of(config)].equations(config)
    if config.score is None:
        return {"encoder": encoder, "score": FixedVector.equations(config)}
    assert config.window is not None  # it goes with the score
    (score,) = SCORES[config.score].equations(config)
    order = ORDERS[config.order]
    return {
        "encoder": encoder,
        "score": [f"e = {score}"],
        "window": [*WINDOWS[config.window].equations(config), *_weights(config)],
        "order": order.equations(config),
        "feeding": order.fed(config),
    }


def _weights(config: ModelConfig) -> list[str]:
    """From the scores to the context (Attention.forward): what the Gaussian does, the read, the heads."""
    x = letters(config.order)
    sigma = gaussian_width(config)
    view = "" if config.window == "global" else r"\ \text{in view}"
    if config.unmasked_fixed:
        view = rf"\ \text{{over {config.location_width} slots}}"
    if config.padding != "masked":
        view = r"\ \text{with the padding}"
    align = rf"a = \operatorname{{{config.normalizer}}}(e){view}"
    if sigma is None:
        return [align, *_context(config, "a")]
    bell = rf"\exp\!\left(-\tfrac{{({x.place}-p_{x.step})^2}}{{2\sigma^2}}\right)"
    lines = {
        "after_softmax": [align, rf"\alpha({x.place}) = a({x.place})\,{bell}"],
        "renorm": [align, rf"\alpha({x.place}) \propto a({x.place})\,{bell}"],
        "on_scores": [rf"\alpha = \operatorname{{{config.normalizer}}}\!\big(e({x.place})\,{bell}\big){view}"],
    }[config.gaussian]
    width = rf"\sigma = D/2 = {sigma:g}" if config.sigma is None else rf"\sigma = {sigma:g}"
    return [*lines, width, *_context(config, r"\alpha")]


def _context(config: ModelConfig, weights: str) -> list[str]:
    x, read = letters(config.order), ATTENTION_TYPES[config.attention_type]
    state, context = x.value, f"c_{x.step}"
    if config.projected:
        heads = read.equations(config, weights, f"W_v^m {state}", f"{context}^m")
        return [*heads, rf"{context} = W_o [{context}^1; \dots; {context}^{{{config.heads}}}]"]
    return read.equations(config, weights, state if config.values is None else f"W_v {state}", context)
