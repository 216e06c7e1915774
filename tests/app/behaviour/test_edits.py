"""Editing a translation: the rest is decoded as torch decodes it with the same weights, context or word."""

import re

import pytest
from playwright.sync_api import expect

from attn_core import translate
from attn_core.decoding.translate import text_of
from tests.helpers.edited import search_with_edits, unchanged, with_row
from tests.helpers.explorer import ExplorerPage, Name, Says, as_shown, shown_words

TEXT = "Ein Junge hebt einen gelben Ball auf."
NAME, STEP = "bahdanau", 1


@pytest.fixture
def editing(explorer: ExplorerPage) -> ExplorerPage:
    """The second step of a translation, with the open panel in which its attention is edited."""
    explorer.open({"text": TEXT, "model": NAME, "step": STEP})
    explorer.button(Name.EDIT).click()
    expect(explorer.editor).to_be_visible()
    return explorer


def _decoded(model, at=unchanged, words=None) -> list[dict]:
    """The steps that torch decodes with what is set, up to the end of the sentence."""
    steps = search_with_edits(model, TEXT, at, words or {}, 30)
    end = [step["token"] for step in steps].index("</s>")
    return steps[: end + 1]


def _expect_decoded(explorer: ExplorerPage, steps: list[dict], head: int = 0) -> None:
    """The page shows these words and weights."""
    (words,) = shown_words([step["token"] for step in steps])
    explorer.expect_rows(words, [step["weights"][head] for step in steps])


def test_all_weight_on_one_word_changes_the_rest(editing: ExplorerPage, model):
    before = translate(model(NAME), TEXT)
    place = before.source.index("ball")
    row = [float(s == place) for s in range(len(before.source))]
    wanted = _decoded(model(NAME), with_row(STEP, None, row))
    assert [step["token"] for step in wanted] != list(before.target)
    editing.show_tables()
    editing.choose(Name.WEIGHT_OF, "ball")
    editing.button(Name.ALL_HERE).click()
    _expect_decoded(editing, wanted)
    expect(editing.badge).to_have_text(Says.EDITED)
    expect(editing.edits).to_have_text([re.compile("^step 2: weights, 100% on “ball”")])
    expect(editing.editor.get_by_text(f"Before: {' '.join(before.target)}")).to_be_visible()
    expect(editing.editor.get_by_text(f"After: {' '.join(step['token'] for step in wanted)}")).to_be_visible()
    editing.expect_in_link(edit=f"w1-{'_'.join(f'{weight:g}' for weight in row)}")
    maps = editing.before_and_after.get_by_role("img")
    expect(maps.first).to_have_accessible_name(f"Attention weights of {NAME}: {' '.join(before.target)}")
    editing.press("Enter")
    expect(editing.number).to_contain_text(Says.SET_BY_HAND)


def test_uniform_weights_are_one_edit_and_the_slider_sets_one_weight(editing: ExplorerPage, model):
    count = len(translate(model(NAME), TEXT).source)
    editing.button(Name.UNIFORM).click()
    expect(editing.edits).to_have_text([re.compile("^step 2: uniform weights")])
    editing.choose(Name.WEIGHT_OF, "ball")
    assert float(editing.slider(Name.WEIGHT).input_value()) == pytest.approx(1 / count, abs=0.01)
    editing.slider(Name.WEIGHT).fill("0.5")
    expect(editing.edits).to_have_text([re.compile("^step 2: weights, 50% on “ball”")])
    editing.eventually(lambda: _half(editing, count))
    row = [float(weight) for weight in editing.link["edit"].removeprefix("w1-").split("_")]
    editing.show_tables()
    _expect_decoded(editing, _decoded(model(NAME), with_row(STEP, None, row)))


def _half(explorer: ExplorerPage, count: int) -> None:
    """The edit in the link gives half of the weight to one word and the same share of the rest to each other one."""
    row = sorted(float(weight) for weight in explorer.link.get("edit", "w1-0").removeprefix("w1-").split("_"))
    assert row == pytest.approx([*[0.5 / (count - 1)] * (count - 1), 0.5], abs=2e-3)


def test_the_context_of_another_step_is_that_of_the_translation_before(editing: ExplorerPage, model):
    plain = _decoded(model(NAME))
    origin = 4

    def foreign(now, one, weights, states):
        return weights, plain[origin]["contexts"][one] if now == STEP else weights @ states

    wanted = _decoded(model(NAME), foreign)
    assert [step["token"] for step in wanted] != [step["token"] for step in plain]
    editing.show_tables()
    editing.choose(Name.CONTEXT_OF, f"step {origin + 1}, “{plain[origin]['token']}”")
    _expect_decoded(editing, wanted)
    expect(editing.edits).to_have_text([re.compile(f"^step 2: context of step {origin + 1}")])
    editing.expect_in_link(edit=f"c{STEP}-{origin}")


