"""What a page in the made-up language shows in plain letters: text that nobody marked to be translated."""

import re
from collections.abc import Iterable

from playwright.sync_api import Page

# Not ours to translate, or not text: code, formulas, what is marked as data, and Streamlit's own words.
LEFT_OUT = (
    *("script", "style", "noscript", "math", "code", "pre", "[translate=no]", ".katex", ".stCode"),
    *("[data-testid=stMainMenu]", "[data-testid=stToolbar]", "[data-testid=stStatusWidget]"),
    *("[data-testid=InputInstructions]", "[data-testid=stElementToolbar]", ".vega-actions", "#vg-tooltip-element"),
)
# Names of people, papers, mechanisms and files, and what a formula calls its functions.
_NAMES = """
    Bahdanau Luong Vaswani Cho Sutskever Bengio Vinyals Manning Pham Wu Britz Raffel Williams Alammar
    Transformer GNMT RNN RNNencdec RNNsearch GRU LSTM CNN BLEU AER WMT Multi PyTorch TensorFlow JoeyNMT OpenNMT
    PNG SVG CSV JSON softmax sparsemax tanh exp ln sigmoid argmax min max ReLU
    Home End Space
"""
NAMES = frozenset(_NAMES.split())

# Streamlit's own words, which it has in English alone.
_STREAMLITS = re.compile(
    r"Help for |"
    r"^(?:Choose an option|Collapse sidebar|Expand sidebar|Help|Link to heading|Open|Close|Sidebar)$|"
    r"^Skip to main content$"
)

_SHOWN = """(leftOut) => {
  const found = [];
  const attributes = ["aria-label", "title", "placeholder", "alt", "aria-valuetext"];
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.textContent.trim()) found.push(node.textContent.trim());
      return;
    }
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (node.matches(leftOut) || !node.checkVisibility({ visibilityProperty: true })) return;
      const own = !node.closest(".stVegaLiteChart"); // whose descriptions are Vega's, in English alone
      for (const name of attributes) if (own && node.getAttribute(name)) found.push(node.getAttribute(name));
      if (node.shadowRoot) visit(node.shadowRoot);
    }
    node.childNodes.forEach(visit);
  };
  visit(document.body);
  return [document.title, ...found, ...(window.drawn ?? [])];
}"""

# Before the page is made: remember every text that is drawn on a canvas.
RECORD_DRAWN = """
window.drawn = new Set();
const draw = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
  window.drawn.add(String(text));
  return draw.call(this, text, ...place);
};
"""


def unmarked(page: Page, data: Iterable[str]) -> list[str]:
    """The texts on `page` with words in plain letters that are neither NAMES nor `data` (words and sentences)."""
    whole = {tuple(_words(text)) for text in data}
    words = NAMES.union(*whole)
    shown = {_STREAMLITS.sub("", text) for text in page.evaluate(_SHOWN, ", ".join(LEFT_OUT))}
    return sorted(text for text in shown if _plain(text, whole, words))


def _plain(text: str, whole: set[tuple[str, ...]], words: frozenset[str]) -> bool:
    """Whether a text has words in plain letters; one without an accent must be data as a whole."""
    plain = [word for word in _words(text) if word.isascii() and len(word) > 1]
    if all(map(str.isascii, _words(text))):
        return tuple(_words(text)) not in whole and not set(plain) <= NAMES
    return not set(plain) <= words


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text)
