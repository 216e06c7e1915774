"""With words and states kept, the page computes each step in another window from the states of the trained model."""

import json

import pytest
import torch

from attn_core import translate
from attn_core.trace import dump
from tests.helpers.engine import UNIFORM, files_of, same_luck
from tests.helpers.support import BAHDANAU, LUONG, tiny

TEXT = "A b c, d e a z!"
MODELS = {
    "local-p": LUONG | {"window": "local-p"},
    "sparsemax": BAHDANAU | {"normalizer": "sparsemax"},
}
WAYS = [
    {},
    {"half_width": 1},
    {"half_width": 2, "sigma": 0.7},
    {"half_width": 0},
    {"window": "global"},
    {"window": "local-m", "half_width": 1, "sigma": 1.5},
    {"window": "local-m", "half_width": 2, "centers": {"1": 3.25}},
    {"window": "global", "type": "hard-argmax"},
    {"window": "global", "type": "hard-sample"},
    {"window": "local-m", "half_width": 1, "beam": 3},
    {"window": "local-m", "half_width": 2, "replace_unk": True},
]


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_kept_steps_are_those_of_python(name, probe):
    """tests/decoding/test_kept_states.py compares Python with the steps of the models."""
    model = tiny(dtype=torch.float32, **MODELS[name])
    ways = [way for way in WAYS if name == "local-p" or "window" in way]
    requests = [{"text": TEXT, "keep_states": True} | way for way in ways]
    traces = probe("traces", {"files": files_of(model, False), "requests": requests, "uniform": UNIFORM})
    for way, trace in zip(ways, traces, strict=True):
        options = {("attention_type" if key == "type" else key): value for key, value in way.items()}
        options["centers"] = {int(step): place for step, place in way.get("centers", {}).items()}
        with same_luck():
            wanted = json.loads(dump(translate(model, TEXT, keep_states=True, **options)))
        assert trace["target"] == wanted["target"]
        assert trace["settings"] == wanted["settings"]
        for step, other in zip(trace["steps"], wanted["steps"], strict=True):
            for part in ("scores", "alignment", "weights"):
                rows = (torch.tensor([look[part] for look in one["looks"]]).float() for one in (step, other))
                torch.testing.assert_close(*rows, atol=1e-5, rtol=1e-4)
            assert step["log_prob"] == pytest.approx(other["log_prob"], abs=1e-4), way
            assert [p for _, p in step["top"]] == pytest.approx([p for _, p in other["top"]], abs=1e-4)
