"""A model in formulas: what the classes of its registries compute with its settings."""

from attn_core.attention.notation import letters
from attn_core.attention.settings import ATTENTION_TYPES, SCORES, WINDOWS, AttentionSettings
from attn_core.models.config import ModelConfig
from attn_core.models.settings import ENCODERS, ORDERS


def formulas(config: ModelConfig) -> dict[str, list[str]]:
    """Axis to LaTeX lines, in the order in which a step computes them; a model without attention has no window."""
    encoder = ENCODERS[config.encoder.name].equations(config)
    order = ORDERS[config.decoder.name]
    if config.attention is None:
        found = {"encoder": encoder, "score": order.equations(config)}
        return found | ({"feeding": order.fed(config)} if config.decoder.feeding else {})
    (score,) = SCORES[config.attention.score.name].equations(config)
    window = WINDOWS[config.attention.window.name]
    return {
        "encoder": encoder,
        "score": [f"e = {score}"],
        "window": [*window.equations(config), *_weights(config, config.attention)],
        "order": order.equations(config),
        "feeding": order.fed(config),
    }


def _weights(config: ModelConfig, attention: AttentionSettings) -> list[str]:
    """From the scores to the context (Attention.forward): what the Gaussian does, the attention type, the heads."""
    x = letters(config.decoder.name)
    sigma = attention.window.gaussian_width
    view = r"\ \text{in view}" if attention.window.is_local else ""
    if attention.unmasked_fixed:
        view = rf"\ \text{{over {config['location_width']} slots}}"
    if config.padding != "masked":
        view = r"\ \text{with the padding}"
    align = rf"a = \operatorname{{{attention.normalizer}}}(e){view}"
    if sigma is None:
        return [align, *_context(config, attention, "a")]
    bell = rf"\exp\!\left(-\tfrac{{({x.place}-p_{x.step})^2}}{{2\sigma^2}}\right)"
    lines = {
        "after_softmax": [align, rf"\alpha({x.place}) = a({x.place})\,{bell}"],
        "renorm": [align, rf"\alpha({x.place}) \propto a({x.place})\,{bell}"],
        "on_scores": [rf"\alpha = \operatorname{{{attention.normalizer}}}\!\big(e({x.place})\,{bell}\big){view}"],
    }[attention.gaussian]
    width = rf"\sigma = D/2 = {sigma:g}" if config["sigma"] is None else rf"\sigma = {sigma:g}"
    return [*lines, width, *_context(config, attention, r"\alpha")]


def _context(config: ModelConfig, attention: AttentionSettings, weights: str) -> list[str]:
    x, kind = letters(config.decoder.name), ATTENTION_TYPES[attention.type]
    state, context = x.value, f"c_{x.step}"
    if attention.projected:
        heads = kind.equations(config, weights, f"W_v^m {state}", f"{context}^m")
        return [*heads, rf"{context} = W_o [{context}^1; \dots; {context}^{{{attention.heads}}}]"]
    return kind.equations(config, weights, state if attention.values is None else f"W_v {state}", context)
