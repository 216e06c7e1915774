"""The figure of one step's attention: numbers of the record, operations of the config."""

import re
from dataclasses import replace

import pytest
import torch

from attn_core.attention.attention import Attention
from attn_core.attention.scores import SCORES
from attn_core.attention.types import ATTENTION_TYPES
from attn_core.attention.windows import WINDOWS
from attn_core.figures import weighing
from attn_core.figures.made import Made, made
from attn_core.models.config import ModelConfig
from attn_core.trace import Look
from tests.helpers.drawn import rows, texts


def look_by_hand(query: list[float], states: list[list[float]], t: int = 0, window: str = "global", **variant):
    """The attention of one query by dot scores, with its context vector."""
    own = {name: variant.pop(name) for name in ("sigma", "gaussian") if name in variant}
    size, shape = (
        len(query),
        WINDOWS.build(window, len(query), **({} if window == "global" else {"half_width": 1}), **own),
    )
    attention = Attention(SCORES.build("dot", size, size), shape, **variant)
    mask = torch.ones(1, len(states), dtype=torch.bool)
    look = attention(torch.tensor([[query]]), attention.memory(torch.tensor([states]), mask), t=t)
    return look.map(lambda part: part[0, 0])


def test_a_look_is_written_out_and_its_parts_sum_to_the_context():
    states = [[1.0, 0.0], [0.0, 2.0]]
    chart = weighing(look_by_hand([1.0, 0.5], states), torch.tensor(states), ["a", "b"])
    written = texts(chart)
    # Scores 1 and 1: weights of 1/2, so the weighted states are (0.5, 0), (0, 1) and the context is (0.5, 1).
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
    cells = [row for row in rows(chart) if re.search(r", entry \d", row["tip"])]
    assert len(cells) == 5 * (1 + 3 + 3 + 1)
    blue, red = ({row["fill"] for row in cells if re.search(rf": {sign}\d", row["tip"])} for sign in ("", "-"))
    assert all(int(fill[1:3], 16) <= int(fill[5:], 16) for fill in blue)
    assert all(int(fill[1:3], 16) >= int(fill[5:], 16) for fill in red)


STATES_OF_FOUR = [[1.0, 0.0], [0.0, 2.0], [0.5, 0.5], [-1.0, 1.0]]
NAMES = ["a", "b", "c", "d"]
LOCAL, BELL = {"window": "local-m"}, {"window": "local-m", "sigma": 1.0}
HARD = {"type": "hard-argmax"}
# Ways to compute weights: settings, the numbers, and the text in the figure.
WAYS = {
    "window": (LOCAL, Made("softmax", "", False), {"softmax"}),
    "Gaussian": (BELL, Made("softmax", "after_softmax", False), {"softmax", "× Gaussian"}),
    "renorm": (
        BELL | {"gaussian": "renorm"},
        Made("softmax", "renorm", False),
        {"softmax", "× Gaussian", "= product", "divide by the sum"},
    ),
    "on_scores": (
        BELL | {"gaussian": "on_scores"},
        Made("softmax", "on_scores", False),
        {"softmax", "× Gaussian", "= product"},
    ),
    "sparsemax": ({"normalizer": "sparsemax"}, Made("sparsemax", "", False), {"sparsemax"}),
    "hard": (HARD, Made("softmax", "", True), {"softmax", "choose one position", "soft weights"}),
    "hard, Gaussian": (
        BELL | HARD,
        Made("softmax", "after_softmax", True),
        {"softmax", "× Gaussian", "= soft weights", "choose one position"},
    ),
    "hard, renorm": (
        BELL | HARD | {"gaussian": "renorm"},
        Made("softmax", "renorm", True),
        {"softmax", "× Gaussian", "= product", "divide by the sum", "soft weights", "choose one position"},
    ),
}
SAID = set().union(*(said for _, _, said in WAYS.values()))


def told(settings: dict) -> tuple[Look, ModelConfig]:
    """The attention with these settings, D = 1, and the config with them."""
    made_with = {name: value for name, value in settings.items() if name != "type"}
    if "type" in settings:
        made_with["attention_type"] = ATTENTION_TYPES[settings["type"]]()
    return look_by_hand([1.0, 0.5], STATES_OF_FOUR, t=1, **made_with), ModelConfig.of(
        settings | ({"half_width": 1} if "window" in settings else {})
    )


@pytest.mark.quick(4)
@pytest.mark.parametrize("way", WAYS)
def test_what_the_scores_went_through_is_written(way):
    settings, wanted, said = WAYS[way]
    look, config = told(settings)
    assert made(look, config) == wanted
    written = texts(weighing(look, torch.tensor(STATES_OF_FOUR), NAMES, config))
    assert SAID & set(written) == said
    assert all(f"{weight:.2f}" in written for weight in look.weights[look.focus.inside].tolist())


@pytest.mark.parametrize(
    ("way", "other"),
    [
        *(("window", "sparsemax"), ("sparsemax", "window"), ("window", "hard"), ("hard", "window")),
        *(("Gaussian", "window"), ("Gaussian", "renorm"), ("Gaussian", "on_scores"), ("Gaussian", "hard, Gaussian")),
        *(("renorm", "Gaussian"), ("renorm", "on_scores"), ("on_scores", "renorm"), ("on_scores", "window")),
    ],
)
def test_a_config_that_gives_other_weights_is_refused(way, other):
    look, config = told(WAYS[way][0])[0], told(WAYS[other][0])[1]
    with pytest.raises(ValueError, match="do not follow from its scores with this config"):
        made(look, config)


