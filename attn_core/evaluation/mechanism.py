"""A one-line description of a model's mechanism; does not import torch."""

from typing import Any

from attn_core.data.group_sizes import sizes
from attn_core.models.config import ModelConfig
from attn_core.models.recipe import TrainConfig

UPDATES = {"printed": "as printed", "groundhog": "as in the authors' code"}  # of attend-then-update


def mechanism(record: dict[str, Any]) -> str:
    """The mechanism of a model in one line, from its config.json.

    The line has score, heads, window, normalizer, attention type, order, feeding and encoder; then, where there are
    any, word pieces, the number of sentences that were joined into one in training, and the models that taught it.
    """
    config, recipe = ModelConfig.from_json(record["model"]), TrainConfig.from_json(record["train"])
    teacher = record.get("about", {}).get("data", {}).get("teacher")
    pieces = f", {'shared ' if config.shared else ''}word pieces" if recipe.subword == "bpe" else ""
    most = recipe.join
    joined = f", trained on {sizes(most)} joined sentences" if most > 1 else ""
    taught = f", taught by {spaced(teacher)}" if teacher else ""
    return f"{_settings(config)}{pieces}{joined}{taught}"


def spaced(models: str) -> str:
    """The name of an ensemble with spaces, as readers see it."""
    return models.replace("+", " + ")


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
    half_width = getattr(attention.window, "half_width", None)  # a window of one's own may have other settings
    width = "" if half_width is None else f" (D = {half_width})"
    feeding = ", input feeding" if decoder.feeding else ""
    heads = f", {attention.heads} heads" if attention.heads > 1 else ""
    kind = f", {attention.type}" if attention.type != "soft" else ""
    normalizer = f", {attention.normalizer}" if attention.normalizer != "softmax" else ""
    window = f"{attention.window.name} window{width}{normalizer}"
    order = f"{decoder.name} {UPDATES[config['update']]}" if config["update"] else decoder.name
    return f"{attention.score.name} score{heads}, {window}{kind}, {order}{feeding}{encoder}"
