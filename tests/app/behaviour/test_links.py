"""The view is in the address: a link reopens it, and Back and Forward return to it."""

import re

import pytest
from playwright.sync_api import expect

from app.service import first
from attn_core import translate
from tests.helpers.explorer import ExplorerPage, Name, Says

TEXT = "Ein Junge hebt einen gelben Ball auf."
OTHER = "Alle Kinder lachen."
FIRST, LOCAL_P, GLOBAL = "bahdanau-everyday", "luong-general-local-p", "luong-general-global"


@pytest.mark.quick
def test_without_a_link_the_first_example_is_shown(explorer: ExplorerPage, model):
    explorer.open()
    trace = translate(model(FIRST), first.TEXT)
    explorer.expect_translated(model(FIRST), trace)
    expect(explorer.heading).to_have_text(Name.HEADING)
    expect(explorer.sentence).to_have_value(first.TEXT)
    explorer.expect_step(0, of=len(trace.target))
    expect(explorer.badge).to_have_text(Says.DECODED)
    explorer.expect_nothing_in(explorer.notices)
    explorer.expect_chosen(MODEL=FIRST, SCORE="additive", WINDOW="global", ORDER="attend → update", FEEDING="no")
    explorer.expect_link({"text": first.TEXT, "model": FIRST})


def _slider(name: str, value: str):
    return lambda explorer: expect(explorer.slider(name)).to_have_value(value)


def _chosen(**options: str):
    return lambda explorer: explorer.expect_chosen(**options)


def _step(step: int):
    return lambda explorer: explorer.expect_step(step)


def _edited(text: str):
    return lambda explorer: expect(explorer.edits).to_have_text([re.compile(text)])


def _compared(setting: str):
    return lambda explorer: expect(explorer.comparison.get_by_text(setting)).to_be_visible()


LINKS = {
    "model": ({"model": GLOBAL}, _chosen(MODEL=GLOBAL, ORDER="update → attend")),
    "beam": ({"model": FIRST, "beam": 5}, _chosen(BEAM="5")),
    "normalise": ({"model": FIRST, "beam": 3, "normalise": "wu"}, _chosen(RANK_BY="length-penalised (Wu 2016)")),
    "step": ({"model": FIRST, "step": 3}, _step(3)),
    "head": ({"model": "transformer", "layer": 1, "head": 0}, _chosen(HEAD="layer 1, head 0")),
    "mean": ({"model": "transformer", "head": "mean"}, _chosen(HEAD="mean of 16 heads")),
    "gloss": ({"model": FIRST, "gloss": "zh"}, _chosen(GLOSS="中文")),
    "attention_type": ({"model": FIRST, "attention_type": "hard-argmax"}, _chosen(TYPE="hard (argmax)")),
    "draw": (
        {"model": FIRST, "attention_type": "hard-sample", "draw": 7},
        lambda explorer: expect(explorer.button(Name.SAMPLE)).to_be_visible(),
    ),
    "unk": ({"model": FIRST, "unk": "replace"}, lambda it: expect(it.checkbox(Name.REPLACE_UNK)).to_be_checked()),
    "window": (
        {"model": GLOBAL, "window": "local-m", "D": 2, "sigma": 1},
        _chosen(WINDOW=Says.GIVEN_WINDOW.format(window="local-m")),
    ),
    "D": ({"model": LOCAL_P, "D": 2}, _slider(Name.D, "2")),
    "sigma": ({"model": LOCAL_P, "D": 2, "sigma": 0.5}, _slider(Name.SIGMA, "0.5")),
    "p": ({"model": LOCAL_P, "p": "1-4.5", "step": 1}, _slider(Name.CENTER, "4.5")),
    "keep": (
        {"model": LOCAL_P, "window": "local-p", "D": 1, "keep": 1},
        lambda it: expect(it.badge).to_have_text(Says.KEPT),
    ),
    "edit of weights": ({"model": FIRST, "edit": "w1-0_1_0_0_0_0_0_0"}, _edited("^step 2: weights, 100% on “junge”")),
    "edit of a context": ({"model": FIRST, "edit": "c1-0"}, _edited("^step 2: context of step 1")),
    "edit of a word": ({"model": GLOBAL, "edit": "n1-young"}, _edited("^step 2: word “young”")),
    "edit of a head": (
        {"model": "transformer", "edit": "o1.2", "layer": 1, "head": 2},
        _edited("^layer 1, head 2: off"),
    ),
    "with": ({"model": LOCAL_P, "with": GLOBAL}, _compared("Window (local-p | global)")),
    "with settings": (
        {"model": LOCAL_P, "D": 1, "with": LOCAL_P, "with_D": 2},
        _compared(Says.ONLY_DIFFERENCE.format(setting="Half-width D in words (1 | 2)")),
    ),
    "race": ({"model": GLOBAL, "race": "window"}, _chosen(COMPARE_WITH="Window: all trained values")),
    "tour": (
        {"model": FIRST, "step": 3, "tour": 2},  # another view of the stop, which is at step 5
        lambda it: [expect(it.tour).to_contain_text(Says.STOP.format(n=2, all=10)), it.expect_step(3)],
    ),
}


