"""The browser's pointer network and answers equal attn_core's."""

import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as some

from app.lab.pointer.data import MOST, START
from attn_core.browser import bundle
from attn_core.synthetic.pointer import CONSTRAINTS, greedy
from attn_core.synthetic.pointer.problems import PROBLEMS, same_polygon
from tests.helpers.engine import exported
from tests.helpers.javascript import evaluator
from tests.lab import stages
from tests.synthetic.test_pointer import inputs, net

CHOOSE = """js.choose(
  new js.PointerNet(input.files.json, new Uint8Array(Buffer.from(input.files.weights, "base64"))),
  input.inputs, input.constraint)"""
VIEW = """((net) => {
  const quantities = input.files.json.quantities ?? {}, names = ["end", "1", "2", "3", "4", "5", "6"];
  const steps = js.choose(net, input.inputs, "none", js.drawnQuantities(quantities));
  const { vectors, places } = js.stepView({ names, steps, step: 0, quantities, hover: null });
  const numbers = (all) => all.map((one) => [...one]);
  return { places, parts: vectors && [vectors.value.name, vectors.query.name, vectors.context, vectors.beside],
    states: vectors && numbers(vectors.value.states), queries: vectors && numbers(vectors.query.vectors) };
})(new js.PointerNet(input.files.json, new Uint8Array(Buffer.from(input.files.weights, "base64"))))"""
SIDES = {"hull": 2, "sort": 1}


@pytest.fixture(scope="module")
def run_net(node, tmp_path_factory):
    drawn = (bundle.PLAYER / "core" / "state-vectors.js", stages.LAB / "pointer" / "step.js")
    modules = (stages.ENGINE, stages.LAB / "pointer" / "net.js", *drawn)
    return evaluator(node, tmp_path_factory.mktemp("net"), modules)


@pytest.mark.quick(2)
@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize("problem", SIDES)
def test_the_browser_chooses_as_the_model_does(run_net, problem, constraint):
    """Scores and weights of every step for several networks; large parameters, so that some repeat an input."""
    repeated = 0
    for seed in range(3):
        model, drawn = net(seed, std=1.5, problem=problem).float(), inputs(6, b=1, d=SIDES[problem], seed=seed)
        found = greedy(model, drawn, constraint)
        ask = {"files": exported(model), "inputs": drawn[0].tolist(), "constraint": constraint}
        steps = run_net(CHOOSE, ask)
        assert [step["place"] for step in steps] == found.chosen[0, : len(steps)].tolist()
        assert [place + 1 for place in found.outputs()[0]] == [step["place"] for step in steps if step["place"]]
        look = found.steps.looks[0]
        for t, step in enumerate(steps):
            assert step["scores"] == pytest.approx(look.scores[0, t].tolist(), abs=1e-5)
            assert step["weights"] == pytest.approx(look.weights[0, t].tolist(), abs=1e-5)
        repeated += len(set(found.outputs()[0])) < len(found.outputs()[0])
    assert (repeated > 0) is (constraint == "none")


def test_the_states_that_a_step_compares_are_those_of_the_model(run_net):
    model, drawn = net(std=1.5, problem="hull").float(), inputs(6, b=1, d=2)
    found = greedy(model, drawn, "none")
    ask = {"files": exported(model), "inputs": drawn[0].tolist()}
    view = run_net(VIEW, ask)
    assert view["parts"] == ["encoder states", "decoder state", None, []]  # no context vector, nothing beside it
    assert torch.tensor(view["states"]).allclose(model.encode(drawn)[0].states[0], atol=1e-5)
    steps = len(view["places"])
    assert torch.tensor(view["queries"]).allclose(found.steps.hidden[0, :steps], atol=1e-5)
    undescribed = {**ask["files"], "json": {**ask["files"]["json"], "quantities": {}}}
    assert run_net(VIEW, ask | {"files": undescribed})["parts"] is None  # drawn without them


@pytest.mark.parametrize("problem", SIDES)
def test_the_answers_are_those_that_training_learned(run_js, problem):
    many = inputs(9, b=40, d=SIDES[problem]).tolist()
    many += [[[0.5] * SIDES[problem]] * 3 + [[0.1] * SIDES[problem], [0.9] + [0.2] * (SIDES[problem] - 1)]]
    found = run_js(f"input.map(js.TASKS.{problem}.answer)", many)
    assert found == [PROBLEMS[problem]().answer(one) for one in many]


@settings(max_examples=10, deadline=None)
@given(gold=some.permutations(range(4)), said=some.lists(some.integers(0, 4), max_size=5))
def test_polygons_are_compared_alike(run_js, gold, said):
    turned = gold[2:] + gold[:2]
    pairs = [[gold, said], [gold, turned], [gold, turned[::-1]], [gold, [gold[1], gold[0], *gold[2:]]]]
    found = run_js("input.map(([gold, said]) => js.samePolygon(gold, said))", pairs)
    assert found == [same_polygon(*pair) for pair in pairs]


@pytest.mark.parametrize("problem", SIDES)
def test_a_spot_on_the_screen_is_the_input_there(run_js, problem):
    drawn = inputs(4, b=1, d=SIDES[problem])[0].double().mul(1000).round().div(1000).tolist()
    code = "input.points.map((one, i) => js.fromSpot(js.toSpot(one, i, 4, 431), one.length, 431))"
    found = run_js(code, {"points": drawn})
    assert [value for one in found for value in one] == pytest.approx(
        [value for one in drawn for value in one], abs=1e-9
    )
    assert run_js("js.fromSpot([-50, 900], input, 431)", SIDES[problem]) == [0] * SIDES[problem]


@pytest.mark.parametrize(("sides", "apart"), [(1, 0.02), (2, 0.12)])
def test_random_inputs_keep_their_distance(run_js, sides, apart):
    given = [[0.5] * sides]
    for seed in range(5):
        dice = f"(a => () => (a = (a * 16807) % 2147483647) / 2147483647)({seed + 1} * 7919)"
        found = run_js(f"js.scattered(20, {sides}, {dice}, input)", given)
        assert len(found) == 20
        assert all(0 <= value <= 1 and len(one) == sides for one in found for value in one)
        near = min(math.dist(one, other) for one, other in itertools.combinations([*given, *found], 2))
        assert near >= apart - 1e-9


@pytest.mark.parametrize("inputs", [*START.values(), [[0.1, 0.25], [0.9, 0.3]], [[0.5, 1.0], [0.0, 0.001]]])
def test_a_link_has_the_inputs(run_js, inputs):
    text = run_js("js.inputsText(input)", inputs)
    assert set(text) <= set("0123456789.-_")
    assert run_js(f"js.inputsIn(input, {len(inputs[0])}, {MOST})", text) == inputs


def test_a_link_may_have_no_inputs(run_js):
    assert run_js("js.inputsText(input)", []) == ""
    assert run_js(f"js.inputsIn(input, 2, {MOST})", "") == []


@pytest.mark.parametrize(
    "text",
    ["nonsense", "0.1-0.2_0.3", "0.1-1.2", "0.1-nan", "_".join(["0.1-0.2"] * 26), "0.5", "0.1--0.2", "_"],
)
def test_a_link_that_nobody_can_have_drawn_has_no_inputs(run_js, text):
    assert run_js(f"js.inputsIn(input, 2, {MOST})", text) is None
