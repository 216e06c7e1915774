"""The Score lab's score functions equal attn_core's, for parameters and vectors of any size."""

import json

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as some

from app.lab.score.stage import DRAWN, START
from attn_core.attention.measures import entropy
from attn_core.attention.scores import SCORES

QUERY, HIDDEN, KEYS = 3, 5, 7
SHOWN = [name for name in DRAWN if name in SCORES]


def made(name: str) -> tuple[torch.nn.Module, dict]:
    """A score function with random float64 parameters, and the parameters as sent to the browser."""
    options = {"location": {"width": KEYS}, "additive": {"hidden": HIDDEN}, "concat": {"hidden": HIDDEN}}
    score = SCORES.build(name, QUERY, QUERY, **options.get(name, {})).double()
    for parameter in score.parameters():
        torch.nn.init.normal_(parameter)
    return score, {path.removesuffix(".weight"): value.tolist() for path, value in score.named_parameters()}


@pytest.mark.parametrize("name", SHOWN)
def test_scores_weights_and_entropy_equal_torch(run_js, name):
    torch.manual_seed(3)
    score, parameters = made(name)
    query, keys = torch.randn(1, QUERY).double(), torch.randn(KEYS, QUERY).double()
    found = run_js(
        "(() => { const scores = js.SCORE_FUNCTIONS[input.name](input.query, input.keys, input.parameters);"
        " const weights = js.weightsOf(scores); return { scores, weights, entropy: js.entropyOf(weights),"
        " context: js.contextOf(weights, input.keys) }; })()",
        {"name": name, "query": query[0].tolist(), "keys": keys.tolist(), "parameters": parameters},
    )
    with torch.inference_mode():
        scores = score(query, score.keys(keys))[0]
    weights = scores.softmax(-1)
    wanted = {"scores": scores, "weights": weights, "entropy": entropy(weights), "context": weights @ keys}
    for part, value in wanted.items():
        torch.testing.assert_close(torch.tensor(found[part]).double(), value.double(), rtol=1e-6, atol=1e-6, msg=part)


def test_the_page_opens_with_parameters_of_every_score_function_and_concat_equals_additive(run_js):
    state = START | {"score": "concat", "attention_type": "soft", "apart": False, "draws": [0] * 5, "drawn": None}
    rows = run_js("js.lookAll(input.state, input.names).rows", {"state": state, "names": list(DRAWN)})
    assert list(rows) == list(DRAWN)
    assert rows["concat"]["scores"] == pytest.approx(rows["additive"]["scores"], abs=1e-12)
    assert len({round(row["entropy"], 6) for row in rows.values()}) == len(DRAWN) - 1


def test_hard_reads_take_one_value(run_js):
    state = START | {"score": "dot", "apart": True, "draws": [2, 0, 1, 1, 0], "drawn": 2}
    code = "(() => { const { context, taken, mean } = js.lookAll(input, ['dot']); return { context, taken, mean }; })()"
    argmax = run_js(code, state | {"attention_type": "hard-argmax"})
    query, keys, values = (torch.tensor(START[part]) for part in ("query", "keys", "values"))
    best = int((keys @ query).argmax())
    assert (argmax["taken"], argmax["context"], argmax["mean"]) == (best, START["values"][best], None)
    sample = run_js(code, state | {"attention_type": "hard-sample"})
    assert (sample["taken"], sample["context"]) == (2, START["values"][2])
    wanted = (2 * values[0] + values[2] + values[3]) / 4
    torch.testing.assert_close(torch.tensor(sample["mean"]), wanted)


def test_draws_follow_the_weights(run_js):
    weights = [0.5, 0.0, 0.3, 0.2]
    code = (
        "(() => { const next = js.dice(11); const found = [0, 0, 0, 0];"
        " for (let i = 0; i < 20000; i++) found[js.drawnAt(input, next())] += 1; return found; })()"
    )
    found = [n / 20000 for n in run_js(code, weights)]
    assert found[1] == 0
    assert found == pytest.approx(weights, abs=0.015)  # four standard errors
    assert run_js("[0, 0.4999, 0.5, 0.7999, 0.8, 1].map((u) => js.drawnAt(input, u))", weights) == [0, 0, 2, 2, 3, 3]


@settings(max_examples=5, deadline=None)
@given(points=some.lists(some.floats(-2, 2), min_size=2, max_size=2))
def test_a_point_on_the_screen_is_the_point_in_the_plane(run_js, points):
    assert run_js("js.toPlane(...js.toPixels(input, 431), 431)", points) == pytest.approx(points, abs=1e-9)


@pytest.mark.parametrize(
    ("latex", "parts"),
    [
        (r"h_t^\top W_a \bar h_s", ["h", "_", "t", "^", r"\top", "W", "_", "a", r"\bar", "h", "_", "s"]),
        (r"s_{i-1}", ["s", "_", ["i", "-", "1"]]),
        (r"\sqrt{d}", [r"\sqrt", ["d"]]),
    ],
)
def test_formulas_are_taken_apart(run_js, latex, parts):
    assert run_js("js.tokens(input)", latex) == parts


def test_a_link_reopens_the_settings_and_is_empty_for_those_of_the_page(run_js):
    begin = {"query": START["query"], "keys": START["keys"], "values": START["values"]} | {
        "parameters": START["parameters"],
        "score": "dot",
        "attention_type": "soft",
        "apart": False,
        "chosen": 0,
    }
    assert set(run_js("js.written(input, input)", begin).values()) == {None}
    moved = json.loads(json.dumps(begin)) | {
        "score": "additive",
        "attention_type": "hard-argmax",
        "apart": True,
        "chosen": 3,
    }
    moved["keys"][2] = [-2.25, 0.125]
    moved["parameters"]["additive"]["v_a"][1] = 4.5
    found = run_js(
        "[js.written(input[0], input[1]), js.linked(input[1], (name) => {"
        " const value = js.written(input[0], input[1])[name]; return value === null ? null : String(value); },"
        " ['dot', 'additive'], 2.4)]",
        [moved, begin],
    )
    kept = {name for name, value in found[0].items() if value is not None}
    assert kept == {"score", "type", "key", "apart", "keys", "additive"}
    assert found[1] == moved


@pytest.mark.parametrize(
    ("name", "value"), [("keys", "1_2"), ("query", "a_b"), ("query", "9_0"), ("key", "5"), ("score", "cosine")]
)
def test_a_setting_of_a_link_that_cannot_be_is_left_out(run_js, name, value):
    begin = {"query": [1.0, 2.0], "keys": [[0.5, 0.5]] * 2, "values": [[0.5, 0.5]] * 2, "parameters": {}}
    begin |= {"score": "dot", "attention_type": "soft", "apart": False, "chosen": 0}
    ask = "js.linked(input[0], (name) => (name === input[1] ? input[2] : null), ['dot'], 2.4)"
    assert run_js(ask, [begin, name, value]) == begin
