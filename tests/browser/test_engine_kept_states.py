"""With words and states kept, the page computes each step in another window from the states of the trained model."""

import pytest
import torch

from attn_core.decoding.translate import translate
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


@torch.inference_mode()
def kept(model, how, options):
    """The steps in the window and type `how`, each from the carry and after the word of the trained model, in torch."""
    trained = translate(model, TEXT, **{"replace_unk": False} | options)
    ids = model.target.ids([word.token for word in trained.words])
    source = torch.tensor([model.source_ids(model.source.tokens(TEXT))])
    memory, carry = model.encode(source, torch.ones_like(source, dtype=torch.bool))
    centers = {int(step): place for step, place in how.get("centers", {}).items()}
    window = {name: how.get(name) for name in ("window", "half_width", "sigma")}
    view = model.with_window(**window, attention_type=how.get("type")).with_centers(centers)
    words = [torch.tensor([[word]]) for word in (model.target.bos, *ids)]
    carries = [carry]
    for word in words[:-1]:
        carries.append(model.step(word, carries[-1], memory)[1])
    found = []
    with same_luck():
        for word, carry, chosen in zip(words, carries, ids, strict=False):
            step, _ = view.step(word, carry, memory)
            found.append((step, model.log_probs(step.attentional)[0, 0], chosen))
    return trained, view.settings, found


def numbers(trace, name):
    return torch.tensor([[look[name] for look in step["looks"]] for step in trace["steps"]], dtype=torch.float32)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_kept_steps_are_those_of_the_torch_step_from_the_trained_carry(probe, name):
    model = tiny(dtype=torch.float32, **MODELS[name])
    ways = [way for way in WAYS if name == "local-p" or "window" in way]
    for way in ways:
        options = {key: way[key] for key in way.keys() & {"beam", "replace_unk"}}
        how = {key: way[key] for key in way.keys() - options.keys()}
        request = {"text": TEXT, "keep_states": True} | way
        (trace,) = probe("traces", {"files": files_of(model, False), "requests": [request], "uniform": UNIFORM})
        trained, settings, steps = kept(model, how, options)
        shown = translate(model, TEXT, **options) if options else trained
        assert trace["target"] == [word.token for word in shown.words]
        assert trace["settings"]["keep_states"] is True
        assert {key: trace["settings"][key] for key in settings} == settings
        for part in ("scores", "alignment", "weights"):
            wanted = torch.stack(
                [torch.stack([getattr(look, part)[0, 0] for look in step.looks]) for step, _, _ in steps]
            )
            torch.testing.assert_close(
                numbers(trace, part),
                wanted,
                atol=1e-5,
                rtol=1e-4,
                msg=lambda text, way=way, part=part: f"{way} {part}: {text}",
            )
        for step, (_, log_probs, chosen) in zip(trace["steps"], steps, strict=True):
            assert step["log_prob"] == pytest.approx(float(log_probs[chosen]), abs=1e-4), way
            best = log_probs.sort(descending=True).values[: len(step["top"])]
            assert [p for _, p in step["top"]] == pytest.approx(best.tolist(), abs=1e-4), way
