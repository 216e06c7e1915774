"""Figures of boxes and arrows: what they show is the record's, and only of the step that the slider is at."""

import html
import re
from dataclasses import replace

import pytest
import torch

from attn_core.attention import Attention
from attn_core.config import ModelConfig
from attn_core.figures import heatmaps, network, svg, weighing
from attn_core.figures.made import Made, made
from attn_core.figures.network import CONTEXTS, LEFT, OUTPUTS, STATES, WORDS
from attn_core.figures.sketch import Arrow, Box, Text, short, sketch
from attn_core.flow import BEFORE, Part, flow
from attn_core.reads import READS
from attn_core.scores import SCORES
from attn_core.trace import Trace
from attn_core.variants import VARIANTS
from attn_core.windows import WINDOWS
from tests.player import traces
from tests.support import TRANSFORMER

LUONG = ModelConfig()
BAHDANAU = replace(LUONG, score="additive", order="look-then-step")
FIXED = replace(BAHDANAU, score=None, window=None, bidirectional=False, encoder_hidden=256)


def recorded(config: ModelConfig, **how) -> Trace:
    """A trace that says it is of a model with this config."""
    trace = traces.make(config.window, **how)
    told = {name: getattr(config, name) for name in ("score", "order", "feeding")}
    return replace(trace, settings=trace.settings | told)


def rows(chart) -> list[dict]:
    """All marks of a chart, of every step."""
    return [row for layer in chart.to_dict()["layer"] for row in layer["data"].get("values", [])]


def tips(chart) -> set[str]:
    return {row["tip"] for row in rows(chart)}


def texts(chart) -> list[str]:
    """What is written, at the step that the slider is at."""
    return [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg(chart))]


@pytest.mark.parametrize("config", [LUONG, BAHDANAU])
def test_the_weights_of_each_step_are_written_and_as_thick_as_they_are(config):
    trace = recorded(config)
    for word in trace.words:
        chart = network(trace, config, word.t + 1)
        weights = word.step.looks[0].weights.tolist()
        written = [text for text in texts(chart) if re.fullmatch(r"\d\.\d\d", text)]
        assert sorted(written) == sorted(f"{weight:.2f}" for weight in weights)
        arrows = [row for row in rows(chart) if "width" in row and row["step"] == word.t + 1 and "weight" in row["tip"]]
        thick = {row["tip"]: row["width"] for row in arrows}
        for token, score, weight in zip(trace.source, word.step.looks[0].scores.tolist(), weights, strict=True):
            tip = f"{token}: score {score:.4f}, weight {weight:.4f}"
            assert thick.get(tip) == (pytest.approx(max(1.0, 11 * weight)) if weight >= 0.005 else None)


# Where each end of an arrow stands: the row, and the columns from that of the step.
PLACES = {Part.WORD: (WORDS, 0), Part.STATE: (STATES, 0), Part.CONTEXT: (CONTEXTS, -0.5), Part.OUTPUT: (OUTPUTS, 0)}
PLACES |= {BEFORE[part]: (y, column - 1) for part, (y, column) in PLACES.items()}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_arrows_of_a_step_are_those_of_the_flow_from_part_to_part(name):
    config, t = VARIANTS[name].config(), 3
    trace = recorded(config)
    chart = network(trace, config, t)
    column = (chart.to_dict()["width"] - LEFT) / (len(trace.words) + 1)

    def at(row: dict, node: Part, x: str, y: str) -> bool:
        stands, columns = PLACES[node]
        return abs(row[x] - LEFT - (t + columns + 0.5) * column) < 0.55 * column and abs(row[y] - stands) < 30

    drawn = [row for row in rows(chart) if "x2" in row and "width" in row and row["step"] == t]
    drawn = [row for row in drawn if row["y"] < CONTEXTS]  # those above the context; the others are its weights
    assert len(drawn) == len(flow(config))
    for start, end in flow(config):
        assert [row for row in drawn if at(row, start, "x", "y") and at(row, end, "x2", "y2")], (start, end)


def test_the_first_step_has_no_step_before_it():
    config, fed = replace(LUONG, feeding=True), "input feeding: h̃ of the step before is read"
    trace, zero = recorded(config), replace(BAHDANAU, first_word="zero")
    chart = network(trace, config)
    assert {row["step"] for row in rows(chart) if row["tip"] == fed} == set(range(2, len(trace.words) + 1))
    assert "<s>" in texts(chart)
    assert "<s>" not in texts(network(recorded(zero), zero))


def test_a_state_that_would_be_made_of_the_last_word_is_not_drawn():
    trace = recorded(BAHDANAU, words=(["eins"], ["one", "</s>"]))
    written = texts(network(trace, BAHDANAU))
    assert {"s₀", "s₁"} <= set(written)
    assert "s₂" not in written
    assert "s₂" in texts(network(trace, replace(BAHDANAU, update="printed")))


