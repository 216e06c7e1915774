"""The menus above the player: each value leads to the model that has it; one without a model says what has one."""

import re

import pytest
from playwright.sync_api import expect

from attn_core import translate
from attn_core.decoding.translate import text_of
from tests.helpers.explorer import ExplorerPage, Name, Says, as_shown

TEXT = "Ein Junge hebt einen gelben Ball auf."
GLOBAL = "luong-general-global"
CHOICES = [
    ("bahdanau", Name.SCORE, "general", "bahdanau-general"),
    (GLOBAL, Name.SCORE, "dot", "luong-dot-global"),
    ("bahdanau", Name.SCORE, "no attention", "fixed-vector"),
    (GLOBAL, Name.WINDOW, "local-p", "luong-general-local-p"),
    ("luong-general-local-p", Name.WINDOW, "local-m", "luong-general-local-m"),
    ("bahdanau-general", Name.ORDER, "update → attend", GLOBAL),
    (GLOBAL, Name.FEEDING, "yes", "luong-general-global-feed"),
    (GLOBAL, Name.MODEL, "transformer", "transformer"),
]


@pytest.mark.parametrize(("before", "menu", "value", "after"), CHOICES)
def test_a_value_of_a_menu_leads_to_the_model_that_has_it(explorer: ExplorerPage, model, before, menu, value, after):
    explorer.open({"text": TEXT, "model": before})
    explorer.choose(menu, value)
    explorer.expect_in_link(model=after, text=TEXT)
    explorer.expect_translated(model(after), translate(model(after), TEXT))
    expect(explorer.chosen(menu)).to_have_text(value)
    expect(explorer.chosen(Name.MODEL)).to_have_text(after)


def test_a_value_without_a_model_names_settings_that_lead_to_it(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": "bahdanau-general"})
    local = explorer.options(Name.WINDOW).filter(has_text="local-p")
    expect(local).to_have_text("local-p (no model; try score: additive)")
    expect(local).to_be_disabled()
    explorer.choose(Name.ORDER, "update → attend")
    explorer.expect_in_link(model=GLOBAL)
    explorer.choose(Name.WINDOW, "local-p")
    explorer.expect_translated(model("luong-general-local-p"), translate(model("luong-general-local-p"), TEXT))


@pytest.mark.parametrize("name", ["bahdanau", "luong-general-local-p", "transformer", "fixed-vector"])
def test_every_disabled_value_says_what_to_try(explorer: ExplorerPage, name):
    explorer.open({"text": TEXT, "model": name})
    models = explorer.options(Name.MODEL).all_inner_texts()
    disabled = 0
    for menu in (Name.SCORE, Name.WINDOW, Name.ORDER, Name.FEEDING):
        for option in explorer.options(menu).all():
            text = option.inner_text()
            said = re.fullmatch(r"(.+) \(no model; try (?:(\S+), with )?((?:[a-z ]+: [^,]+(?:, )?)+)\)", text)
            assert option.is_disabled() == bool(said), text
            if said:
                disabled += 1
                assert said[2] is None or said[2] in models
    assert disabled


def test_less_common_settings_are_folded_until_a_reader_or_a_link_wants_them(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": "bahdanau"})
    for name in (Name.BEAM, Name.TYPE, Name.GLOSS):
        expect(explorer.menu(name)).to_be_hidden()
    explorer.button(Name.MORE).press("Enter")
    expect(explorer.button(Name.MORE)).to_be_hidden()
    expect(explorer.menu(Name.TYPE)).to_be_focused()  # the button that had the focus is gone
    expect(explorer.menu(Name.BEAM)).to_be_visible()
    explorer.open({"text": TEXT, "model": "bahdanau", "beam": 3})
    expect(explorer.menu(Name.BEAM)).to_be_visible()


@pytest.mark.parametrize("beam", [2, 12])
def test_the_beam_is_that_of_python(explorer: ExplorerPage, model, beam):
    explorer.open({"text": TEXT, "model": GLOBAL})
    explorer.unfold_settings()
    explorer.choose(Name.BEAM, str(beam))
    trace = translate(model(GLOBAL), TEXT, beam=beam)
    explorer.expect_translated(model(GLOBAL), trace)
    explorer.show_tables()
    explorer.expect_matrix(as_shown(trace))
    explorer.expect_in_link(beam=beam)
    explorer.choose(Name.BEAM, "1 (greedy)")
    explorer.expect_translated(model(GLOBAL), translate(model(GLOBAL), TEXT))
    explorer.expect_in_link(beam=None)


def test_hard_attention_has_one_word_at_each_step_and_says_that_it_was_not_trained_so(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": GLOBAL})
    explorer.unfold_settings()
    explorer.choose(Name.TYPE, "hard (argmax)")
    trace = translate(model(GLOBAL).with_attention_type("hard-argmax"), TEXT)
    explorer.expect_translated(model(GLOBAL), trace)
    wanted = as_shown(trace)
    assert all(sorted(step["looks"][0]["weights"])[-2:] == [0, 1] for step in wanted["steps"])
    explorer.show_tables()
    explorer.expect_matrix(wanted)
    said = Says.OTHER_TYPE.format(type="hard (argmax)", trained="soft")
    expect(explorer.player.get_by_text(said).first).to_be_visible()
    explorer.expect_in_link(attention_type="hard-argmax")


def test_each_sample_is_kept_by_its_link(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": GLOBAL, "attention_type": "hard-sample"})
    explorer.show_tables()
    caption = Says.ALL_STEPS["weights"]
    samples = []
    for draw in (1, 2):
        explorer.button(Name.SAMPLE).click()
        explorer.expect_in_link(draw=draw)
        explorer.page.wait_for_timeout(400)  # the tables follow a moment later
        samples.append(explorer.table(caption))
        assert all({float(weight) for weight in row[1:]} == {0, 1} for row in samples[-1])
    assert samples[0] != samples[1]
    explorer.page.reload()
    explorer.settle()
    explorer.show_tables()

    def check() -> None:
        assert explorer.table(caption) == samples[1]

    explorer.eventually(check)  # the tables follow a moment later
    explorer.choose(Name.TYPE, "soft")
    expect(explorer.button(Name.SAMPLE)).to_be_hidden()
    explorer.expect_in_link(draw=None, attention_type=None)


def test_glosses_are_offered_for_example_sentences_only(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": "bahdanau"})
    explorer.unfold_settings()
    expect(explorer.options(Name.GLOSS)).to_have_text(["English", "中文", "off"])
    explorer.expect_chosen(GLOSS="English")
    english = explorer.picture.screenshot()
    explorer.choose(Name.GLOSS, "off")
    explorer.expect_in_link(gloss="none")
    explorer.page.wait_for_timeout(300)
    assert explorer.picture.screenshot() != english
    explorer.choose(Name.GLOSS, "English")
    explorer.expect_in_link(gloss=None)
    explorer.choose(Name.GLOSS, "中文")
    explorer.sentence.fill("Ein Hund läuft schnell.")
    expect(explorer.menu(Name.GLOSS)).to_be_hidden()
    explorer.sentence.fill("Alle Kinder lachen.")
    explorer.expect_chosen(GLOSS="中文")
    explorer.expect_in_link(text="Alle Kinder lachen.", gloss="zh")


def test_a_model_that_differs_in_more_than_the_chosen_setting_says_so(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": "bahdanau-general"})
    explorer.choose(Name.ORDER, "update → attend")
    expect(explorer.notices).to_contain_text("This model also differs from the previous one in: ")
    expect(explorer.translation).to_have_text(text_of(model(GLOBAL), translate(model(GLOBAL), TEXT)))
