"""Pointer networks and forecasters in the browser's engine compute every number of every step as in torch."""

import json

import pytest
import torch

from attn_core.export.document import document, write
from attn_core.export.pieces import tensors_of
from attn_core.models import checkpoint
from attn_core.models.recipe import DrawnConfig
from attn_core.synthetic.forecasting import draw, forecast
from attn_core.synthetic.pointer import CONSTRAINTS, greedy
from attn_core.synthetic.pointer.net import OUTPUTS
from attn_core.synthetic.pointer.problems import PROBLEMS
from tests.helpers.engine import equal, exported, unchecked
from tests.synthetic import test_forecasting, test_pointer


def given_of(model):
    return exported(model) | {"simd": True}


def record(steps, t):
    """The tensors of step `t` of a batch of one, as the engine names them, with one step in the target axis."""
    return tensors_of(steps.map(lambda x: x[:, t : t + 1]))


@pytest.mark.slow
@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_pointer_network_makes_the_same_choices(probe, problem, output):
    model = test_pointer.net(problem=problem, output=output)
    given = given_of(model)
    dice = torch.Generator().manual_seed(1)
    for n in (3, 4, 6):
        inputs = torch.rand(1, n, PROBLEMS[problem].inputs, generator=dice)
        for constraint in CONSTRAINTS:
            call = {"inputs": inputs[0].tolist(), "how": {"constraint": constraint}}
            found = probe("pointed", given | call)
            wanted = greedy(model, inputs, constraint)
            words = found["words"]
            assert words == wanted.chosen[0, : len(words)].tolist()
            assert len(words) == n + 1 or words[-1] == 0
            for t, step in enumerate(found["steps"]):
                log_probs = {"log_probs": wanted.log_probs[:, t : t + 1]}
                states = {name: tensor for name, tensor in step.items() if not name.startswith("next.")}
                equal(states, record(wanted.steps, t) | log_probs, f"{n} inputs, {constraint}, step {t}")


@pytest.mark.slow
def test_inputs_that_a_pointer_network_cannot_take_are_named(probe):
    given = given_of(test_pointer.net(problem="hull", output="vocabulary"))
    few = "tiny needs at least 3 inputs of 2 number(s) each"
    for inputs, wanted in (
        ([[0.1, 0.2]] * 2, few),
        ([[0.1]] * 4, few),
        ([[0.1, 0.2]] * 7, "tiny has words for 6 positions, not for 7"),
        ([[0.1, None]] * 4, ""),  # null is 0 in JavaScript
    ):
        assert probe.failure("pointed", given | {"inputs": inputs, "how": {}}) == wanted


@pytest.mark.slow
@pytest.mark.parametrize("point", test_forecasting.POINTS)
def test_a_forecaster_computes_the_same_forecasts(probe, point):
    model = test_forecasting.net(point)
    given = given_of(model)
    batch = draw(1, seed=3)
    for history in (2, 5, 42):
        start = batch.history.size(1) - history
        part = type(batch)(batch.history[:, start:], batch.calendar[:, start:], batch.future, batch.signal)
        wanted = forecast(model, part)
        call = {"history": part.history[0].tolist(), "calendar": part.calendar[0].tolist()}
        found = probe("forecasts", given | call)
        assert found["values"] == pytest.approx(wanted.values[0].tolist(), abs=1e-4)
        for t, step in enumerate(found["steps"]):
            states = {
                name: one for name, one in step.items() if name.partition(".")[0] not in ("next", "value", "forecast")
            }
            equal(states, record(wanted.steps, t), f"{history} days, step {t}", 1e-4)


@pytest.mark.slow
def test_a_history_of_one_day_is_refused(probe):
    given = given_of(test_forecasting.net())
    found = probe.failure("forecasts", given | {"history": [1.0], "calendar": [[0.0] * 10] * 3})
    assert found.startswith("give a history of at least 2 days")


@pytest.mark.slow
def test_the_command_exports_any_kind_of_model(tmp_path):
    checkpoint.save(test_pointer.net(), DrawnConfig(), tmp_path / "hull", {})
    with unchecked():
        path = write(tmp_path / "hull")
    assert json.loads(path.read_text("utf-8"))["kind"] == "pointer"


def description(output):
    """The roles of the quantities of a pointer network's step, and the tensors that hold each."""
    found = document(test_pointer.net(problem="hull", output=output))
    (step,) = found["steps"]
    tensors = {name for graph in step["graphs"] for name in (*graph["inputs"], *graph["outputs"])}
    held = {name: one["tensors"] for name, one in step["quantities"].items()}
    assert all(tensors.issuperset(names) for names in held.values())
    return {name: one["roles"] for name, one in found["quantities"].items() if one["roles"]}, held


@pytest.mark.slow
def test_the_weights_of_a_pointer_network_are_its_output():
    roles, tensors = description("pointer")
    assert roles == {"memory": ["key"], "state": ["query"], "scores": ["score"], "weights": ["weight", "output"]}
    assert tensors["weights"] == ["looks.0.weights"]
    assert tensors["memory"] == ["memory.states"]
    assert tensors["state"] == ["hidden"]


@pytest.mark.slow
def test_a_vocabulary_of_positions_has_a_context_vector_and_an_output_layer():
    roles, tensors = description("vocabulary")
    assert roles["memory"] == ["key", "value"]
    assert (roles["weights"], roles["context"], roles["output"]) == (["weight"], ["context"], ["output"])
    assert tensors["output"] == ["log_probs"]
