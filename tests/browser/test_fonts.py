"""The font of our own pages: the handout contains it, and a canvas drawn before it arrived is drawn again."""

from pathlib import Path

import pytest

from attn_core.browser import bundle, html
from tests.browser import traces
from tests.helpers.javascript import call_in_page, settle

LOADED = "[...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family)"
PICTURES = "[...document.querySelectorAll('.ap canvas')].map((canvas) => canvas.toDataURL())"


def test_the_handout_contains_its_font(handout):
    page = handout(traces.make(window="local-p"))
    page.evaluate("document.fonts.ready")
    assert "Attention Sans" in page.evaluate(LOADED)
    assert page.locator(".ap").evaluate("(ap) => getComputedStyle(ap).fontFamily").startswith('"Attention Sans"')


def test_canvases_are_drawn_again_when_their_font_arrives(hosted):
    page = hosted(traces.make(window="local-p"))
    page.add_style_tag(content=":root { --ap-font: 'Late', sans-serif; }")
    page.set_viewport_size({"width": 1281, "height": 720})
    settle(page)
    before = page.evaluate(PICTURES)
    face = bundle.font_style().split("}")[0].replace("Attention Sans", "Late") + "}"
    page.add_style_tag(content=face[face.index("@font-face") :])
    page.evaluate("document.fonts.load('16px Late')")
    settle(page)
    after = page.evaluate(PICTURES)
    assert len(before) == len(after) == 3
    assert all(picture != other for picture, other in zip(before, after, strict=True))


def test_the_fallback_takes_as_much_room_as_the_font(visit, tmp_path: Path):
    """A line of text keeps its height and, within 3 %, its width when the font arrives."""
    page = visit(html(traces.make(window="local-p")))
    page.evaluate("document.fonts.ready")
    if call_in_page(page, "lineSize", "400 16px 'Attention Sans Fallback'") == call_in_page(
        page, "lineSize", "400 16px x"
    ):
        pytest.skip("none of the fonts that the fallback is made of is installed: install fonts-liberation")
    for weight in (400, 650):
        fonts = (f"{weight} 16px '{family}'" for family in ("Attention Sans", "Attention Sans Fallback"))
        (width, height), (fallback_width, fallback_height) = (call_in_page(page, "lineSize", font) for font in fonts)
        assert fallback_width == pytest.approx(width, rel=0.03)
        assert fallback_height == pytest.approx(height, abs=1)
