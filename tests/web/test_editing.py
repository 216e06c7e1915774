"""What painting a weight and choosing a word do to the edits of a sentence, in plain node."""

from typing import Any

import pytest

from attn_core.web import bundle
from tests.helpers.javascript import evaluator

ROW = [0.5, 0.3, 0.2]
ALL = {"layer": None, "head": None}
NEW = {"edits": [], "stroke": None}


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    return evaluator(node, tmp_path_factory.mktemp("editing"), (bundle.PLAYER.parent / "state" / "editing.js",))


def trace(*heads: list[float], steps: int = 2, hard: bool = False) -> dict[str, Any]:
    """The same weights at each step; heads count on in layer 0."""
    looks = [
        {"layer": 0, "head": head, "weights": weights, "alignment": [0.4] * 3 if hard else weights}
        for head, weights in enumerate(heads)
    ]
    top = [["a", -0.1], ["b", -2.0]]
    return {"settings": {}, "steps": [{"token": "a", "top": top, "looks": looks} for _ in range(steps)]}


def weights(row: list[float], step: int = 1, layer: int | None = None, head: int | None = None) -> dict[str, Any]:
    return {"kind": "weights", "step": step, "layer": layer, "head": head, "weights": row}


def at(step: int = 1, layer: int | None = None, head: int | str | None = None) -> dict[str, Any]:
    return {"step": step, "layer": layer, "head": head}


def painted(run_js, shown: dict[str, Any], *acts: dict[str, Any]) -> list[Any]:
    """The rows of the edits, the word painted last and whether those before can be restored, after each of the acts."""
    script = """((given) => input[1].map((painted) => {
        const { edits, stroke, keepsHistory } = js.paintedEdits(given, painted);
        given = { ...given, edits, stroke };
        return [edits.map(({ weights }) => weights), stroke && stroke.place, keepsHistory];
    }))(input[0])"""
    return run_js(script, [NEW | {"trace": shown, "at": at()}, acts])


def moved(place: int, weight: float | None, phase: str = "move", **more: Any) -> dict[str, Any]:
    return {"place": place, "weight": weight, "phase": phase} | more


def test_a_drag_keeps_the_ratios_at_its_start_and_is_one_change(run_js):
    """Down to 0 and up again, the other weights are as they were: 0.3 and 0.2 are 3 : 2."""
    acts = [moved(0, 1, "start"), moved(0, 0), moved(0, 0.5), moved(0, 0, "end"), moved(0, 0.75)]
    assert painted(run_js, trace(ROW), *acts) == [
        [[[1, 0, 0]], 0, True],
        [[[0, 0.6, 0.4]], 0, False],
        [[ROW], 0, False],
        [[ROW], 0, False],
        [[[0.75, 0.15, 0.1]], 0, True],  # another drag
    ]


def test_a_drag_at_another_step_begins_with_the_weights_there(run_js):
    first, *_ = run_js("[js.paintedEdits(...input)]", [NEW | {"trace": trace(ROW), "at": at(0)}, moved(0, 1)])
    given = {"edits": first["edits"], "stroke": first["stroke"], "trace": trace(ROW), "at": at(1)}
    second = run_js("js.paintedEdits(...input)", [given, moved(1, 0.8)])
    assert second["edits"] == [weights([1, 0, 0], 0), weights([0.1429, 0.8, 0.0571])]
    assert second["keepsHistory"]
    assert second["stroke"]["start"] == at(1) | {"row": ROW}


def test_a_missing_end_of_a_drag_does_not_join_the_next_one(run_js):
    acts = [moved(0, 1, "start"), moved(1, 0.5, "start")]
    assert painted(run_js, trace(ROW), *acts) == [[[[1, 0, 0]], 0, True], [[[0.5, 0.5, 0]], 1, True]]


def test_a_clicked_word_gets_all_the_weight(run_js):
    assert painted(run_js, trace(ROW), moved(2, None, "end")) == [[[[0, 0, 1]], 2, True]]


def test_painted_cells_share_the_weight(run_js):
    acts = [moved(1, None, "start", places=[0, 1]), moved(2, None, places=[0, 1, 2]), moved(2, 0, "end")]
    third = [0.3334, 0.3333, 0.3333]
    assert [[sorted(rows[0], reverse=True), *rest] for rows, *rest in painted(run_js, trace(ROW), *acts)] == [
        [[0.5, 0.5, 0], 1, True],
        [third, 2, False],
        [third, 2, False],
    ]


def test_hard_attention_has_all_its_weight_on_one_word(run_js):
    acts = [moved(1, 0.4, "start"), moved(1, 0.7), moved(1, 0, "end"), moved(2, None, "start", places=[1, 2])]
    assert painted(run_js, trace([1, 0, 0], hard=True), *acts) == [
        [[[0, 1, 0]], 1, True],
        [[[0, 1, 0]], 1, False],
        [[[0, 1, 0]], 1, False],
        [[[0, 0, 1]], 2, True],
    ]


def test_a_model_without_attention_has_no_weights_to_paint(run_js):
    assert painted(run_js, trace(), moved(0, 1, "start")) == [[[], None, False]]


FLAT = [0.4, 0.3, 0.3]


@pytest.mark.parametrize(
    ("edits", "place", "edited"),
    [
        ([], at(1, 0, 1), {"layer": 0, "head": 1, "row": FLAT}),
        ([], at(1, None, "mean"), ALL | {"row": [0.45, 0.3, 0.25]}),
        ([weights([0, 1, 0])], at(1, 0, 1), {"layer": 0, "head": 1, "row": [0, 1, 0]}),  # set for all heads
        ([weights([0, 1, 0], 1, 0, 0)], at(1, 0, 1), {"layer": 0, "head": 1, "row": FLAT}),
        ([weights([0, 1, 0], 0)], at(1, 0, 1), {"layer": 0, "head": 1, "row": FLAT}),
        ([weights([0, 1, 0])], at(1, None, "mean"), ALL | {"row": [0, 1, 0]}),
        ([weights([0, 1, 0]), weights([1, 0, 0], 1, 0, 0)], at(1, None, "mean"), ALL | {"row": [0.45, 0.3, 0.25]}),
        ([], at(1), {"layer": 0, "head": 0, "row": ROW}),  # the clearest head; of two that are as clear, the first
        ([], at(9, 0, 1), None),
    ],
)
def test_an_edit_is_of_the_head_on_show_with_its_latest_weights(run_js, edits, place, edited):
    found = run_js("js.editedHead(input)", {"edits": edits, "trace": trace(ROW, FLAT), "at": place})
    assert found == (edited and edited | {"row": pytest.approx(edited["row"])})


def test_a_word_is_chosen_and_given_back(run_js):
    edits = [weights(ROW), {"kind": "word", "step": 1, "word": "a"}]
    assert run_js("js.wordEdit(...input)", [edits, 1, "b"]) == [edits[0], edits[1] | {"word": "b"}]
    assert run_js("js.wordEdit(...input)", [edits, 1, ""]) == edits[:1]
    assert run_js("js.wordEdit(...input)", [[], 0, "b"]) == [{"kind": "word", "step": 0, "word": "b"}]


def test_a_next_word_is_known_by_its_rank_unless_it_is_the_word_already(run_js):
    shown = trace(ROW)
    words = run_js(
        "input[1].map(([step, rank]) => js.wordOfRank(input[0], step, rank))", [shown, [[0, 0], [0, 1], [0, 5], [7, 0]]]
    )
    assert words == [None, "b", None, None]
