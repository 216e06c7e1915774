"""Choose few of many models, for tests that need each mechanism but not each combination."""

from collections.abc import Mapping

from attn_core.models.config import ModelConfig


def covering(configs: Mapping[str, ModelConfig]) -> list[str]:
    """Names of few configurations that together have each value of each setting that any of them has."""
    values = {name: {(path, repr(value)) for path, value in config.flat().items()} for name, config in configs.items()}
    left = set().union(*values.values())
    chosen = []
    while left:
        chosen.append(max(values, key=lambda name: len(values[name] & left)))
        left -= values[chosen[-1]]
    return chosen
