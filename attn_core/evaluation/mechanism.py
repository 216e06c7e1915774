"""A one-line description of a model's mechanism; does not import torch."""

from attn_core.models.config import ModelConfig

UPDATES = {"printed": "as printed", "groundhog": "as in the authors' code"}  # of attend-then-update


def mechanism(config: ModelConfig, join: int = 1) -> str:
    """The mechanism in one line: score, heads, window, normalizer, attention type, order, feeding, encoder.

    `join` is the largest number of successive sentences that were joined into one in training (TrainConfig).
    """
    joined = "" if join == 1 else f", trained on {'2' if join == 2 else f'2 to {join}'} joined sentences"
    return f"{_settings(config)}{joined}"


def _settings(config: ModelConfig) -> str:
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
    normalizer = f", {attention.normalizer}" if attention.normalizer != "softmax" else ""
    window = f"{attention.window.name} window{width}{normalizer}"
    order = f"{decoder.name} {UPDATES[config['update']]}" if config["update"] else decoder.name
    return f"{attention.score.name} score{heads}, {window}{kind}, {order}{feeding}{encoder}"
