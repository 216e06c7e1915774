"""What the Score lab shows: the registered score functions, and the vectors and parameters that it opens with.

A score function that is registered appears on the page by itself. Named here are only the parameters that make those of
the papers instructive, and the standalone programs beside the package's code (programs.py).
"""

from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

from app.lab.kit.evidence import Evidence
from app.lab.kit.source import class_listing
from attn_core.attention.settings import SCORES
from attn_core.export.model_files import named
from attn_core.models.config import ModelConfig
from attn_core.registry import load

START: dict[str, Any] = {
    "query": [1.4, 1.0],
    "keys": [[1.6, -0.4], [0.7, 1.5], [-1.3, 0.9], [-0.9, -1.2], [0.5, -1.6]],
    "values": [[1.9, 1.9], [-0.4, 1.9], [-1.9, -0.2], [-0.1, -0.7], [1.7, -1.8]],
}
PARAMETERS: dict[str, dict[str, Any]] = {
    "general": {"W_a.weight": [[0.6, -0.9], [0.9, 0.6]]},
    "additive": {
        "W_a.weight": [[0.9, -0.4], [0.3, 0.8], [-0.7, 0.5]],
        "U_a.weight": [[0.8, 0.3], [-0.5, 0.9], [0.6, 0.7]],
        "v_a": [1.8, -1.2, 1.5],
    },
    "location": {"W_a.weight": [[0.2, 0.9], [1.1, 0.1], [-0.6, 0.4], [0.3, -0.8], [-0.9, -0.5]]},
}
# Parameters that are those of another score, side by side: changing one changes the other.
JOINED = {
    "concat": {"W_a.weight": [("additive", "W_a.weight"), ("additive", "U_a.weight")], "v_a": [("additive", "v_a")]}
}
# The sizes of the parameters, for scores that have such a setting.
SIZES = {"hidden": 3, "width": len(START["keys"])}
# The numbers, in turn, of the parameters of a score that is not named here: its own may be 0 before training.
FILLING = (0.8, -0.5, 0.3, 0.9, -0.7, 0.6, -0.4)


def score_lab() -> dict[str, Any]:
    """The data of score.js: the score functions, and the vectors at the start."""
    return {"functions": [score_function(name) for name in SCORES], "start": START}


def score_function(name: str) -> dict[str, Any]:
    """A score function for the page: how the engine runs it, or the problem why it cannot."""
    config = config_of(name)
    score: Any = SCORES[name]
    try:
        document = _document(config, score)
    except ValueError as error:
        return {"name": name, "problem": str(error)}
    numbers = cycle(FILLING)
    filled = {
        path: _filled(values, numbers) if isinstance(values, list) else values  # a factor stays as it is
        for path, values in document["parameters"].items()
    }
    return {
        "name": name,
        "latex": score.latex(config),
        "compares": score.compares,
        "document": document | {"parameters": PARAMETERS.get(name, filled)},
        "joined": JOINED.get(name),
    }


def config_of(name: str) -> ModelConfig:
    """The config of a model with this score, whose parameters have the sizes of the page."""
    known = SCORES.settings_class(name).defaults()
    sizes = {f"attention.score.{setting}": size for setting, size in SIZES.items() if setting in known}
    return ModelConfig.of(sizes, score=name)


def translated(data: dict[str, Any]) -> dict[str, Any]:
    """The data with the names and descriptions of the score functions in the reader's language."""
    texts = {name: {"label": SCORES.label(name), "about": SCORES.about(name)} for name in SCORES}
    functions = [
        facts | {"document": facts["document"] | {"quantities": named(facts["document"])}}
        if "document" in facts
        else facts
        for facts in data.get("functions", ())
    ]
    return data | {"words": texts} | ({"functions": functions} if functions else {})


def listings() -> Evidence:
    """The code of each score function."""
    programs = Path(__file__).with_name("programs.py")
    for name in SCORES:
        yield class_listing(name, SCORES.place(name), programs)


@cache
def _document(config: ModelConfig, score: type) -> dict[str, Any]:
    """The export of the score of a config, whose class is `score` until a script registers another one."""
    return load("attn_core.export.scores:score_document")(config, len(START["query"]), len(START["keys"][0]))


def _filled(values: Any, numbers: Iterator[float]) -> Any:
    """Nested lists of the shape of `values`, with these numbers in turn."""
    return [_filled(part, numbers) for part in values] if isinstance(values, list) else next(numbers)