def test_pieces_are_shown_as_people_read_them():
    trace = recorded(LUONG, words=(["▁ein", "▁schnee", "mann"], ["▁snow", "man", "</s>"]))
    written = texts(network(trace, LUONG))
    assert {"ein", "schnee", "·mann", "snow", "·man"} <= set(written)
    assert not any("▁" in text for text in {*written, *tips(network(trace, LUONG))})


def test_a_local_window_is_drawn_where_it_is():
    config = replace(LUONG, window="local-p", half_width=2)
    trace = recorded(config)
    for word in trace.words:
        focus = word.step.looks[0].focus
        inside = focus.inside.nonzero().flatten().tolist()
        chart = network(trace, config, word.t + 1)
        at_step = {row["tip"] for row in rows(chart) if row["step"] == word.t + 1}
        assert f"the window: positions {inside[0]} to {inside[-1]}" in at_step
        assert f"p = {focus.center.item():.2f}" in texts(chart)
        assert texts(chart).count("–") == len(trace.source) - len(inside)


def test_without_attention_one_arrow_leaves_the_source():
    trace = recorded(FIXED)
    for word in trace.words:
        step = [row for row in rows(network(trace, FIXED)) if row.get("width", 0) > 5 and row["step"] == word.t + 1]
        assert len(step) == 1
    chart = network(trace, replace(FIXED, reverse=True), 1)  # then the first word is the last one to be read
    assert min(row["x"] for row in rows(chart) if row.get("width", 0) > 5) == min(
        row["x"] for row in rows(chart) if row.get("text") == "h₁"
    )
    assert "c" in texts(network(trace, FIXED))
    assert "weights" not in texts(network(trace, FIXED))


def test_each_direction_of_the_encoder_has_its_arrows():
    trace = recorded(BAHDANAU)

    def between_states(config: ModelConfig) -> list[dict]:
        level = [row for row in rows(network(trace, config)) if "width" in row and row["step"] is None]
        return [row for row in level if row["y"] == row["y2"] and row["y"] > 300]

    one_way = replace(BAHDANAU, bidirectional=False, encoder_hidden=256)
    assert len(between_states(BAHDANAU)) == 2 * len(between_states(one_way)) == 2 * (len(trace.source) - 1)
    assert all(row["x"] < row["x2"] for row in between_states(one_way))
    assert all(row["x"] > row["x2"] for row in between_states(replace(one_way, reverse=True)))


def test_only_the_words_of_other_steps_are_pale():
    trace = recorded(BAHDANAU, words=(["eins"], ["one", "more", "</s>"]))
    assert texts(network(trace, BAHDANAU, 2)).count("more") == 1


def test_what_cannot_be_drawn_is_said():
    trace = recorded(LUONG)
    with pytest.raises(ValueError, match="first must be a step from 1 to 7, not 8"):
        network(trace, LUONG, 8)
    for looks, config in ((2, LUONG), (1, ModelConfig(**TRANSFORMER, tied=False))):
        with pytest.raises(ValueError, match="looks several times at each step"):
            network(traces.make("global", looks=looks), config)
    nothing = Trace(trace.model, trace.settings, trace.source, (), trace.memory, ())
    with pytest.raises(ValueError, match="no word in this trace"):
        network(nothing, LUONG)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (replace(LUONG, score="dot"), "score dot, and the trace of luong-general-global has general"),
        (FIXED, "score None, and the trace of luong-general-global has general"),
        (replace(BAHDANAU, score="general"), "order look-then-step, and the trace .* has step-then-look"),
        (replace(LUONG, feeding=True), "feeding True, and the trace .* has False"),
    ],
)
def test_a_config_of_another_model_is_refused(config, said):
    with pytest.raises(ValueError, match=f"config is of another model: it has {said}"):
        network(recorded(LUONG), config)


@pytest.mark.parametrize(("x", "y", "turn"), [(0, -50, 0), (50, 0, 90), (0, 50, 180), (-50, 0, -90)])
def test_an_arrow_ends_where_it_should_and_points_there(x, y, turn):
    chart = sketch([Arrow(100, 100, 100 + x, 100 + y, 2)], 200, 200, 1)
    (head,) = [row for row in rows(chart) if "angle" in row]
    (line,) = [row for row in rows(chart) if "x2" in row]
    assert head["angle"] == pytest.approx(turn)
    half = head["size"] ** 0.5 * 3**0.5 / 4
    end = head["x"] + half * x / 50, head["y"] + half * y / 50
    assert end == pytest.approx((100 + x, 100 + y))
    assert abs(line["x2"] - 100) + abs(line["y2"] - 100) == pytest.approx(50 - 2 * half + 1)


