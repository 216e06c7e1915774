"""Markdown with formulas between dollar signs, as Streamlit shows it, in HTML: formulas become MathML."""

from collections.abc import Sequence
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline


def blocks(text: str) -> str:
    """Paragraphs and lists. Elements in the text are shown as they are written."""
    return _READER.render(text)


def inline(text: str) -> str:
    """The text of one paragraph, without an element around it."""
    return _READER.renderInline(text)


def _formula(state: StateInline, silent: bool) -> bool:
    """Read `$...$`; a dollar sign without a second one is text."""
    end = state.src.find("$", state.pos + 1)
    if state.src[state.pos] != "$" or end < 0:
        return False
    if not silent:
        state.push("formula", "math", 0).content = state.src[state.pos + 1 : end]
    state.pos = end + 1
    return True


def _mathml(_renderer: Any, tokens: Sequence[Any], place: int, *_: Any) -> str:
    return convert(tokens[place].content)


def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False})
    reader.inline.ruler.before("escape", "formula", _formula)
    reader.add_render_rule("formula", _mathml)
    return reader


_READER = _reader()
