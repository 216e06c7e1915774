"""Separate pages for the parts of the lab, with traces that need no trained model."""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

from app import lab
from app.lab.kit.records import trace_record
from attn_core import force, translate
from attn_core.attention.settings import GAUSSIANS
from attn_core.browser import bundle
from attn_core.synthetic.pointer import PointerNet
from attn_core.synthetic.pointer.problems import PROBLEMS
from attn_core.trace import Trace, dump
from tests.explain.test_paths import CONFIGS, SENTENCE, model_of
from tests.helpers.engine import exported
from tests.helpers.support import TRANSFORMER, tiny
from tests.lab import derived

PAGE = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>{style}</style><div id="host"></div>
<script type="application/json" id="data">{data}</script>
<script type="module">
{script}
{ready}
const data = JSON.parse(document.getElementById("data").textContent);
window.heard = [];
window.stage = {create}(document.getElementById("host"), await prepared(data){reports});
</script>"""


LAB = Path(lab.__file__).parent
ENGINE = bundle.PLAYER.parent / "engine" / "pointer.js"
STAGES = {
    "window": ("window/window.js", "new WindowLab", "window/window.css"),
    "path": ("paths/pair.js", "new PathPair", "paths/paths.css"),
    "reach": ("window/reach.js", "new ReachLab", "window/window.css"),
    "heads": ("heads/heads.js", "new HeadMaps", "heads/heads.css"),
    "fixed": ("heads/fixed.js", "new FixedLayer", "heads/heads.css"),
    "score": ("score/score.js", "new ScoreLab", "score/score.css"),
    "sizes": ("score/sizes/sizes.js", "createSizes", "score/score.css"),
    "pointer": ("pointer/playground.js", "new Playground", "pointer/pointer.css"),
}
# What a page does with the data before it creates its stage.
READY = "const prepared = (data) => data;"
OPENED = """
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const prepared = ({ files, ...data }) => ({ ...data, net: new PointerNet(files.json, bytes(files.weights)) });
"""


def page(part: str, data: dict[str, Any]) -> str:
    """`part` of the lab (of STAGES) on a page of its own; what the pointer's stage reports lies in `window.heard`."""
    module, create, sheet = STAGES[part]
    text = json.dumps(data, ensure_ascii=False).replace("<", r"\u003c")
    script, style = bundle.module(LAB / module), bundle.style(LAB / sheet)
    engine = b64encode(bundle.module(ENGINE).encode()).decode()  # bundles name their variables alike
    imported = f'const {{ PointerNet }} = await import("data:text/javascript;base64,{engine}");'
    ready = f"{imported}\n{OPENED}" if part == "pointer" else READY
    reports = ", (inputs) => window.heard.push(inputs)" if part == "pointer" else ""
    return PAGE.format(style=style, script=script, ready=ready, data=text, create=create, reports=reports)


def window_data(trace: Trace, step: int = 0) -> dict[str, Any]:
    return {"trace": trace_record(trace), "gram": derived.gram(trace), "modes": list(GAUSSIANS), "step": step}


def path_data(*names: str, step: int = 1) -> dict[str, Any]:
    """The paths of models of test_paths.CONFIGS."""
    models = [model_of(**CONFIGS[name]) for name in names]
    paths = [derived.drawn(translate(one, SENTENCE, max_length=6), one.config, len(one.target)) for one in models]
    return {"paths": paths, "step": step}


def reach_data(needed: str, word: str) -> dict[str, Any]:
    """Three windows on one sentence; `needed` is the source word that `word` translates."""
    runs = []
    for label in ("local-m", "local-p", "global"):
        trace = force(model_of(**CONFIGS[label]), SENTENCE, "a dog runs through the snow")
        runs.append({"model": label, "label": label, "said": "a dog", "trace": trace_record(trace)})
    source, target = runs[0]["trace"]["source"], runs[0]["trace"]["target"]
    place = {"source": source.index(needed), "target": target.index(word)}
    return {"source": source, "target": target, "needed": place, "runs": runs}


def transformer_trace(text: str = "a b c d", target: str = "n o p") -> Trace:
    """The trace of an untrained Transformer of 2 layers and 3 heads with forced decoding of `target`."""
    return force(tiny(std=0.7, **TRANSFORMER), text, target, tokenized=True)


def heads_data(trace: Trace) -> dict[str, Any]:
    """The data of the heads' stage, for the model of `transformer_trace`."""
    labels = {"encoder": "Encoder self-attention", "decoder": "Decoder self-attention", "cross": "Cross-attention"}
    attentions = [{"key": key, "label": labels[key], "note": ""} | maps for key, maps in derived.kinds(trace).items()]
    return {"size": trace.memory.states.size(-1), "scale": 2, "attentions": attentions}


def pointer_data(model: PointerNet, inputs: list[list[float]]) -> dict[str, Any]:
    """A pointer network and inputs, as the Pointer page hands them to its stage."""
    problem = PROBLEMS[model.config.problem]
    return {
        "problem": problem.name,
        "least": problem.least,
        "most": 12,
        "trained": [model.config.shortest, model.config.longest],
        "constraint": "none",
        "inputs": inputs,
        "files": exported(model),
        "beside": None,
    }


def raw(trace: Trace) -> dict[str, Any]:
    """The trace as the engine gives it."""
    return json.loads(dump(trace))
