"""Export a trace as a figure, an image or a table. Charts take a second to import: `downloads` loads this on use."""

from typing import Any

from attn_core import figures
from attn_core.figures.spreadsheet import MARK
from attn_core.trace import Trace
from attn_core.trace.reading import parse


def looks(trace: str) -> dict[str, tuple[int, int]]:
    """Layer and head, from 1, of each head that attends in a trace (JSON), by its name in links, such as "2.3"."""
    return _looks(parse(trace))


def chart(trace: str, look: str | None, dark: bool) -> Any:
    """The heatmap of a trace (JSON) for the page; `look` is the name of a head, any other the mean of all heads."""
    return _heatmap(trace, look, dark)


def png(trace: str, look: str | None) -> bytes:
    """The heatmap as PNG."""
    return figures.png(_heatmap(trace, look))


def svg(trace: str, look: str | None) -> str:
    """The heatmap as SVG."""
    return figures.svg(_heatmap(trace, look))


def csv(trace: str) -> str:
    """All weights as a CSV file, one per line."""
    return MARK + figures.table(parse(trace))


def _looks(trace: Trace) -> dict[str, tuple[int, int]]:
    return {look.name: (look.layer + 1, look.head + 1) for look in trace.words[0].step.looks}


def _heatmap(trace: str, look: str | None, dark: bool = False) -> Any:
    parsed = parse(trace)
    names = list(_looks(parsed))
    return figures.heatmap(parsed, names.index(look) if look in names else None, dark=dark)
