"""Exports: a score written in Python runs in the engine, and damaged files are named."""

import base64
import json
import struct
from importlib.util import find_spec

import pytest
import torch
from safetensors.torch import load as read_weights
from safetensors.torch import save

from attn_core.attention.settings import SCORES
from attn_core.cli import main
from attn_core.export.document import document
from attn_core.models import checkpoint
from attn_core.models.ensemble import Ensemble
from attn_core.models.folders import find, shipped
from attn_core.models.quantization import packed, unpacked
from attn_core.models.recipe import TrainConfig
from tests.helpers import kernel
from tests.helpers.covering import covering
from tests.helpers.engine import equal, exported, in_torch, traced, unchecked
from tests.helpers.support import LUONG, tiny
from tests.helpers.tokenizers import rules_of
from tests.helpers.windows import registered
from tests.project.test_setup import cosine

SOURCE, WORDS = [4, 7, 5, 8], [1, 6, 4]


@pytest.fixture(scope="module")
def model():
    return tiny(dtype=torch.float32, **LUONG, window="local-p")


@pytest.fixture(scope="module")
def given(model):
    return exported(model, as_built=False)


def steps(probe, given, how=None, source=SOURCE, words=WORDS):
    return probe("steps", given | {"source": source, "words": words, "how": how or {}, "simd": True})


def check(found, model, tolerance=1e-5):
    start, wanted = in_torch(model, SOURCE, WORDS)
    equal(found["start"], start, "memory", tolerance)
    for t, (got, one) in enumerate(zip(found["steps"], wanted, strict=True)):
        equal(got, one, f"step {t}", tolerance)


@pytest.mark.slow
def test_the_readmes_score_runs_in_the_engine_without_javascript(probe):
    source, _ = cosine()
    code = f"""
from typing import Any
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F
from attn_core.attention.scores import Dot
{source}
"""
    namespace = {}
    exec(code, namespace)
    SCORES.add("cosine")(namespace["Cosine"])
    try:
        model = tiny(dtype=torch.float32, **LUONG, score="cosine")
        check(steps(probe, exported(model)), model)
    finally:
        del SCORES["cosine"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"half_width": 0},
        {"half_width": 2},
        {"half_width": 2, "sigma": 0.7},
        {"window": "local-m"},
        {"window": "local-m", "half_width": 0},
        {"window": "local-m", "half_width": 1, "sigma": 1.5},
        {"window": "global"},
        {"type": "hard-argmax"},
        {"window": "global", "type": "hard-sample"},
    ],
    ids=str,
)
def test_a_model_can_be_run_with_another_window_and_attention_type(probe, model, given, how):
    view = model.with_window(how.get("window"), how.get("half_width"), how.get("sigma"))
    check(steps(probe, given, how), view.with_attention_type(how.get("type")))


@pytest.mark.slow
def test_each_live_setting_of_a_registered_window_is_an_input_of_the_graphs(probe):
    with registered():
        model = tiny(dtype=torch.float32, **LUONG, window="lopsided")
        given = exported(model)
        settings = given["json"]["windows"]["lopsided"]["live"]
        assert [(one["name"], one["symbol"], one["whole"]) for one in settings] == [
            ("left", "L", True),
            ("right", "R", True),
        ]
        for live in ({}, {"left": 0}, {"right": 0}, {"left": 3, "right": 1}, {"left": 0, "right": 0}):
            check(steps(probe, given, live), model.with_window(live=live))


@pytest.mark.slow
def test_a_model_can_be_run_with_a_registered_window(probe):
    with registered():
        model = tiny(dtype=torch.float32, **LUONG, window="global")
        given = exported(model, as_built=False)
        assert {step["window"] for step in given["json"]["steps"]} == {"global", "local-m", "backwards", "lopsided"}
        for how in ({"window": "backwards", "half_width": 1, "sigma": 0.8}, {"window": "lopsided", "left": 2}):
            rest = {name: value for name, value in how.items() if name != "window"}
            check(steps(probe, given, how), model.with_window(how["window"], live=rest))


@pytest.mark.slow
def test_dragging_d_and_sigma_and_the_next_step_need_no_new_plan(probe, given):
    """Local-m uses the step number, local-p does not; D = 0 has a graph of its own."""
    sizes = [{"half_width": 1}, {"half_width": 3, "sigma": 0.5}, {"half_width": 2, "sigma": 4}, {"half_width": 0}]
    ways = [size | {"window": window} for window in ("local-m", "local-p") for size in sizes]
    made = probe("plansMade", given | {"source": SOURCE, "ways": ways, "simd": True})
    by_way = [
        (step["window"], step["type"], graph.get("when")) for step in given["json"]["steps"] for graph in step["graphs"]
    ]
    ran = [("local-p", "soft", None), ("local-p", "soft", {"half_width": 0})]
    ran += [("local-m", "soft", None), ("local-m", "soft", {"half_width": 0})]
    assert dict(zip(map(str, by_way), made, strict=True)) == {str(way): int(way in ran) for way in by_way}


@pytest.mark.slow
def test_weights_in_half_precision_are_read_as_torch_reads_them(probe, model, given):
    weights = {name: weight.half() for name, weight in model.state_dict().items()}
    weights["decoder.W_c.weight"][0, :3] = torch.tensor([6e-8, -5e-5, 0.0])  # below the smallest with an exponent
    half = tiny(dtype=torch.float32, **LUONG, window="local-p")
    half.load_state_dict({name: weight.float() for name, weight in weights.items()})
    check(steps(probe, given | {"weights": base64.b64encode(save(weights)).decode()}), half)


