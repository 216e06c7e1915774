"""Glosses of the source words in the player."""

from pathlib import Path

import pytest

from attn_core.web import bundle
from tests.helpers.javascript import evaluator, settle
from tests.web import traces

PLAYER = Path(bundle.__file__).parent / "player"
PIECES, TEXT = PLAYER / "core" / "pieces.js", PLAYER / "draw" / "text.js"


def test_several_sentences_have_the_glosses_of_each(node, tmp_path):
    run_js = evaluator(node, tmp_path, (PIECES,))
    known = {"ein hund .": ["a", "dog", ""], "ja !": ["yes", ""]}

    def found(source: str) -> list[str] | None:
        return run_js("js.glossOf(...input) ?? null", [source.split(), known])

    assert found("ein hund . </s>") == ["a", "dog", ""]
    assert found("ein hund . ja ! ein hund .") == ["a", "dog", "", "yes", "", "a", "dog", ""]
    assert found("ja ! eine katze . </s>") == ["yes", "", "", "", "", ""]  # of the unknown sentence, and of </s>, none
    assert found("eine katze . ein hund") is None


def test_a_gloss_is_cut_to_its_room_but_not_to_one_or_two_letters(node, tmp_path):
    run_js = evaluator(node, tmp_path, (TEXT,))
    pen = "{ font: '', measureText: (text) => ({ width: 10 * text.length }) }"
    rooms = [50, 49, 40, 39, 0]
    found = run_js(f"input.map((room) => js.fitOrDrop({pen}, 'catch', room))", rooms)
    assert found == ["catch", "cat…", "cat…", "", ""]
    assert run_js(f"js.fitOrDrop({pen}, 'to', input)", 20) == "to"


@pytest.mark.browser
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
