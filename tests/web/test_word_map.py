"""The heatmap by words, where a vocabulary has word pieces: what is joined, and by which rule."""

import json

import pytest
from playwright.sync_api import expect

from attn_core.figures.cells import cells, steps
from attn_core.figures.words import joined_cells, joined_steps
from attn_core.trace import dump
from tests.helpers.javascript import settle
from tests.helpers.numbers import number
from tests.web import traces

SOURCE = ["▁die", "▁kirch", "platz", "uhr", "▁."]
TARGET = ["▁the", "▁clock", "s", "▁.", "</s>"]
PIECES = SOURCE, TARGET

JOIN = """((trace) => {
  const shown = js.readable(trace), words = js.wordsOfPieces(trace);
  const choices = { look: null, heat: "weights", eos: input.eos, step: input.step };
  const view = js.viewOf(shown, choices, js.rowsOf(shown, null), "light");
  const joined = js.viewByWords(view, words, js.joinedRows(view.rows, words));
  return {
    words, pieces: view.rows, rows: joined.rows, targets: joined.targets, step: joined.look.step,
    labels: js.labelsOf(joined.look.source, undefined, joined.look.words).map(({ text, at }) => [text, at]),
    opened: js.openedNumber(view, words, { row: 1, column: 1 }),
  };
})(input.trace)"""


def joined(run_js, *, eos=True, step=0, **made):
    trace = json.loads(dump(traces.make(words=PIECES, **made)))
    return run_js(JOIN, {"trace": trace, "eos": eos, "step": step})


def test_words_are_those_that_the_tokenizer_marks(run_js):
    found = joined(run_js)
    assert found["words"]["source"] == [
        {"text": "die", "first": 0, "count": 1},
        {"text": "kirchplatzuhr", "first": 1, "count": 3},
        {"text": ".", "first": 4, "count": 1},
    ]
    assert found["labels"] == [["die", 0], ["kirchplatzuhr", 1], [".", 2]]  # a column each
    assert found["targets"] == ["the", "clocks", ".", "</s>"]
    assert [word["first"] for word in found["words"]["target"]] == [0, 1, 3, 4]


def test_tokens_that_are_words_are_not_joined(run_js):
    words = "js.wordsOfPieces({ source: input, steps: input.map((token) => ({ token })) })"
    assert run_js(words, ["ein", "hund", "·", "</s>"]) is None
    assert run_js(words, list("我喜歡狗。")) is None  # characters
    assert run_js(words, ["▁ein", "▁hund", "</s>"]) is None  # of pieces, but each word has one


def test_source_pieces_are_summed_and_target_pieces_averaged(run_js):
    rows = [
        {"weights": row, "alignment": row, "span": {"lo": 0, "hi": 2}, "center": None}
        for row in ([0.5, 0.25, 0.25], [0.0, 0.75, 0.25])
    ]
    words = {"source": [{"first": 0, "count": 1}, {"first": 1, "count": 2}], "target": [{"first": 0, "count": 2}]}
    (row,) = run_js("js.joinedRows(...input)", [rows, words])
    assert row["weights"] == row["alignment"] == [0.25, 0.75]  # (0.5 + 0) / 2, ((0.25 + 0.25) + (0.75 + 0.25)) / 2
    assert (row["scores"], row["gaussian"]) == ([], [])  # which belong to pieces


@pytest.mark.parametrize("window", ["local-p", "local-m", "global"])
def test_a_joined_row_adds_up_to_the_mean_of_its_pieces(run_js, window):
    found = joined(run_js, window=window)
    totals = [sum(row["weights"]) for row in found["pieces"]]
    by_hand = [totals[0], (totals[1] + totals[2]) / 2, totals[3], totals[4]]
    assert [sum(row["weights"]) for row in found["rows"]] == pytest.approx(by_hand)


def test_a_window_lies_between_words_as_between_their_pieces(run_js):
    """The second word has three pieces, a third of its width each; p_t = 2 is its middle."""
    rows = [
        {"weights": [0] * 5, "alignment": [0] * 5, "span": span, "center": center}
        for span, center in (({"lo": 0, "hi": 1}, 2), ({"lo": 2, "hi": 4}, 4.2), (None, None))
    ]
    source = [{"first": 0, "count": 1}, {"first": 1, "count": 3}, {"first": 4, "count": 1}]
    single = [{"first": i, "count": 1} for i in range(3)]
    first, second, nowhere = run_js("js.joinedRows(...input)", [rows, {"source": source, "target": single}])
    assert first["span"] == pytest.approx(
        {"lo": 0, "hi": 1 / 3}
    )  # the right edge of column hi is hi + 1: a third of the word
    assert first["center"] == pytest.approx(1)
    assert second["span"] == pytest.approx({"lo": 1 + 1 / 3, "hi": 2})
    assert second["center"] == pytest.approx(2.2)
    assert (nowhere["span"], nowhere["center"]) == (None, None)
    (both,) = run_js("js.joinedRows(...input)", [rows, {"source": source, "target": [{"first": 0, "count": 3}]}])
    assert both["span"] == pytest.approx({"lo": 0, "hi": 2})
    assert both["center"] == pytest.approx(1.6)


