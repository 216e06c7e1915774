"""A one-line description of a model's mechanism; does not import torch."""

from attn_core.models.config import ModelConfig


def mechanism(config: ModelConfig) -> str:
    """The mechanism in one line: score, heads, window, attention type, order, feeding, encoder."""
    attention, decoder = config.attention, config.decoder
    encoder = "" if config.encoder.name in ("rnn", decoder.name) else f", {config.encoder.name} encoder"
    if attention is None:
        if decoder.name == "attend-then-update":
            return f"fixed vector, no attention{encoder}"
        return f"no attention, {decoder.name}{', input feeding' if decoder.feeding else ''}{encoder}"
    if decoder.name == "transformer":
        layers = f"{config['encoder.layers']} + {config['decoder.layers']} layers"
        return f"Transformer, {layers} of {attention.heads} heads, {attention.score.name} score"
    width = f" (D = {config['half_width']})" if attention.window.is_local else ""
    feeding = ", input feeding" if decoder.feeding else ""
    heads = f", {attention.heads} heads" if attention.heads > 1 else ""
    kind = f", {attention.type}" if attention.type != "soft" else ""
    window = f"{attention.window.name} window{width}"
    return f"{attention.score.name} score{heads}, {window}{kind}, {decoder.name}{feeding}{encoder}"
