"""Equations in MathML, which browsers show without a script, made from the LaTeX of a step graph."""

import re
from functools import cache
from xml.etree import ElementTree

from latex2mathml.converter import convert

from attn_core.attention.notation import LIVE

_MARK = re.compile(r"⟦(\w+)=(.*)⟧")
_OPERATORS = "±⌊⌋;"  # latex2mathml takes them for identifiers, which have no space around them
_THIN = "0.17em"  # TeX's thin space, before the name of a function
_WIDTHS = {"negativethinmathspace": "-0.17em"}  # names that browsers no longer know


@cache
def mathml(latex: str) -> str:
    """An equation as a <math> element. Raises the errors of latex2mathml for text that is not LaTeX.

    A number that `notation.live` marks becomes <mn data-live="NAME">, so that a page can write another one there.
    """
    known = latex.replace(r"\arg", r"\operatorname{arg}")  # latex2mathml does not know it
    marked = LIVE.sub(r"\\text{⟦\1=\2⟧}", known)
    root = ElementTree.fromstring(re.sub(r' (xmlns|display)="[^"]*"', "", convert(marked)))
    for parent in list(root.iter()):
        for place, child in reversed(list(enumerate(parent))):
            _mend(child)
            named = child.tag == "mi" and len(child.text or "") > 1
            if named and place and parent[place - 1].tag not in ("mo", "mspace"):
                parent.insert(place, ElementTree.Element("mspace", width=_THIN))
    return ElementTree.tostring(root, "unicode")


def _mend(element: ElementTree.Element) -> None:
    """Give an element of latex2mathml the tag that its text calls for."""
    text = element.text or ""
    if found := _MARK.fullmatch(text):
        element.tag, element.text = "mn", found[2]
        element.set("data-live", found[1])
    elif element.tag == "mi" and text in _OPERATORS and text:
        element.tag = "mo"
        if text in "⌊⌋":
            element.set("stretchy", "false")
    elif element.tag == "mspace":
        element.set("width", _WIDTHS.get(element.get("width", ""), element.get("width", "")))
    elif element.tag == "mo" and text.isalpha() and text.isascii():  # \operatorname
        element.tag = "mi"