def test_the_row_of_a_word_is_that_of_each_of_its_steps(run_js):
    assert [joined(run_js, step=step)["step"] for step in range(5)] == [0, 1, 1, 2, 3]
    assert joined(run_js, eos=False)["targets"] == ["the", "clocks", "."]


def test_a_cell_opens_the_largest_number_of_its_word_at_the_first_step(run_js):
    found = joined(run_js, window="global")
    weights = found["pieces"][1]["weights"]
    assert found["opened"] == {"key": "weights", "place": max((1, 2, 3), key=weights.__getitem__), "row": 1}


@pytest.mark.parametrize("window", ["global", "local-m", "local-p"])
def test_the_figures_of_python_join_the_same_words(run_js, window):
    rows = joined(run_js, window=window)["rows"]
    made = traces.make(window, PIECES)
    for part, name in (("weights", "weight"), ("alignment", "alignment")):
        drawn = [[0.0] * len(row[part]) for row in rows]
        for cell in joined_cells(cells(made), SOURCE, TARGET):
            drawn[cell["target_position"]][cell["source_position"]] = cell[name]
        assert drawn == [pytest.approx(row[part], abs=1e-5) for row in rows]
    centers = [step["center"] for step in joined_steps(steps(made), SOURCE, TARGET)]
    assert centers == [None if row["center"] is None else pytest.approx(row["center"], abs=1e-5) for row in rows]


@pytest.mark.browser
def test_the_heatmap_is_by_words_and_its_pieces_one_switch_away(hosted):
    made = traces.make("global", PIECES)
    page = hosted(made, width=1280, height=900)
    row, switch = page.locator(".ap-row"), page.get_by_role("checkbox", name="pieces")
    note = page.get_by_text("Weights of a source word’s pieces are summed")
    expect(note).to_be_visible()
    page.locator(".ap").press("ArrowRight")
    settle(page)
    box = row.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".ap-count")).to_have_text("step 2 of 5")
    tip = page.locator(".ap-tip")
    expect(tip.locator(".ap-tip-pair")).to_have_text("clocks ← kirchplatzuhr")
    expect(tip).to_contain_text("position 1–3 (from 0)")
    expect(tip).to_contain_text("sum over 3 pieces, mean of 2 steps")
    weights = made.weights()
    by_hand = weights[1:3, 1:4].sum().item() / 2
    assert number(tip.locator("[data-name=weights]").inner_text()) == pytest.approx(by_hand, abs=6e-4)
    page.mouse.click(box["x"] - 20, box["y"] + 1.5 * box["height"])  # the next word, after two steps
    expect(page.locator(".ap-count")).to_have_text("step 4 of 5")
    switch.check()
    expect(note).to_be_hidden()
    settle(page)
    box = row.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(tip.locator(".ap-tip-pair")).to_have_text(". ← ·platz")


@pytest.mark.browser
def test_weights_of_pieces_are_set_by_hand(hosted):
    page = hosted(traces.make("global", PIECES), {"paint": True}, width=1280, height=900)
    switch = page.get_by_role("checkbox", name="pieces")
    expect(switch).to_be_checked()
    expect(switch).to_be_disabled()
    box = page.locator(".ap-row").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".ap-tip-pair")).to_have_text("the ← ·platz")


@pytest.mark.browser
@pytest.mark.parametrize("level", ["story", "workbench"])
def test_each_level_has_one_switch(hosted, level):
    page = hosted(traces.make("global", PIECES), {"level": level}, width=1280, height=900)
    expect(page.locator(".ap-by-pieces")).to_have_count(1)
    page.get_by_role("checkbox", name="pieces").check()
    expect(page.locator(".ap-joined")).to_be_hidden()


@pytest.mark.browser
def test_a_translation_of_whole_words_has_no_switch(hosted):
    page = hosted(traces.make("global"))
    expect(page.locator(".ap-by-pieces")).to_be_hidden()
    expect(page.locator(".ap-joined")).to_be_hidden()
