"""Export a trace as a figure, an image or a table. Charts take a second to import: `downloads` loads this on use."""

from typing import Any

from attn_core import figures
from attn_core.figures.spreadsheet import MARK
from attn_core.trace import Trace
from attn_core.trace.reading import parse


def heads(trace: str) -> list[tuple[int, int]]:
    """Layer and head, from 0, of each head that attends in a trace (JSON)."""
    return _heads(parse(trace))


def chart(trace: str, head: tuple[int, int] | None, dark: bool) -> Any:
    """The heatmap of a trace (JSON) for the page: of a head by its layer and number, or of the mean of all heads."""
    return _heatmap(trace, head, dark)


def png(trace: str, head: tuple[int, int] | None) -> bytes:
    """The heatmap as PNG."""
    return figures.png(_heatmap(trace, head))


def svg(trace: str, head: tuple[int, int] | None) -> str:
    """The heatmap as SVG."""
    return figures.svg(_heatmap(trace, head))


def csv(trace: str) -> str:
    """All weights as a CSV file, one per line."""
    return MARK + figures.table(parse(trace))


def _heads(trace: Trace) -> list[tuple[int, int]]:
    return [(look.layer, look.head) for look in trace.words[0].step.looks]


def _heatmap(trace: str, head: tuple[int, int] | None, dark: bool = False) -> Any:
    parsed = parse(trace)
    known = _heads(parsed)
    return figures.heatmap(parsed, known.index(head) if head in known else None, dark=dark)
