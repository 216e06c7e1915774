"""The Explorer with models of several pairs of languages: wording, examples and menus are those of the model's pair."""

import json
from base64 import b64encode

import pytest
from playwright.sync_api import expect

from app.explorer.record import record
from app.service import catalogue, first
from app.service.decode import translate_request
from app.service.request import Request
from attn_core import load, translate
from attn_core.data.examples import PAIRS, examples
from attn_core.export.model_files import model_files
from attn_core.models import folders
from tests.app.test_live import text_of
from tests.helpers.serving import ROOT, serving
from tests.helpers.shipped import OF_PAIRS, in_languages, ship, ship_pairs
from tests.helpers.visits import address_says, unfold, visits

NAMES = {"de": "German", "en": "English", "fr": "French", "zh": "Chinese"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return ship_pairs(tmp_path_factory.mktemp("pairs"))


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    return ship_pairs(tmp_path_factory.mktemp("live"), live=True)


def page_of(folder, monkeypatch) -> dict:
    monkeypatch.setenv("ATTN_PRETRAINED", str(folder))
    models, broken = catalogue.catalogue()
    assert broken == []
    return record(models, {}, {"model": "bahdanau"})


def test_each_model_is_worded_in_its_languages(folder, monkeypatch):
    page = page_of(folder, monkeypatch)
    labels, languages = page["shared"]["label"], page["shared"]["languages"]
    pair = page["points"].index("pair")
    found = {
        one["name"]: (labels[one["label"]], languages[one["languages"]], one["point"][pair]) for one in page["models"]
    }
    assert found == {
        in_languages(name, langs): (
            f"{NAMES[langs[0]]} sentence", [NAMES[lang] for lang in langs], "-".join(langs)
        )
        for langs in PAIRS
        for name in OF_PAIRS
    }  # fmt: skip


def test_the_choice_of_languages_is_the_first(folder, monkeypatch):
    axis, *others = page_of(folder, monkeypatch)["axes"]
    assert (axis["name"], axis["label"]) == ("pair", "Translate")
    assert sorted(axis["values"]) == sorted(
        ["-".join(langs), f"{NAMES[langs[0]]} → {NAMES[langs[1]]}"] for langs in PAIRS
    )
    assert [one["name"] for one in others] == ["score", "order"]


def test_examples_and_glosses_are_those_of_the_pairs(folder, monkeypatch):
    page = page_of(folder, monkeypatch)
    offered = {"-".join(langs): [one.source for one in examples(*langs)] for langs in PAIRS}
    assert page["examples"] == offered | {"de-en": [first.TEXT, *offered["de-en"]]}
    chinese = examples("zh", "en")[0]
    assert page["glosses"][" ".join(chinese.source)] == {"en": chinese.token_glosses("en")}
    english = examples("en", "fr")[0]
    assert page["glosses"][" ".join(english.words)] == {"zh": english.glosses["zh"]}
    assert {len(key.split()) - len(one) for key, by in page["glosses"].items() for one in by.values()} == {0}


def test_nothing_is_said_of_languages_without_a_model(tmp_path, monkeypatch):
    page = page_of(ship(tmp_path, *OF_PAIRS), monkeypatch)
    assert "pair" not in [axis["name"] for axis in page["axes"]]
    assert list(page["examples"]) == ["de-en"]
    assert "Chinese" not in str(page)
    assert "French" not in str(page)


def test_the_weakest_model_is_found_among_those_of_its_languages(folder, monkeypatch):
    monkeypatch.setenv("ATTN_PRETRAINED", str(folder))
    models, _ = catalogue.catalogue()
    for langs, bleu in zip(PAIRS, (4.0, 3.0, 2.0, 1.0), strict=True):
        models[in_languages("luong-general-global", langs)].about["test"]["bleu"] = bleu
    lowest = {name for name, one in models.items() if catalogue.has_lowest_bleu(models, one)}
    assert lowest == {in_languages("luong-general-global", langs) for langs in PAIRS}


@pytest.mark.parametrize(
    ("text", "words", "unknown"), [("一只狗在雪地里跑", 8, 0), ("一只狗在雪地里跑龘", 9, 1), ("狗" * 61, 61, 0)]
)
def test_chinese_is_counted_in_characters_as_in_the_page(page_probe, monkeypatch, text, words, unknown):
    monkeypatch.delenv("ATTN_PRETRAINED", raising=False)
    place = folders.find("luong-general-global-zh-en")
    answer = translate_request(load(place), Request(text))
    assert (answer["words"], answer["most"]) == (words, 60)
    assert answer["unit"] == "characters"
    assert len(answer["reading"]["unknown"]) == unknown
    assert (answer["trace"] is None) == (words > 60)
    files = model_files(place)
    in_page = page_probe("answerOf", files.record | {"weights": b64encode(files.weights).decode()}, text)
    for name in ("words", "most", "unit", "text"):
        assert in_page[name] == answer[name]
    assert in_page["reading"] == json.loads(json.dumps(answer["reading"]))


@pytest.fixture(scope="module")
def visit(browser, live):
    dashboard = serving(ROOT / "app" / "streamlit_app.py", {"ATTN_PRETRAINED": str(live)})
    with dashboard as server, visits(browser, server.address) as open_page:
        yield open_page


def test_another_pair_brings_its_sentence_and_the_readers_own_comes_back(visit, live):
    page = visit(query={"model": "luong-general-global"})
    own = "Ein Hund wartet auf den Bus."
    page.get_by_label("German sentence").fill(own)
    for langs in PAIRS[1:]:
        page.get_by_label("Translate", exact=True).select_option(label=f"{NAMES[langs[0]]} → {NAMES[langs[1]]}")
        name, text = in_languages("luong-general-global", langs), examples(langs[0], langs[1])[0].source
        text = examples("en", "de")[0].source if langs == ("en", "fr") else text  # it reads English, too
        expect(page.get_by_label(f"{NAMES[langs[0]]} sentence")).to_have_value(text)
        model = load(live / name)
        expect(page.locator("output.live-output")).to_have_text(text_of(model, translate(model, text)))
        expect(page.get_by_label("Model", exact=True)).to_have_value(name)
        menu = page.get_by_label("Model", exact=True)
        headings = menu.locator("optgroup").evaluate_all("all => all.map((one) => one.label)")
        assert headings == ["attend → update", "update → attend"]
        offered = menu.locator("option").all_text_contents()
        assert sorted(offered) == sorted(in_languages(one, langs) for one in OF_PAIRS)
        assert page.locator("datalist option").count() == len(examples(*langs))
        address_says(page, model=name, text=text)
    page.get_by_label("Translate", exact=True).select_option(label="German → English")
    expect(page.get_by_label("German sentence")).to_have_value(own)


def test_a_link_with_a_model_and_no_sentence_opens_an_example_of_its_pair(visit):
    page = visit(query={"model": "bahdanau-zh-en"})
    expect(page.get_by_label("Chinese sentence")).to_have_value(examples("zh", "en")[0].source)
    expect(page.get_by_label("Gloss")).to_have_value("en")
    page.get_by_label("Translate", exact=True).select_option(label="English → French")
    expect(page.get_by_label("English sentence")).to_have_value(examples("en", "fr")[0].source)
    expect(page.get_by_label("Gloss")).to_have_value("none")
    unfold(page)
    page.get_by_label("Gloss").select_option("zh")
    address_says(page, gloss="zh")


@pytest.mark.parametrize("by", ["button", "menu"])
def test_a_sentence_typed_in_the_other_language_is_kept_for_a_model_that_reads_it(visit, by):
    page = visit(query={"model": "luong-general-global"})
    own, english = "Ein Hund wartet auf den Bus.", examples("en", "de")[1].source
    translate_menu = page.get_by_label("Translate", exact=True)
    page.get_by_label("German sentence").fill(own)
    address_says(page, text=own)
    page.get_by_label("German sentence").fill(english)
    offer = page.get_by_role("button", name="Try luong-general-global-en-de (English → German)")
    expect(offer).to_be_visible()
    if by == "button":
        offer.click()
    else:
        translate_menu.select_option(label="English → German")
    expect(page.get_by_label("English sentence")).to_have_value(english)
    expect(offer).to_be_hidden()
    translate_menu.select_option(label="German → English")
    expect(page.get_by_label("German sentence")).to_have_value(own)