@pytest.mark.slow
def test_weights_in_8_bits_are_read_as_torch_reads_them(probe, model, given):
    stored = packed(model.state_dict())
    read = tiny(dtype=torch.float32, **LUONG, window="local-p")
    read.load_state_dict(unpacked(stored))
    assert (read.decoder.W_c.weight != model.decoder.W_c.weight).any()
    call = given | {"weights": base64.b64encode(save(stored)).decode()}
    numbers = probe("weightsOf", call)
    for name, weight in read.state_dict().items():
        assert torch.equal(torch.tensor(numbers[name]), weight.flatten()), name
    check(steps(probe, call), read)
    stored.pop("decoder.W_c.weight.row_scale")
    found = message(probe, given, weights=base64.b64encode(save(stored)).decode())
    assert found == "model.safetensors: decoder.W_c.weight has 8 bits, but not a scale for each row"


@pytest.mark.extras
def test_the_compiled_kernel_is_that_of_the_source():
    if find_spec("ziglang") is None:
        pytest.skip("install .ci/requirements.txt: ziglang is missing")
    assert kernel.compiled() == kernel.embedded()


def message(probe, given, call="steps", **changes):
    return probe.failure(call, given | {"source": SOURCE, "words": WORDS, "how": {}, "simd": False} | changes)


@pytest.mark.slow
def test_problems_are_named(probe, model, given):
    assert message(probe, given, how={"window": "diagonal"}) == (
        "tiny cannot be run with window diagonal and soft attention"
    )
    assert message(probe, given, source=[]) == "the source has no word"
    assert "format 1; this version reads 2" in message(probe, given, json=given["json"] | {"format": 1})
    weights = read_weights(base64.b64decode(given["weights"]))
    without = {name: weight for name, weight in weights.items() if name != "decoder.W_c.weight"}
    assert "has no decoder.W_c.weight" in message(probe, given, weights=base64.b64encode(save(without)).decode())
    whole = base64.b64decode(given["weights"])
    assert "its header cannot be read" in message(probe, given, weights=base64.b64encode(whole[:50]).decode())
    assert "is damaged" in message(probe, given, weights=base64.b64encode(whole[:-8]).decode())
    as_ints = save({name: weight.int() for name, weight in weights.items()})
    assert "is of type I32; expected I8, F16 or F32" in message(
        probe, given, weights=base64.b64encode(as_ints).decode()
    )
    length = struct.unpack("<Q", whole[:8])[0]
    assert length < len(whole)
    changed = json.loads(json.dumps(given["json"]))
    changed["steps"][0]["graphs"][0]["nodes"][0][0] = "fft"
    assert message(probe, given, json=changed) == "tiny uses the operation fft, which is not available here"


@pytest.mark.slow
def test_a_source_longer_than_the_models_positions_is_refused(probe):
    model = tiny(dtype=torch.float32, **LUONG, score="location", width=6)
    given = exported(model)
    found = message(probe, given, source=[4] * 7)
    assert found == "tiny has weights for 6 positions, not for 7: use a shorter sentence"
    assert message(probe, given, source=[4] * 6) == ""


@pytest.fixture(scope="module")
def saved(model, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tiny"
    checkpoint.save(model, TrainConfig(), folder, {})
    return folder


@pytest.mark.slow
def test_the_command_writes_the_document_beside_the_weights(saved, capsys):
    with unchecked():
        assert main(["export", str(saved), "--to", "browser"]) == 0
        wanted = document(checkpoint.load(saved)) | {"rules": rules_of("de", "en")}
    assert json.loads((saved / "browser.json").read_text("utf-8")) == json.loads(json.dumps(wanted))
    assert capsys.readouterr().out == f"wrote {saved / 'browser.json'}\n"


def stored_and_new(name, as_built):
    """The stored document of a shipped model, and the one that today's code would write."""
    model = checkpoint.load(name)
    rules = json.loads(json.dumps(rules_of(model.source.lang, model.target.lang)))
    new = json.loads(traced(model, as_built)) | {"rules": rules}
    return json.loads((find(name) / "browser.json").read_text("utf-8")), new


COVERING = covering({name: checkpoint.read_config(find(name))["model"] for name in shipped()})
QUICK = (
    "luong-concat-global",
    "transformer",
)  # one of each kind of decoder, so that a change of either is noticed at once


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow, id=name) for name in COVERING]
)
def test_shipped_models_are_exported_as_they_are(name):
    """As many as have each value of each setting of them all; test_engine_trace.py runs the stored graphs of each.

    After a change of a model or of the export: python -m attn_core export MODEL --to browser.
    """
    stored, new = stored_and_new(name, as_built=True)
    of_one = {"steps": stored["steps"][:1]}
    if "equations" in new:  # those of the first step come first
        of_one["equations"] = stored["equations"][: len(new["equations"])]
        of_one |= {part: {key: stored[part][key] for key in new[part]} for part in ("windows", "quantities")}
        for id, facts in of_one["quantities"].items():  # stored inputs are those of all steps
            built = new["quantities"][id]["inputs"]
            assert set(built) <= set(facts["inputs"])
            facts["inputs"] = built
    assert stored | of_one == new


@pytest.mark.slow
@pytest.mark.parametrize("name", ["transformer", "bahdanau-local-m", "luong-dot-global", "luong-general-local-p-feed"])
def test_shipped_models_are_exported_in_all_windows_and_attention_types(name):
    stored, new = stored_and_new(name, as_built=False)
    assert stored == new


def test_an_ensemble_is_refused(model):
    with pytest.raises(ValueError, match="export its members"):
        document(Ensemble([model, model]))
