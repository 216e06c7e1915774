"""Texts of pages in Markdown, as the site writes them."""

import pytest

from app.shell import markup
from app.shell.markdown import escaped


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("a **bold** word", "a <strong>bold</strong> word"),
        ("$p_t$ of", "<msub><mi>p</mi><mi>t</mi></msub>"),
        ("costs 5 $", "costs 5 $"),
        ("<script>alert(1)</script>", "&lt;script&gt;"),
        (escaped("a_b <i> $x$ [l](http://a)"), "a_b &lt;i&gt; $x$ [l](http:"),
    ],
)
def test_markup_is_read_as_in_the_dashboard(text, inside):
    assert inside in markup.inline(text)
