"""The data of the Window lab's stages that do not depend on the reader."""

from typing import Any

from app.lab.kit import shipped
from app.lab.kit.records import rounded, wire
from app.lab.kit.sentences import REORDERED, Reordered
from attn_core import text_of
from attn_core.attention.settings import GAUSSIANS

_AGAINST = {"local-m": "luong-general-local-m", "local-p": "luong-general-local-p", "global": "luong-general-global"}


def by_hand() -> dict[str, Any]:
    """The data of window.js: the treatments of the Gaussian."""
    return {"modes": list(GAUSSIANS)}


def out_of_reach() -> dict[str, Any]:
    """The data of reach.js: each reordered sentence with `reach`."""
    return {"sentences": [{"text": pair.de} | reach(pair) for pair in REORDERED]}


def reach(pair: Reordered) -> dict[str, Any]:
    """The traces of the models under forced decoding of `pair.en`, and each model's own translation.

    Raises ValueError if one of the models is not shipped.
    """
    runs = []
    for label, name in _AGAINST.items():
        said = text_of(shipped.model(name), shipped.trace(name, pair.de))
        trace = _brief(wire(shipped.forced(name, pair.de, pair.en)))
        runs.append({"model": name, "label": label, "said": said, "trace": trace})
    source, target = runs[0]["trace"]["source"], runs[0]["trace"]["target"]
    needed = {"source": source.index(pair.needed), "target": target.index(pair.word)}
    return {"source": source, "target": target, "needed": needed, "runs": runs}


def _brief(record: dict[str, Any]) -> dict[str, Any]:
    """The record of a trace with the three most probable words of a step and four digits of its numbers."""
    for step in record["steps"]:
        step["top"] = step["top"][:3]
    return rounded(record, 4)