def test_an_arrow_of_no_length_is_no_error():
    (line,) = [row for row in rows(sketch([Arrow(5, 5, 5, 5)], 10, 10, 1)) if "x2" in row]
    assert (line["x2"], line["y2"]) == (5, 5)


def test_marks_of_a_step_are_there_at_that_step_alone():
    marks = [Text(10, 10, "always"), Text(10, 30, "second", step=2), Text(10, 50, "not second", but=2), Box(5, 5)]
    assert texts(sketch(marks, 60, 60, 3, 1)) == ["always", "not second"]
    assert texts(sketch(marks, 60, 60, 3, 2)) == ["always", "second"]
    slider = sketch(marks, 60, 60, 3).to_dict()["params"][0]["bind"]
    assert (slider["min"], slider["max"]) == (1, 3)
    assert "bind" not in sketch(marks, 60, 60, 1).to_dict()["params"][0]


@pytest.mark.parametrize(
    ("word", "pixels", "seen"), [("hund", 60, "hund"), ("straßenbahn", 60, "straßen…"), ("ab", 1, "ab")]
)
def test_long_words_are_cut(word, pixels, seen):
    assert short(word, pixels) == seen


def look_by_hand(query: list[float], states: list[list[float]], t: int = 0, window: str = "global", **variant):
    """Dot scores of one query over states, and what was read of them."""
    size, shape = len(query), WINDOWS[window](len(query), half_width=1, sigma=variant.pop("sigma", None))
    attention = Attention(SCORES["dot"](size, size, size), shape, **variant)
    mask = torch.ones(1, len(states), dtype=torch.bool)
    look = attention(torch.tensor([[query]]), attention.memory(torch.tensor([states]), mask), t=t)
    return look.map(lambda part: part[0, 0])


def test_a_look_is_written_out_and_its_parts_sum_to_the_context():
    states = [[1.0, 0.0], [0.0, 2.0]]
    chart = weighing(look_by_hand([1.0, 0.5], states), torch.tensor(states), ["a", "b"])
    written = texts(chart)
    # Scores 1 and 1: weights of a half, so that the weighed states are (0.5, 0), (0, 1), and the context is (0.5, 1).
    counts = {"1.00": 2 + 2 + 0 + 1 + 1, "0.50": 1 + 0 + 2 + 1 + 1, "2.00": 1}
    assert {number: written.count(number) for number in counts} == counts
    assert {"a", "b", "query", "states", "softmax", "context", "= Σ"} <= set(written)


def test_keys_are_shown_in_place_of_the_values_that_are_read():
    keys, values = [[1.0, 0.0], [0.0, 2.0]], torch.tensor([[7.0], [3.0]])
    look = look_by_hand([1.0, 0.5], keys)
    look = replace(look, context=look.weights @ values)
    written = texts(weighing(look, values, ["a", "b"], keys=torch.tensor(keys)))
    assert {"keys", "weight × value", "3.50", "1.50", "5.00"} <= set(written)
    assert "7.00" not in written


def test_of_long_vectors_the_first_numbers_are_drawn_without_writing():
    states = torch.randn(3, 30)
    look = look_by_hand(states[0].tolist(), states.tolist())
    chart = weighing(look, states, ["a", "b", "c"], numbers=5)
    cells = [row for row in rows(chart) if re.search(r", number \d", row["tip"])]
    assert len(cells) == 5 * (1 + 3 + 3 + 1)
    blue, orange = ({row["fill"] for row in cells if re.search(rf": {sign}\d", row["tip"])} for sign in ("", "-"))
    assert all(int(fill[1:3], 16) <= int(fill[5:], 16) for fill in blue)
    assert all(int(fill[1:3], 16) >= int(fill[5:], 16) for fill in orange)