@pytest.mark.parametrize("link", LINKS)
def test_a_link_reopens_its_view_and_is_written_again(explorer: ExplorerPage, link):
    query, shown = LINKS[link]
    whole = {"text": TEXT, **query}
    explorer.open(whole)
    if "tour" not in query:  # at a stop, the sentence is in the picture
        expect(explorer.sentence).to_have_value(TEXT)
    expect(explorer.translation).not_to_be_empty()
    shown(explorer)
    explorer.expect_nothing_in(explorer.notices)
    explorer.expect_link(whole)


def test_beside_bad_values_the_good_ones_are_used(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": LOCAL_P, "beam": "7", "D": "1", "step": "1", "edit": "x"})
    expect(explorer.notices).to_contain_text("beam in the link must be ")
    expect(explorer.notices).to_contain_text("edit in the link must be ")
    explorer.expect_translated(model(LOCAL_P), translate(model(LOCAL_P), TEXT, half_width=1))
    explorer.expect_link({"text": TEXT, "model": LOCAL_P, "D": 1, "step": 1})


def test_an_unknown_model_is_named_as_text_and_another_one_is_shown(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": "<i>x</i>"})
    expect(explorer.notices).to_have_text(Says.NO_MODEL.format(name="<i>x</i>", other=FIRST))
    explorer.expect_translated(model(FIRST), translate(model(FIRST), TEXT))
    explorer.expect_link({"text": TEXT, "model": FIRST})


UNFIT = {
    "window": ({"model": "fixed-vector", "window": "local-p"}, Says.NO_WINDOW_HERE),
    "attention_type": ({"model": "transformer", "attention_type": "hard-sample"}, Says.NO_TYPE_HERE),
    "head": ({"model": "fixed-vector", "layer": 0, "head": 0}, Says.NO_ATTENTION),
    "the only head": ({"model": FIRST, "layer": 0, "head": 0}, Says.ONE_HEAD),
    "a head that it lacks": (
        {"model": "transformer", "layer": 9, "head": 9},
        "{model} has no layer 9, head 9; its last ",
    ),
}


@pytest.mark.parametrize("name", UNFIT)
def test_what_the_model_cannot_do_is_said(explorer: ExplorerPage, name):
    query, said = UNFIT[name]
    explorer.open({"text": TEXT, **query})
    expect(explorer.notices).to_contain_text(said.format(model=query["model"]))
    expect(explorer.translation).not_to_be_empty()
    explorer.expect_in_link(text=TEXT, model=query["model"], window=None, attention_type=None)

    def check() -> None:
        assert "head" not in query or explorer.link.get("head") != str(query["head"])

    explorer.eventually(check)


def test_a_sentence_that_is_too_long_for_a_link_is_cut(explorer: ExplorerPage):
    most = 1000
    explorer.open({"text": "ab " * most, "model": FIRST})
    found = re.compile(Says.CUT.replace("{most}", r"(\d+)"))
    expect(explorer.notices).to_have_text(found)
    most = int(found.search(explorer.notices.inner_text())[1])
    expect(explorer.sentence).to_have_value(("ab " * most)[:most])


def test_back_and_forward_return_to_models_and_sentences_not_to_steps(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": FIRST})
    explorer.expect_link({"text": TEXT, "model": FIRST})
    explorer.button(Name.FORWARD).click()
    explorer.expect_in_link(step=1)
    explorer.choose(Name.MODEL, GLOBAL)
    explorer.expect_in_link(model=GLOBAL)
    explorer.sentence.fill(OTHER)
    explorer.expect_in_link(text=OTHER, model=GLOBAL)
    explorer.button(Name.FORWARD).click()
    explorer.button(Name.FORWARD).click()
    explorer.expect_in_link(step=2)
    explorer.page.go_back()
    explorer.expect_translated(model(GLOBAL), translate(model(GLOBAL), TEXT))
    expect(explorer.sentence).to_have_value(TEXT)
    explorer.page.go_back()
    explorer.expect_translated(model(FIRST), translate(model(FIRST), TEXT))
    explorer.expect_step(1)
    explorer.expect_chosen(MODEL=FIRST, SCORE="additive")
    explorer.page.go_forward()
    explorer.page.go_forward()
    explorer.expect_translated(model(GLOBAL), translate(model(GLOBAL), OTHER))
    explorer.expect_step(2)


def test_settings_within_a_view_are_no_entries_of_the_history(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": FIRST})
    explorer.choose(Name.MODEL, LOCAL_P)
    explorer.expect_in_link(model=LOCAL_P)
    explorer.slider(Name.D).fill("1")
    explorer.unfold_settings()
    explorer.choose(Name.BEAM, "3")
    explorer.expect_in_link(D=1, beam=3)
    explorer.page.go_back()
    explorer.expect_translated(model(FIRST), translate(model(FIRST), TEXT))
    explorer.page.go_forward()
    explorer.expect_translated(model(LOCAL_P), translate(model(LOCAL_P), TEXT, half_width=1, beam=3))
    expect(explorer.slider(Name.D)).to_have_value("1")


def test_a_reload_keeps_the_view(explorer: ExplorerPage, model):
    query = {"text": TEXT, "model": LOCAL_P, "D": 1, "step": 2}
    explorer.open(query)
    explorer.button(Name.FORWARD).click()
    explorer.expect_in_link(step=3)
    explorer.page.reload()
    explorer.settle()
    explorer.expect_translated(model(LOCAL_P), translate(model(LOCAL_P), TEXT, half_width=1))
    explorer.expect_step(3)


def test_a_reader_who_comes_from_another_page_has_its_sentence_at_the_level_chosen_last(explorer: ExplorerPage):
    explorer.open(level=None)

    def arrive(sentence: str) -> None:
        """Reload the bare address, which is no fresh visit, in a tab that has only this sentence."""
        explorer.page.evaluate(
            """sentence => {
                sessionStorage.clear();
                sessionStorage.setItem("attention-sentence-de", sentence);
                localStorage.setItem("attention-level", "workbench");
                history.replaceState(null, "", location.pathname);
            }""",
            sentence,
        )
        explorer.page.reload()
        explorer.settle()
        expect(explorer.sentence).to_have_value(sentence)
        expect(explorer.button(Name.WORKBENCH)).to_have_attribute("aria-pressed", "true")

    newcomers = int(explorer.step_slider.input_value())
    assert newcomers > 0
    arrive(OTHER)
    explorer.expect_step(0)
    arrive(first.TEXT)
    explorer.expect_step(newcomers)


def test_the_share_panel_has_the_link_of_the_view(tab):
    explorer = tab(permissions=["clipboard-read", "clipboard-write"])
    explorer.open({"text": TEXT, "model": LOCAL_P, "D": 1})
    explorer.button(Name.FORWARD).click()
    explorer.button(Name.SHARE).click()  # at once: the address is brought up to date first
    panel = explorer.page.get_by_role("dialog", name=Name.SHARE_PANEL)
    expect(panel.get_by_text(explorer.page.url, exact=True)).to_be_visible()
    assert explorer.link["step"] == "1"
    panel.get_by_role("button", name=Name.COPY_LINK).click()
    expect(panel.get_by_role("button", name="Copied")).to_be_visible()
    assert explorer.page.evaluate("navigator.clipboard.readText()") == explorer.page.url
    panel.get_by_role("button", name=Name.CLOSE).click()
    expect(panel).to_be_hidden()
