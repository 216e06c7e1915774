"""A model's mechanism in a few words, for lists of models and for their cards."""

from typing import Any


def mechanism(model: dict[str, Any]) -> str:
    """A model's place on the axes in a few words, from the `model` of its config.json."""
    if model["score"] is None:
        return "fixed vector, no attention"
    if model["order"] == "transformer":
        layers = f"{model['layers']} + {model['layers']} layers"
        return f"Transformer, {layers} of {model['heads']} heads, {model['score']} score"
    width = "" if model["window"] == "global" else f" (D = {model['half_width']})"
    feeding = ", input feeding" if model["feeding"] else ""
    heads = f", {model['heads']} heads" if model.get("heads", 1) > 1 else ""
    read = f", read {model['attention_type']}" if model.get("attention_type", "soft") != "soft" else ""
    return f"{model['score']} score{heads}, {model['window']} window{width}{read}, {model['order']}{feeding}"
