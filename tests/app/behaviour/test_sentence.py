"""The sentence: translated as it is typed; what cannot be translated, and what is odd about it, is said."""

import re

import pytest
from playwright.sync_api import Route, expect

from attn_core import translate
from attn_core.data.captions import captions
from attn_core.decoding.translate import text_of
from tests.helpers.explorer import ExplorerPage, Name, Says

TEXT = "Ein Junge hebt einen gelben Ball auf."
FIRST, GLOBAL, ENGLISH, EVERYDAY = "bahdanau", "luong-general-global", "bahdanau-en-de", "bahdanau-everyday"


def test_each_letter_is_translated(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": FIRST, "step": 3})
    explorer.sentence.fill("Ein Hund")
    explorer.expect_translated(model(FIRST), translate(model(FIRST), "Ein Hund"))
    explorer.expect_step(0)  # another sentence begins at its first word
    explorer.sentence.press_sequentially(" läuft.")
    explorer.expect_translated(model(FIRST), translate(model(FIRST), "Ein Hund läuft."))
    explorer.expect_link({"text": "Ein Hund läuft.", "model": FIRST})


REFUSED = {
    "empty": ("", Says.TYPE_A_SENTENCE),
    "spaces": ("  ", Says.TYPE_A_SENTENCE),
    "punctuation": ("?!", Says.NO_WORDS),
    "too long": ("hund " * 61, Says.TOO_LONG.format(n=61, most=60)),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_translated_leaves_no_old_picture_in_use(explorer: ExplorerPage, model, case):
    typed, said = REFUSED[case]
    explorer.open({"text": TEXT, "model": FIRST})
    explorer.expect_out_of_date(False)
    explorer.sentence.fill(typed)
    expect(explorer.remarks).to_have_text(said)
    explorer.expect_nothing_in(explorer.translation)
    explorer.expect_out_of_date()
    explorer.sentence.fill("Ein Hund.")
    explorer.expect_translated(model(FIRST), translate(model(FIRST), "Ein Hund."))
    explorer.expect_out_of_date(False)
    expect(explorer.remarks).not_to_have_text(said)


ODD = {
    "an unknown word": ("Ein Blimblam tanzt im Schnee.", Says.UNKNOWN.format(words="“blimblam”")),
    "mostly unknown words": ("Qwert asdf yxcv Hund", Says.MOSTLY_UNKNOWN),
    "English": (captions()[0].en, Says.OTHER_LANGUAGE.format(language="English")),
    "two sentences": ("Ein Hund läuft. Eine Frau singt.", Says.SEVERAL),
    "a question": ("Wo ist der Hund?", Says.QUESTION),
}


@pytest.mark.parametrize("case", ODD)
def test_what_is_odd_about_a_sentence_is_said(explorer: ExplorerPage, model, case):
    typed, said = ODD[case]
    explorer.open({"text": TEXT, "model": FIRST})
    explorer.expect_nothing_in(explorer.remarks)
    explorer.sentence.fill(typed)
    counted = said.format(unknown=3, n=4, words="“qwert”, “asdf”, “yxcv”")
    expect(explorer.remarks).to_contain_text(counted)
    explorer.expect_translated(model(FIRST), translate(model(FIRST), typed))


@pytest.mark.parametrize(("typed", "other"), [(captions()[0].en, ENGLISH), ("Wo ist der Bahnhof?", EVERYDAY)])
def test_a_better_model_is_offered_and_reads_the_same_sentence(explorer: ExplorerPage, model, typed, other):
    explorer.open({"text": TEXT, "model": FIRST})
    explorer.sentence.fill(typed)
    explorer.page.get_by_role("button", name=Says.TRY.format(name=other)).click()
    explorer.expect_in_link(model=other, text=typed)
    expect(explorer.translation).to_have_text(text_of(model(other), translate(model(other), typed)))
    expect(explorer.page.get_by_role("button", name=re.compile("^Try "))).to_be_hidden()


def test_a_sentence_of_each_language_comes_back(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": FIRST})
    explorer.choose(Name.LANGUAGES, "English → German")
    english = explorer.page.get_by_role("combobox", name=Name.ENGLISH_SENTENCE)
    expect(english).to_have_value(captions()[0].en)
    trace = translate(model(ENGLISH), captions()[0].en)
    expect(explorer.translation).to_have_text(text_of(model(ENGLISH), trace))
    explorer.choose(Name.LANGUAGES, "German → English")
    expect(explorer.sentence).to_have_value(TEXT)
    explorer.expect_translated(model(FIRST), translate(model(FIRST), TEXT))


def test_a_reader_can_replace_unknown_words_where_there_are_some(explorer: ExplorerPage, model):
    typed = "Wilhelm füttert die Enten im Park mit Brot."
    plain, replaced = (translate(model(FIRST), typed, replace_unk=replace) for replace in (False, True))
    assert "<unk>" in plain.target
    explorer.open({"text": TEXT, "model": FIRST})
    box = explorer.checkbox(Name.REPLACE_UNK)
    expect(box).to_be_hidden()
    explorer.sentence.fill(typed)
    explorer.expect_translated(model(FIRST), plain)
    box.check()
    explorer.expect_translated(model(FIRST), replaced)
    explorer.expect_in_link(unk="replace")
    box.uncheck()
    explorer.expect_translated(model(FIRST), plain)
    box.check()
    explorer.sentence.fill(TEXT)
    expect(box).to_be_checked()
    box.uncheck()
    expect(box).to_be_hidden()  # this translation has no unknown word


def _choose_and_hold(explorer: ExplorerPage, name: str) -> list[Route]:
    """Choose a model whose weights do not arrive until the request is continued; the list will have the request."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    explorer.page.route(f"**/models/{name}-*.safetensors", hold)
    explorer.choose(Name.MODEL, name)
    return held


def test_while_a_model_loads_the_old_picture_cannot_be_used(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": FIRST})
    held = _choose_and_hold(explorer, GLOBAL)
    busy = explorer.page.locator("[aria-busy=true]")
    expect(busy).to_have_count(1)
    explorer.expect_out_of_date()
    expect(explorer.remarks).to_have_text(Says.LOADING)
    explorer.expect_nothing_in(explorer.translation)
    held[0].continue_()
    expect(busy).to_have_count(0)
    explorer.expect_out_of_date(False)
    explorer.expect_translated(model(GLOBAL), translate(model(GLOBAL), TEXT))


def test_a_model_that_is_chosen_later_wins(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": FIRST})
    held = _choose_and_hold(explorer, GLOBAL)
    expect(explorer.remarks).to_have_text(Says.LOADING)
    explorer.choose(Name.MODEL, "luong-dot-global")
    explorer.expect_translated(model("luong-dot-global"), translate(model("luong-dot-global"), TEXT))
    held[0].continue_()
    explorer.settle()
    explorer.expect_chosen(MODEL="luong-dot-global")
    explorer.expect_translated(model("luong-dot-global"), translate(model("luong-dot-global"), TEXT))


FAILURES = {"missing": {"status": 404}, "damaged": {"body": b"damaged"}, "unreachable": None}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_model_that_fails_is_named_and_the_others_work(explorer: ExplorerPage, model, failure):
    explorer.expected_errors |= {"luong-dot-global"}
    explorer.open({"text": TEXT, "model": FIRST})
    answer, pattern = FAILURES[failure], "**/models/luong-dot-global-*.safetensors"
    explorer.page.route(pattern, lambda route: route.fulfill(**answer) if answer else route.abort())
    explorer.choose(Name.MODEL, "luong-dot-global")
    said = Says.UNREACHABLE if failure == "unreachable" else ""
    expect(explorer.remarks).to_contain_text(Says.FAILED.format(reason=said))
    explorer.expect_out_of_date()
    explorer.expect_nothing_in(explorer.translation)
    explorer.choose(Name.MODEL, GLOBAL)
    explorer.expect_translated(model(GLOBAL), translate(model(GLOBAL), TEXT))
    explorer.expect_out_of_date(False)
    expect(explorer.remarks).not_to_contain_text(Says.FAILED.format(reason=""))


def test_a_model_whose_file_is_there_again_translates_what_is_typed(explorer: ExplorerPage, model):
    explorer.expected_errors |= {GLOBAL}
    pattern = f"**/models/{GLOBAL}-*.safetensors"
    explorer.page.route(pattern, lambda route: route.fulfill(status=404))
    explorer.open({"text": TEXT, "model": GLOBAL})
    expect(explorer.remarks).to_contain_text(Says.FAILED.format(reason=""))
    explorer.page.unroute(pattern)
    explorer.sentence.fill("Ein Hund.")
    explorer.expect_translated(model(GLOBAL), translate(model(GLOBAL), "Ein Hund."))


def test_a_model_that_was_open_works_without_a_network(tab, model):
    explorer = tab(service_workers="allow")
    explorer.open({"text": TEXT, "model": FIRST})
    explorer.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    explorer.page.reload()  # the pages of a worker that has just started are not its own yet
    explorer.settle()
    explorer.page.context.set_offline(True)
    explorer.page.reload()
    explorer.settle()
    explorer.expect_translated(model(FIRST), translate(model(FIRST), TEXT))
    explorer.expected_errors |= {"files.json", "fixed-vector", "icon.svg"}
    explorer.choose(Name.MODEL, "fixed-vector")
    expect(explorer.remarks).to_contain_text(Says.UNREACHABLE)
    explorer.choose(Name.MODEL, FIRST)
    explorer.expect_translated(model(FIRST), translate(model(FIRST), TEXT))
