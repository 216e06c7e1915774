"""The window: every move of D, σ or p_t is decoded at once, as Python decodes it with the same numbers."""

import re
from math import exp, floor

import pytest
from playwright.sync_api import expect

from attn_core import translate
from tests.helpers.explorer import ExplorerPage, Name, Says, as_shown

TEXT = "Ein Mädchen versucht, mit der Hand einen Fisch zu fangen."
LOCAL_P, LOCAL_M, GLOBAL = "luong-general-local-p", "luong-general-local-m", "luong-general-global"


@pytest.mark.parametrize("width", [0, 1, 8])
def test_each_width_is_decoded_at_once(explorer: ExplorerPage, model, width):
    explorer.open({"text": TEXT, "model": LOCAL_P})
    explorer.slider(Name.D).fill(str(width))
    trace = translate(model(LOCAL_P), TEXT, half_width=width)
    explorer.expect_translated(model(LOCAL_P), trace)
    explorer.expect_in_link(D=width, sigma=None)
    expect(explorer.badge).to_have_text(Says.DECODED)
    expect(explorer.window).to_contain_text(Says.INTERVENTION.format(window="local-p, D = 4, σ = 2"))
    explorer.show_tables()
    explorer.expect_matrix(as_shown(trace))
    explorer.button(Name.RESET_WINDOW).click()
    explorer.expect_translated(model(LOCAL_P), translate(model(LOCAL_P), TEXT))
    expect(explorer.slider(Name.D)).to_have_value("4")
    explorer.expect_link({"text": TEXT, "model": LOCAL_P})


