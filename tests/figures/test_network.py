"""Figures of boxes and arrows show the numbers of the record, for the slider's step only."""

import re
from dataclasses import replace

import pytest

from attn_core.attention.notation import BEFORE, Node
from attn_core.explain.step_graph import flow, step_graph
from attn_core.figures import heatmaps, network, svg
from attn_core.figures.network import CONTEXTS, LEFT, OUTPUTS, STATES, WORDS
from attn_core.figures.sketch import Arrow, Box, Text, short, sketch
from attn_core.models.config import ModelConfig
from attn_core.models.presets import PRESETS
from attn_core.models.variants import VARIANTS
from attn_core.trace import Trace
from tests.browser import traces
from tests.helpers.drawn import rows, texts, tips
from tests.helpers.support import TRANSFORMER

LUONG = ModelConfig()
BAHDANAU = ModelConfig.of(score="additive", order="attend-then-update", **{"encoder.cell": "gru"}, update="groundhog")
FIXED = BAHDANAU.set({"score": None, "bidirectional": False, "encoder.hidden": 256})


def recorded(config: ModelConfig, **how) -> Trace:
    """A trace with the settings of a model with this config."""
    trace = traces.make(config["window"], **how)
    told = {"score": config["score"], "order": config["order"], "feeding": config.decoder.feeding}
    return replace(trace, settings=trace.settings | told)


@pytest.mark.slow
@pytest.mark.parametrize("config", [LUONG, BAHDANAU])
def test_the_weights_of_each_step_are_written_and_as_thick_as_they_are(config):
    trace = recorded(config)
    for word in trace.words:
        chart = network(trace, config, word.t)
        weights = word.step.looks[0].weights.tolist()
        written = [text for text in texts(chart) if re.fullmatch(r"\d\.\d\d", text)]
        assert sorted(written) == sorted(f"{weight:.2f}" for weight in weights)
        arrows = [row for row in rows(chart) if "width" in row and row["step"] == word.t and "weight" in row["tip"]]
        thick = {row["tip"]: row["width"] for row in arrows}
        for token, score, weight in zip(trace.source, word.step.looks[0].scores.tolist(), weights, strict=True):
            tip = f"{token}: score {score:.4f}, weight {weight:.4f}"
            assert thick.get(tip) == (pytest.approx(max(1.0, 11 * weight)) if weight >= 0.005 else None)


# The ends of an arrow: the row, and the offset in columns from the step.
PLACES = {Node.WORD: (WORDS, 0), Node.STATE: (STATES, 0), Node.CONTEXT: (CONTEXTS, -0.5), Node.OUTPUT: (OUTPUTS, 0)}
PLACES |= {BEFORE[node]: (y, column - 1) for node, (y, column) in PLACES.items()}


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", VARIANTS)
def test_the_arrows_of_a_step_are_those_of_the_flow_from_node_to_node(name):
    config, t = VARIANTS[name].config(), 2
    trace = recorded(config)
    chart = network(trace, config, t)
    column = (chart.to_dict()["width"] - LEFT) / (len(trace.words) + 1)

    def at(row: dict, node: Node, x: str, y: str) -> bool:
        stands, columns = PLACES[node]
        return abs(row[x] - LEFT - (t + 1 + columns + 0.5) * column) < 0.55 * column and abs(row[y] - stands) < 30

    drawn = [row for row in rows(chart) if "x2" in row and "width" in row and row["step"] == t]
    drawn = [row for row in drawn if row["y"] < CONTEXTS]  # those above the context; the others are its weights
    assert len(drawn) == len(flow(config))
    for start, end in flow(config):
        assert [row for row in drawn if at(row, start, "x", "y") and at(row, end, "x2", "y2")], (start, end)


def test_the_first_step_has_no_step_before_it():
    config, fed = LUONG.set({"feeding": True}), "input feeding: the previous h̃ is an input of the new state"
    trace, zero = recorded(config), BAHDANAU.set({"first_word": "zero"})
    chart = network(trace, config)
    assert {row["step"] for row in rows(chart) if row["tip"] == fed} == set(range(1, len(trace.words)))
    assert "<s>" in texts(chart)
    assert "<s>" not in texts(network(recorded(zero), zero))


