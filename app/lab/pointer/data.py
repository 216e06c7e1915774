"""The problems of the Pointer page and their networks."""

from typing import Any

from app.lab.pointer import networks
from app.lab.pointer.networks import RULES, TASKS
from attn_core.messages import _
from attn_core.synthetic.pointer.problems import PROBLEMS

MOST = 25  # inputs
START: dict[str, networks.Inputs] = {
    "hull": [
        *([0.46, 0.52], [0.14, 0.33], [0.81, 0.2], [0.6, 0.88]),
        *([0.35, 0.7], [0.9, 0.62], [0.22, 0.83], [0.58, 0.36]),
    ],
    "sort": [[0.62], [0.17], [0.88], [0.4], [0.05], [0.73], [0.29]],
}


def pointing() -> dict[str, Any]:
    """The data of pointer.js without addresses: for each problem with a trained network what the page needs."""
    models, plain = networks.models(), networks.models("vocabulary")
    return {
        "most": MOST,
        "rules": [[name, _(label)] for name, label in RULES.items()],
        "problems": [_problem(one, models[one], plain.get(one)) for one in START if one in models],
    }


def _problem(problem: str, name: str, plain: str | None) -> dict[str, Any]:
    config = networks.about(name)["model"]
    return {
        "problem": problem,
        "title": _(TASKS[problem]),
        "model": name,
        "plain": plain,
        "longest": networks.about(plain)["model"]["longest"] if plain else None,
        "least": PROBLEMS[problem].least,
        "trained": [config["shortest"], config["longest"]],
        "start": START[problem],
    }