def test_the_keys_of_a_slider_move_the_window_not_the_step(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": LOCAL_P})
    explorer.slider(Name.D).press("ArrowLeft")
    explorer.expect_translated(model(LOCAL_P), translate(model(LOCAL_P), TEXT, half_width=3))
    expect(explorer.slider(Name.D)).to_have_value("3")
    explorer.slider(Name.D).press("Home")
    explorer.expect_translated(model(LOCAL_P), translate(model(LOCAL_P), TEXT, half_width=0))
    explorer.expect_step(0)


def test_sigma_is_set_apart_from_d_and_linked_to_it_again(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": LOCAL_P})
    link = explorer.button(Name.LINK_SIGMA)
    expect(link).to_have_attribute("aria-pressed", "true")
    explorer.slider(Name.D).fill("2")
    expect(explorer.slider(Name.SIGMA)).to_have_value("1")  # D / 2
    explorer.slider(Name.SIGMA).fill("0.5")
    explorer.show_tables()
    narrow = translate(model(LOCAL_P), TEXT, half_width=2, sigma=0.5)
    explorer.expect_translated(model(LOCAL_P), narrow)
    explorer.expect_matrix(as_shown(narrow))
    expect(link).to_have_attribute("aria-pressed", "false")
    explorer.expect_in_link(D=2, sigma=0.5)
    explorer.slider(Name.D).fill("3")
    explorer.expect_matrix(as_shown(translate(model(LOCAL_P), TEXT, half_width=3, sigma=0.5)))
    link.click()
    explorer.expect_matrix(as_shown(translate(model(LOCAL_P), TEXT, half_width=3)))
    expect(explorer.slider(Name.SIGMA)).to_have_value("1.5")
    explorer.expect_in_link(D=3, sigma=None)


def test_the_centre_of_one_step_is_set_and_reset(explorer: ExplorerPage, model):
    own = as_shown(translate(model(LOCAL_P), TEXT))
    explorer.open({"text": TEXT, "model": LOCAL_P, "step": 5})
    center = explorer.slider(Name.CENTER)
    assert float(center.input_value()) == pytest.approx(own["steps"][5]["center"], abs=0.026)
    center.fill("4.5")
    trace = translate(model(LOCAL_P), TEXT, centers={5: 4.5})
    explorer.expect_translated(model(LOCAL_P), trace)
    explorer.show_tables()
    explorer.expect_matrix(as_shown(trace))
    explorer.expect_in_link(p="5-4.5", D=4)
    explorer.expect_step(5)
    expect(explorer.window).to_contain_text(re.compile("Intervention: p.?t of 1 step is set by hand"))
    explorer.button(Name.RESET_CENTER).click()
    explorer.expect_translated(model(LOCAL_P), translate(model(LOCAL_P), TEXT))
    explorer.expect_matrix(own)
    explorer.expect_in_link(p=None)


def test_a_window_without_a_gaussian_removes_no_mass(explorer: ExplorerPage, model):
    trace = translate(model(LOCAL_M), TEXT)
    explorer.open({"text": TEXT, "model": LOCAL_M})
    explorer.expect_translated(model(LOCAL_M), trace)
    expect(explorer.window.get_by_text(Says.REMOVED_MASS)).to_be_hidden()
    for step in as_shown(trace)["steps"]:
        assert sum(step["looks"][0]["weights"]) == pytest.approx(1, abs=1e-5)
    explorer.slider(Name.D).fill("1")
    explorer.expect_translated(model(LOCAL_M), translate(model(LOCAL_M), TEXT, half_width=1))


def test_a_window_for_a_model_without_one_is_labelled_as_an_intervention(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": GLOBAL})
    expect(explorer.slider(Name.D)).to_be_hidden()
    expect(explorer.page.get_by_role("tab", name=Name.WINDOW_TAB)).to_have_count(0)
    explorer.button(Name.ADD_WINDOW).click()
    trace = translate(model(GLOBAL), TEXT, window="local-m", half_width=2)
    explorer.expect_translated(model(GLOBAL), trace)
    explorer.show_tables()
    explorer.expect_matrix(as_shown(trace))
    explorer.expect_in_link(model=GLOBAL, window="local-m", D=2)
    expect(explorer.chosen(Name.WINDOW)).to_have_text(Says.GIVEN_WINDOW.format(window="local-m"))
    expect(explorer.window).to_contain_text(Says.INTERVENTION_GLOBAL)
    expect(explorer.player.get_by_text(Says.STRANGE_WINDOW).first).to_be_visible()
    explorer.button(Name.RESET_WINDOW).click()
    explorer.expect_translated(model(GLOBAL), translate(model(GLOBAL), TEXT))
    expect(explorer.button(Name.ADD_WINDOW)).to_be_visible()
    explorer.expect_link({"text": TEXT, "model": GLOBAL})


def test_a_transformer_gets_no_window(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": "transformer"})
    expect(explorer.translation).not_to_be_empty()
    expect(explorer.button(Name.ADD_WINDOW)).to_be_hidden()


def test_words_and_states_are_kept_while_the_window_moves(explorer: ExplorerPage, model):
    trace = translate(model(LOCAL_P), TEXT)
    own, width, sigma = as_shown(trace), 1, 0.5
    explorer.open({"text": TEXT, "model": LOCAL_P, "step": 5})
    explorer.checkbox(Name.KEEP).check()
    explorer.slider(Name.D).fill(str(width))
    expect(explorer.badge).to_have_text(Says.KEPT)
    explorer.expect_translated(model(LOCAL_P), trace)
    explorer.expect_in_link(keep=1, D=width)
    rows = []
    for step in own["steps"]:
        (look,), center = step["looks"], step["center"]
        view = [s for s in range(len(own["source"])) if abs(s - floor(center)) <= width]
        total = sum(exp(look["scores"][s]) for s in view)
        bell = {s: exp(-((s - center) ** 2) / (2 * sigma**2)) for s in view}
        rows.append([exp(look["scores"][s]) / total * bell[s] if s in view else 0 for s in range(len(own["source"]))])
    explorer.show_tables()
    explorer.expect_rows(own["target"], rows)
    explorer.page.reload()
    explorer.settle()
    expect(explorer.badge).to_have_text(Says.KEPT)
    expect(explorer.checkbox(Name.KEEP)).to_be_checked()
    explorer.checkbox(Name.KEEP).uncheck()
    explorer.expect_translated(model(LOCAL_P), translate(model(LOCAL_P), TEXT, half_width=width))
    expect(explorer.badge).to_have_text(Says.DECODED)
    explorer.expect_in_link(keep=None, D=width)


def test_another_model_has_its_trained_window_and_another_sentence_keeps_the_window(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": LOCAL_P, "D": 1})
    explorer.sentence.fill("Alle Kinder lachen.")
    explorer.expect_translated(model(LOCAL_P), translate(model(LOCAL_P), "Alle Kinder lachen.", half_width=1))
    explorer.choose(Name.WINDOW, "local-m")
    explorer.expect_translated(model(LOCAL_M), translate(model(LOCAL_M), "Alle Kinder lachen."))
    expect(explorer.remarks).to_contain_text(Says.WINDOW_RESET)
    explorer.expect_in_link(D=None)
