"""The beam behind a translation, and the maps of translations over two settings."""

import re

import pytest
from playwright.sync_api import expect

from attn_core import translate
from attn_core.decoding.beam import beam_search
from attn_core.decoding.translate import text_of
from tests.helpers.explorer import ExplorerPage, Name, as_shown, number

TEXT = "Ein Mädchen versucht, mit der Hand einen Fisch zu fangen."
SHORT = "Alle Kinder lachen."
BALL = "Ein Junge hebt einen gelben Ball auf."
LOCAL_P = "luong-general-local-p"

RULES = {
    "log p per word": ("length", lambda total, words: total / words),
    "log p": ("none", lambda total, words: total),
    "length-penalised (Wu 2016)": ("wu", lambda total, words: 6 * total / (5 + words)),
}


def _finished(explorer: ExplorerPage) -> list[tuple[str, int, float, float]]:
    """The finished hypotheses: words, their number, log p, score."""
    table = explorer.beam.get_by_role("group", name=Name.FINISHED).get_by_role("table")
    rows = [line.split("\t") for line in table.inner_text().splitlines() if line][1:]
    return [(words, int(count), number(total), number(score)) for words, count, total, score in rows]


@pytest.mark.parametrize("rule", RULES)
def test_the_finished_hypotheses_are_ranked_by_the_rule(explorer: ExplorerPage, model, rule):
    name, score = RULES[rule]
    explorer.open({"text": TEXT, "model": LOCAL_P, "beam": 5})
    expect(explorer.beam).to_be_visible()
    explorer.menu(Name.RANK_BY).select_option(label=rule)
    trace = translate(model(LOCAL_P), TEXT, beam=5, normalise=name)
    explorer.expect_translated(model(LOCAL_P), trace)
    explorer.expect_in_link(normalise=None if name == "length" else name)
    words = " ".join(as_shown(trace)["target"])
    explorer.eventually(lambda: _first(explorer, words))
    found = _finished(explorer)
    source = model(LOCAL_P).source_ids(model(LOCAL_P).source.tokens(TEXT))
    assert len(found) == len(beam_search(model(LOCAL_P), [source], 5, normalise=name).hypotheses[0]) > 1
    for hypothesis, count, total, shown in found:
        assert count == len(hypothesis.split())
        assert shown == pytest.approx(score(total, count), abs=0.006)
    scores = [shown for *_, shown in found]
    assert scores == sorted(scores, reverse=True)
    assert found[0][2] == pytest.approx(sum(step["log_prob"] for step in as_shown(trace)["steps"]), abs=0.006)
    best = f"{len(trace.target)} steps; the best hypothesis is: {words}"
    expect(explorer.beam.get_by_role("img", name=best, exact=True)).to_be_visible()


def _first(explorer: ExplorerPage, words: str) -> None:
    assert _finished(explorer)[0][0] == words


def test_a_hypothesis_shows_its_last_word_and_leads_to_its_step(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": LOCAL_P, "beam": 3})
    words, count, total, _ = _finished(explorer)[1]
    row = explorer.beam.get_by_role("button", name=words, exact=True)
    row.focus()
    expect(explorer.beam.get_by_role("status")).to_have_text(re.compile(rf"^“{re.escape(words)}”: log p = "))
    assert f"{total:.2f}".replace("-", "−") in explorer.beam.get_by_role("status").inner_text()
    row.click()
    explorer.expect_step(min(count, int(explorer.step_slider.get_attribute("max")) + 1) - 1)


def test_greedy_search_has_no_tree(explorer: ExplorerPage):
    explorer.open({"text": SHORT, "model": LOCAL_P})
    expect(explorer.translation).not_to_be_empty()
    expect(explorer.beam).to_be_hidden()


def _cells(explorer: ExplorerPage, title: str) -> dict[tuple[str, str], tuple[str, str, float]]:
    """The letter, translation and log p per word of each cell of a map, by the values of its row and column."""
    cells = explorer.page.get_by_role("group", name=title).get_by_role("button")
    labels = cells.evaluate_all("cells => cells.map((cell) => cell.getAttribute('aria-label'))")
    found = [re.fullmatch(r"([A-Z]+): .+? = (.+?), .+? = (.+?): (.*) \((.+)\)", label or "") for label in labels]
    return {(one[2], one[3]): (one[1], one[4], number(one[5])) for one in found if one}


def test_a_map_of_windows_has_the_translation_of_each_d_and_sigma(explorer: ExplorerPage, model):
    explorer.open({"text": BALL, "model": LOCAL_P})
    source = translate(model(LOCAL_P), BALL).source
    explorer.open_tab(Name.WINDOW_TAB)
    count = 10 * len(source)
    done = re.compile(rf"^(\d+ distinct translations in|All) {count} cells")
    expect(explorer.page.get_by_role("status").filter(has_text=done)).to_be_visible()
    found = _cells(explorer, Name.WINDOW_MAP)
    assert len(found) == count
    for sigma, width in (("5", "0"), ("0.5", "1"), ("2", "3")):
        trace = translate(model(LOCAL_P), BALL, half_width=int(width), sigma=float(sigma))
        _letter, text, score = found[sigma, width]
        assert text == text_of(model(LOCAL_P), trace)
        assert score == pytest.approx(trace.log_prob / len(trace.words), rel=5.1e-3)  # three digits
    letters = {text: letter for letter, text, _score in found.values()}
    assert all(letters[text] == letter for letter, text, _score in found.values())
    assert len(set(letters.values())) == len(letters) > 1  # one letter for each translation
    cell = explorer.page.get_by_role("button", name=re.compile(r"^[A-Z]+: σ = 0\.5, D = 1: "))
    cell.click()
    explorer.expect_translated(model(LOCAL_P), translate(model(LOCAL_P), BALL, half_width=1, sigma=0.5))
    explorer.expect_in_link(D=1, sigma=0.5)
    cell.press("ArrowRight")
    expect(explorer.page.get_by_role("button", name=re.compile(r"^[A-Z]+: σ = 0\.5, D = 2: "))).to_be_focused()
    explorer.expect_step(0)  # the arrow key is the map's


def test_a_map_of_beams_has_the_translation_of_each_width_and_rule(explorer: ExplorerPage, model):
    explorer.open({"text": SHORT, "model": LOCAL_P})
    explorer.open_tab(Name.BEAM_TAB)
    done = re.compile(r"^(\d+ distinct translations in|All) 18 cells")
    expect(explorer.page.get_by_role("status").filter(has_text=done)).to_be_visible()
    found = _cells(explorer, Name.BEAM_MAP)
    assert {beam for _, beam in found} == {"1", "2", "3", "5", "8", "12"}
    for rule, (name, _) in RULES.items():
        trace = translate(model(LOCAL_P), SHORT, beam=5, normalise=name)
        assert found[rule, "5"][1] == text_of(model(LOCAL_P), trace)
    explorer.page.get_by_role("button", name=re.compile(r"^[A-Z]+: ranking = log p, beam = 8: ")).click()
    explorer.expect_in_link(beam=8, normalise="none")
    explorer.open_tab(Name.TREE_TAB)
    expect(explorer.beam).to_be_visible()
