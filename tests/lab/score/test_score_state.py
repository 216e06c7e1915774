"""The Score lab's state: the numbers that follow from it, its parameters, and its links."""

import json

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as some

from app.lab.score.data import START, score_lab, worded
from attn_core.attention.measures import entropy
from attn_core.attention.settings import SCORES
from attn_core.export.scores import score_document
from attn_core.models.config import ModelConfig
from tests.helpers.engine import unchecked

QUERY, HIDDEN, KEYS = 3, 5, 7
OPENED = "js.openScores(input.data)"
PARAMETERS = f"js.startParameters({OPENED})"


@pytest.fixture(scope="module")
def data():
    """The data of the stage."""
    with unchecked():
        return worded(score_lab())


@pytest.mark.parametrize("name", SCORES)
def test_scores_weights_and_entropy_equal_torch(run_js, name):
    torch.manual_seed(3)
    sizes = {"location": {"width": KEYS}, "additive": {"hidden": HIDDEN}, "concat": {"hidden": HIDDEN}}.get(name, {})
    score = SCORES.build(name, QUERY, QUERY, **sizes)
    for parameter in score.parameters():
        torch.nn.init.normal_(parameter)
    query, keys = torch.randn(1, QUERY), torch.randn(KEYS, QUERY)
    config = ModelConfig.of({f"attention.score.{one}": size for one, size in sizes.items()}, score=name)
    with unchecked():
        document = score_document(config, QUERY, QUERY)
    given = {path: value.tolist() for path, value in score.named_parameters()}
    found = run_js(
        "(() => { const score = new js.ScoreFunction(input.document); score.setParameters(input.parameters);"
        " const scores = score.scores(input.query, input.keys);"
        " const weights = js.weightsOf(scores); return { scores, weights, entropy: js.entropyOf(weights),"
        " context: js.contextOf(weights, input.keys) }; })()",
        {"document": document, "query": query[0].tolist(), "keys": keys.tolist(), "parameters": given},
    )
    with torch.inference_mode():
        scores = score.double()(query.double(), score.keys(keys.double()))[0]
    weights = scores.softmax(-1)
    wanted = {"scores": scores, "weights": weights, "entropy": entropy(weights), "context": weights @ keys.double()}
    for part, value in wanted.items():
        torch.testing.assert_close(torch.tensor(found[part]).double(), value, rtol=1e-5, atol=1e-6, msg=part)


def test_the_page_opens_with_every_score_and_concat_equals_additive(run_js, data):
    code = f"((scores) => js.resultsOf(js.startState(input.data.start, scores), scores).rows)({OPENED})"
    rows = run_js(code, {"data": data})
    assert list(rows) == list(SCORES)
    assert rows["concat"]["scores"] == pytest.approx(rows["additive"]["scores"], abs=1e-6)
    assert len({round(row["entropy"], 6) for row in rows.values()}) == len(SCORES) - 1


def test_a_number_of_concat_is_changed_in_the_matrix_of_additive_that_it_comes_from(run_js, data):
    code = f"""(() => {{
      const concat = {OPENED}.find(({{ name }}) => name === "concat");
      const changed = js.withNumber(concat, {PARAMETERS}, "W_a.weight", [1, 3], 7);
      return [changed, js.parametersOf(concat, changed), js.seams(concat, changed, "W_a.weight")];
    }})()"""
    changed, joined, seams = run_js(code, {"data": data})
    assert changed["additive"]["W_a.weight"] == [[0.9, -0.4], [0.3, 0.8], [-0.7, 0.5]]
    assert changed["additive"]["U_a.weight"] == [[0.8, 0.3], [-0.5, 7], [0.6, 0.7]]
    assert joined["W_a.weight"] == [[0.9, -0.4, 0.8, 0.3], [0.3, 0.8, -0.5, 7], [-0.7, 0.5, 0.6, 0.7]]
    assert (joined["v_a"], seams) == ([1.8, -1.2, 1.5], [2])


def test_hard_attention_takes_one_value(run_js, data):
    state = START | {"score": "dot", "apart": True, "draws": [2, 0, 1, 1, 0], "drawn": 2, "parameters": {}}
    code = f"""(() => {{
      const {{ context, taken, mean }} = js.resultsOf(input.state, {OPENED}.slice(0, 1));
      return {{ context, taken, mean }};
    }})()"""
    argmax = run_js(code, {"data": data, "state": state | {"attention_type": "hard-argmax"}})
    query, keys, values = (torch.tensor(START[part]) for part in ("query", "keys", "values"))
    best = int((keys @ query).argmax())
    assert (argmax["taken"], argmax["context"], argmax["mean"]) == (best, START["values"][best], None)
    sample = run_js(code, {"data": data, "state": state | {"attention_type": "hard-sample"}})
    assert (sample["taken"], sample["context"]) == (2, START["values"][2])
    wanted = (2 * values[0] + values[2] + values[3]) / 4
    torch.testing.assert_close(torch.tensor(sample["mean"]), wanted)


def test_a_point_stays_in_the_plane_and_a_moved_key_is_selected(run_js):
    state = {"query": [0, 0], "keys": [[1, 1], [2, 2]], "chosen": 0}
    move = "js.withPoint(input.state, input, input.point, 2.3)"
    assert run_js(move, {"state": state, "kind": "query", "s": 0, "point": [0.123, 9]}) == {"query": [0.12, 2.3]}
    found = run_js(move, {"state": state, "kind": "keys", "s": 1, "point": [-5, 0.5]})
    assert found == {"keys": [[1, 1], [-2.3, 0.5]], "chosen": 1}


def test_draws_are_counted_and_the_last_is_kept(run_js):
    state = {"draws": [0, 2, 0], "drawn": 1}
    code = "((numbers) => js.withDraws(input, [0.5, 0.3, 0.2], () => numbers.shift(), 3))([0.1, 0.9, 0.95])"
    assert run_js(code, state) == {"draws": [1, 2, 2], "drawn": 2}


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


def test_a_link_reopens_the_settings_and_is_empty_for_those_of_the_page(run_js, data):
    begin = {"query": START["query"], "keys": START["keys"], "values": START["values"]} | {
        "parameters": run_js(PARAMETERS, {"data": data}),
        "score": "dot",
        "attention_type": "soft",
        "apart": False,
        "chosen": 0,
    }
    assert set(run_js("js.linkOf(input, input)", begin).values()) == {None}
    moved = json.loads(json.dumps(begin)) | {
        "score": "additive",
        "attention_type": "hard-argmax",
        "apart": True,
        "chosen": 3,
    }
    moved["keys"][2] = [-2.25, 0.125]
    moved["parameters"]["additive"]["v_a"][1] = 4.5
    found = run_js(
        "[js.linkOf(input[0], input[1]), js.stateOf(input[1], (name) => {"
        " const value = js.linkOf(input[0], input[1])[name]; return value === null ? null : String(value); },"
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
    ask = "js.stateOf(input[0], (name) => (name === input[1] ? input[2] : null), ['dot'], 2.4)"
    assert run_js(ask, [begin, name, value]) == begin
