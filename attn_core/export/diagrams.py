"""The diagrams of a model's step (explain.paths) as JSON, for pages that draw them."""

from dataclasses import asdict
from typing import Any

from attn_core.explain.paths import path
from attn_core.models.config import ModelConfig


def diagrams(config: ModelConfig) -> list[dict[str, Any]]:
    """The diagram of the model's step and, if that follows the authors' program, of the step as printed.

    Empty if the step cannot be drawn. Each is {order, nodes, edges, query, instead}, with sizes "S" and "V" in the
    shapes of nodes for the numbers of source words and of words in the target vocabulary.
    """
    try:
        found = [path(config)]
    except ValueError:
        return []
    if config["order"] == "attend-then-update" and config["update"] == "groundhog":
        found.append(path(config.set({"update": "printed", "readout": "s_cur"})))
    return [asdict(one) for one in found]
