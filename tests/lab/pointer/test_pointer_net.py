"""The browser's pointer network and answers equal attn_core's."""

import itertools
import random

import pytest
import torch

from attn_core.synthetic.pointer import CONSTRAINTS, greedy
from attn_core.synthetic.pointer.problems import PROBLEMS, same_polygon
from tests.helpers.engine import exported
from tests.synthetic.test_pointer import inputs, net

SIDES = {"hull": 2, "sort": 1}
POINTS, NUMBERS = [[0.2, 0.2], [0.8, 0.3], [0.5, 0.9], [0.5, 0.45]], [[0.6], [0.2], [0.9]]


@pytest.mark.quick(1)
@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize("problem", SIDES)
def test_the_browser_chooses_as_the_model_does(lab_probe, problem, constraint):
    """Scores and weights of every step for several networks; large parameters, so that some repeat an input."""
    repeated = 0
    for seed in range(3):
        model, drawn = net(seed, std=1.5, problem=problem).float(), inputs(6, b=1, d=SIDES[problem], seed=seed)
        found = greedy(model, drawn, constraint)
        steps = lab_probe("choices", exported(model), drawn[0].tolist(), constraint)
        assert [step["place"] for step in steps] == found.chosen[0, : len(steps)].tolist()
        assert [place + 1 for place in found.outputs()[0]] == [step["place"] for step in steps if step["place"]]
        look = found.steps.looks[0]
        for t, step in enumerate(steps):
            assert step["scores"] == pytest.approx(look.scores[0, t].tolist(), abs=1e-5)
            assert step["weights"] == pytest.approx(look.weights[0, t].tolist(), abs=1e-5)
        repeated += len(set(found.outputs()[0])) < len(found.outputs()[0])
    assert (repeated > 0) is (constraint == "none")


def test_the_states_that_a_step_compares_are_those_of_the_model(lab_probe):
    model, drawn = net(std=1.5, problem="hull").float(), inputs(6, b=1, d=2)
    found = greedy(model, drawn, "none")
    files = exported(model)
    view = lab_probe("drawnStates", files, drawn[0].tolist())
    assert view["parts"] == ["encoder states", "decoder state", None, []]  # no context vector, nothing beside it
    assert torch.tensor(view["states"]).allclose(model.encode(drawn)[0].states[0], atol=1e-5)
    steps = len(view["places"])
    assert torch.tensor(view["queries"]).allclose(found.steps.hidden[0, :steps], atol=1e-5)
    undescribed = files | {"json": files["json"] | {"quantities": {}}}
    assert lab_probe("drawnStates", undescribed, drawn[0].tolist()) is None  # drawn without them


@pytest.mark.parametrize("problem", SIDES)
def test_the_answers_are_those_that_training_learned(lab_probe, problem):
    many = inputs(9, b=40, d=SIDES[problem]).tolist()
    many += [[[0.5] * SIDES[problem]] * 3 + [[0.1] * SIDES[problem], [0.9] + [0.2] * (SIDES[problem] - 1)]]
    assert lab_probe("answers", problem, many) == [PROBLEMS[problem]().answer(one) for one in many]


def test_polygons_are_compared_alike(lab_probe):
    pairs = []
    for gold in map(list, itertools.permutations(range(4))):
        said, turned = random.choices(range(5), k=random.randrange(6)), gold[2:] + gold[:2]
        pairs += [[gold, said], [gold, turned], [gold, turned[::-1]], [gold, [gold[1], gold[0], *gold[2:]]]]
    assert lab_probe.each("samePolygon", pairs) == [same_polygon(*pair) for pair in pairs]


@pytest.mark.parametrize(
    ("inputs", "walk", "verdict"),
    [
        (NUMBERS, [2, 1, 3, 0], "✓ Correct: all 3 in increasing order."),
        (NUMBERS, [2, 3, 1, 0], "✗ Wrong: 1 of 3 positions have the correct number."),
        (POINTS, [2, 3, 1, 0], "✓ Correct: this is the hull, with 3 corners."),
        (POINTS, [3, 2, 1, 0], "✓ Correct: this is the hull, with 3 corners."),
        (POINTS, [1, 2, 2, 4, 0], "✗ Wrong: missing: 3; inside the hull: 4; chosen twice: 2."),
    ],
)
def test_the_verdict_is_that_of_the_problem(lab_probe, inputs, walk, verdict):
    problem = "sort" if len(inputs[0]) == 1 else "hull"
    right = PROBLEMS[problem]().measure([inputs], [[place - 1 for place in walk[:-1]]])["accuracy"] == 1
    assert right is verdict.startswith("✓")
    assert lab_probe("verdict", problem, inputs, walk) == {"right": right, "text": verdict}