@pytest.mark.parametrize("way", ["menu", "button"])
def test_another_next_word_is_chosen_and_the_rest_follows_it(editing: ExplorerPage, model, way):
    word = as_shown(translate(model(NAME), TEXT))["steps"][STEP]["top"][1][0]
    wanted = _decoded(model(NAME), words={STEP: word})
    assert wanted[STEP]["token"] == word
    if way == "menu":
        editing.editor.get_by_role("combobox", name=Name.NEXT_WORD).select_option(label=word)
    else:
        editing.next_word.get_by_role("button", name=re.compile(f"^{re.escape(word)} ")).click()
    editing.show_tables()
    _expect_decoded(editing, wanted)
    editing.expect_in_link(edit=f"n{STEP}-{word}")
    expect(editing.edits).to_have_text([re.compile(f"^step 2: word “{word}”")])


def test_a_head_of_a_transformer_is_switched_off(explorer: ExplorerPage, model):
    name = "transformer"
    explorer.open({"text": TEXT, "model": name, "layer": 0, "head": 1})
    explorer.button(Name.EDIT).click()
    explorer.show_tables()
    explorer.checkbox(Name.USE_HEAD).uncheck()

    def off(_t, one, weights, states):
        return weights, (weights @ states) * (one != 1)

    wanted = _decoded(model(name), off)
    _expect_decoded(explorer, wanted, head=1)
    expect(explorer.edits).to_have_text([re.compile("^layer 0, head 1: off")])
    explorer.expect_in_link(edit="o0.1")
    explorer.checkbox(Name.USE_HEAD).check()
    expect(explorer.edits).to_have_count(0)
    _expect_decoded(explorer, _decoded(model(name)), head=1)


def test_edits_are_undone_redone_and_removed(editing: ExplorerPage, model):
    plain = translate(model(NAME), TEXT)
    before = text_of(model(NAME), plain)
    word = as_shown(plain)["steps"][STEP]["top"][1][0]
    undo, redo, clear = (editing.button(name) for name in (Name.UNDO, Name.REDO, Name.REMOVE_ALL))
    for button in (undo, redo, clear):
        expect(button).to_have_attribute("aria-disabled", "true")
    editing.editor.get_by_role("combobox", name=Name.NEXT_WORD).select_option(label=word)
    expect(editing.edits).to_have_count(1)
    expect(editing.translation).not_to_have_text(before)
    after = editing.translation.inner_text()
    undo.click()
    expect(editing.translation).to_have_text(before)
    expect(editing.badge).to_have_text(Says.DECODED)
    redo.press("Enter")
    expect(editing.translation).to_have_text(after)
    expect(redo).to_be_focused()  # there is nothing more to redo
    editing.page.keyboard.press("Control+z")
    expect(editing.translation).to_have_text(before)
    editing.page.keyboard.press("Control+Shift+z")
    expect(editing.translation).to_have_text(after)
    editing.edits.get_by_role("button", name=re.compile("^Remove: ")).click()
    expect(editing.translation).to_have_text(before)
    undo.click()
    clear.click()
    expect(editing.edits).to_have_count(0)
    editing.expect_in_link(edit=None)
    undo.click()
    editing.button(Name.END_EDITING).click()
    expect(editing.editor).to_be_hidden()
    expect(editing.translation).to_have_text(before)
    expect(editing.button(Name.EDIT)).to_be_focused()
    editing.button(Name.EDIT).press("Enter")
    undo.click()  # also of the edits that ended with the editing
    expect(editing.translation).to_have_text(after)


def test_an_edit_in_the_list_leads_to_its_step(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": NAME, "edit": "n1-young", "step": 4})
    explorer.edits.get_by_role("button", name="step 2: word “young”", exact=True).click()
    explorer.expect_step(1)


@pytest.mark.parametrize("change", ["sentence", "model"])
def test_edits_belong_to_a_sentence_and_a_model(explorer: ExplorerPage, model, change):
    explorer.open({"text": TEXT, "model": NAME, "edit": "n1-young"})
    expect(explorer.badge).to_have_text(Says.EDITED)
    if change == "sentence":
        explorer.sentence.fill("Alle Kinder lachen.")
        explorer.expect_translated(model(NAME), translate(model(NAME), "Alle Kinder lachen."))
    else:
        explorer.choose(Name.SCORE, "general")
        explorer.expect_translated(model("bahdanau-general"), translate(model("bahdanau-general"), TEXT))
    expect(explorer.remarks).to_contain_text(Says.EDITS_REMOVED)
    explorer.expect_in_link(edit=None)


def test_an_edit_that_does_not_fit_is_left_out_and_named(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": NAME, "edit": "w1-0_1 n0-zzz o2.1 c1-99"})
    explorer.expect_translated(model(NAME), translate(model(NAME), TEXT))
    for said in (
        "it has 2 weights",
        "the model's vocabulary has no “zzz”",
        "has no layer 2, head 1",
        "has no step 100",
    ):
        expect(explorer.notices).to_contain_text(said)
    explorer.expect_in_link(edit=None)
