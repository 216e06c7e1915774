"""How fast views with many translations are: a part of the benchmark of the dashboard."""

from typing import Any

from playwright.sync_api import Page

HEARD = (
    """(name) => new Promise((done) => document.addEventListener(name, ({ detail }) => done(detail), { once: true }))"""
)
FILLED = "map of windows"  # the measure that the page leaves in the browser's timeline
TIMES = 5  # each of our 61 sentences is as often in the file of the corpus page, to have enough of them


def window_map(page: Page) -> float:
    """Seconds until the map of the sentence on show has its 100 windows, each decoded in full."""
    page.evaluate(f"performance.clearMeasures('{FILLED}')")
    page.get_by_role("tab", name="D × σ").click()
    measured = page.wait_for_function(
        f"() => performance.getEntriesByName('{FILLED}').map(({{ detail, duration }}) => [detail.places, duration])[0]"
    )
    places, ms = measured.json_value()
    page.get_by_role("tab", name="Heatmap").click()
    assert places == 100, places
    return ms / 1000


def corpus_rate(page: Page, sentences: list[str]) -> float:
    """Sentences a second on the corpus page, with all figures drawn."""
    text = "\n".join(sentences * TIMES).encode()
    page.get_by_label("Text", exact=True).select_option("file")
    page.get_by_label("Text file").set_input_files({"name": "ours.txt", "mimeType": "text/plain", "buffer": text})
    page.evaluate(f"() => {{ window.heard = ({HEARD})('attention-corpus'); }}")
    page.locator(".co-start:not([disabled])").click()
    detail: dict[str, Any] = page.evaluate("() => window.heard")
    return 1000 * detail["sentences"] / detail["ms"]