def test_a_state_that_would_be_made_of_the_last_word_is_not_drawn():
    trace = recorded(BAHDANAU, words=(["eins"], ["one", "</s>"]))
    written = texts(network(trace, BAHDANAU))
    assert {"s₀", "s₁"} <= set(written)
    assert "s₂" not in written
    assert "s₂" in texts(network(trace, BAHDANAU.set({"update": "printed"})))


def test_pieces_are_shown_as_people_read_them():
    trace = recorded(LUONG, words=(["▁ein", "▁schnee", "mann"], ["▁snow", "man", "</s>"]))
    written = texts(network(trace, LUONG))
    assert {"ein", "schnee", "·mann", "snow", "·man"} <= set(written)
    assert not any("▁" in text for text in {*written, *tips(network(trace, LUONG))})


@pytest.mark.slow
def test_a_local_window_is_drawn_where_it_is():
    config = LUONG.set({"window": "local-p", "half_width": 2})
    trace = recorded(config)
    for word in trace.words:
        focus = word.step.looks[0].focus
        inside = focus.inside.nonzero().flatten().tolist()
        chart = network(trace, config, word.t)
        at_step = {row["tip"] for row in rows(chart) if row["step"] == word.t}
        first, last = (trace.source[s] for s in (inside[0], inside[-1]))
        assert f"the window: {first!r} to {last!r}" in at_step
        assert f"p = {focus.center.item():.2f}" in texts(chart)
        assert texts(chart).count("–") == len(trace.source) - len(inside)


def test_subscripts_count_as_in_the_equations():
    """Sources and steps from 0, so that Luong's initial state is h₋₁; Bahdanau's i from 1, after the initial s₀."""
    trace = recorded(LUONG.set({"feeding": True}), words=(["eins", "zwei"], ["one", "two"]))
    written = set(texts(network(trace, LUONG.set({"feeding": True}), 1)))
    assert {"h̄₀", "h̄₁", "h₋₁", "h₀", "h₁", "h̃₀", "h̃₁", "c₁"} == {text for text in written if text[-1] in "₀₁₂"}
    written = set(texts(network(recorded(BAHDANAU, words=(["eins"], ["one", "two"])), BAHDANAU)))
    assert {"h₀", "s₀", "s₁", "c₁"} == {text for text in written if text[-1] in "₀₁₂"}


def test_no_two_states_have_one_name():
    """Luong 2015 writes the encoder's states with a bar, Bahdanau 2015 the decoder's as s."""
    for config, names in ((LUONG, {"h̄₀", "h₀"}), (BAHDANAU, {"h₀", "s₀"})):
        assert names <= set(texts(network(recorded(config), config)))


def test_without_attention_one_arrow_leaves_the_source():
    trace = recorded(FIXED)
    for word in trace.words:
        step = [row for row in rows(network(trace, FIXED)) if row.get("width", 0) > 5 and row["step"] == word.t]
        assert len(step) == 1
    chart = network(trace, FIXED.set({"reverse": True}))  # then the first word is the last one to be read
    assert min(row["x"] for row in rows(chart) if row.get("width", 0) > 5) == min(
        row["x"] for row in rows(chart) if row.get("text") == "h₀"
    )
    assert "c" in texts(network(trace, FIXED))
    assert "weights" not in texts(network(trace, FIXED))


def test_a_decoder_without_a_context_has_none_in_the_figure():
    """Luong's base model: the source reaches the decoder through its initial state only."""
    base = PRESETS["luong-base"][0]
    assert Node.CONTEXT not in {quantity.node for quantity in step_graph(base).quantities}
    chart = network(recorded(base), base)
    assert not {"c", "context", "weights"} & set(texts(chart))
    assert not [tip for tip in tips(chart) if "context" in tip]
    assert max(row["width"] for row in rows(chart) if "x2" in row and "width" in row) < 5


def test_each_direction_of_the_encoder_has_its_arrows():
    trace = recorded(BAHDANAU)

    def between_states(config: ModelConfig) -> list[dict]:
        level = [row for row in rows(network(trace, config)) if "width" in row and row["step"] is None]
        return [row for row in level if row["y"] == row["y2"] and row["y"] > 300]

    one_way = BAHDANAU.set({"bidirectional": False, "encoder.hidden": 256})
    assert len(between_states(BAHDANAU)) == 2 * len(between_states(one_way)) == 2 * (len(trace.source) - 1)
    assert all(row["x"] < row["x2"] for row in between_states(one_way))
    assert all(row["x"] > row["x2"] for row in between_states(one_way.set({"reverse": True})))