def test_what_gives_the_same_numbers_is_called_as_the_config_says():
    """A single word in view gets all the weight, whatever the settings."""
    look = look_by_hand([1.0], [[2.0]])
    for normalizer in ("softmax", "sparsemax"):
        for kind in ATTENTION_TYPES:
            config = ModelConfig.of(normalizer=normalizer, type=kind)
            assert made(look, config) == Made(normalizer, "", kind != "soft")


def test_a_place_that_was_drawn_need_not_be_the_largest_but_in_view():
    look, config = told(LOCAL)  # D = 1: the last word is out, and the first two have the largest weight
    third, last = (replace(look, weights=torch.eye(4)[place]) for place in (2, 3))
    assert made(third, config.set({"type": "hard-sample"})).hard
    for drawn, kind in ((third, "hard-argmax"), (last, "hard-sample")):
        with pytest.raises(ValueError, match=f"attention.type={kind}"):
            made(drawn, config.set({"type": kind}))


def test_what_is_out_of_view_has_no_weight_and_no_arrow():
    look, config = told(LOCAL)  # D = 1: the last word is out
    chart = weighing(look, torch.tensor(STATES_OF_FOUR), NAMES, config)
    assert texts(chart).count("–") == 1
    places = sorted({row["x"] for row in rows(chart) if row.get("text") in NAMES})
    below = [row["x"] for row in rows(chart) if "width" in row and row["y"] > 130 and row["x"] == row["x2"]]
    assert set(below) == set(places[:3])


def test_where_nothing_is_in_view_nothing_is_weighed():
    look = look_by_hand([1.0, 0.5], STATES_OF_FOUR, t=9, window="local-m")  # clamped
    empty = replace(look, focus=replace(look.focus, inside=look.focus.inside & False), alignment=look.alignment * 0)
    empty = replace(empty, weights=look.weights * 0, context=look.context * 0)
    for kind in ATTENTION_TYPES:
        chart = weighing(empty, torch.tensor(STATES_OF_FOUR), NAMES, ModelConfig.of(**LOCAL, type=kind))
        assert "no position is in view" in texts(chart)


def test_slots_beyond_the_sentence_take_part():
    score = SCORES.build("location", 2, 2, width=9, unmasked_fixed=True)
    attention, states = Attention(score, WINDOWS.build("global", 2)), torch.tensor([STATES_OF_FOUR])
    look = attention(torch.ones(1, 1, 2), attention.memory(states, torch.ones(1, 4, dtype=torch.bool)), 0)
    look = look.map(lambda part: part[0, 0].detach())
    config = ModelConfig.of(score="location", unmasked_fixed=True)
    assert made(look, config) == Made("softmax, including other slots", "", False)
    chart = weighing(look, states[0], NAMES, config)
    assert "softmax, including other slots" in texts(chart)


def test_the_states_are_compared_with_the_query_unless_the_score_reads_none():
    look, config = told({})

    def into_scores(score: str) -> int:
        drawn = rows(weighing(look, torch.tensor(STATES_OF_FOUR), NAMES, config.set({"score": score})))
        (scores,) = [row["y"] for row in drawn if row.get("text") == "scores"]
        return len([row for row in drawn if "width" in row and row["y"] < scores])

    # Two lines lead from the query along the positions, an arrow into each of the four scores; the states have four.
    assert (into_scores("dot"), into_scores("location")) == (2 + 4 + 4, 2 + 4)


def test_a_look_that_cannot_be_drawn_is_refused():
    look, states = look_by_hand([1.0], [[1.0], [2.0]]), torch.tensor([[1.0], [2.0]])
    with pytest.raises(ValueError, match="a word for each of 2 states, not 1 words"):
        weighing(look, states, ["a"])
    with pytest.raises(ValueError, match="a key for each of 2 states, not 1 keys"):
        weighing(look, states, ["a", "b"], keys=states[:1])
    with pytest.raises(ValueError, match="a state for each of the look's 2 scores, not 3"):
        weighing(look, torch.ones(3, 1), ["a", "b", "c"])
    with pytest.raises(ValueError, match="size of the look's context, 1, not 2"):
        weighing(look, torch.ones(2, 2), ["a", "b"])
    with pytest.raises(ValueError, match="the weighted sum of the states is not the look's context"):
        weighing(look, 2 * states, ["a", "b"])
    with pytest.raises(ValueError, match="expected a single look, not 3 x 1"):
        weighing(look.map(lambda part: part.expand(3, 1, *part.shape)), states, ["a", "b"])
    other = torch.tensor([0.5, 0.5])
    with pytest.raises(ValueError, match=r"with this config \(normalizer=softmax, no Gaussian, attention.type=soft"):
        weighing(replace(look, weights=other, context=other @ states), states, ["a", "b"])
    with pytest.raises(ValueError, match="the location score does not use keys: omit keys"):
        weighing(look, states, ["a", "b"], ModelConfig.of(score="location"), keys=states)
