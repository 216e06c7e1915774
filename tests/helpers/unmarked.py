"""Find texts that are not marked for translation: those without accents on a page in the pseudo-locale."""

import re
from collections.abc import Iterable

from playwright.sync_api import Page

# Not to be translated: code, formulas, elements marked as data, and Streamlit's own words.
LEFT_OUT = (
    *("script", "style", "noscript", "math", "code", "pre", "[translate=no]", ".katex", ".stCode"),
    *("[data-testid=stMainMenu]", "[data-testid=stToolbar]", "[data-testid=stStatusWidget]"),
    *("[data-testid=InputInstructions]", "[data-testid=stElementToolbar]", ".vega-actions", "#vg-tooltip-element"),
)
# Names of people, papers, mechanisms and files, and of functions in formulas.
_NAMES = """
    Bahdanau Luong Vaswani Cho Sutskever Bengio Vinyals Manning Pham Wu Britz Raffel Williams Alammar
    Transformer GNMT RNN RNNencdec RNNsearch GRU LSTM CNN BLEU AER WMT Multi PyTorch TensorFlow JoeyNMT OpenNMT
    PNG SVG CSV JSON softmax sparsemax tanh exp ln sigmoid argmax min max ReLU
    Home End Space
"""
NAMES = frozenset(_NAMES.split())

# Streamlit's own words, which are always in English.
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
      const own = !node.closest(".stVegaLiteChart"); // Vega's descriptions are always in English
      for (const name of attributes) if (own && node.getAttribute(name)) found.push(node.getAttribute(name));
      if (node.shadowRoot) visit(node.shadowRoot);
    }
    node.childNodes.forEach(visit);
  };
  visit(document.body);
  return [document.title, ...found, ...(window.drawn ?? [])];
}"""

# Runs before the page is created: record every text that is drawn on a canvas.
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
    """Whether a text has words without accents; if no word has one, the whole text must be data."""
    plain = [word for word in _words(text) if word.isascii() and len(word) > 1]
    if all(map(str.isascii, _words(text))):
        return tuple(_words(text)) not in whole and not set(plain) <= NAMES
    return not set(plain) <= words


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text)
