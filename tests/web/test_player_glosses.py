"""Glosses of the source words in the player."""

import pytest

from tests.helpers.javascript import settle
from tests.web import traces

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("words", [traces.SHORT, (["ein", "hund", "läuft"], ["a", "dog", "runs", "</s>"])])
def test_glosses_are_written_with_the_source_words(hosted, words):
    """Slanted beside the words, or below them where there is room; only for the sentence that they belong to."""
    made = traces.make("global", words=words)
    gloss = [f"g{s}" for s in range(len(words[0]))]
    drawn = {}
    for key in (" ".join(words[0]), "ein anderer satz"):
        page = hosted(made, {"glosses": {key: gloss}}, width=700 if words is traces.SHORT else 1280)
        page.evaluate("""() => {
            window.drawn = [];
            const fill = CanvasRenderingContext2D.prototype.fillText;
            CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
                window.drawn.push(text);
                fill.call(this, text, x, y);
            };
        }""")
        page.locator(".ap").press("ArrowRight")
        settle(page)
        drawn[key] = set(page.evaluate("window.drawn"))
    assert set(gloss) <= drawn[" ".join(words[0])]
    assert not set(gloss) & drawn["ein anderer satz"]
