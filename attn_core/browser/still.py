"""A trace without JavaScript: its heatmap as SVG and its sentences as text, for notebooks that are rendered statically.

The figures of attn_core.figures need libraries that a player must not depend on.
"""

import unicodedata
from collections.abc import Sequence
from html import escape

from attn_core.palette import LIGHT
from attn_core.registry import load
from attn_core.trace import Trace, summary

COLUMN, ROW = 34, 24  # pixels of a cell
LETTER = 7.6  # pixels of the width of a letter, on average
_STOPS = (0, 0.35, 0.75, 1)  # weights with the colours of the ramp, as in attn_core.figures.heatmap


def sentences(trace: Trace) -> str:
    """The source and its translation on two lines, in readable tokens."""
    return f"{' '.join(_readable(trace.source))}\n{' '.join(_readable(trace.target))}"


def svg(trace: Trace) -> str:
    """Target words (down) by source words (across), coloured by the mean weights of all heads; words alone without any.

    The texts contain no control characters, which XML cannot express.
    """
    source, target = (list(map(_printable, _readable(words))) for words in (trace.source, trace.target))
    rows = trace.weights().tolist()
    left = 14 + LETTER * max(map(len, target), default=0)
    top = 34 + LETTER * 0.75 * max(map(len, source), default=0)
    width = left + COLUMN * len(source) + LETTER * max(map(len, source), default=0)
    parts = [_text(4, 16, summary(trace.model, trace.settings), LIGHT["dim"])]
    for place, word in enumerate(source):
        x = left + (place + 0.4) * COLUMN
        parts.append(_text(x, top - 6, word, LIGHT["ink"], f'transform="rotate(-40 {x:.1f} {top - 6:.1f})"'))
    for place, word in enumerate(target):
        parts.append(_text(left - 6, top + (place + 0.68) * ROW, word, LIGHT["ink"], 'text-anchor="end"'))
    for down, row in enumerate(rows):
        for across, weight in enumerate(row):
            title = f"<title>{escape(f'{target[down]}, {source[across]}: {weight:.3g}')}</title>"
            parts.append(
                f'<rect x="{left + across * COLUMN:.1f}" y="{top + down * ROW:.1f}" width="{COLUMN - 1}" '
                f'height="{ROW - 1}" fill="{_color(weight)}">{title}</rect>'
            )
    height = top + ROW * len(target) + 8
    label = escape(_printable(sentences(trace).replace("\n", " → ")), quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" font-size="13">'
        f'<rect width="100%" height="100%" fill="{LIGHT["background"]}"/>{"".join(parts)}</svg>'
    )


def _readable(tokens: Sequence[str]) -> list[str]:
    return load("attn_core.data.subwords:readable")(tokens)


def _text(x: float, y: float, text: str, color: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}" {more}>{escape(_printable(text))}</text>'


def _printable(text: str) -> str:
    """`text` with U+FFFD for what XML cannot hold; joiners and isolates stay."""
    return "".join("\ufffd" if unicodedata.category(letter) in ("Cc", "Cs", "Cn") else letter for letter in text)


def _color(weight: float) -> str:
    """The colour of a weight, between two of the ramp."""
    value = min(max(weight, 0.0), 1.0)
    place = next(i for i in range(1, len(_STOPS)) if value <= _STOPS[i])
    share = (value - _STOPS[place - 1]) / (_STOPS[place] - _STOPS[place - 1])
    ends = (LIGHT["ramp"][i].lstrip("#") for i in (place - 1, place))
    low, high = ([int(end[i : i + 2], 16) for i in (0, 2, 4)] for end in ends)
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(low, high, strict=True))
