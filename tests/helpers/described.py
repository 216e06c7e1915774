"""The part of browser.json that describes a step, without graphs, which take seconds to make."""

from collections.abc import Iterable
from typing import Any

from attn_core.explain.mathml import mathml
from attn_core.explain.step_graph import step_graph
from attn_core.export.quantities import Equations, cases, live, names_of, quantities, windows
from attn_core.models.config import ModelConfig

# One for each quantity, so that none is taken for a quantity of the next step.
EVERY_TENSOR = [f"named.{id}" for id in ("word", "previous", "fed", "input", "state", "next", "above", "query")]
EVERY_TENSOR += [f"looks.0.focus.{field}" for field in ("center", "inside", "gaussian")]
EVERY_TENSOR += [f"looks.0.{field}" for field in ("scores", "alignment", "weights", "context")]
EVERY_TENSOR += ["named.memory", "attentional", "log_probs"]


def described(configs: Iterable[ModelConfig], names: Iterable[str] = EVERY_TENSOR) -> dict[str, Any]:
    """A document with a step for each config, whose graphs would have the inputs and outputs `names`."""
    configs, equations = list(configs), Equations()
    steps = []
    for config in configs:
        chosen = cases(config)
        graphs = [step_graph(one) for _, one in chosen]
        step = {"window": config["window"], "type": config["type"], "live": live(config)}
        step |= {"cases": [case for case, _ in chosen], "quantities": quantities(graphs, list(names), equations)}
        steps.append(step)
    named = names_of(step_graph(one) for config in configs for _, one in cases(config))
    return {"steps": steps, "windows": windows(configs), "equations": equations.table, "quantities": named}


def in_mathml(lines: Iterable[str]) -> list[str]:
    """Equations in MathML."""
    return [mathml(line) for line in lines]