@pytest.mark.parametrize("encoder", ["conv", "transformer"])
def test_an_encoder_without_recurrence_has_no_arrows_between_its_states(encoder):
    """Without attention the context is then the mean state, so that all words contribute equally."""
    config = LUONG.set({"encoder": encoder, "start": "mean"})
    chart = network(recorded(config), config)
    assert not [row for row in rows(chart) if "x2" in row and row["y"] == row["y2"] and row["y"] > 300]
    fixed = BAHDANAU.set({"encoder": encoder, "start": "mean", "score": None})
    trace = recorded(fixed, words=(["eins", "zwei"], ["one"]))
    arrows = [row for row in rows(network(trace, fixed)) if "x2" in row and row["y"] > CONTEXTS and row["step"] == 0]
    assert [row["width"] for row in arrows] == [5.5, 5.5]


def test_only_the_words_of_other_steps_are_pale():
    trace = recorded(BAHDANAU, words=(["eins"], ["one", "more", "</s>"]))
    assert texts(network(trace, BAHDANAU, 1)).count("more") == 1


def test_a_trace_that_cannot_be_drawn_is_an_error():
    trace = recorded(LUONG)
    with pytest.raises(ValueError, match="first must be a step from 0 to 6, not 7"):
        network(trace, LUONG, 7)
    for looks, config in ((2, LUONG), (1, ModelConfig.of(**TRANSFORMER, tied=False))):
        with pytest.raises(ValueError, match="has several heads"):
            network(traces.make("global", looks=looks), config)
    nothing = Trace(trace.model, trace.settings, trace.source, (), trace.memory, ())
    with pytest.raises(ValueError, match="the trace has no words"):
        network(nothing, LUONG)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (LUONG.set({"score": "dot"}), "score dot, but the trace of luong-general-global has general"),
        (FIXED, "score None, but the trace of luong-general-global has general"),
        (BAHDANAU.set({"score": "general"}), "order attend-then-update, but the trace .* has update-then-attend"),
        (LUONG.set({"feeding": True}), "feeding True, but the trace .* has False"),
    ],
)
def test_a_config_of_another_model_is_refused(config, said):
    with pytest.raises(ValueError, match=f"config belongs to another model: it has {said}"):
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
    marks = [Text(10, 10, "always"), Text(10, 30, "second", step=1), Text(10, 50, "not second", but=1), Box(5, 5)]
    assert texts(sketch(marks, 60, 60, 3, 0)) == ["always", "not second"]
    assert texts(sketch(marks, 60, 60, 3, 1)) == ["always", "second"]
    slider = sketch(marks, 60, 60, 3).to_dict()["params"][0]["bind"]
    assert (slider["min"], slider["max"]) == (0, 2)
    assert "bind" not in sketch(marks, 60, 60, 1).to_dict()["params"][0]


@pytest.mark.parametrize(
    ("word", "pixels", "seen"), [("hund", 60, "hund"), ("straßenbahn", 60, "straßen…"), ("ab", 1, "ab")]
)
def test_long_words_are_cut(word, pixels, seen):
    assert short(word, pixels) == seen


def test_small_heatmaps_stand_under_their_names():
    one, two = traces.make("global"), traces.make("global", looks=2)
    page = svg(heatmaps({"first": one, "second": two}))
    assert {"first", "second"} <= set(re.findall(r"<text[^>]*>([^<]*)</text>", page))
    assert len(re.findall(r'aria-roledescription="rect mark"', page)) == 2 * len(one.source) * len(one.target)
    heads = heatmaps({"head 0": two, "head 1": two}, look=(0, 1)).to_dict()["concat"]
    shown = [[row["weight"] for row in chart["data"]["values"]] for chart in heads]
    assert shown == [two.weights(look).flatten().tolist() for look in (0, 1)]


def test_heatmaps_that_cannot_be_drawn_are_errors():
    with pytest.raises(ValueError, match="traces must not be empty"):
        heatmaps({})
    with pytest.raises(ValueError, match="has no attention"):
        heatmaps({"fixed": traces.make(None)})
    with pytest.raises(ValueError, match="one for each of 1 traces, not 2"):
        heatmaps({"one": traces.make("global", looks=2)}, look=(0, 1))