STATES_OF_FOUR = [[1.0, 0.0], [0.0, 2.0], [0.5, 0.5], [-1.0, 1.0]]
# A way that the weights come about: settings, what is written of it, and the products that are shown beside.
WAYS = {
    "window": ({"window": "local-m"}, Made("softmax", "", False), {"softmax"}),
    "Gaussian": ({"window": "local-m", "sigma": 1.0}, Made("softmax", "after_softmax", False), {"× Gaussian"}),
    "renorm": (
        {"window": "local-m", "sigma": 1.0, "gaussian": "renorm"},
        Made("softmax", "renorm", False),
        {"× Gaussian", "= product", "divided by their sum"},
    ),
    "on_scores": (
        {"window": "local-m", "sigma": 1.0, "gaussian": "on_scores"},
        Made("softmax", "on_scores", False),
        {"× Gaussian", "= product"},
    ),
    "sparsemax": ({"align": "sparsemax"}, Made("sparsemax", "", False), {"sparsemax"}),
    "hard": ({"read": READS["hard-argmax"]()}, Made("softmax", "", True), {"softmax", "one place is read", "chances"}),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_the_scores_went_through_is_written(way):
    settings, wanted, said = WAYS[way]
    look = look_by_hand([1.0, 0.5], STATES_OF_FOUR, t=1, **settings)
    assert made(look) == wanted
    written = texts(weighing(look, torch.tensor(STATES_OF_FOUR), ["a", "b", "c", "d"]))
    assert said <= set(written)
    assert all(f"{weight:.2f}" in written for weight in look.weights[look.focus.inside].tolist())
    others = {"sparsemax", "softmax", "× Gaussian", "= product", "divided by their sum", "one place is read"}
    assert not (others - said - {wanted.align}) & set(written)


def test_what_is_out_of_view_has_no_weight_and_no_arrow():
    look = look_by_hand([1.0, 0.5], STATES_OF_FOUR, t=1, window="local-m")  # D = 1: the last word is out
    chart = weighing(look, torch.tensor(STATES_OF_FOUR), ["a", "b", "c", "d"])
    assert texts(chart).count("–") == 1
    places = sorted({row["x"] for row in rows(chart) if row.get("text") in ("a", "b", "c", "d")})
    below = [row["x"] for row in rows(chart) if "width" in row and row["y"] > 130 and row["x"] == row["x2"]]
    assert set(below) == set(places[:3])


def test_where_nothing_is_in_view_nothing_is_weighed():
    look = look_by_hand([1.0, 0.5], STATES_OF_FOUR, t=9, window="local-m")  # clamped
    empty = replace(look, focus=replace(look.focus, inside=look.focus.inside & False), align=look.align * 0)
    empty = replace(empty, weights=look.weights * 0, context=look.context * 0)
    assert "nothing is in view" in texts(weighing(empty, torch.tensor(STATES_OF_FOUR), ["a", "b", "c", "d"]))


def test_slots_beyond_the_sentence_take_part():
    score = SCORES["location"](2, 2, 2, location_width=9, unmasked_fixed=True)
    attention, states = Attention(score, WINDOWS["global"](2)), torch.tensor([STATES_OF_FOUR])
    look = attention(torch.ones(1, 1, 2), attention.memory(states, torch.ones(1, 4, dtype=torch.bool)), 0)
    look = look.map(lambda part: part[0, 0].detach())
    assert made(look) == Made("softmax, over other slots too", "", False)
    assert "softmax, over other slots too" in texts(weighing(look, states[0], ["a", "b", "c", "d"]))


def test_a_look_that_cannot_be_drawn_is_refused():
    look, states = look_by_hand([1.0], [[1.0], [2.0]]), torch.tensor([[1.0], [2.0]])
    with pytest.raises(ValueError, match="1 words and 2 states"):
        weighing(look, states, ["a"])
    with pytest.raises(ValueError, match="1 keys and 2 states"):
        weighing(look, states, ["a", "b"], keys=states[:1])
    with pytest.raises(ValueError, match="3 states, and the look has scores of 2"):
        weighing(look, torch.ones(3, 1), ["a", "b", "c"])
    with pytest.raises(ValueError, match="states of 2 numbers cannot sum to a context of 1"):
        weighing(look, torch.ones(2, 2), ["a", "b"])
    with pytest.raises(ValueError, match="the weighed sum of these states is not the look's context"):
        weighing(look, 2 * states, ["a", "b"])
    with pytest.raises(ValueError, match="one look is drawn, and this record has 3 x 1"):
        weighing(look.map(lambda part: part.expand(3, 1, *part.shape)), states, ["a", "b"])
    other = torch.tensor([0.5, 0.5])
    with pytest.raises(ValueError, match="are not those that its scores, window and Gaussian give"):
        weighing(replace(look, weights=other, context=other @ states), states, ["a", "b"])


def test_small_heatmaps_stand_under_their_names():
    one, two = traces.make("global"), traces.make("global", looks=2)
    page = svg(heatmaps({"first": one, "second": two}))
    assert {"first", "second"} <= set(re.findall(r"<text[^>]*>([^<]*)</text>", page))
    assert len(re.findall(r'aria-roledescription="rect mark"', page)) == 2 * len(one.source) * len(one.target)
    heads = heatmaps({"head 1": two, "head 2": two}, look=(0, 1)).to_dict()["concat"]
    shown = [[row["weight"] for row in chart["data"]["values"]] for chart in heads]
    assert shown == [two.weights(look).flatten().tolist() for look in (0, 1)]


def test_heatmaps_that_cannot_be_drawn_are_said():
    with pytest.raises(ValueError, match="traces is empty"):
        heatmaps({})
    with pytest.raises(ValueError, match="has no attention"):
        heatmaps({"fixed": traces.make(None)})
    with pytest.raises(ValueError, match="2 looks for 1 traces"):
        heatmaps({"one": traces.make("global", looks=2)}, look=(0, 1))
