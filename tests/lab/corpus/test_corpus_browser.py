"""The Corpus page on a running server: runs, examples and their links, cancelling, files of the reader."""

import re

import pytest
from playwright.sync_api import Page, expect

from attn_core.data.captions import captions
from tests.helpers.visits import address_says, query

READY = ".co-start:not([disabled])"
ALL = len(captions())


def wait_until_measured(page: Page) -> None:
    """Wait for the end of a run: our own sentences are measured without a click."""
    expect(status(page)).to_contain_text("measured in")


def status(page: Page):
    return page.locator(".co-line [role=status]")


def choose_file(page: Page, content: bytes, name: str = "my.txt") -> None:
    page.get_by_label("Text", exact=True).select_option("file")
    page.get_by_label("Text file").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})


def bars(page: Page, figure: str):
    return page.locator(f'[data-figure="{figure}"] .co-bar')


def test_our_sentences_are_measured_in_the_page(visit_live):
    page = visit_live("corpus", READY)
    wait_until_measured(page)
    before = len(page.sent)
    page.locator(READY).click()
    expect(status(page)).to_contain_text(f"{ALL} sentences measured")
    names = [one.get_attribute("data-figure") for one in page.locator(".co-figure").all()]
    assert names == ["distance", "entropy", "coverage", "kinds", "aer"]
    shares = [float(re.search(r": ([\d.]+)%", bar.get_attribute("title"))[1]) for bar in bars(page, "distance").all()]
    assert sum(shares) == pytest.approx(100, abs=3)
    assert len(page.sent) == before  # nothing was asked of the server
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the numbers").click()
    assert download.value.path().read_bytes().startswith(b"\xef\xbb\xbfline,sentence,")  # by which Excel knows UTF-8


def test_a_bar_lists_examples_that_open_in_the_explorer(visit_live):
    page = visit_live("corpus", READY, {"corpus_model": "luong-general-local-p"})
    wait_until_measured(page)
    bars(page, "distance").nth(9).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".co-examples h3")).to_contain_text("+1")
    address_says(page, corpus_bar="distance.9", corpus_model="luong-general-local-p")
    weights = [float(text) for text in page.locator(".co-list b").all_inner_texts()]
    assert weights == sorted(weights, reverse=True)
    line = page.locator(".co-list li").first
    step = int(re.search(r"step (\d+), “.+” ← “.+”", line.inner_text())[1]) - 1
    with page.expect_popup() as popup:
        line.locator("a").click()
    explorer = popup.value
    explorer.locator(".ap-count").first.wait_for()
    said = query(explorer)
    assert (said["model"], said.get("step", "0")) == ("luong-general-local-p", str(step))
    assert said["text"] in {caption.de for caption in captions()}
    expect(explorer.get_by_label("German sentence")).to_have_value(said["text"])


def test_arrow_keys_walk_along_the_bars(visit_live):
    page = visit_live("corpus", READY)
    wait_until_measured(page)
    bars(page, "distance").nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(bars(page, "distance").nth(2)).to_be_focused()
    assert [bar.get_attribute("tabindex") for bar in bars(page, "distance").all()].count("0") == 1


def test_a_run_is_cancelled_at_once(visit_live):
    page = visit_live("corpus", READY, {"corpus_model": "transformer"})
    choose_file(page, "\n".join([*(caption.de for caption in captions())] * 16).encode())
    page.locator(READY).click()
    expect(page.locator(".co-figure").first).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(status(page)).to_contain_text("Cancelled after")
    said = status(page).inner_text()
    done = int(re.search(r"after (\d+) of 976", said)[1])
    assert 0 < done < 976
    page.wait_for_timeout(500)
    assert status(page).inner_text() == said
    run_again = page.locator(READY)
    expect(run_again).to_have_text("Start")


def test_leaving_the_page_ends_the_engine(visit_live):
    page = visit_live("corpus", READY, {"corpus_model": "transformer"})
    choose_file(page, "\n".join([*(caption.de for caption in captions())] * 16).encode())
    page.locator(READY).click()
    expect(page.locator(".co-figure").first).to_be_visible()
    assert len(page.workers) == 1
    page.get_by_role("link", name="Variants").click()
    page.locator(".vt-group").first.wait_for()
    assert page.workers == []


def test_the_heads_of_a_transformer_are_compared_and_chosen(visit_live):
    link = {"corpus_model": "transformer", "corpus_attention": "encoder", "corpus_measure": "same"}
    page = visit_live("corpus", READY, link)
    wait_until_measured(page)
    cells = page.locator(".co-cell")
    expect(cells).to_have_count(4)
    expect(page.get_by_label("Measure of the heads")).to_have_value("same")
    mean = page.locator('[data-figure="distance"] .co-finding').inner_text()
    cells.nth(2).press("Enter")
    expect(page.get_by_label("Head", exact=True)).to_have_value("2")
    expect(cells.nth(2)).to_be_focused()  # the grid was built again
    expect(page.locator('[data-figure="distance"] .co-finding')).not_to_have_text(mean)
    address_says(page, corpus_layer="1", corpus_head="0")
    bars(page, "entropy").locator("visible=true").and_(page.locator('[aria-disabled="false"]')).first.click()
    assert "heads?heads_text=" in page.locator(".co-list a").first.get_attribute("href")


def test_files_that_cannot_be_used_are_named_and_lines_left_out_are_listed(visit_live):
    page = visit_live("corpus", READY)
    note = page.locator(".co-head .live-note").last
    choose_file(page, b"", "empty.txt")
    expect(note).to_contain_text("empty.txt has no text")
    expect(page.locator(".co-start")).to_be_disabled()
    choose_file(page, b"\x89PNG\0\0", "cat.png")
    expect(note).to_contain_text("cat.png is not UTF-8 text")
    choose_file(page, ("Ein Hund.\n" + "hund " * 61 + "\n...\nEine Katze.").encode())
    expect(note).to_have_text("")
    skipped = page.locator(".co-skipped")
    expect(skipped.locator("summary")).to_contain_text("2 lines were left out")
    assert "measured" not in status(page).inner_text()  # a file waits for a click
    skipped.locator("summary").click()
    expect(skipped.locator("li")).to_have_text(["line 2: 61 words; the limit is 60", "line 3: no words"])
    page.locator(READY).click()
    expect(status(page)).to_contain_text("2 sentences measured")
    choose_file(page, "\n".join(caption.en for caption in captions()).encode())
    expect(status(page)).to_contain_text("This looks like English")


def test_a_file_that_is_chosen_while_a_model_loads_waits_for_a_click(visit_live):
    page = visit_live("corpus", READY)
    wait_until_measured(page)
    page.get_by_label("Model", exact=True).select_option("transformer")
    choose_file(page, b"Ein Hund.\nEine Katze.\n")
    expect(page.locator(READY)).to_have_text("Start")
    expect(status(page)).to_contain_text("2 sentences")
    assert "measured" not in status(page).inner_text()
    page.get_by_label("Text", exact=True).select_option("examples")
    wait_until_measured(page)


def test_a_phone_shows_the_whole_page(visit_live):
    page = visit_live("corpus", READY, width=390)
    wait_until_measured(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
