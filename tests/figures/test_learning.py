"""The figure of trainings: its values are those of the record."""

import json

import pytest

from attn_core.figures import training_curves
from attn_core.palette import SERIES, SERIES_ON_DARK
from attn_core.training.course import Course, read
from tests.helpers.trainings import LINES, training


def traces(figure) -> dict[tuple[str | None, str], dict]:
    """The traces by training and curve, as JSON."""
    found = json.loads(figure.to_json())["data"]
    return {(trace.get("legendgroup"), trace["name"]): trace for trace in found}


def points(trace: dict) -> list[tuple]:
    return list(zip(trace["x"], trace["y"], strict=True))


def test_values_and_updates_are_those_of_the_record(tmp_path):
    found = traces(training_curves({"mine": read(training(tmp_path))}))
    assert {name: points(trace) for (_, name), trace in found.items()} == {
        "training loss": [(1, 3), (7, None), (14, 0.5)],
        "validation loss": [(7, 2.0), (14, None)],
        "BLEU": [(7, 10.5), (14, 40)],
        "exact": [(14, 25)],
        "mean largest weight": [(1, 75), (7, None)],
    }
    assert {name: trace["yaxis"] for (_, name), trace in found.items() if trace["yaxis"] == "y"} == {
        "training loss": "y",
        "validation loss": "y",
    }
    assert len({trace["line"]["color"] for trace in found.values()}) == 5


def test_each_point_says_when_it_was_measured(tmp_path):
    found = traces(training_curves({"mine": read(training(tmp_path))}))
    notes = {name: trace["customdata"] for (_, name), trace in found.items()}
    assert notes["validation loss"] == [", perplexity 7.39 after epoch 1", ""]
    assert notes["BLEU"] == [" after epoch 1", " after epoch 2"]
    assert notes["mean largest weight"] == [" after update 1", " after update 7"]


def test_the_axis_of_updates_is_logarithmic_and_shared_by_both_panels(tmp_path):
    layout = json.loads(training_curves({"mine": read(training(tmp_path))}).to_json())["layout"]
    assert layout["xaxis"]["type"] == "log"
    assert layout["xaxis"]["title"]["text"] == "update, log scale"
    assert (layout["hovermode"], layout["hoversubplots"]) == ("x unified", "axis")
    assert "xaxis2" not in layout
    assert layout["yaxis2"]["domain"][1] < layout["yaxis"]["domain"][0]


def test_several_trainings_differ_in_colour_and_their_curves_in_dashes(tmp_path):
    mine = read(training(tmp_path))
    found = traces(training_curves({"one": mine, "two": mine}))
    assert len(found) == 10
    for (name, _), trace in found.items():
        assert trace["line"]["color"] == SERIES[("one", "two").index(name)]
    styles = [(trace["yaxis"], trace["line"]["dash"], trace["marker"]["symbol"]) for trace in found.values()]
    assert len(set(styles)) == 5
    assert styles[:5] == styles[5:]


def test_if_one_training_has_no_snapshots_all_are_over_epochs(tmp_path):
    (tmp_path / "without").mkdir()
    courses = {"with": read(training(tmp_path)), "without": read(training(tmp_path / "without", snapshots=None))}
    figure = training_curves(courses)
    found = traces(figure)
    assert points(found["with", "training loss"]) == [(1 / 7, 3), (1, None), (2, 0.5)]
    assert points(found["with", "BLEU"]) == points(found["without", "BLEU"]) == [(1, 10.5), (2, 40)]
    assert points(found["without", "training loss"]) == [(1, 1.5), (2, 0.25)]
    assert figure.layout.xaxis.title.text == "epoch, log scale"


def test_light_and_dark_have_their_own_colours(tmp_path):
    course = read(training(tmp_path))
    light, dark = (training_curves({"mine": course}, dark=one) for one in (False, True))
    assert [trace.line.color for trace in light.data] == list(SERIES[:5])
    assert [trace.line.color for trace in dark.data] == list(SERIES_ON_DARK[:5])
    assert light.layout.paper_bgcolor != dark.layout.paper_bgcolor
    assert light.layout.font.color != dark.layout.font.color


def test_trainings_without_curves_are_an_error():
    with pytest.raises(ValueError, match="courses must not be empty"):
        training_curves({})
    with pytest.raises(ValueError, match="the training 'numbers' has neither a loss nor a score of a translator"):
        training_curves({"fine": Course(None, LINES), "numbers": Course(None, [{"epoch": 1, "mae": 3.0}])})
