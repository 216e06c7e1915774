"""Separate pages for the parts of the lab, with traces that need no trained model."""

import json
from pathlib import Path
from typing import Any

from app import lab
from app.lab.heads.page import looks
from app.lab.kit.records import gram, wire
from app.lab.paths.drawn import drawn
from app.lab.pointer.networks import packed
from attn_core import force, translate
from attn_core.attention.settings import GAUSSIANS
from attn_core.models.config import ModelConfig
from attn_core.synthetic.pointer import PointerNet, point
from attn_core.synthetic.pointer.problems import PROBLEMS
from attn_core.trace import Trace
from attn_core.web import bundle
from tests.explain.test_paths import CONFIGS, SENTENCE, model_of
from tests.helpers.support import TRANSFORMER, tiny

PAGE = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>{style}</style><div id="host"></div>
<script type="application/json" id="data">{data}</script>
<script type="module">
{script}
const data = JSON.parse(document.getElementById("data").textContent);
window.asked = [];
const hooks = {{ onAsk: (asked) => window.asked.push(asked) }};
window.stage = {create}(document.getElementById("host"), data, hooks);
</script>"""


LAB = Path(lab.__file__).parent
STAGES = {
    "window": ("window/byhand.js", "createByHand", "window/window.css"),
    "path": ("paths/walk.js", "createPaths", "paths/paths.css"),
    "reach": ("window/reach.js", "createReach", "window/reach.css"),
    "heads": ("heads/heads.js", "createHeads", "heads/heads.css"),
    "fixed": ("heads/fixed.js", "createFixed", "heads/heads.css"),
    "pointer": ("pointer/stage.js", "createPointer", "pointer/pointer.css"),
}


def page(part: str, data: dict[str, Any]) -> str:
    """`part` of the lab (of STAGES) on a page of its own; what it asks for lies in `window.asked`."""
    module, create, sheet = STAGES[part]
    text = json.dumps(data, ensure_ascii=False).replace("<", r"\u003c")
    script, style = bundle.module(LAB / module), bundle.style(LAB / sheet)
    return PAGE.format(style=style, script=script, data=text, create=create)


def window_data(trace: Trace, step: int = 0) -> dict[str, Any]:
    return {"trace": wire(trace), "gram": gram(trace), "modes": list(GAUSSIANS), "step": step}


def path_data(*names: str, step: int = 1) -> dict[str, Any]:
    """The paths of models of test_paths.CONFIGS."""
    models = [model_of(**CONFIGS[name]) for name in names]
    paths = [drawn(translate(one, SENTENCE, max_length=6), one.config, len(one.target)) for one in models]
    return {"paths": paths, "step": step}


def reach_data(needed: str, word: str) -> dict[str, Any]:
    """Three windows on one sentence; `needed` is the source word that `word` translates."""
    runs = []
    for label in ("local-m", "local-p", "global"):
        trace = force(model_of(**CONFIGS[label]), SENTENCE, "a dog runs through the snow")
        runs.append({"model": label, "label": label, "said": "a dog", "trace": wire(trace)})
    source, target = runs[0]["trace"]["source"], runs[0]["trace"]["target"]
    place = {"source": source.index(needed), "target": target.index(word)}
    return {"source": source, "target": target, "needed": place, "runs": runs}


def transformer_trace(text: str = "a b c d", target: str = "n o p") -> Trace:
    """The trace of an untrained Transformer of 2 layers and 3 heads with forced decoding of `target`."""
    return force(tiny(std=0.7, **TRANSFORMER), text, target, tokenized=True)


def heads_data(trace: Trace) -> dict[str, Any]:
    return looks(trace, ModelConfig.of(**TRANSFORMER, tied=False))


def pointer_data(model: PointerNet, inputs: list[list[float]], constraint: str = "none") -> dict[str, Any]:
    """A pointer network and its choices for `inputs`, as sent by the Pointer page."""
    problem = PROBLEMS[model.config.problem]
    enough = len(inputs) >= problem.least
    return {
        "problem": problem.name,
        "least": problem.least,
        "most": 12,
        "trained": [model.config.shortest, model.config.longest],
        "constraint": constraint,
        "inputs": inputs,
        "weights": packed(model),
        "trace": wire(point(model, inputs, constraint=constraint)) if enough else None,
        "beside": None,
    }
